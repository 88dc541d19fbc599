package compare

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/jobs/compare/pick"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
)

// askFrom is the number of jobs from which a run asks first: each of them is billed.
const askFrom = 5

// Actions that keys, clicks and texts mean beside their own keys.
const (
	actRun      = "compare.run"
	actToggle   = "compare.toggle"
	actAll      = "compare.all"
	actRepeat   = "compare.repeat"
	actPrompt   = "compare.prompt"
	actOpen     = "compare.open"
	actInspect  = "compare.inspect"
	actEdit     = "compare.edit"
	actResubmit = "compare.resubmit"
	actLeave    = "compare.leave"
	actNextPane = "compare.next-pane"
)

// Commands is the table of what can be done on the screen.
func Commands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actRun, Title: "Run", Keys: []string{"ctrl+s"}, Word: "run", Off: offRun, Do: (*Model).askRun},
		{ID: actToggle, Title: "Model in or out", Keys: []string{" "}, Word: "in or out", Off: offToggle, Do: screen.Act((*Model).toggle)},
		{ID: actAll, Title: "All models in or out", Keys: []string{"a"}, Word: "all", Do: screen.Act(func(m *Model) { m.plan.ToggleAll() })},
		{ID: actRepeat, Title: "Once, twice or three times", Keys: []string{"n", "alt+n"}, Word: "repeats", Do: screen.Act(func(m *Model) { m.plan.Repeat() })},
		{ID: actPrompt, Title: "Change the prompt", Keys: []string{"/", "ctrl+g"}, Word: "prompt", Do: screen.Act(func(m *Model) { m.setFocus(promptPane) })},
		{ID: actOpen, Title: "Open in Queue", Keys: []string{"enter"}, Word: "in queue", Off: ofTrial(nil),
			Do: func(m *Model) tea.Cmd { return screen.Open(screen.Queue, screen.ShowJob{JobID: m.trial().JobID}) }},
		{ID: actInspect, Title: "Inspect", Keys: []string{"i"}, Word: "inspect", Off: ofTrial(offInspect),
			Do: func(m *Model) tea.Cmd { return screen.Open(screen.Inspect, screen.InspectID{ID: m.trial().Job.TaskID}) }},
		{ID: actEdit, Title: "Change the draft in Compose", Keys: []string{"c"}, Word: "to compose", Do: edit},
		{ID: actResubmit, Title: "Take this job to Compose", Keys: []string{"C"}, Word: "its job", Off: ofTrial(nil), Do: resubmit},
		{ID: "compare.use", Title: "Use the result as a reference", Keys: []string{"u"}, Off: ofTrial(offUse),
			Do: func(m *Model) tea.Cmd {
				return screen.Open(screen.Compose, screen.ComposeResult{JobID: m.trial().JobID, As: string(chain.Reference)})
			}},
		{ID: actLeave, Title: "Back to the models", Keys: []string{"esc"}, Word: "models", Do: screen.Act(func(m *Model) { m.setFocus(modelsPane) })},
		{ID: actNextPane, Title: "Next pane", Keys: []string{"tab"}, Word: "next pane", Do: screen.Act(func(m *Model) { m.turn(1) })},
		{ID: "compare.prev-pane", Title: "Previous pane", Keys: []string{"shift+tab"}, Do: screen.Act(func(m *Model) { m.turn(-1) })},
	}
}

// edit takes the draft being compared to Compose, or a trial's draft if the results have the focus.
func edit(m *Model) tea.Cmd {
	d, format := m.plan.Base, m.plan.Format
	if m.focus == gridPane && len(m.run.Trials) > 0 {
		d, format = m.trial().Draft, m.trial().Format
	}
	return screen.Open(screen.Compose, screen.ComposeDraft{Draft: d.Clone(), Format: format})
}

func resubmit(m *Model) tea.Cmd {
	t := m.trial()
	d := screen.ComposeDraft{Draft: t.Draft.Clone(), Format: t.Format, Job: t.JobID}
	left := ""
	if t.Have && !t.Job.Draft.Cut {
		d.Draft, left = t.Job.OwnDraft()
		d.Format = t.Job.Format
	}
	return screen.Warned(screen.Open(screen.Compose, d), left)
}

func offRun(m *Model) string {
	if m.deps.ReadOnly != "" {
		return m.deps.ReadOnly
	}
	if m.sending {
		return "a run is being sent"
	}
	return m.plan.WhyNot()
}

func offToggle(m *Model) string {
	c, ok := m.candidate()
	switch {
	case !ok:
		return "there is no model to choose"
	case c.Block != "":
		return client.CleanLine(c.Model.ID) + " cannot take this: " + c.Block
	}
	return ""
}

// ofTrial says why nothing can be done with a result: there is none, or more objects to it.
func ofTrial(more func(*jobs.Job) string) func(*Model) string {
	return func(m *Model) string {
		switch {
		case len(m.run.Trials) == 0:
			return "nothing was run yet"
		case more == nil:
			return ""
		default:
			return more(&m.trial().Job)
		}
	}
}

func offInspect(j *jobs.Job) string { return jobs.WhyNot(jobs.ActLookUp, j) }

func offUse(j *jobs.Job) string {
	if _, err := chain.Take(j, chain.Reference); err != nil {
		return err.Error()
	}
	return ""
}

// candidate is the model under the cursor of the list.
func (m *Model) candidate() (pick.Candidate, bool) {
	if i := m.table.Cursor(); i >= 0 && i < len(m.plan.Candidates) {
		return m.plan.Candidates[i], true
	}
	return pick.Candidate{}, false
}

func (m *Model) toggle() {
	if c, ok := m.candidate(); ok {
		m.plan.Toggle(c.Model.ID)
	}
}

func (m *Model) askRun() tea.Cmd {
	n := len(m.plan.In()) * m.plan.Repeats
	if n < askFrom {
		return m.start()
	}
	text := fmt.Sprintf("%d jobs are created and billed: %s", n, human.Plural(len(m.plan.In()), "model"))
	if m.plan.Repeats > 1 {
		text += fmt.Sprintf(", each %d times", m.plan.Repeats)
	}
	q := confirm.New(fmt.Sprintf("Create %d jobs?", n), text+".", "no",
		confirm.Button{ID: "no", Label: "Not now", Key: "n"}, confirm.Button{ID: "yes", Label: "Create", Key: "y"})
	m.asking = &q
	return nil
}

// answer ends the question; id is "" while there is no answer yet.
func (m *Model) answer(id string) tea.Cmd {
	if id == "" {
		return nil
	}
	m.asking = nil
	if id != "yes" || offRun(m) != "" {
		return nil
	}
	return m.start()
}

func (m *Model) setFocus(p pane) { m.focus = p }

// turn cycles through the panes that hold something.
func (m *Model) turn(n pane) {
	p := (m.focus + n + panes) % panes
	if p == gridPane && len(m.run.Trials) == 0 {
		p = (p + n + panes) % panes
	}
	m.setFocus(p)
}
