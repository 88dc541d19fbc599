package attach

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/media"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/form"
)

// readWait bounds the look-up of a result, which may include taking a frame out of a video.
const readWait = 90 * time.Second

// resultMsg is a result to go on with, as a command found it.
type resultMsg struct {
	job  jobs.Job // "" id for a file that is no result
	use  chain.Use
	kind string
	ref  string
	// files are the ones to take instead of a result.
	files []media.File
	// field is the field that takes references and had the focus, "" for whichever takes it.
	field string
	at    late.State
	err   error
}

// Results opens the list of results, newest first.
func (r *References) Results() tea.Cmd {
	if r.o.History == nil {
		return screen.Toast(screen.Info, "there is no history to look into")
	}
	return r.open(refs.NewResults(refs.ResultOptions{Keys: r.o.Keys, History: r.o.History, Now: r.o.Now, Previews: r.o.Previews}))
}

// TakeResult goes on with the result of a job that another screen names.
func (r *References) TakeResult(msg screen.ComposeResult) tea.Cmd {
	use, err := chain.ParseUse(msg.As)
	if err != nil {
		return screen.Toast(screen.Bad, err.Error())
	}
	if r.o.History == nil {
		return screen.Toast(screen.Info, "there is no history to take the result from")
	}
	left := r.around.Leave()
	return tea.Batch(left, r.read(msg.JobID, resultMsg{use: use, at: r.around.Late.Now()}))
}

// read reads a job and what its result offers for a use, which may take a frame out of a video. out
// says what is requested.
func (r *References) read(id string, out resultMsg) tea.Cmd {
	h, frames := r.o.History, r.o.Frames
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), readWait)
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

// handleResult goes on with a result, unless the person has gone on with the form meanwhile.
func (r *References) handleResult(msg resultMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the result was not taken: "+client.CleanLine(msg.err.Error()))
	}
	return r.around.Late.Put(msg.at, "the result of job "+client.CleanLine(sheet.Short(msg.job.ID)), func() tea.Cmd { return r.goOnFrom(msg) })
}

// goOnFrom puts a result where it belongs: a reference into the form as it is, anything else into a
// form that goes on from the job. If the model has no place for it, it offers models that have one.
func (r *References) goOnFrom(msg resultMsg) tea.Cmd {
	from := msg.job.Draft
	if msg.use == chain.Reference {
		from = r.draft()
		if f, ok := r.sheet.FieldNamed(msg.field); ok && slices.Contains(f.MediaKinds, msg.kind) {
			c := r.sheet.Effective()
			return r.goOn(msg, chain.Target{Modality: r.sheet.Modality, Model: c.Model, ModelName: c.ModelName, Mode: c.Mode, Field: f.Name})
		}
	}
	if t, ok := chain.Of(r.o.Catalog, from, msg.use, msg.kind); ok {
		return r.goOn(msg, t)
	}
	return r.pickTarget(msg)
}

// goOn puts a result into a target.
func (r *References) goOn(msg resultMsg, t chain.Target) tea.Cmd {
	job := sheet.Short(msg.job.ID)
	if msg.use != chain.Reference {
		own, left := msg.job.OwnDraft()
		d := chain.Next(r.o.Catalog, own, t, msg.use, msg.kind, msg.ref, msg.job.ID)
		cmd := screen.Warned(r.doc.Fill(screen.ComposeDraft{Draft: d}), left)
		r.doc.GoTo(client.FieldPrompt)
		what := map[chain.Use]string{chain.I2V: "the first image is from", chain.Extend: "extends", chain.Edit: "edits the result of"}[msg.use]
		return tea.Batch(cmd, screen.Toast(screen.Good, r.doc.WithBack(fmt.Sprintf("%s: %s job %s", r.inMode(t), what, client.CleanLine(job)))))
	}
	was := r.sheet.Effective()
	text := "the result of job " + job + " is in " + r.doc.Label(t.Field)
	if t.Model != was.Model || t.Modality != r.sheet.Modality {
		text += ", the model is now " + t.Model
	}
	if t.Mode != was.Mode {
		text += ", the mode is now " + r.mode(t)
	}
	cmd := r.put(t, []string{msg.ref}, msg.kind, msg.job.ID)
	return tea.Batch(cmd, screen.Toast(screen.Good, client.CleanLine(text)))
}

// inMode is the name of a target's model, with its mode if requests carry one.
func (r *References) inMode(t chain.Target) string {
	if t.Mode == "" {
		return t.Model
	}
	return t.Model + ", " + r.mode(t)
}

// mode is what the form calls a target's mode.
func (r *References) mode(t chain.Target) string {
	if t.Mode == "" {
		return form.Auto
	}
	x, _ := r.o.Catalog.ModelFor(t.Modality, t.Model)
	return x.ModeCalled(t.Mode)
}
