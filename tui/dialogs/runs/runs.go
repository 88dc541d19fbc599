// Package runs is the dialog of the runs that are kept: it lists them, and stops, resumes and removes
// them; one that is chosen is opened by the screen.
package runs

import (
	"context"
	"fmt"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/run"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/table"
)

// Scope is that of the dialog's keys and actions.
const Scope = "runs"

// Title is its heading in the help.
const Title = "In the list of runs"

const (
	actOpen   = Scope + ".open"
	actResume = Scope + ".resume"
	actStop   = Scope + ".stop"
	actRemove = Scope + ".remove"
	actReload = Scope + ".reload"
	actClose  = Scope + ".close"
)

// limit bounds reading the list, and each act.
const limit = 30 * time.Second

// Bench keeps runs.
type Bench interface {
	List(ctx context.Context) ([]run.Head, error)
	Resume(ctx context.Context, id string) error
	Stop(ctx context.Context, id string) error
	Remove(ctx context.Context, id string) error
}

// Options are what the dialog works with.
type Options struct {
	Bench Bench
	Keys  keys.Map
	// ReadOnly is why nothing can be sent, "" where it can.
	ReadOnly string
	Free     bool // nothing is paid for
	Now      func() time.Time
	// At is the run that shows, which the cursor begins on.
	At string
}

// Opened is the answer: the run to show. The dialog closes with it.
type Opened struct{ ID string }

// Removed says that a run is gone.
type Removed struct{ ID string }

// Dialog is the dialog.
type Dialog struct {
	screen.Base
	o        Options
	commands screen.Commands[*Dialog]
	table    table.Model
	heads    []run.Head
	at       string // id of the run under the cursor
	loading  bool
	loaded   bool
	err      error
}

type listedMsg struct {
	of    *Dialog
	heads []run.Head
	err   error
}

type doneMsg struct {
	of      *Dialog
	what    string
	err     error
	removed string
}

// To implements screen.Addressed.
func (m doneMsg) To() screen.Dialog { return m.of }

// Missed implements screen.Addressed.
func (m doneMsg) Missed() tea.Cmd { return m.toast() }

func (m doneMsg) toast() tea.Cmd {
	if m.err != nil {
		return screen.Toast(screen.Bad, client.CleanLine(m.err.Error()))
	}
	return screen.Toast(screen.Good, m.what)
}

// Commands is the table of what can be done in the dialog.
func Commands() []screen.Command[*Dialog] {
	return []screen.Command[*Dialog]{
		{ID: actOpen, Title: "Open the run", Keys: []string{"enter"}, Word: "open", Off: ofRun(offRead), Do: (*Dialog).open},
		{ID: actResume, Title: "Send what is missing and what failed", Keys: []string{"r"}, Word: "resume", Off: ofRun(offResume), Do: (*Dialog).askResume},
		{ID: actStop, Title: "Stop the run: send no more", Keys: []string{"s"}, Word: "stop", Off: ofRun(offStop), Do: (*Dialog).stop},
		{ID: actRemove, Title: "Remove the run", Keys: []string{"x", "delete"}, Word: "remove", Off: ofRun(offRemove), Do: (*Dialog).askRemove},
		{ID: actReload, Title: "Read the list again", Keys: []string{"ctrl+r"}, Do: (*Dialog).load},
		{ID: actClose, Title: "Leave the runs", Keys: []string{"esc"}, Word: "back", Do: screen.Act((*Dialog).leave)},
	}
}

