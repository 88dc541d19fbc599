// Package document is the form being composed, and what follows each change of it: the change is
// checked and kept on the disk, and the request is made anew.
package document

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/catalog"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/autosave"
	"darkroom/tui/screens/compose/internal/frame"
	"darkroom/tui/screens/compose/internal/pens"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/screens/compose/internal/side"
)

// Watcher learns what happens to the form; dialogs that show a part of it are such.
type Watcher struct {
	Refreshed func()         // it was brought in line
	Changed   func() tea.Cmd // something in it is another
	Touched   func() tea.Cmd // that was somebody's work
}

// Options are what a document works with.
type Options struct {
	Sheet     *sheet.Sheet
	Gateway   request.Gateway
	Drafts    autosave.Drafts // nil keeps nothing
	Catalog   *catalog.Catalog
	Keys      keys.Map
	Styles    *themes.Styles
	Wildcards batch.Wildcards
	Watcher   Watcher
}

// Document is the form being composed. Make it with [New].
type Document struct {
	Sheet *sheet.Sheet
	Side  side.Side
	Saver autosave.Saver

	o         Options
	pens      pens.Pens
	box       frame.Draft
	changes   uint64         // that are somebody's work
	then      func() tea.Cmd // waits for a look at references, see After
	unfilled  uint64         // the revision in which undo takes a fill back, 0 for none
	tried     bool           // somebody wanted to submit it
	unchecked bool           // the prompt changed since the form was checked
}

// New is a document over an empty sheet.
func New(o Options) *Document {
	d := &Document{Sheet: o.Sheet, Saver: autosave.New(o.Drafts), o: o, pens: pens.New(o.Styles)}
	d.Side = side.New(o.Gateway, o.Keys, o.Styles, d.source)
	return d
}

// source is the input of the request.
func (d *Document) source(wide bool) request.Source {
	s := request.Source{Draft: d.Sheet.Draft, Format: d.Sheet.Effective().Format}
	if wide {
		s.Wide, s.Formats = d.Sheet.WideDraft(), d.Sheet.Reaching()
	}
	return s
}

// Init reads the drafts that were kept, and makes the first request.
func (d *Document) Init() tea.Cmd {
	return tea.Batch(d.Side.Make(), d.Saver.Load(client.Modalities()))
}

// Loaded puts the drafts that were kept into the form; the kind stays if it is to.
func (d *Document) Loaded(msg autosave.LoadedMsg, stay bool) tea.Cmd {
	d.Saver.Loaded()
	d.Sheet.Restored(msg.Drafts, stay)
	d.Refresh()
	var failed tea.Cmd
	if msg.Err != nil {
		failed = screen.Toast(screen.Warn, "a draft was not read: "+client.CleanLine(msg.Err.Error()))
	}
	return tea.Batch(d.Side.Make(), d.Saver.Arm(), d.look(), failed)
}

// look returns the commands that look at the files and the template that the form names.
func (d *Document) look() tea.Cmd {
	return tea.Batch(d.Sheet.LookAtFiles(), d.Sheet.LookAtTemplate(d.o.Wildcards))
}

// Flush saves what is not on the disk yet. Drafts that were never read are read first; with stay,
// the kind does not change.
func (d *Document) Flush(stay bool) error {
	restore := func(kept map[client.Modality]screen.ComposeDraft) { d.Sheet.Restored(kept, stay) }
	return d.Saver.Flush(client.Modalities(), restore, d.Sheet.Kept)
}

// Tried notes that somebody wanted to submit the form: from now on it says what is missing.
func (d *Document) Tried() { d.tried = true }

// Quiet reports whether nothing was written yet and nobody wanted to submit it: then nothing is wrong.
func (d *Document) Quiet() bool {
	return !d.tried && d.Sheet.Blank() && d.Sheet.OriginJob() == "" && d.Sheet.Refusal.Text == ""
}

// Changes counts how often the form was changed by somebody.
func (d *Document) Changes() uint64 { return d.changes }

