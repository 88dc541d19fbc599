package compose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/screens/compose/internal/rows"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/picker"
)

// refMsg is a result that is to be gone on with, as a command found it.
type refMsg struct {
	job  jobs.Job // "" id for a file that is no result
	use  chain.Use
	kind string
	ref  string
	// files are those that are to be taken in the place of a result.
	files []media.File
	// field is the one that had the focus and takes references, "" for whichever takes it.
	field string
	at    late.Form
	err   error
}

// takeResult goes on with the result of a job.
func (m *Model) takeResult(msg screen.ComposeResult) tea.Cmd {
	use, err := chain.ParseUse(msg.As)
	if err != nil {
		return screen.Toast(screen.Bad, err.Error())
	}
	h, ok := m.deps.Jobs.(history)
	if !ok {
		return screen.Toast(screen.Info, "there is no history to take the result from")
	}
	return tea.Batch(m.leaveDialogs(), readResult(h, msg.JobID, refMsg{use: use, at: m.now()}, m.deps.Frames))
}

// leaveDialogs closes what was left open here when the person went elsewhere and came back with
// something else: it was about the former form, into which goes what was pasted and typed last.
// An answer that was asked for and paid stays.
func (m *Model) leaveDialogs() tea.Cmd {
	cmd := m.pasting.ReleaseAll("another form came")
	m.over.Clear()
	m.heads.said = nil
	m.ready = nil
	return cmd
}

// readResult reads a job and what its result offers for a use; that may take a frame out of a
// video. out is what is asked for.
func readResult(h history, id string, out refMsg, frames chain.Frames) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), refWait)
		defer stop()
		var m chain.Material
		if out.job, out.err = h.Get(ctx, id); out.err != nil {
			return out
		}
		if m, out.err = chain.Take(&out.job, out.use); out.err != nil {
			return out
		}
		out.kind = m.Kind
		out.ref, out.err = chain.Resolve(ctx, m, frames)
		return out
	}
}

// refCame goes on with a result, unless somebody went on with the form meanwhile.
func (m *Model) refCame(msg refMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the result was not taken: "+client.CleanLine(msg.err.Error()))
	}
	return m.takeOrOffer(msg.at, "the result of job "+client.CleanLine(sheet.Short(msg.job.ID)), func() tea.Cmd { return m.refTaken(msg) })
}

// refTaken puts a result where it belongs: a reference into the form as it is, anything else into
// a form that goes on from the job. Where the model has no place for it, others that do are
// offered.
func (m *Model) refTaken(msg refMsg) tea.Cmd {
	from := msg.job.Draft
	if msg.use == chain.Reference {
		from = m.formDraft()
		if f, ok := m.sheet.FieldNamed(msg.field); ok && slices.Contains(f.MediaKinds, msg.kind) {
			c := m.sheet.Effective()
			return m.goOn(msg, chain.Target{Modality: m.sheet.Modality, Model: c.Model, ModelName: c.ModelName, Mode: c.Mode, Field: f.Name})
		}
	}
	if t, ok := chain.Of(m.deps.Catalog, from, msg.use, msg.kind); ok {
		return m.goOn(msg, t)
	}
	return m.pickTarget(msg)
}

// formDraft is the form with the model and mode as they apply.
func (m *Model) formDraft() client.Draft {
	d := m.sheet.Draft.Clone()
	d.Parents = m.sheet.Parents
	return d
}

// inMode is a target's model, with its mode where requests carry one.
func inMode(t chain.Target) string {
	if t.Mode == "" {
		return t.Model
	}
	return t.Model + " in mode " + t.Mode
}