// New is the dialog.
func New(o Options) *Dialog {
	d := &Dialog{o: o, commands: screen.Bind(o.Keys, Commands()), at: o.At}
	d.table = table.New([]table.Column{
		{Title: "", Min: 1},
		{Title: "Run", Min: 12, Weight: 1, Max: 48},
		{Title: "Begun", Min: 5, Right: true},
		{Title: "Trials", Min: 7, Right: true, Drop: 2},
		{Title: "Done", Min: 4, Right: true, Drop: 3},
		{Title: "Failed", Min: 6, Right: true, Drop: 4},
		{Title: "State", Min: 9, Max: 24, Weight: 1, Drop: 1},
	})
	d.table.Prefix = "run:"
	return d
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd { return d.load() }

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// Capturing implements screen.Dialog.
func (d *Dialog) Capturing() bool { return true }

func (d *Dialog) leave() { d.Close() }

func (d *Dialog) load() tea.Cmd {
	if d.loading {
		return nil
	}
	d.loading = true
	b := d.o.Bench
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), limit)
		defer stop()
		heads, err := b.List(ctx)
		return listedMsg{d, heads, err}
	}
}

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if d.table.Update(msg) {
			d.settle()
		}
	case screen.ClickMsg:
		if d.table.Click(msg) {
			d.settle()
			if msg.Double {
				return d.commands.Do(d, actOpen)
			}
		}
	case screen.WheelMsg:
		d.table.Wheel(msg.Delta)
		d.settle()
	case screen.ActionMsg:
		return d.commands.Do(d, msg.ID)
	case ask.Agreed:
		return d.agreed(msg)
	case listedMsg:
		if msg.of == d {
			d.take(msg)
		}
	case doneMsg:
		if msg.err == nil && msg.removed != "" {
			d.Answer(Removed{msg.removed})
		}
		return tea.Batch(msg.toast(), d.load())
	}
	return nil
}

func (d *Dialog) take(msg listedMsg) {
	d.loading, d.loaded, d.err = false, true, msg.err
	if msg.err != nil {
		return
	}
	d.heads = msg.heads
	d.table.SetSource(table.Func{N: len(d.heads), At: d.row})
	for i := range d.heads {
		if d.heads[i].ID == d.at {
			d.table.SetCursor(i)
		}
	}
	d.settle()
}

func (d *Dialog) settle() {
	if h := d.head(); h != nil {
		d.at = h.ID
	}
}

// head is the run under the cursor, nil for none.
func (d *Dialog) head() *run.Head {
	if i := d.table.Cursor(); i >= 0 && i < len(d.heads) {
		return &d.heads[i]
	}
	return nil
}

func ofRun(off func(*Dialog, *run.Head) string) func(*Dialog) string {
	return func(d *Dialog) string {
		h := d.head()
		if h == nil {
			return "there is no run under the cursor"
		}
		return off(d, h)
	}
}

func offRead(_ *Dialog, h *run.Head) string {
	if h.Error != "" {
		return "it cannot be read: " + client.CleanLine(h.Error)
	}
	return ""
}

func offResume(d *Dialog, h *run.Head) string {
	switch {
	case d.o.ReadOnly != "":
		return d.o.ReadOnly
	case h.Error != "":
		return offRead(d, h)
	case h.Live:
		return "it is being sent"
	case h.Tally.Sent == h.Tally.Planned && h.Tally.Failed == 0 && h.Tally.Open == 0:
		return "nothing is missing, and nothing failed"
	}
	return ""
}

func offStop(d *Dialog, h *run.Head) string {
	switch {
	case h.Error != "":
		return offRead(d, h)
	case h.Status != compare.Open:
		return "it is over"
	}
	return ""
}

func offRemove(_ *Dialog, h *run.Head) string {
	if h.Live {
		return "it is being sent; stop it first"
	}
	return ""
}

func (d *Dialog) open() tea.Cmd {
	d.Answer(Opened{d.at})
	d.Close()
	return nil
}

// The subjects of questions.
type (
	removing struct{ id, name string }
	resuming struct{ id, name string }
)

func (d *Dialog) askRemove() tea.Cmd {
	h := d.head()
	name := nameOf(h)
	d.Open(ask.Decide("Remove the run?", name+"\nWhat was planned and measured is forgotten. Its jobs and their files stay in Queue.", "Keep", "Remove", removing{h.ID, name}))
	return nil
}

func (d *Dialog) askResume() tea.Cmd {
	h := d.head()
	name := nameOf(h)
	missing := h.Tally.Planned - h.Tally.Sent
	billed := ", which are billed"
	if d.o.Free {
		billed = ""
	}
	text := fmt.Sprintf("%s\nIt sends %d missing and %d failed trials%s. One whose create is unclear is never sent by itself.", name, missing, h.Tally.Failed, billed)
	d.Open(ask.Decide("Resume the run?", text, "Not now", "Resume", resuming{h.ID, name}))
	return nil
}

