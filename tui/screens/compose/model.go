// Package compose is the screen on which a request is written. It shows a form drawn from the
// catalog, the request that the form makes, and what is wrong with it, all while the person types.
package compose

import (
	"context"
	"errors"
	"io/fs"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/kept"
	"darkroom/client/media"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/jobs/schedule"
	"darkroom/themes"
	"darkroom/tui/dialogs/improve"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/dialogs/models"
	"darkroom/tui/dialogs/presets"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/attach"
	"darkroom/tui/screens/compose/internal/autosave"
	"darkroom/tui/screens/compose/internal/batches"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/edits"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/screens/compose/internal/latest"
	"darkroom/tui/screens/compose/internal/outcome"
	"darkroom/tui/screens/compose/internal/pasted"
	"darkroom/tui/screens/compose/internal/preset"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/screens/compose/internal/sending"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/screens/compose/internal/shots"
	"darkroom/tui/screens/compose/internal/side"
	"darkroom/tui/screens/compose/internal/structured"
	"darkroom/tui/talk"
)

// Gateway shows what would be sent. Except for Models, its methods do not use the network; they may
// look at files.
type Gateway interface {
	request.Gateway
	edits.Gateway
	// Formats are all wire formats; the form shows what they carry.
	Formats() []client.Format
	// FormatsFor are the formats that can create a draft, preferred first.
	FormatsFor(d client.Draft) []string
	// Models asks the gateway for its lists of models; it is the only method that contacts it.
	Models(ctx context.Context) (client.ModelList, error)
}

// Deps are what the screen works with.
type Deps struct {
	Catalog *catalog.Catalog
	Gateway Gateway
	// Jobs takes submissions. If it also reports changes of jobs, as [jobs.Reader] does, the screen
	// shows which of them the gateway refused.
	Jobs   jobs.Doer
	Keys   keys.Map
	Styles *themes.Styles
	Drafts autosave.Drafts // nil keeps nothing
	Shelf  Shelf           // nil: there are no presets and no wildcard files
	Marks  models.Marks    // nil keeps none
	// Folders remembers where files were taken from; with nil, that is forgotten at the end.
	Folders refs.Folders
	// Previews show files before they are taken; nil shows none.
	Previews *preview.Loader
	// Frames takes the last frames out of saved videos; nil where that is impossible.
	Frames chain.Frames
	// Chat improves prompts; nil disables that. Talks keeps the questions and the answers; nil keeps
	// none.
	Chat talk.Gateway
	// ChatModel is the chat model that is asked where none was chosen, "" for none.
	ChatModel string
	Talks     improve.Talks
	// ReadOnly is why nothing can be submitted or asked, "" where it can.
	ReadOnly string
	// Profile is the one whose results show, "" for all; Host that of its gateway.
	Profile, Host string
	// PlanOf tells how long such tasks take; nil for nothing.
	PlanOf func(*jobs.Job) *schedule.Plan
	Player remote.Player // nil for none
	Looks  Looks         // nil forgets at the end how the screen looks
	Now    func() time.Time
	// Seed returns the seed of a batch; nil draws a random number of 32 bits.
	Seed func() uint64
}

// Looks remembers how the screen looks. Its methods touch the disk.
type Looks interface {
	Load() (kept.ComposeLook, error)
	Save(kept.ComposeLook) error
}

// Shelf holds presets and wildcard files. Its methods touch the disk.
type Shelf interface {
	presets.Shelf
	// Wildcards opens the wildcard files, and returns a function that closes them.
	Wildcards() (fs.FS, func(), error)
}

// wildcards opens the wildcard files, if there are any.
func (d *Deps) wildcards() (fs.FS, func(), error) {
	if d.Shelf == nil {
		return nil, func() {}, nil
	}
	return d.Shelf.Wildcards()
}

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	deps     Deps
	commands screen.Commands[*Model]
	w, h     int

	doc   *document.Document
	sheet *sheet.Sheet // of the document

	models *models.Known

	refs    *attach.References
	heads   *attach.Heads
	presets *preset.Presets
	batches *batches.Batches

	sending  *sending.Sender // the submission that is on its way
	outcomes outcome.Outcomes
	latest   *latest.Pane // what came of the draft
	shots    shots.Shots  // of the references in the form
	look     side.Fold    // as it was kept last
	// rejectedAt is which form there was when a result was rejected last.
	rejectedAt uint64

	late       *late.Box      // what came when the form had become another one
	edits      *edits.Editor  // what is in the person's editor
	pasting    *pasted.Intake // what was pasted, and what waits for it
	structured structured.Editor
	over       screen.Stack // the dialogs over the form

	last drawn
}

