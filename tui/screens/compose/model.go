// Package compose is the screen on which a request is written: a form drawn from the
// catalog, the request that it makes, and what is wrong with it, all while typing.
package compose

import (
	"context"
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/intake"
	"darkroom/client/kept"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/themes"
	"darkroom/tui/dialogs/improve"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/dialogs/models"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/edits"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/screens/compose/internal/pasted"
	"darkroom/tui/screens/compose/internal/sending"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/talk"
)

// Gateway shows what would be sent. But for Models its methods do not talk to the
// network; they may look at files.
type Gateway interface {
	Preview(d client.Draft, format string) (client.Preview, error)
	Curl(d client.Draft, format string) (string, error)
	// Body is the whole body of the create, with local files as data URIs.
	Body(ctx context.Context, d client.Draft, format string) ([]byte, error)
	// Formats are all wire formats; what they say they carry is what is drawn.
	Formats() []client.Format
	// FormatsFor are the formats that can create a draft, preferred first.
	FormatsFor(d client.Draft) []string
	// Models asks the gateway's lists of models; it is the one method that talks to it.
	Models(ctx context.Context) (client.ModelList, error)
	// ReadRequest reads a curl command or a JSON body of any format.
	ReadRequest(text string, h intake.Hint) (intake.Result, error)
}

// Drafts keeps what is being composed, by modality, with the format chosen for it. Its methods touch the disk.
type Drafts interface {
	Load(m client.Modality) (kept.Draft, bool, error)
	Save(kept.Draft) error
}

// Deps are what the screen works with.
type Deps struct {
	Catalog *catalog.Catalog
	Gateway Gateway
	// Jobs takes submissions. When it can tell changes of jobs as [jobs.Reader] does,
	// the screen shows what the gateway refused of them.
	Jobs   jobs.Doer
	Keys   keys.Map
	Styles *themes.Styles
	Drafts Drafts       // nil keeps nothing
	Shelf  Shelf        // nil: there are no presets and no wildcard files
	Marks  models.Marks // nil keeps none
	// Folders keeps where files were taken from; nil forgets that at the end.
	Folders refs.Folders
	// Previews show files before they are taken; nil shows none.
	Previews *preview.Loader
	// Frames takes last frames out of saved videos; nil where nothing can.
	Frames chain.Frames
	// Chat improves prompts, nil for not at all; Talks keeps what it is asked and says, nil
	// for nobody.
	Chat  talk.Gateway
	Talks improve.Talks
	Now   func() time.Time
	// Seed draws what a batch is drawn with; nil draws a number of 32 bits by chance.
	Seed func() uint64
}

// changes is the part of [jobs.Reader] that costs nothing to ask.
type changes interface {
	Changes(seq uint64) ([]jobs.Job, uint64)
}

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	deps     Deps
	commands screen.Commands[*Model]
	w, h     int

	doc   *document.Document
	sheet *sheet.Sheet // of the document

	models *models.Known

	batch   batches
	ready   func() tea.Cmd    // what goes on once references are resolved
	sending sending.Sender    // the submission that is on its way
	late    late.Box          // what came when that had happened
	editor  late.Form         // when the text that is in the editor was handed over
	sent    map[string]string // job ids of submissions that may still be refused -> model
	seq     uint64
	whyNot  screen.Refusals // why nothing was submitted
	edits   edits.Desk      // the request that is in the editor
	pasting *pasted.Desk    // what was pasted, and what waits for it
	done    uint64          // how much the person has done: keys, clicks, actions
	over    screen.Stack    // the dialogs over the form
	folders *refs.Recent    // from which files were taken
	heads   heads

	last drawn
}

// New is the screen with an empty form, for the first modality.
func New(d Deps) *Model {
	m := &Model{
		deps: d, commands: screen.Bind(d.Keys, Commands()),
		sent: make(map[string]string), late: late.New(d.Keys.Keys(actLate)), edits: edits.New(d.Gateway, d.Keys.Keys(actEdit)),
	}
	m.sheet = sheet.New(d.Catalog, d.Gateway, d.Keys, d.Styles, d.Now)
	m.over = screen.NewStack(d.Keys, d.Styles, m.answer)
	m.folders = refs.NewRecent(d.Folders)
	m.models = models.NewKnown(d.Catalog, d.Gateway, d.Marks)
	m.doc = document.New(document.Options{Sheet: m.sheet, Gateway: d.Gateway, Drafts: d.Drafts, Catalog: d.Catalog, Keys: d.Keys, Styles: d.Styles,
		Wildcards: m.deps.wildcards, Watcher: document.Watcher{
			Refreshed: func() { m.over.Update(pieces.ChangedMsg{}) }, Changed: m.recount, Touched: m.whyNot.Unsay,
		}})
	m.pasting = pasted.NewDesk(pasted.Options{Read: d.Gateway.ReadRequest, Doc: m.doc, Over: &m.over, Do: m.act, Paste: m.pasteText, Attach: m.takeFiles})
	m.doc.Refresh()
	m.sheet.Form.Focus(client.FieldPrompt)
	return m
}

// Init reads the drafts that were kept.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.doc.Init(), m.models.Load(), m.folders.Load())
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
	m.doc.SetStyles(st)
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
	return !m.doc.Side.Alone() && m.sheet.Form.Capturing()
}

// TakesLetters implements screen.TakesLetters: after esc, letters go on in the text that is
// marked, and in the dialog that is open.
func (m *Model) TakesLetters() bool {
	return m.over.TakesLetters() || !m.doc.Side.Alone() && m.sheet.Form.Marked()
}

// Unsaved tells what would be lost at quit; "" once the draft is on the disk.
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
	return "the newest changes of the draft are not saved yet"
}

// Flush saves what is not on the disk yet, whatever was left lying when the loop ended.
// Drafts that were never read are read first, so that what they hold is not lost.
func (m *Model) Flush() error {
	m.pasting.ReleaseAll("the end came") // nobody runs what it asks for: what was pasted and typed is in the form
	return errors.Join(m.over.Flush(), m.doc.Flush(m.dialogOpen()))
}

var (
	_ screen.Screen  = (*Model)(nil)
	_ screen.Unsaved = (*Model)(nil)
	_ screen.Flusher = (*Model)(nil)

	_ screen.TakesLetters = (*Model)(nil)
)