func (d *Dialog) agreed(a ask.Agreed) tea.Cmd {
	b := d.o.Bench
	switch on := a.About.(type) {
	case removing:
		return d.act("removed "+on.name, on.id, func(ctx context.Context) error { return b.Remove(ctx, on.id) })
	case resuming:
		return d.act("resumed "+on.name, "", func(ctx context.Context) error { return b.Resume(ctx, on.id) })
	}
	return nil
}

func (d *Dialog) stop() tea.Cmd {
	h := d.head()
	id, b := h.ID, d.o.Bench
	return d.act("stopped "+nameOf(h)+"; what is in flight goes on", "", func(ctx context.Context) error { return b.Stop(ctx, id) })
}

func (d *Dialog) act(what, removed string, do func(context.Context) error) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), limit)
		defer stop()
		return doneMsg{d, what, do(ctx), removed}
	}
}

func nameOf(h *run.Head) string {
	if name := client.CleanLine(h.Name); name != "" {
		return name
	}
	return "run " + h.ID[max(0, len(h.ID)-8):]
}

func (d *Dialog) row(i int) table.Row {
	h, st := &d.heads[i], d.Styles
	if h.Error != "" {
		return table.Row{Ink: widgets.NewInk(st.Faint), Cells: []table.Cell{{Text: "✗"}, {Text: nameOf(h)}, {}, {}, {}, {}, {Text: "unreadable"}}}
	}
	sign, style := widgets.Sign(st, "completed")
	state := string(h.Status)
	switch {
	case h.Live:
		sign, style = widgets.Sign(st, "running")
		state = fmt.Sprintf("running %d/%d", h.Tally.Done+h.Tally.Failed, h.Tally.Planned)
	case h.Status == compare.Open:
		sign, style = widgets.Sign(st, "queued")
		state = fmt.Sprintf("open, %d left", h.Tally.Planned-h.Tally.Done-h.Tally.Failed)
	case h.Tally.Failed > 0:
		sign, style = widgets.Sign(st, "failed")
	}
	bad := widgets.Ink{}
	if h.Tally.Failed > 0 {
		bad = widgets.NewInk(st.Bad)
	}
	return table.Row{Cells: []table.Cell{
		{Text: sign, Ink: widgets.NewInk(style)}, {Text: nameOf(h)}, {Text: human.Age(d.o.Now().Sub(h.CreatedAt)), Ink: widgets.NewInk(st.Muted)},
		{Text: human.Count(h.Tally.Planned)}, {Text: human.Count(h.Tally.Done)}, {Text: human.Count(h.Tally.Failed), Ink: bad}, {Text: state},
	}}
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	w, h := min(d.W-2, 110), min(d.H-2, 30)
	if d.W < 30 || d.H < 10 {
		w, h = d.W, d.H
	}
	iw, ih := widgets.Inner(w, h)
	muted := widgets.NewInk(d.Styles.Muted)
	body := ""
	switch {
	case d.err != nil:
		body = widgets.NewInk(d.Styles.Bad).Text(widgets.Wrap("✗ the runs cannot be read: "+client.CleanLine(d.err.Error()), max(1, iw)))
	case !d.loaded:
		body = muted.Text("reading the runs …")
	case len(d.heads) == 0:
		body = muted.Text(widgets.Wrap("No run is kept yet. One that is begun in Compare, or with darkroom compare run, is listed here.", max(1, iw)))
	default:
		d.table.SetSize(iw, ih)
		body = d.table.View(d.Styles, true)
	}
	right := ""
	if n := len(d.heads); n > 0 {
		right = human.Plural(n, "run")
	}
	return widgets.Box(d.Styles, "Runs", right, body, w, h, true)
}

// Actions implements screen.Dialog.
func (d *Dialog) Actions() []screen.Action { return d.commands.Actions(d) }

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	return d.commands.Line(actOpen, actResume, actStop, actRemove, actClose)
}
