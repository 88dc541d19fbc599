// Package body is the dialog that shows the bodies about a task: each as a tree with a search,
// filtered in the language of jq, compared with another one; and the request as it was sent.
package body

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/bodies"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/jsonview"
	"darkroom/tui/widgets/picker"
)

// Scope is that of the dialog's keys and actions.
const Scope = "body"

// Filters keeps the filters that were used. Its methods touch the disk, and return the filters,
// newest first.
type Filters interface {
	Load() ([]string, error)
	Used(filter string) ([]string, error)
}

// Options are what the dialog works with.
type Options struct {
	// Title names the task.
	Title string
	// Now are bodies that are there already. Show is the name of the one that shows first; else it is
	// the newest that was kept, with Request the newest request.
	Now     []bodies.Body
	Show    string
	Request bool
	// Job is the job whose bodies are read from the history, "" for none.
	Job     string
	History jobs.Recorder
	// Gateway has the address that a request of the profile was sent to; nil where none is known.
	Gateway bodies.Requester
	Profile string
	Filters Filters // nil forgets them at the end
	Keys    keys.Map
}

// layer is what of a body shows.
type layer int

const (
	whole layer = iota
	filtered
	compared
)

// mode is what is being typed.
type mode int

const (
	reading mode = iota
	finding
	filtering
)

// Dialog is the dialog.
type Dialog struct {
	screen.Base
	o        Options
	commands screen.Commands[*Dialog]

	all     []bodies.Body
	at      int
	loading bool
	sent    *bodies.Request // of the job, nil where none is known
	noSent  string          // why

	tree   jsonview.Tree
	layer  layer
	label  string // of a layer
	note   string // about what shows, or what went wrong
	bad    bool
	busy   bool // a filter runs
	source bool // a web page as it came
	wrap   bool
	gen    int // what is drawn for an older one is dropped
	stop   context.CancelFunc

	mode   mode
	input  *form.Editor
	paper  form.Paper
	past   []string // filters, newest first
	pastAt int      // the one in the input, -1 for none
}

// New is the dialog, which reads what the history has when it opens.
func New(o Options) *Dialog {
	d := &Dialog{o: o, all: slices.Clone(o.Now), commands: screen.Bind(o.Keys, Commands()), input: form.NewEditor(false), stop: func() {}}
	d.loading = o.Job != "" && o.History != nil
	d.choose(o.Show)
	return d
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd {
	var cmds []tea.Cmd
	if len(d.all) > 0 {
		cmds = append(cmds, d.draw())
	}
	if d.loading {
		cmds = append(cmds, load(d, d.o))
	}
	return tea.Batch(append(cmds, remembered(d, d.o.Filters))...)
}

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// Capturing implements screen.Dialog.
func (d *Dialog) Capturing() bool { return d.mode != reading }

// OwnKey implements screen.OwnKeys: while something is typed, letters are letters.
func (d *Dialog) OwnKey(tea.KeyMsg) bool { return d.mode != reading }

// Closed implements screen.Dialog.
func (d *Dialog) Closed() { d.stop() }

// choose goes to the body of a name, else to the one that was asked for.
func (d *Dialog) choose(name string) {
	d.at = max(0, len(d.all)-1)
	for i, b := range d.all {
		switch {
		case name != "" && b.Name == name,
			name == "" && d.o.Request == (b.What == bodies.WhatRequest) && b.What != bodies.WhatNow:
			d.at = i
		}
	}
}

// current is the body that shows, nil for none.
func (d *Dialog) current() *bodies.Body {
	if d.at < 0 || d.at >= len(d.all) {
		return nil
	}
	return &d.all[d.at]
}

// request is the request as it was sent, where that is what shows.
func (d *Dialog) request() *bodies.Request {
	if b := d.current(); b != nil && b.What == bodies.WhatRequest {
		return d.sent
	}
	return nil
}

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return d.key(msg)
	case screen.ActionMsg:
		return d.commands.Do(d, msg.ID)
	case screen.ClickMsg:
		if id, ok := strings.CutPrefix(msg.Zone, "btn:"); ok {
			return d.commands.Do(d, id)
		}
		d.tree.Click(msg)
	case screen.WheelMsg:
		d.tree.Wheel(msg.Delta)
	case choose.Picked:
		return d.compareWith(msg)
	case loadedMsg:
		if msg.of == d {
			return d.take(msg)
		}
	case drawnMsg:
		if msg.of == d && msg.gen == d.gen {
			d.show(msg)
			return msg.used
		}
	case pastMsg:
		if msg.of == d && msg.err == nil {
			d.past = msg.filters
		}
	}
	return nil
}

func (d *Dialog) key(msg tea.KeyMsg) tea.Cmd {
	if d.mode != reading {
		return d.typed(msg)
	}
	if msg.Paste {
		return nil
	}
	var cmds []tea.Cmd
	for _, k := range keys.Split(msg) {
		if id, ok := d.commands.Lookup(k.String()); ok {
			cmds = append(cmds, d.commands.Do(d, id))
		} else {
			d.tree.Key(k.String())
		}
	}
	return tea.Batch(cmds...)
}

