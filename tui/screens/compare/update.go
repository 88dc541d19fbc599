package compare

import (
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/table"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	m.fresh = false
	cmd := m.handle(msg)
	m.layout()
	if !m.gridShows() {
		return m, tea.Batch(cmd, m.askLists())
	}
	return m, tea.Batch(cmd, m.askLists(), m.loadPictures())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		m.wheel(msg)
	case screen.ActionMsg:
		return m.commands.Do(m, msg.ID)
	case screen.CompareDraft:
		m.take(msg)
	case listedMsg:
		m.handleLists(msg)
	case screen.JobsMsg:
		m.news()
	case submittedMsg:
		return m.submitted(msg)
	case preview.ReadyMsg:
		m.ready(msg)
	}
	return nil
}

// take makes a draft the one to compare; its own model is included from the start.
func (m *Model) take(from screen.CompareDraft) {
	m.given, m.typed = true, false
	m.setPrompt(from.Draft.Prompt)
	m.live.have = m.live.err == nil && m.live.have
	m.plan.Take(from.Draft, from.Format)
	m.showCandidates()
	m.point(from.Draft.Model)
	m.setFocus(modelsPane)
}

// showCandidates lists the plan's candidates, which have changed.
func (m *Model) showCandidates() {
	m.table.SetSource(table.Func{N: len(m.plan.Candidates), At: func(i int) table.Row {
		c := m.plan.Candidates[i]
		return rowOf(m.st, c, m.plan.Chosen[c.Model.ID])
	}})
}

// point puts the cursor on a model, if it is listed.
func (m *Model) point(model string) {
	if i := m.plan.Index(model); i >= 0 {
		m.table.SetCursor(i)
	}
}

// setKind begins an empty draft of another kind; the prompt stays.
func (m *Model) setKind(k client.Modality) {
	if k == m.plan.Base.Modality {
		return
	}
	m.given = false
	m.plan.SetKind(k)
	m.table.SetCursor(0)
	m.showCandidates()
}

// A prompt of several lines is edited in one: a sign stands for each line end, so that
// none is lost.
const lineEnd = "␊"

func (m *Model) setPrompt(s string) {
	m.prompt.SetValue(strings.ReplaceAll(s, "\n", lineEnd))
}

// promptTyped takes over what was typed.
func (m *Model) promptTyped() {
	text := strings.ReplaceAll(m.prompt.Value(), lineEnd, "\n")
	if text == m.plan.Base.Prompt {
		return
	}
	m.typed = true
	if m.plan.SetPrompt(text) {
		m.showCandidates()
	}
}

// start journals the jobs of a run.
func (m *Model) start() tea.Cmd {
	trials := m.plan.Trials()
	if len(trials) == 0 {
		return nil
	}
	m.sending, m.sentSeq = true, m.seq
	return submit(m.deps.Jobs, trials)
}

// submitted shows the cells of a run. Until then everything chosen and typed stays, as it does if
// the run is refused.
func (m *Model) submitted(msg submittedMsg) tea.Cmd {
	m.sending = false
	if msg.err != nil {
		text := "nothing was sent: "
		if errors.Is(msg.err, jobs.ErrUnclear) {
			text = "perhaps submitted: "
		}
		return screen.Toast(screen.Bad, text+client.CleanLine(msg.err.Error()))
	}
	m.showRun(msg.trials)
	m.typed = false
	m.seq = m.sentSeq // news that came before the ids were known count again
	m.news()
	m.setFocus(gridPane)
	return screen.Toast(screen.Good, human.Plural(len(msg.trials), "job")+" created")
}

// news takes the changes of the run's jobs.
func (m *Model) news() {
	var changed []jobs.Job
	changed, m.seq = m.deps.Jobs.Changes(m.seq)
	m.run.Update(changed)
}
