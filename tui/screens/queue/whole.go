package queue

import (
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
)

// cutFor is the job for which an action needs the whole draft while the list has only its
// beginning; nil if there is none.
func (m *Model) cutFor(action string) *jobs.Job {
	j := m.list.job()
	switch action {
	case actResubmit, actSeed, actResend, actParent:
	case actPause:
		ids := m.list.able(jobs.ActPause)
		if len(ids) != 1 {
			return nil
		}
		if j = m.list.jobs.Get(ids[0]); j.State != jobs.Planned { // only these may send files
			return nil
		}
	default:
		return nil
	}
	if j == nil || !j.Draft.Cut {
		return nil
	}
	return j
}

// takeWhole goes on with the action, unless the person has gone on to another job meanwhile.
func (m *Model) takeWhole(msg wholeMsg) tea.Cmd {
	old := m.list.jobs.Get(msg.id)
	switch {
	case errors.Is(msg.err, jobs.ErrNotFound) || msg.err == nil && old == nil:
		return screen.Toast(screen.Bad, "the job is no longer in the history")
	case msg.err != nil:
		return screen.Toast(screen.Bad, "the whole job could not be read: "+client.CleanLine(msg.err.Error()))
	}
	m.list.jobs.Fill(&msg.job)
	m.detail.dirty = true
	if msg.action == actPause {
		if !slices.Equal(m.list.able(jobs.ActPause), []string{msg.id}) {
			return nil
		}
	} else if m.list.current != msg.id {
		return nil
	}
	return m.do(msg.action)
}
