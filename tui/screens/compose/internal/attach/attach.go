// Package attach puts media into the form as references: files that were chosen or pasted, and
// results of jobs. It finds the field that takes them, and the mode or the model that has one. It
// also names references in the prompt, and asks what is behind their URLs.
package attach

import (
	"cmp"
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/dialogs/paging"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/screens/compose/internal/pasted"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/picker"
)

// Actions of the screen whose keys are named here.
const (
	ActFiles = "compose.pick-file"
	ActHeads = "compose.check-url"
)

// Around is what lies around the form that references go into.
type Around struct {
	Over    *screen.Stack
	Pasting *pasted.Intake
	Late    *late.Box
	Leave   func() tea.Cmd // closes what is open over the form, for what comes from elsewhere
}

// History is the part of [jobs.Reader] that finds and reads results.
type History interface {
	paging.History
	Get(ctx context.Context, id string) (jobs.Job, error)
}

// Options are the sources of references.
type Options struct {
	Catalog  *catalog.Catalog
	Keys     keys.Map
	History  History         // nil: there is none to look into
	Folders  refs.Folders    // nil forgets from where files were taken at the end
	Previews *preview.Loader // nil shows none
	Frames   chain.Frames    // nil where nothing takes frames out of videos
	Now      func() time.Time
}

// References puts references into a form. Make it with [New].
type References struct {
	o       Options
	doc     *document.Document
	sheet   *sheet.Sheet // of the document
	around  Around
	folders *refs.Recent // from which files were taken
}

// New puts references into the form of a document.
func New(o Options, d *document.Document, a Around) *References {
	return &References{o: o, doc: d, sheet: d.Sheet, around: a, folders: refs.NewRecent(o.Folders)}
}

// Load reads which folders files were taken from.
func (r *References) Load() tea.Cmd { return r.folders.Load() }

// Update handles the results of its commands. It leaves all other messages alone.
func (r *References) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(resultMsg); ok {
		return r.handleResult(msg)
	}
	return r.folders.Update(msg)
}

// Answer takes the answer of a dialog that was opened here; it leaves all others alone.
func (r *References) Answer(a any) tea.Cmd {
	switch a := a.(type) {
	case refs.Chosen:
		return r.add(a.Paths)
	case refs.Found:
		field, _, _ := r.field()
		return r.read(a.JobID, resultMsg{use: chain.Reference, field: field, at: r.around.Late.Now()})
	case choose.Picked:
		switch what := a.For.(type) {
		case resultMsg:
			return r.pickedTarget(what, a.ID)
		case forName:
			return r.insertName(a.ID)
		}
	}
	return nil
}

// field is the focused field if it takes references, with the kinds that it takes and whether it
// takes several. Without one, any kind will do.
func (r *References) field() (name string, kinds []string, many bool) {
	if f, ok := r.sheet.FieldNamed(r.sheet.Form.Focused()); ok {
		switch f.Kind {
		case catalog.Media:
			return f.Name, f.MediaKinds, false
		case catalog.Medias, catalog.Content:
			return f.Name, f.MediaKinds, true
		}
	}
	return "", acceptedKinds(r.sheet), true
}

// open puts a dialog over the form.
func (r *References) open(d screen.Dialog) tea.Cmd {
	r.doc.Side.ShowForm()
	return r.around.Over.Open(d)
}

// draft is the form with the model and mode as they apply.
func (r *References) draft() client.Draft {
	d := r.sheet.Draft.Clone()
	d.Parents = r.sheet.Parents
	return d
}

// put adds references of one kind to the field of a target, and goes there.
func (r *References) put(t chain.Target, list []string, kind, job string) tea.Cmd {
	s := r.sheet
	s.Turn(t.Modality)
	c := s.Chosen[t.Modality]
	if c.Model != t.Model {
		c.Model, c.ModelName = t.Model, t.ModelName
	}
	if s.Effective().Mode != t.Mode || s.Effective().Model != t.Model {
		c.Mode = t.Mode
	}
	s.Chosen[t.Modality] = c
	r.doc.Refresh() // the fields are those of the target
	f, _ := r.o.Catalog.Field(t.Modality, t.Field)
	value := s.Draft.Values[t.Field]
	for _, ref := range list {
		value = chain.Put(f, value, chain.Reference, kind, ref)
		if job != "" {
			s.Parents = append(client.Draft{Values: s.Values, Parents: s.Parents}.Descent(), client.Parent{Job: job, As: string(chain.Reference), Ref: ref})
		}
	}
	return r.show(f, value)
}

// show shows references in their field, and goes there without starting to edit.
func (r *References) show(f catalog.Field, value any) tea.Cmd {
	s := r.sheet
	s.Values[f.Name] = value
	s.Form.SetText(f.Name, sheet.FieldText(f, s.Data.Shrink(value)))
	r.doc.GoTo(f.Name)
	s.Form.Release()
	return r.doc.Changed(f.Name)
}

// pickTarget offers the models that can go on with a result.
func (r *References) pickTarget(msg resultMsg) tea.Cmd {
	var list []picker.Item
	for _, t := range chain.Targets(r.o.Catalog, msg.use, msg.kind) {
		x, _ := r.o.Catalog.ModelFor(t.Modality, t.Model)
		f, _ := r.o.Catalog.Field(t.Modality, t.Field)
		mode := "" // requests of some models carry none
		if t.Mode != "" {
			mode = x.ModeCalled(t.Mode)
		}
		list = append(list, picker.Item{ID: string(t.Modality) + " " + t.Model, Title: t.Model, Group: string(t.Modality) + " · " + x.Family,
			Detail: strings.TrimSpace(mode + "  " + cmp.Or(f.Label, t.Field))})
	}
	what := "this " + cmp.Or(msg.kind, "result")
	if len(list) == 0 {
		return screen.Toast(screen.Bad, "no model takes "+what+" for that")
	}
	return r.open(choose.New(picker.New("Which model takes "+what+"?", "model, mode, field …", list), msg))
}

// pickedTarget goes on with a result, or with files, in the model that was chosen for it.
func (r *References) pickedTarget(msg resultMsg, id string) tea.Cmd {
	for _, t := range chain.Targets(r.o.Catalog, msg.use, msg.kind) {
		if string(t.Modality)+" "+t.Model == id {
			if len(msg.files) > 0 {
				return r.takeInto(t, msg.files)
			}
			return r.goOn(msg, t)
		}
	}
	return nil
}