// take takes what the history has. The body that shows stays.
func (d *Dialog) take(msg loadedMsg) tea.Cmd {
	d.loading = false
	if msg.err != nil {
		d.note, d.bad = "the history could not be read: "+client.CleanLine(msg.err.Error()), true
		return nil
	}
	name := d.o.Show
	if b := d.current(); b != nil && name != "" {
		name = b.Name
	}
	had := len(d.all) > 0 && name != ""
	d.all, d.sent, d.noSent = append(msg.all, d.o.Now...), msg.sent, msg.noSent
	d.choose(name)
	if had && d.request() == nil {
		return nil
	}
	return d.draw()
}

// show takes what was drawn; the place in the same body stays as far as it can.
func (d *Dialog) show(msg drawnMsg) {
	d.note, d.bad, d.busy = msg.note, msg.bad, false
	if msg.bad {
		return
	}
	d.layer, d.label = msg.layer, msg.label
	d.tree = jsonview.NewTree(msg.doc, d.wrap)
}

// draw shows the body as a whole.
func (d *Dialog) draw() tea.Cmd {
	b := d.current()
	if b == nil {
		return nil
	}
	return drawWhole(d, d.begin(), *b, d.source)
}

// begin gives up what is being worked out, and counts on.
func (d *Dialog) begin() int {
	d.stop()
	d.stop, d.busy = func() {}, false
	d.gen++
	return d.gen
}

// step goes to another body.
func (d *Dialog) step(by int) tea.Cmd {
	if n := len(d.all); n > 0 {
		d.at = ((d.at+by)%n + n) % n
	}
	d.layer, d.source = whole, false
	return d.draw()
}

// askOther lets a body be chosen that this one is compared with.
func (d *Dialog) askOther() tea.Cmd {
	var items []picker.Item
	for i, b := range d.all {
		if i != d.at {
			items = append(items, picker.Item{ID: b.Name, Title: b.Label(), Detail: human.Bytes(int64(b.Bytes))})
		}
	}
	p := picker.New("Compare with", "what changed from that one to this", items)
	if d.at > 0 {
		p.Select(d.all[d.at-1].Name)
	}
	d.Open(choose.New(p, d))
	return nil
}

func (d *Dialog) compareWith(msg choose.Picked) tea.Cmd {
	other, err := bodies.Pick(d.all, msg.ID)
	if !msg.OK || msg.For != d || err != nil || d.current() == nil {
		return nil
	}
	return drawDiff(d, d.begin(), other, *d.current())
}

// leave goes back from a layer to the body, and from the body to the screen.
func (d *Dialog) leave() tea.Cmd {
	switch {
	case d.busy: // what showed before stays
		d.begin()
		d.note = ""
		return nil
	case d.layer == whole && !d.bad:
		d.Close()
		return nil
	}
	d.bad, d.note = false, ""
	return d.draw()
}

func (d *Dialog) copied(text, what string) tea.Cmd {
	return func() tea.Msg {
		return screen.Copied(text, what, "`darkroom jobs bodies` prints it")
	}
}

// value is what stands under the cursor, whole: of a difference the value alone.
func (d *Dialog) value() string {
	text := d.tree.Value()
	if d.layer != compared {
		return text
	}
	text = strings.TrimLeft(text, " ")
	if len(text) > 2 { // behind the sign
		text = text[2:]
	}
	var s string
	if json.Unmarshal([]byte(text), &s) == nil && text != "null" {
		return s
	}
	return text
}

// copyWhole copies the body as it came, whatever of it shows.
func copyWhole(d *Dialog) tea.Cmd {
	b := d.current()
	return d.copied(string(b.Body), fmt.Sprintf("body %s", b.Name))
}

func copyCurl(d *Dialog) tea.Cmd {
	curl, err := d.request().Curl()
	if err != nil { // Off has said so
		return screen.Toast(screen.Warn, err.Error())
	}
	return d.copied(curl, "the request as curl")
}

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	if d.mode != reading {
		out := []key.Binding{keys.Fixed("enter", "go"), keys.Fixed("esc", "back")}
		if d.mode == filtering && len(d.past) > 0 {
			out = append(out, keys.Fixed("↑↓", "earlier filters"))
		}
		return out
	}
	return d.commands.LineNow(d, actClose, actFind, actFilter, actDiff, actNext, actCopy, actPath, actCurl, actWrap)
}

// Help is the help of the dialog, for that of a screen.
func Help(k keys.Map) []key.Binding {
	return append(screen.Bind(k, Commands()).Help(),
		keys.Fixed("↑↓ j k", "move"), keys.Fixed("← →", "fold and unfold, go out and in"), keys.Fixed("space", "fold, unfold"), keys.Fixed("- +", "fold all, unfold all"))
}

// Actions implements screen.Dialog.
func (d *Dialog) Actions() []screen.Action { return d.commands.Actions(d) }
