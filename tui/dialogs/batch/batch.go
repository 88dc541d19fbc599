// Package batch is the dialog that shows the jobs of a batch before they are sent. A batch comes
// from a template, from copies, from a table or from lines of prompts, alone or together.
package batch

import (
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/table"
)

// Kind is the purpose that the dialog is opened for.
type Kind int

// The kinds.
const (
	OfTemplate Kind = iota // the jobs of a prompt template
	OfCopies               // the same again, with seeds of their own
	OfFile                 // a table, or lines of prompts
)

// Form is the state of the form that the batch begins with.
type Form struct {
	Draft  client.Draft
	Format string // the requested format
	Copies int
	Mode   rules.PromptMode
	Vars   map[string]string // of the template
	// Blocked are the problems with the form that the catalog does not know of.
	Blocked []string
}

// Memory is what one dialog passes on to the next.
type Memory struct {
	count    int
	seeds    expand.SeedMode
	seedsSet bool // somebody chose them
	file     file
}

// Options are the options of the dialog.
type Options struct {
	Kind   Kind
	Asked  bool // a submission opened it
	Form   Form
	Memory *Memory
	// Last is the seed that the previous batch was drawn with, nil for none.
	Last *uint64

	Catalog   *catalog.Catalog
	Gateway   rules.Gateway
	Wildcards rules.Wildcards
	Keys      keys.Map
	// Seed draws the number that a batch is drawn with.
	Seed func() uint64
	// Show formats a value for a person.
	Show func(v any) string
}

// Said is an answer: the prompt mode, and the variables of the template. The dialog stays open.
type Said struct {
	Mode rules.PromptMode
	Vars map[string]string
}

// Submit is an answer: send these jobs. The dialog waits for [Sent].
type Submit struct {
	From   *Dialog
	Jobs   []rules.Job
	Master *uint64 // that prompts and seeds were drawn with, nil for nothing
}

// Sent tells a dialog the outcome of its [Submit]; without an error the dialog closes.
type Sent struct {
	To  *Dialog
	Not bool // it was not tried, and the person knows why
	Err error
}

// Dialog is the dialog.
type Dialog struct {
	screen.Base
	o        Options
	commands screen.Commands[*Dialog]
	form     *form.Form
	refusals screen.Refusals

	plan  rules.Plan
	made  uint64 // the number of the plan that shows
	gen   uint64 // of the newest plan or file that was asked for
	busy  bool   // a plan is on its way
	stale bool   // and is not the newest
	bad   []string
	list  jobList
	looks bool // the file is being read
	left  spot // where the focus was when that began
	// arrived says that the file was just read, or the dialog just opened: the focus then moves to
	// the next thing to do.
	arrived bool

	walks bool // the keys go to the list, see walking

	sending bool
	failed  string // why nothing was sent
}

// spot is a row of the dialog and its content.
type spot struct{ row, text string }

// Scope is that of the dialog's keys and actions.
const Scope = "batch"

// Title is its heading in the help.
const Title = "In a batch"

