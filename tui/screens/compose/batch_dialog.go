package compose

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/expand"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/table"
)

// scopeBatch is that of the keys and actions of the dialog.
const scopeBatch = "batch"

// batchKind is what the dialog was opened for.
type batchKind int

const (
	ofTemplate batchKind = iota // what the prompt makes
	ofCopies                    // the same again, with seeds of their own
	ofFile                      // a table, or lines of prompts
)

// batchDialog shows what a batch makes, and how, before it is sent. It is the same for
// templates, copies and files: they go together.
type batchDialog struct {
	kind  batchKind
	form  *form.Form
	asked bool // a submission opened it

	plan  planMsg
	gen   uint64 // of the newest plan that was asked for
	since uint64 // up to here, what comes is of dialogs before
	busy  bool   // a plan is on its way
	stale bool   // and is not the newest
	bad   []string
	list  table.Model
	looks bool // the file is being read
	left  spot // where the focus was when that began
	// arrived says that it was just read, or the dialog opened: the focus goes on to what is
	// to be done.
	arrived bool

	walks bool // the keys go to the list, see walking
	// promptAt is the list's column of prompts.
	promptAt int

	sending bool
	number  uint64 // of the sending
	failed  string // why nothing was sent
}

// spot is a row of the dialog and what it held.
type spot struct{ row, text string }

// fresh reports whether the plan that shows is that of what the dialog says.
func (d *batchDialog) fresh() bool {
	return !d.busy && !d.looks && len(d.bad) == 0 && d.plan.gen == d.gen
}

// Rows of the dialog beside those of columns and variables.
const (
	rowMode    = "mode"
	rowCount   = "count"
	rowSeeds   = "seeds"
	rowMaster  = "master"
	rowLimit   = "limit"
	rowFile    = "file"
	rowShape   = "shape"
	rowSend    = "send"
	rowColumn  = "column." // + its index
	rowVar     = "var."    // + the name of a variable, see varRow
	buttonSend = "send"
	buttonBack = "back"

	shapeTable = "table"
	shapeLines = "lines"

	// passOver stands for a column that is passed over, unplaced for one nobody placed.
	passOver = "-"
	unplaced = "?"
)

// zoneBatch begins the zones of the dialog's form, zoneJob those of its list.
const (
	zoneBatch = "compose-batch/"
	zoneJob   = "compose-job/"
)

// openBatch opens the dialog, once the references of the form are resolved.
func (m *Model) openBatch(kind batchKind, asked bool) tea.Cmd {
	if m.sending {
		return screen.Toast(screen.Warn, stillSending)
	}
	open := func() tea.Cmd { return m.showBatch(kind, asked) }
	if list := m.localFields(""); len(list) > 0 {
		m.batch.ready = open
		return resolve(list, goOn)
	}
	return open()
}

func (m *Model) showBatch(kind batchKind, asked bool) tea.Cmd {
	m.refresh()
	b := &m.batch
	b.master = m.drawn()
	d := &batchDialog{kind: kind, form: form.New(zoneBatch, m.st), asked: asked, arrived: kind != ofFile, gen: b.gen, since: b.gen}
	d.list = table.New(nil)
	d.list.Prefix = zoneJob
	b.dialog, m.onlyPane = d, false
	n := m.copies()
	if kind == ofCopies && n == 1 {
		n = max(b.count, 4)
		if b.count > 1 {
			n = b.count
		}
	}
	mode := b.mode
	if mode == undecided && kind == ofTemplate {
		mode = everyPrompt
	}
	if mode == undecided {
		mode = asText
		if m.asksFirst() { // of what might be a template, it is told
			mode = everyPrompt
		}
	}
	for id, text := range map[string]string{
		rowMode: string(mode), rowCount: strconv.Itoa(n), rowSeeds: seedName(m.seedsFor(kind)), rowMaster: strconv.FormatUint(b.master, 10),
		rowLimit: strconv.Itoa(expand.Cap), rowFile: b.file.typed, rowShape: shapeOf(b.file.lines),
	} {
		d.form.SetText(id, text)
	}
	for name, v := range b.vars {
		d.form.SetText(varRow(name), v)
	}
	m.batchRows()
	switch kind {
	case ofFile:
		d.form.Focus(rowFile)
	default:
		d.form.Focus(rowCount)
		if asked { // it says what is sent, and submitting goes on
			d.form.Focus(rowSend)
		}
	}
	m.layoutBatch()
	if kind == ofFile && b.file.typed != "" {
		return m.readFile()
	}
	return m.replan()
}

// seedsFor is what the dialog begins with: the seed mode that was chosen in it last. Variations
// are there to differ: where the model takes seeds, each has one.
func (m *Model) seedsFor(kind batchKind) expand.SeedMode {
	if m.batch.seedsSet {
		return m.batch.seeds
	}
	seeds := m.seedsOfForm()
	if _, takes := m.fieldNamed(expand.FieldSeed); takes && kind == ofCopies && seeds == expand.SeedsAsTheyAre {
		return expand.SeedRandom
	}
	return seeds
}

// seedsOfForm is the seed mode of the form's copies: they count up from its seed where that
// is a whole number.
func (m *Model) seedsOfForm() expand.SeedMode {
	if s, ok := m.draft.Values.Text(expand.FieldSeed); ok && wholeNumber(s) {
		return expand.SeedCount
	}
	return expand.SeedsAsTheyAre
}

func wholeNumber(s string) bool {
	s = strings.TrimPrefix(strings.TrimSpace(s), "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}
