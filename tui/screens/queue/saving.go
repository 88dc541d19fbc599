package queue

import (
	"fmt"

	"darkroom/jobs"
	"darkroom/tui/widgets/format"
)

// savingText is "2 files to come, 3.1 MB of 9.1 MB", as far as it is known; "" for nothing.
func savingText(s jobs.Transfer) string {
	if s.Left == 0 {
		return ""
	}
	text := fmt.Sprintf("%d files to come", s.Left)
	if s.Left == 1 {
		text = "1 file to come"
	}
	switch {
	case s.Total >= 0:
		text += ", " + format.Bytes(s.Done) + " of " + format.Bytes(s.Total)
	case s.Done > 0:
		text += ", " + format.Bytes(s.Done) + " so far"
	}
	return text
}

// sumUp adds up what is being saved of all jobs in the list, and looks whether any of them
// has a progress.
func (m *Model) sumUp() {
	m.saving, m.moving = jobs.Transfer{}, false
	for i := range m.jobs.len() {
		j := m.jobs.at(i)
		if len(j.Files) > 0 {
			m.saving = m.saving.Plus(jobs.TransferOf(j.Files))
		}
		if !m.moving {
			_, m.moving = j.Done()
		}
	}
}
