package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
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
		return m.do(msg.ID)
	case screen.CompareDraft:
		m.take(msg)
	case listedMsg:
		m.listCame(msg)
	case screen.JobsMsg:
		m.news()
	case submittedMsg:
		return m.submitted(msg)
	case preview.ReadyMsg:
		for i := range m.cells {
			if c := &m.cells[i]; c.wanted == msg.Key && slot(i) == msg.Slot {
				c.got, c.havePict = msg, true
			}
		}
	}
	return nil
}

// take makes a draft the one to compare; its own model is in from the start.
func (m *Model) take(from screen.CompareDraft) {
	d := from.Draft
	if d.Modality != m.base.Modality {
		m.chosen = map[string]bool{}
	}
	m.base, m.format, m.given, m.typed = d.Clone(), from.Format, true, false
	m.chosen[d.Model] = true
	m.setPrompt(d.Prompt)
	m.live.have = m.live.err == nil && m.live.have
	m.refit()
	m.point(d.Model)
	m.setFocus(modelsPane)
}

// point puts the cursor on a model, where the list has it.
func (m *Model) point(model string) {
	if i := slices.IndexFunc(m.candidates, func(c candidate) bool { return c.model.ID == model }); i >= 0 {
		m.table.SetCursor(i)
	}
}

// setKind begins an empty draft of another kind; the prompt stays.
func (m *Model) setKind(k client.Modality) {
	if k == m.base.Modality {
		return
	}
	prompt := m.base.Prompt
	m.base, m.format, m.given = m.deps.Catalog.Default(k), "", false
	m.base.Prompt = prompt
	m.chosen = map[string]bool{}
	m.table.SetCursor(0)
	m.refit()
}

// A prompt of several lines is edited in one: a sign stands for each line end, so that
// none is lost.
const lineEnd = "␊"

func (m *Model) setPrompt(s string) {
	m.prompt.SetValue(strings.ReplaceAll(s, "\n", lineEnd))
	m.prompt.CursorEnd()
}

// promptTyped takes over what was typed.
func (m *Model) promptTyped() {
	text := strings.ReplaceAll(m.prompt.Value(), lineEnd, "\n")
	if text == m.base.Prompt {
		return
	}
	before := m.base.Prompt
	m.base.Prompt, m.typed = text, true
	if blank(before) != blank(text) {
		m.refit()
		return
	}
	// The rules ask whether there is a prompt, never what it says: a key does not have
	// to check the draft against every model.
	for i := range m.candidates {
		m.candidates[i].draft.Prompt = text
	}
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// refit adapts the draft to each model anew.
func (m *Model) refit() {
	models := m.deps.Catalog.Models(m.base.Modality)
	m.candidates = make([]candidate, 0, len(models))
	for _, x := range models {
		m.candidates = append(m.candidates, candidate{model: x})
	}
	m.candidates = append(m.candidates, m.unlisted()...)
	for i, x := range m.candidates {
		m.candidates[i] = x.adapt(m.deps.Catalog, m.base, m.format)
	}
	m.table.SetSource(table.Func{N: len(m.candidates), At: m.row})
}

// in are the candidates that a run would send to.
func (m *Model) in() []candidate {
	var out []candidate
	for _, c := range m.candidates {
		if m.chosen[c.model.ID] && c.block == "" {
			out = append(out, c)
		}
	}
	return out
}

// run makes the cells of a run and has them journalled.
func (m *Model) run() tea.Cmd {
	var cells []cell
	for _, c := range m.in() {
		for rep := range m.repeats {
			cells = append(cells, cell{model: c.model.ID, name: c.draft.ModelName, draft: c.draft.Clone(), format: c.format, changes: c.changes, rep: rep + 1, reps: m.repeats})
		}
	}
	if len(cells) == 0 {
		return nil
	}
	m.sending, m.sentSeq = true, m.seq
	return submit(m.deps.Jobs, cells)
}

// submitted shows the cells of a run. Until then all that was chosen and typed stays, as
// it does when the run was refused.
func (m *Model) submitted(msg submittedMsg) tea.Cmd {
	m.sending = false
	if msg.err != nil {
		text := "nothing was sent: "
		if errors.Is(msg.err, jobs.ErrUnclear) {
			text = "perhaps submitted: "
		}
		return screen.Toast(screen.Bad, text+client.CleanLine(msg.err.Error()))
	}
	m.cancelPictures()
	m.cells, m.at, m.top, m.typed = msg.cells, 0, 0, false
	m.byJob = make(map[string]int, len(m.cells))
	for i, c := range m.cells {
		m.byJob[c.jobID] = i
	}
	m.seq = m.sentSeq // news that came before the ids were known count again
	m.news()
	m.setFocus(gridPane)
	return screen.Toast(screen.Good, fmt.Sprintf("%s created", count(len(m.cells), "job")))
}

// news takes over what changed about the jobs of the run.
func (m *Model) news() {
	var changed []jobs.Job
	changed, m.seq = m.deps.Jobs.Changes(m.seq)
	for _, j := range changed {
		i, ok := m.byJob[j.ID]
		if !ok {
			continue
		}
		c := &m.cells[i]
		if c.runningAt.IsZero() && j.State == jobs.Running {
			c.runningAt = j.UpdatedAt
		}
		c.job, c.have = j, true
	}
}

func (c *cell) ended() bool { return c.have && !c.job.State.Active() }

// took is how long the whole has taken, to now for what runs; false before the POST.
func (c *cell) took(now time.Time) (time.Duration, bool) {
	if !c.have || c.job.SubmittedAt.IsZero() {
		return 0, false
	}
	end := c.job.EndedAt
	if end.IsZero() {
		if c.ended() {
			return 0, false
		}
		end = now
	}
	return max(0, end.Sub(c.job.SubmittedAt)), true
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
