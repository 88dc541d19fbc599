package compose

import (
	"context"
	"maps"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/finder"
	"darkroom/tui/widgets/format"
)

// past is the dialog over the prompts that were ever sent.
type past struct {
	paging
	seen map[string]bool
}

// pastPrompt is a prompt with the newest job that it was sent by.
type pastPrompt struct {
	job, prompt, model string
	modality           client.Modality
	at                 time.Time
}

// pastMsg brings prompts of a query.
type pastMsg struct {
	page
	found []pastPrompt
}

// pastJobMsg brings a job that is taken as the form, and what goes on with it.
type pastJobMsg struct {
	job  jobs.Job
	at   asked
	then func(jobs.Job) tea.Cmd
	err  error
}

// openPast opens the dialog, with what is newest.
func (m *Model) openPast() tea.Cmd {
	if _, ok := m.deps.Jobs.(history); !ok {
		return screen.Toast(screen.Info, "there is no history to look into")
	}
	d := finder.New("Prompts that were sent", "words of a prompt …")
	k := m.deps.Keys
	d.Keys = strings.Join([]string{"enter prompt", k.Keys("past.job") + " whole job", "esc back"}, " · ")
	m.past = past{paging: paging{dialog: d}, seen: map[string]bool{}}
	m.onlyPane = false
	return m.lookPast()
}

// lookPast asks for the next page of what was typed.
func (m *Model) lookPast() tea.Cmd {
	p := &m.past
	h, ok := m.deps.Jobs.(history)
	if !ok {
		return nil
	}
	anew, ok := p.begin()
	if anew {
		p.seen = map[string]bool{}
	}
	if !ok {
		return nil
	}
	return findPast(h, p.query, p.before, maps.Clone(p.seen))
}

// findPast reads the history from a place on until there are enough prompts that were not seen.
func findPast(h history, query, before string, seen map[string]bool) tea.Cmd {
	return func() tea.Msg {
		var found []pastPrompt
		got := readPages(h, jobs.Query{}, query, before, func(j *jobs.Job, words []string) bool {
			text := strings.TrimSpace(j.Draft.Prompt)
			if text == "" || seen[text] || !hasAll(text, words) {
				return false
			}
			seen[text] = true
			found = append(found, pastPrompt{job: j.ID, prompt: j.Draft.Prompt, model: j.Draft.Model, modality: j.Draft.Modality, at: j.CreatedAt})
			return true
		})
		return pastMsg{got, found}
	}
}

// pastCame takes over what was found, if it is still what is looked for.
func (m *Model) pastCame(msg pastMsg) tea.Cmd {
	p := &m.past
	if p.dialog == nil {
		return nil
	}
	switch {
	case !p.came(msg.page):
		return m.lookPast()
	case msg.err != nil:
		return p.failed(msg.err)
	}
	for _, x := range msg.found {
		if text := strings.TrimSpace(x.prompt); !p.seen[text] {
			p.seen[text] = true
			p.dialog.Add(finder.Item{ID: x.job, Text: client.Clean(x.prompt), Detail: m.pastDetail(x)})
		}
	}
	if p.wanting("nothing was sent yet", "no prompt has these words") {
		return m.lookPast()
	}
	return nil
}

func (m *Model) pastDetail(x pastPrompt) string {
	parts := []string{string(x.modality), client.CleanLine(x.model)}
	if m.deps.Now != nil && !x.at.IsZero() {
		parts = append(parts, format.Age(m.deps.Now().Sub(x.at)))
	}
	return strings.Join(parts, "  ")
}

// pastKey is a key while the dialog is open.
func (m *Model) pastKey(k tea.KeyMsg) tea.Cmd {
	if id, ok := m.deps.Keys.Lookup(scopePast, k.String()); ok && !k.Paste {
		return m.pastDo(strings.TrimPrefix(id, scopePast+"."))
	}
	return m.pastEvent(m.past.dialog.Key(k))
}

// scopePast is that of the keys and actions of the dialog.
const scopePast = "past"

// pastDo does an action of the dialog by its name.
func (m *Model) pastDo(verb string) tea.Cmd {
	if m.past.dialog == nil {
		return nil
	}
	switch verb {
	case "take":
		return m.pastEvent(finder.Picked)
	case "job":
		return m.takeJob()
	case "close":
		return m.pastEvent(finder.Cancelled)
	}
	return nil
}

func (m *Model) pastEvent(ev finder.Event) tea.Cmd {
	switch ev {
	case finder.Changed, finder.Wanting:
		return m.lookPast()
	case finder.Cancelled:
		m.past = past{}
	case finder.Picked:
		return m.takePrompt()
	}
	return nil
}

// takePrompt puts the prompt under the cursor into the form; undo brings back what was there.
func (m *Model) takePrompt() tea.Cmd {
	return m.takePast(func(j jobs.Job) tea.Cmd {
		m.form.SetText(client.FieldPrompt, j.Draft.Prompt)
		m.goTo(client.FieldPrompt)
		return m.changed(client.FieldPrompt)
	})
}

// takeJob fills the form from the job under the cursor.
func (m *Model) takeJob() tea.Cmd {
	return m.takePast(func(j jobs.Job) tea.Cmd {
		d, left := j.OwnDraft()
		return screen.Warned(m.filled(screen.ComposeDraft{Draft: d, Format: j.Format, Job: j.ID}), left)
	})
}

// takePast closes the dialog, reads the job under the cursor and goes on with it.
func (m *Model) takePast(then func(jobs.Job) tea.Cmd) tea.Cmd {
	it, ok := m.past.dialog.Current()
	h, reads := m.deps.Jobs.(history)
	if !ok || !reads {
		return nil
	}
	m.past = past{}
	at := m.asks()
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), pastWait)
		defer stop()
		j, err := h.Get(ctx, it.ID)
		return pastJobMsg{job: j, at: at, then: then, err: err}
	}
}

// pastTaken goes on with a job that was read, unless somebody went on with the form meanwhile.
func (m *Model) pastTaken(msg pastJobMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the job could not be read, the form is as it was: "+client.CleanLine(msg.err.Error()))
	}
	if !m.untouched(msg.at) {
		return m.offer("what was taken from job "+client.CleanLine(short(msg.job.ID)), func() tea.Cmd { return msg.then(msg.job) })
	}
	return msg.then(msg.job)
}

// pastActions are what the palette offers while the dialog is open.
func (m *Model) pastActions() []screen.Action {
	if m.past.dialog == nil {
		return nil
	}
	off := ""
	if m.past.dialog.Len() == 0 {
		off = "nothing is found"
	}
	out := make([]screen.Action, 0, 3)
	for _, verb := range []string{"take", "job", "close"} {
		a := screen.Action{ID: scopePast + "." + verb, Title: m.deps.Keys.Title(scopePast + "." + verb), Off: off}
		if verb == "close" {
			a.Off = ""
		}
		out = append(out, a)
	}
	return out
}
