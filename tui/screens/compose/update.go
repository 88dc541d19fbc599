package compose

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/talk"
	"darkroom/tui/widgets/form"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	m.frame.fresh = false
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m, m.key(msg)
	case screen.ClickMsg:
		return m, m.click(msg)
	case screen.WheelMsg:
		return m, m.wheel(msg)
	case screen.ActionMsg:
		return m, m.do(msg.ID)
	case screen.EditedMsg:
		return m, m.edited(msg)
	case screen.ComposeDraft:
		m.leaveDialogs()
		return m, m.filled(msg)
	case screen.JobsMsg:
		return m, m.jobsChanged()
	case screen.HiddenMsg:
		return m, m.saveNow()
	case loadedMsg:
		return m, m.loaded(msg)
	case saveTick:
		m.save.armed = false
		return m, m.saveNow()
	case savedMsg:
		return m, m.saved(msg)
	case previewMsg:
		return m, m.previewed(msg)
	case listedMsg:
		m.listCame(msg)
	case talk.PartMsg:
		return m, m.improvePart(msg)
	case comparedMsg:
		m.comparedCame(msg)
	case keptMsg:
		return m, keptResult(msg)
	case markedMsg:
		return m, m.marked(msg)
	case pastedMsg:
		return m, m.pastedRequest(msg)
	case pastMsg:
		return m, m.pastCame(msg)
	case pastJobMsg:
		return m, m.pastTaken(msg)
	case editingMsg:
		return m, m.openRequest(msg)
	case readMsg:
		return m, m.readBack(msg)
	case screen.ComposeResult:
		return m, m.takeResult(msg)
	case refMsg, filesMsg, factsMsg, foldersMsg, droppedMsg, foundMsg, headsMsg, originMsg, preview.ReadyMsg:
		return m, m.refsCame(msg)
	case mediaMsg:
		return m, m.resolved(msg)
	case submittedMsg:
		return m, m.submitted(msg)
	case templateMsg:
		return m, m.templateCame(msg)
	case planMsg:
		return m, m.planCame(msg)
	case fileMsg:
		return m, m.fileCame(msg)
	case presetsMsg:
		m.presetsCame(msg)
	case presetTakenMsg:
		return m, m.presetTaken(msg)
	case presetSavedMsg:
		return m, m.presetSaved(msg)
	case presetRemovedMsg:
		return m, m.presetRemoved(msg)
	}
	return m, nil
}

// handle goes on after a key or a click on the form.
func (m *Model) handle(ev form.Event) tea.Cmd {
	var cmds []tea.Cmd
	switch ev.Kind {
	case form.Changed:
		cmds = append(cmds, m.changed(ev.ID))
	case form.Opened:
		if _, ok := m.spec(ev.ID); ok {
			cmds = append(cmds, m.openItems(ev.ID, ev.Value))
		} else {
			cmds = append(cmds, m.openPicker(ev.ID))
		}
	case form.Pressed:
		cmds = append(cmds, m.pressed(ev))
	}
	if ev.Left != "" {
		cmds = append(cmds, m.commit(ev.Left))
		m.form.SetFields(m.rows()) // a folded field that was left empty goes
	}
	return tea.Batch(cmds...)
}

func (m *Model) pressed(ev form.Event) tea.Cmd {
	switch {
	case ev.ID == rowMore:
		return m.do("compose.more")
	case ev.Value == buttonSubmit:
		return m.do("compose.submit")
	case ev.Value == buttonCompare:
		return m.do("compose.to-compare")
	}
	return nil
}

// changed takes over the text or choice of a row.
func (m *Model) changed(id string) tea.Cmd {
	c := m.chosen[m.modality]
	value := m.form.Text(id)
	switch id {
	case rowKind:
		m.turn(client.Modality(value))
	case client.FieldModel:
		c.model = value
		m.chosen[m.modality] = c
	case client.FieldModelName:
		c.modelName = value
		m.chosen[m.modality] = c
	case client.FieldMode:
		c.mode = value
		m.chosen[m.modality] = c
	case rowFormat:
		c.format = value
		m.chosen[m.modality] = c
	case rowCopies:
		m.form.SetFields(m.rows())
		return nil
	default:
		m.foldField(id)
		delete(m.bad, id)
		delete(m.odd, id)
		if m.refusal.field == id {
			m.refusal = refusal{}
		}
	}
	return m.touched()
}

// touched follows a change: checks, the request, and saving.
func (m *Model) touched() tea.Cmd {
	m.edits++
	return m.followed()
}

// followed is touched for what changes by itself, and nobody's work.
func (m *Model) followed() tea.Cmd {
	m.refresh()
	m.save.revision++
	return tea.Batch(m.makePreview(), m.armSave(), m.lookAtFiles(), m.lookAtTemplate(), m.recount())
}

// commit follows when a field is left: paths become file:// URLs.
func (m *Model) commit(id string) tea.Cmd {
	m.shapeAgain(id)
	if !m.media(id) && !m.nested(id) {
		return nil
	}
	if t := m.form.Text(id); strings.HasSuffix(t, "\n") { // lines that were begun only
		m.form.SetText(id, strings.TrimRight(t, " \n"))
	}
	if list := m.localFields(id); len(list) > 0 {
		return resolve(list, nothing)
	}
	return nil
}