// goOn puts a result into a target.
func (m *Model) goOn(msg refMsg, t chain.Target) tea.Cmd {
	job := sheet.Short(msg.job.ID)
	if msg.use != chain.Reference {
		own, left := msg.job.OwnDraft()
		d := chain.Next(m.deps.Catalog, own, t, msg.use, msg.kind, msg.ref, msg.job.ID)
		cmd := screen.Warned(m.doc.Fill(screen.ComposeDraft{Draft: d}), left)
		m.doc.GoTo(client.FieldPrompt)
		what := map[chain.Use]string{chain.I2V: "the first image is from", chain.Extend: "extends", chain.Edit: "edits the result of"}[msg.use]
		return tea.Batch(cmd, screen.Toast(screen.Good, m.doc.WithBack(fmt.Sprintf("%s: %s job %s", inMode(t), what, client.CleanLine(job)))))
	}
	was := m.sheet.Effective()
	text := "the result of job " + job + " is in " + m.doc.Label(t.Field)
	if t.Model != was.Model || t.Modality != m.sheet.Modality {
		text += ", the model is now " + t.Model
	}
	if t.Mode != was.Mode {
		text += ", the mode " + or(t.Mode, rows.Unset)
	}
	cmd := m.put(t, []string{msg.ref}, msg.kind, msg.job.ID)
	return tea.Batch(cmd, screen.Toast(screen.Good, client.CleanLine(text)))
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// put adds references of one kind to the field of a target, and goes there.
func (m *Model) put(t chain.Target, list []string, kind, job string) tea.Cmd {
	m.sheet.Turn(t.Modality)
	c := m.sheet.Chosen[t.Modality]
	if c.Model != t.Model {
		c.Model, c.ModelName = t.Model, t.ModelName
	}
	if m.sheet.Effective().Mode != t.Mode || m.sheet.Effective().Model != t.Model {
		c.Mode = t.Mode
	}
	m.sheet.Chosen[t.Modality] = c
	m.doc.Refresh() // the fields are those of the target
	f, _ := m.deps.Catalog.Field(t.Modality, t.Field)
	value := m.sheet.Draft.Values[t.Field]
	for _, ref := range list {
		value = chain.Put(f, value, chain.Reference, kind, ref)
		if job != "" {
			m.sheet.Parents = append(client.Draft{Values: m.sheet.Values, Parents: m.sheet.Parents}.Descent(), client.Parent{Job: job, As: string(chain.Reference), Ref: ref})
		}
	}
	return m.setRefs(f, value)
}

// setRefs shows references in their field, and goes there without beginning to type.
func (m *Model) setRefs(f catalog.Field, value any) tea.Cmd {
	m.setValue(f, value)
	m.doc.GoTo(f.Name)
	m.sheet.Form.Release()
	return m.doc.Changed(f.Name)
}

// setValue shows a value in its field.
func (m *Model) setValue(f catalog.Field, value any) {
	m.sheet.Values[f.Name] = value
	m.sheet.Form.SetText(f.Name, sheet.FieldText(f, m.sheet.Data.Shrink(value)))
}

// pickTarget offers the models that can go on with a result.
func (m *Model) pickTarget(msg refMsg) tea.Cmd {
	var list []picker.Item
	for _, t := range chain.Targets(m.deps.Catalog, msg.use, msg.kind) {
		x, _ := m.deps.Catalog.ModelFor(t.Modality, t.Model)
		list = append(list, picker.Item{ID: string(t.Modality) + " " + t.Model, Title: t.Model, Group: string(t.Modality) + " · " + x.Family,
			Detail: strings.TrimSpace(t.Mode + "  " + m.labelOf(t))})
	}
	what := "this result"
	if msg.kind != "" {
		what = "this " + msg.kind
	}
	if len(list) == 0 {
		return screen.Toast(screen.Bad, "no model takes "+what+" for that")
	}
	return m.choose(picker.New("Which model takes "+what+"?", "model, mode, field …", list), msg)
}

func (m *Model) labelOf(t chain.Target) string {
	if f, ok := m.deps.Catalog.Field(t.Modality, t.Field); ok && f.Label != "" {
		return f.Label
	}
	return t.Field
}

// pickedTarget goes on with a result in the model that was chosen for it.
func (m *Model) pickedTarget(msg refMsg, id string) tea.Cmd {
	for _, t := range chain.Targets(m.deps.Catalog, msg.use, msg.kind) {
		if string(t.Modality)+" "+t.Model == id {
			if len(msg.files) > 0 {
				return m.pickedFiles(t, msg.files)
			}
			return m.goOn(msg, t)
		}
	}
	return nil
}
