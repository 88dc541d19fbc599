package compose

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/kept"
	"darkroom/jobs"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/latest"
	"darkroom/tui/screens/compose/internal/sheet"
)

// newLatest is the pane of the latest results, and what it can do to the form.
func (m *Model) newLatest() *latest.Pane {
	d := &m.deps
	history, _ := d.Jobs.(latest.History)
	keeper, _ := d.Jobs.(latest.Keeper)
	return latest.New(latest.Options{
		History: history, Keeper: keeper, Profile: d.Profile, Host: d.Host, PlanOf: d.PlanOf, Previews: d.Previews, Player: d.Player,
		Keys: d.Keys, Styles: d.Styles, Now: d.Now, Focus: actLatest, Undo: document.ActBringBack,
	}, latest.Around{
		Kind:    func() client.Modality { return m.sheet.Modality },
		Seed:    m.takeSeed,
		OffSeed: m.offSeed,
		Draft: func(j *jobs.Job) tea.Cmd {
			own, left := j.OwnDraft()
			return screen.Warned(m.doc.Fill(screen.ComposeDraft{Draft: own, Format: j.Format, Job: j.ID}), left)
		},
		Use: func(id string) tea.Cmd {
			m.doc.Side.ShowForm()
			return m.refs.Answer(refs.Found{JobID: id})
		},
		Whole:    func() { m.doc.Side.WholeResults() },
		Ask:      m.over.Open,
		Rejected: func() { m.rejectedAt = m.sheet.Fills },
	})
}

// followLatest gives the latest results their room, and has them ask for what is in sight.
func (m *Model) followLatest() tea.Cmd {
	m.doc.Side.Place()
	return m.latest.Follow()
}

// NextTick implements screen.WantTick.
func (m *Model) NextTick() time.Duration { return m.latest.NextTick() }

// turnLatest gives the keys to the latest results, or back to the prompt.
func (m *Model) turnLatest() {
	if m.latest.Focused() {
		m.doc.GoTo(client.FieldPrompt)
		return
	}
	m.doc.Side.GoToResults()
}

// latestKey does what a key means while the latest results have the keys; false for one that means
// nothing there.
func (m *Model) latestKey(k tea.KeyMsg) (tea.Cmd, bool) {
	if !m.latest.Focused() {
		return nil, false
	}
	if id, ok := m.latest.Lookup(k); ok {
		return m.do(id), true
	}
	switch name := k.String(); {
	case name == "esc" && m.doc.Side.Whole() && m.doc.Side.Room().Roomy():
		m.doc.Side.WholeResults()
	case name == "shift+tab":
		m.doc.GoTo(sheet.RowButtons)
	case name == "esc" || name == "tab":
		m.doc.GoTo(client.FieldPrompt)
	default:
		return nil, false
	}
	return nil, true
}

// tabToLatest goes on from the last row of the form to the latest results that stand beside it, and
// from the first row back to them.
func (m *Model) tabToLatest(k tea.KeyType) bool {
	at := m.sheet.Form.Focused()
	if !m.doc.Side.Shows() || k == tea.KeyTab && at != sheet.RowButtons || k == tea.KeyShiftTab && at != sheet.RowKind {
		return false
	}
	m.doc.Side.GoToResults()
	return true
}

// offSeed says why the form takes no seed, "" when it does.
func (m *Model) offSeed() string {
	if _, ok := m.sheet.FieldNamed(expand.FieldSeed); !ok {
		return "the model of the form takes no seed"
	}
	return ""
}

// takeSeed puts the seed of a result into the form, and goes to the prompt: that is what changes next.
func (m *Model) takeSeed(seed string) tea.Cmd {
	cmd := m.doc.Set(expand.FieldSeed, seed)
	m.doc.GoTo(client.FieldPrompt)
	return tea.Batch(cmd, screen.Toast(screen.Good, "the seed is "+client.CleanLine(seed)+" now"))
}

// lookMsg is the look that was kept.
type lookMsg kept.ComposeLook

// loadLook reads the look that was kept. One that cannot be read is not missed: Queue tells of the
// file that both share.
func (m *Model) loadLook() tea.Cmd {
	from := m.deps.Looks
	if from == nil {
		return nil
	}
	return func() tea.Msg {
		look, err := from.Load()
		if err != nil {
			return nil
		}
		return lookMsg(look)
	}
}

// keepLook keeps a look that has changed.
func (m *Model) keepLook() tea.Cmd {
	now, to := m.doc.Side.Fold, m.deps.Looks
	if now == m.look || to == nil {
		return nil
	}
	m.look = now
	return func() tea.Msg {
		if err := to.Save(kept.ComposeLook{Request: string(now)}); err != nil {
			return screen.ToastMsg{Level: screen.Warn, Text: "the layout of Compose could not be saved: " + client.CleanLine(err.Error())}
		}
		return nil
	}
}

// restores reports whether the last thing to be undone is a reject: the form was not replaced since.
func (m *Model) restores() bool { return m.latest.CanRestore() && m.rejectedAt == m.sheet.Fills }

// bringBack takes a reject back, or the clearing or the replacing of the form, whatever was last.
func (m *Model) bringBack() tea.Cmd {
	if m.restores() {
		return m.latest.Restore()
	}
	return m.doc.BringBack()
}

// offBack says why nothing can be brought back, "" when something can.
func (m *Model) offBack() string {
	if m.restores() {
		return ""
	}
	return m.doc.OffBack()
}