// resolved takes references over, where the text is still the one that was looked at.
func (m *Model) resolved(msg mediaMsg) tea.Cmd {
	changed, settled := false, []string(nil)
	for _, f := range msg.fields {
		if m.form.Text(f.name) != f.text {
			continue
		}
		m.judge(f)
		maps.Copy(m.files, f.files)
		if m.learn(f.facts); f.onlyLook {
			continue
		}
		if f.done != f.text {
			if m.pending.has(f.name, m.draft.Values[f.name]) {
				settled = append(settled, f.name)
			}
			m.form.SetText(f.name, m.data.fold(f.done))
			changed = true
		}
	}
	var cmd tea.Cmd
	if changed {
		cmd = m.followed()
		m.pending.settle(settled, m.draft.Values)
	} else {
		m.refresh()
	}
	switch msg.then {
	case submit:
		return tea.Batch(cmd, m.sendNow())
	case goOn:
		ready := m.batch.ready
		if m.batch.ready = nil; ready == nil {
			return cmd
		}
		return tea.Batch(cmd, ready())
	default:
		return cmd
	}
}

// judge keeps what was found out about a field's references.
func (m *Model) judge(f mediaField) {
	delete(m.bad, f.name)
	delete(m.odd, f.name)
	if f.problem != "" {
		m.bad[f.name] = f.problem
	}
	if f.remark != "" {
		m.odd[f.name] = f.remark
	}
}

// submit begins a submission of n copies. While one is on its way, another is refused.
func (m *Model) submit(n int) tea.Cmd {
	if m.batch.dialog != nil { // by the palette: what shows is what is meant
		return m.batchDo("submit")
	}
	if m.sending {
		return screen.Toast(screen.Warn, "not submitted again: "+stillSending)
	}
	if m.dialogOpen() {
		return screen.Toast(screen.Warn, "not submitted: "+overForm)
	}
	if m.asksFirst() {
		return m.openBatch(ofTemplate, true)
	}
	m.beginSending()
	m.refresh()
	m.pending = m.submission(n)
	if list := m.localFields(""); len(list) > 0 {
		return resolve(list, submit)
	}
	return m.sendNow()
}

// sendNow journals the submission, or says what is in its way: that is also a form which is not
// the one that was submitted.
func (m *Model) sendNow() tea.Cmd {
	m.refresh()
	if !m.pending.same(m.submission(m.pending.copies)) {
		return m.notSubmitted()
	}
	if m.asksFirst() {
		m.sending = false
		return m.openBatch(ofTemplate, true)
	}
	if p, bad := m.firstBad(); bad {
		m.sending = false
		m.goToProblem(&p)
		return screen.Toast(screen.Bad, "not submitted: "+client.CleanLine(p.Message))
	}
	if list := m.unresolved(); len(list) > 0 { // typed while the others were looked at
		return resolve(list, submit)
	}
	m.refusal = refusal{}
	in := planInput{deps: &m.deps, base: m.draft, format: m.effective().format, count: max(1, min(m.pending.copies, maxCopies)), seeds: m.seedsOfForm()}
	if in.count > 1 {
		in.master = m.drawn()
	}
	return ofSending(m.sendings, send(in))
}

// copies is how many jobs a submission makes.
func (m *Model) copies() int {
	n, err := strconv.Atoi(m.form.Text(rowCopies))
	if err != nil {
		return 1
	}
	return max(1, min(n, maxCopies))
}

func (m *Model) submitted(msg submittedMsg) tea.Cmd {
	if msg.sending == m.sendings {
		m.sending = false
	}
	m.batchSubmitted(msg)
	if msg.err != nil {
		text := client.CleanLine(msg.err.Error())
		if errors.Is(msg.err, jobs.ErrUnclear) {
			text = "perhaps submitted: " + text
			m.refusal = refusal{text: text}
			return screen.Toast(screen.Bad, text)
		}
		m.refusal = refusal{text: "not submitted: " + text}
		return screen.Toast(screen.Bad, "not submitted, nothing was sent: "+text)
	}
	for _, id := range msg.ids {
		m.sent[id] = msg.model
	}
	what := fmt.Sprintf("submitted %s, %d jobs", msg.model, len(msg.ids))
	if len(msg.ids) == 1 {
		what = fmt.Sprintf("submitted %s, job %s", msg.model, short(msg.ids[0]))
	}
	if k := m.deps.Keys.Keys("app.screen.2"); k != "" {
		what += " (Queue shows it)"
	}
	if msg.master != nil {
		what += fmt.Sprintf("; drawn with %d, which makes the same again", *msg.master)
	}
	// In this order, whatever is known already: the newest toast tells the outcome.
	return tea.Batch(m.used(msg.model), tea.Sequence(screen.Toast(screen.Info, what), m.jobsChanged()))
}

// short is the end of an id, which tells jobs apart.
func short(id string) string {
	if len(id) > 8 {
		return "…" + id[len(id)-8:]
	}
	return id
}