// New is the screen with an empty form, for the first modality.
func New(d Deps) *Model {
	m := &Model{
		deps: d, commands: screen.Bind(d.Keys, Commands()),
	}
	m.sheet = sheet.New(d.Catalog, d.Gateway, d.Keys, d.Styles, d.Now)
	m.sheet.ReadOnly = d.ReadOnly != ""
	m.over = screen.NewStack(d.Keys, d.Styles, m.answer)
	m.models = models.NewKnown(d.Catalog, d.Gateway, d.Marks)
	m.models.Usual = d.usual()
	m.doc = document.New(document.Options{Sheet: m.sheet, Gateway: d.Gateway, Drafts: d.Drafts, Catalog: d.Catalog, Keys: d.Keys, Styles: d.Styles,
		Wildcards: m.deps.wildcards, Watcher: document.Watcher{
			Refreshed: func() { m.over.Update(pieces.ChangedMsg{}) }, Touched: func() tea.Cmd { m.sending.Unsay(); return nil },
			Changed: func() tea.Cmd { return tea.Batch(m.batches.Recount(), m.presets.Recount()) },
		}})
	changes, _ := d.Jobs.(outcome.Changes)
	m.outcomes = outcome.New(changes, d.Keys.Keys(actShowBatch))
	m.batches = batches.New(batches.Options{Catalog: d.Catalog, Gateway: d.Gateway, Wildcards: m.deps.wildcards, Keys: d.Keys, Seed: d.Seed}, m.doc, &m.over)
	m.presets = preset.New(preset.Options{Shelf: d.Shelf, Keys: d.Keys, Catalog: d.Catalog}, m.doc, &m.over)
	m.pasting = pasted.New(pasted.Options{Read: d.Gateway.ReadRequest, Doc: m.doc, Over: &m.over, Do: m.act, Paste: m.pasteText,
		Attach: func(files []media.File, field string) tea.Cmd { return m.refs.Take(files, field) }})
	m.late = late.New(d.Keys.Keys(actLate), func() late.State {
		return late.State{Edits: m.doc.Changes(), Fills: m.sheet.Fills, Dialog: m.over.Top() != nil, Pasting: m.pasting.Looking()}
	})
	history, _ := d.Jobs.(attach.History)
	m.refs = attach.New(attach.Options{Catalog: d.Catalog, Keys: d.Keys, History: history, Folders: d.Folders, Previews: d.Previews, Frames: d.Frames, Now: d.Now},
		m.doc, attach.Around{Over: &m.over, Pasting: m.pasting, Late: m.late, Leave: m.leaveDialogs})
	prober, _ := d.Gateway.(refs.Prober)
	m.heads = attach.NewHeads(m.sheet, prober, d.Keys.Keys(attach.ActHeads), m.over.Open)
	m.sending = sending.New(sending.Options{Jobs: d.Jobs, Doc: m.doc, Over: &m.over, Batches: m.batches, Blocked: m.pasting.Blocked, Key: d.Keys.Keys(actSubmit), ReadOnly: d.ReadOnly})
	m.edits = edits.New(edits.Options{Gateway: d.Gateway, Doc: m.doc, Over: &m.over, Late: m.late, Intake: m.pasting, Key: d.Keys.Keys(actEdit)})
	m.structured = structured.New(m.doc, &m.over, d.Keys, sheet.ActEditor, attach.ActFiles, actResults)
	m.shots = shots.New(d.Previews, d.Styles)
	m.sheet.Below = m.shots.Below
	m.latest = m.newLatest()
	m.doc.Side.Results = m.latest
	m.doc.Refresh()
	m.sheet.Form.Focus(client.FieldPrompt)
	return m
}

// usual tells how long jobs of a model and mode take in this profile; nil where nothing is known.
func (d *Deps) usual() func(model, mode string) time.Duration {
	if d.PlanOf == nil {
		return nil
	}
	return func(model, mode string) time.Duration {
		return d.PlanOf(&jobs.Job{Profile: d.Profile, Draft: client.Draft{Model: model, Mode: mode}}).Median()
	}
}

// Init reads the drafts that were kept.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.doc.Init(), m.models.Load(), m.refs.Load(), m.latest.Init(), m.loadLook())
}

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = w, h
	m.doc.SetSize(w, h)
	m.over.SetSize(w, h)
	m.last.fresh = false
}

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) {
	m.shots.SetStyles(st)
	m.doc.SetStyles(st)
	m.latest.SetStyles(st)
	m.over.SetStyles(st)
	m.last.fresh = false
}

// Capturing reports that typed text goes into a field or into the picker.
func (m *Model) Capturing() bool {
	if m.pasting.Looking() {
		return true
	}
	if m.over.Top() != nil {
		return m.over.Capturing()
	}
	return m.formHasKeys() && m.sheet.Form.Capturing()
}

// formHasKeys reports whether keys go to the form, where no dialog is open over it.
func (m *Model) formHasKeys() bool { return !m.doc.Side.Alone() && !m.latest.Focused() }

// TakesLetters implements screen.TakesLetters: after esc, letters still go into the text that is
// marked, and into an open dialog.
func (m *Model) TakesLetters() bool {
	return m.over.TakesLetters() || m.formHasKeys() && m.sheet.Form.Marked()
}

// Unsaved tells what would be lost at quit; it is "" once the draft is on the disk.
func (m *Model) Unsaved() string {
	if lost := m.over.Unsaved(); lost != "" {
		return lost
	}
	if lost := m.pasting.Unsaved(); lost != "" {
		return lost
	}
	if !m.doc.Saver.Pending() {
		return ""
	}
	return "The last changes to the draft are not saved yet."
}

// Flush saves what is not on the disk yet, whatever was under way when the loop ended. Drafts that
// were never read are read first, so that their contents are not lost.
func (m *Model) Flush() error {
	m.pasting.ReleaseAll("the console is ending") // nobody runs what it asks for: what was pasted and typed is in the form
	return errors.Join(m.over.Flush(), m.doc.Flush(m.over.Top() != nil))
}

var (
	_ screen.Screen  = (*Model)(nil)
	_ screen.Unsaved = (*Model)(nil)
	_ screen.Flusher = (*Model)(nil)

	_ screen.TakesLetters = (*Model)(nil)
)
