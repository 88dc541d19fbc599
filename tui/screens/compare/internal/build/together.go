package build

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs/compare/suite"
	"darkroom/tui/screen"
)

// maxDrafts bounds those that are kept to be compared together.
const maxDrafts = 100

// gather keeps what is to be compared now, which another draft takes the place of.
func (m *Model) gather(d client.Draft, format string) {
	if d.Modality != m.plan.Base.Modality {
		m.drafts = nil
	} else if m.file == nil && (m.given || m.typed) {
		for _, one := range m.asDrafts() {
			m.keep(one)
		}
	}
	m.keep(suite.Drafted{Draft: d.Clone(), Format: format})
}

func (m *Model) keep(one suite.Drafted) {
	same := func(o suite.Drafted) bool { return o.Format == one.Format && reflect.DeepEqual(o.Draft, one.Draft) }
	if len(m.drafts) < maxDrafts && strings.TrimSpace(one.Draft.Prompt) != "" && !slices.ContainsFunc(m.drafts, same) {
		m.drafts = append(m.drafts, one)
	}
}

// asDrafts is the plan as drafts: each prompt for the first model, and the first prompt for each model.
func (m *Model) asDrafts() []suite.Drafted {
	var out []suite.Drafted
	in := m.plan.In()
	for i, c := range in {
		for k, p := range m.prompts.all {
			if i > 0 && k > 0 {
				break
			}
			d := c.Draft.Clone()
			d.Prompt = p
			out = append(out, suite.Drafted{Draft: d, Format: m.plan.Format})
		}
	}
	return out
}

func offTogether(m *Model) string {
	if len(m.drafts) < 2 {
		return "send a second draft here from Compose first"
	}
	return ""
}

// together opens a suite of all drafts: what they share, and axes where they differ.
func together(m *Model) tea.Cmd {
	s, notes := suite.FromDrafts(nameFor([]string{m.drafts[0].Draft.Prompt}), m.drafts)
	s.Repeats, s.Warmups, s.Concurrency = m.set.Repeats, m.set.Warmups, m.set.Concurrency
	m.takeFile(s, "", "")
	text := fmt.Sprintf("%d drafts together", len(m.drafts))
	if len(notes) > 0 {
		return screen.Toast(screen.Warn, text+": "+strings.Join(notes, "; "))
	}
	return screen.Toast(screen.Good, text)
}