// Refresh brings everything in line after a change.
func (d *Document) Refresh() {
	d.unchecked = false
	d.Sheet.Refresh()
	d.o.Watcher.Refreshed()
}

// Touched follows up a change that is a person's work: checks, request, saving.
func (d *Document) Touched() tea.Cmd {
	d.changes++
	return tea.Batch(d.o.Watcher.Touched(), d.Followed())
}

// Followed is Touched for automatic changes, which are nobody's work.
func (d *Document) Followed() tea.Cmd {
	d.Refresh()
	return d.carried()
}

// carried has the request made, the form saved, and what it names looked at.
func (d *Document) carried() tea.Cmd {
	d.Saver.Changed()
	return tea.Batch(d.Side.Make(), d.Saver.Arm(), d.look(), d.o.Watcher.Changed())
}

// Changed applies the text or choice of a row.
func (d *Document) Changed(id string) tea.Cmd {
	if !d.Sheet.Set(id) {
		return nil
	}
	if id == client.FieldPrompt {
		return d.reworded()
	}
	return d.Touched()
}

// reworded is Touched for what is typed into the prompt. The letter shows first: the checks follow with
// the request, which is made beside the loop, or before anything else happens to the form. See Settle.
func (d *Document) reworded() tea.Cmd {
	d.changes++
	d.unchecked = true
	d.Sheet.Draft.Prompt = d.Sheet.Form.Text(client.FieldPrompt)
	return tea.Batch(d.o.Watcher.Touched(), d.carried())
}

// Settle has the checks follow what was typed. Call it before anything but more letters.
func (d *Document) Settle() {
	if d.unchecked {
		d.Refresh()
	}
}

// Set sets the text or choice of a row.
func (d *Document) Set(id, text string) tea.Cmd {
	d.Sheet.Form.SetText(id, text)
	return d.Changed(id)
}

// Left turns paths into file:// URLs when a field is left.
func (d *Document) Left(id string) tea.Cmd { return d.Sheet.Leave(id) }

// Said records how the prompt is meant, which is part of the draft.
func (d *Document) Said(mode batch.PromptMode, vars map[string]string) tea.Cmd {
	d.Sheet.Template.Mode, d.Sheet.Template.Vars = mode, vars
	d.Saver.Changed()
	d.Refresh()
	return tea.Batch(d.o.Watcher.Touched(), d.Saver.Arm(), d.Sheet.LookAtTemplate(d.o.Wildcards))
}

// After calls then once look, a command that looks at references of the form, has its answer; look
// is nil when there is nothing to look at.
func (d *Document) After(look tea.Cmd, then func() tea.Cmd) tea.Cmd {
	if look == nil {
		return then()
	}
	d.then = then
	return look
}

// Looked goes on with what was waiting for a look.
func (d *Document) Looked() tea.Cmd {
	then := d.then
	if d.then = nil; then == nil {
		return nil
	}
	return then()
}

// Leave drops what is waiting for a look.
func (d *Document) Leave() { d.then = nil }

// Update handles the results of the document's own commands; false for anything else.
func (d *Document) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case autosave.TickMsg:
		return d.Saver.Tick(d.Sheet.Kept), true
	case autosave.SavedMsg:
		return d.Saver.Saved(msg), true
	case request.MadeMsg:
		return d.made(msg), true
	case sheet.TemplateMsg:
		return d.templateRead(msg), true
	}
	return nil, false
}

// made shows a request that was made. What its format drops is listed among the checks.
func (d *Document) made(msg request.MadeMsg) tea.Cmd {
	again := d.Side.Request.Take(msg)
	d.Sheet.Made = d.Side.Request.Preview()
	d.Refresh()
	if again {
		return d.Side.Make()
	}
	return nil
}

// templateRead shows how the prompt reads as a template.
func (d *Document) templateRead(msg sheet.TemplateMsg) tea.Cmd {
	again := d.Sheet.Template.Read(msg)
	d.Refresh()
	if again {
		return d.Sheet.LookAtTemplate(d.o.Wildcards)
	}
	return nil
}