// New is the dialog.
func New(o Options) *Dialog {
	d := &Dialog{o: o, commands: screen.Bind(o.Keys, Commands()), arrived: o.Kind != OfFile}
	d.list = jobList{Model: table.New(nil), show: o.Show}
	d.list.Prefix = zoneJob
	return d
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd {
	d.form = form.New(zoneForm, d.Styles)
	f, mem := &d.o.Form, d.o.Memory
	n := f.Copies
	if d.o.Kind == OfCopies && n == 1 {
		n = 4
		if mem.count > 1 {
			n = mem.count
		}
	}
	for id, text := range map[string]string{
		rowMode: string(d.o.firstMode()), rowCount: strconv.Itoa(n), rowSeeds: seedName(d.o.firstSeeds()), rowMaster: strconv.FormatUint(d.o.Seed(), 10),
		rowLimit: strconv.Itoa(expand.Cap), rowFile: mem.file.typed, rowShape: shapeOf(mem.file.lines),
	} {
		d.form.SetText(id, text)
	}
	for name, v := range f.Vars {
		d.form.SetText(varRow(name), v)
	}
	d.rows()
	switch {
	case d.o.Kind == OfFile:
		d.form.Focus(rowFile)
	case d.o.Asked: // it says what is sent, and submitting goes on
		d.form.Focus(rowSend)
	default:
		d.form.Focus(rowCount)
	}
	d.layout()
	if d.o.Kind == OfFile && mem.file.typed != "" {
		return d.read()
	}
	return d.count()
}

// firstMode returns the prompt mode that the dialog begins with: the one that was decided, else
// every prompt of what might be a template, so that the dialog shows what it makes.
func (o *Options) firstMode() rules.PromptMode {
	f := &o.Form
	switch {
	case f.Mode != rules.Undecided:
		return f.Mode
	case o.Kind == OfTemplate || rules.Changes(f.Draft.Prompt, false):
		return rules.EveryPrompt
	}
	return rules.AsText
}

// firstSeeds returns the seed mode that the dialog begins with: the one last chosen in it.
// Variations should differ: where the model takes seeds, each gets its own.
func (o *Options) firstSeeds() expand.SeedMode {
	if o.Memory.seedsSet {
		return o.Memory.seeds
	}
	base := o.Form.Draft
	seeds := rules.SeedsOf(base)
	if o.Kind == OfCopies && seeds == expand.SeedsAsTheyAre && expand.HasSeed(o.Catalog, base, o.Form.Format) {
		return expand.SeedRandom
	}
	return seeds
}

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case Form: // it was changed below, as by the palette
		d.o.Form = msg
		if d.sending {
			return nil
		}
		return d.count()
	case Sent:
		if msg.To == d && d.sending {
			d.sent(msg)
		}
		return nil
	case planMsg:
		if msg.of == d {
			return d.counted(msg)
		}
	case fileMsg:
		if msg.of == d && msg.gen == d.gen {
			return d.took(msg.file)
		}
	case screen.WheelMsg:
		d.wheel(msg)
		return nil
	}
	if d.sending { // an answer is about what was submitted
		return nil
	}
	return d.input(msg)
}

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// SetSize implements screen.Dialog.
func (d *Dialog) SetSize(w, h int) {
	d.Base.SetSize(w, h)
	d.layout()
}

// SetStyles implements screen.Dialog.
func (d *Dialog) SetStyles(st *themes.Styles) {
	d.Base.SetStyles(st)
	if d.form != nil {
		d.form.SetStyles(st)
	}
}

// layout gives the dialog's parts their sizes.
func (d *Dialog) layout() {
	if d.form == nil {
		return
	}
	iw, ih := widgets.Inner(d.size())
	d.form.SetSize(iw, max(3, ih*3/5-2))
	d.listJobs()
}

// size is that of the dialog.
func (d *Dialog) size() (w, h int) { return min(d.W, 120), min(d.H, 40) }

// Actions implements screen.Dialog. The reasons against a submission are shown in full when it is
// tried.
func (d *Dialog) Actions() []screen.Action {
	out := d.commands.Actions(d)
	for i := range out {
		if out[i].ID == Submits && (!d.fresh() || !d.plan.Sendable()) {
			out[i].Off = "something stands in its way"
		}
	}
	return out
}

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding { return d.commands.Line(d.shown()...) }

// shown are the actions named in the lines at the bottom.
func (d *Dialog) shown() []string {
	out := []string{Submits}
	if d.o.saysMode() {
		out = append(out, actMode)
	}
	if d.plan.Master != nil {
		out = append(out, actDraw)
	}
	if d.o.Kind == OfFile {
		out = append(out, actRead)
	}
	return append(out, actClose)
}

// fresh reports whether the plan shown matches the dialog's present input.
func (d *Dialog) fresh() bool { return !d.busy && !d.looks && len(d.bad) == 0 && d.made == d.gen }

// saysMode reports whether the prompt mode matters.
func (o *Options) saysMode() bool {
	f := &o.Form
	return o.Kind != OfCopies || f.Mode.Template() || rules.MayBeTemplate(f.Draft.Prompt)
}

func (d *Dialog) mode() rules.PromptMode { return rules.PromptMode(d.form.Text(rowMode)) }
