// Package differs is the dialog that lists what the gateway's answers have that its interface does not
// name, as `darkroom drift` does.
package differs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/client/drift"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/scroll"
)

// Source counts what the answers have: those that the history has kept, and those about tasks of others.
// It touches the disk, and is called in a command. far is told how far it is.
type Source interface {
	Drift(ctx context.Context, far func(string)) (drift.Counter, error)
}

// Dialog is the dialog. It counts when it opens, and answers nothing.
type Dialog struct {
	screen.Base
	source Source
	clock  human.Times
	text   scroll.Model
	far    string
	found  *drift.Counter // nil while it counts
	err    error
	cancel context.CancelFunc
}

// farMsg says how far the look is, endMsg what came of it.
type (
	farMsg struct {
		of   *Dialog
		text string
		came <-chan string
	}
	endMsg struct {
		of    *Dialog
		found drift.Counter
		err   error
	}
)

// New is the dialog; times are written as the clock has it.
func New(s Source, clock human.Times) *Dialog {
	return &Dialog{source: s, clock: clock, cancel: func() {}}
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd {
	var ctx context.Context
	ctx, d.cancel = context.WithCancel(context.Background())
	s, came := d.source, make(chan string, 1)
	count := func() tea.Msg {
		defer close(came)
		found, err := s.Drift(ctx, func(text string) {
			select {
			case came <- text:
			default: // the one before is not shown yet
			}
		})
		return endMsg{d, found, err}
	}
	return tea.Batch(count, d.next(came))
}

func (d *Dialog) next(came <-chan string) tea.Cmd {
	return func() tea.Msg {
		text, ok := <-came
		if !ok {
			return nil
		}
		return farMsg{d, text, came}
	}
}

// Closed implements screen.Dialog: the look ends.
func (d *Dialog) Closed() { d.cancel() }

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return "differs" }

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if s := msg.String(); s == "esc" || s == "enter" || s == "q" {
			d.Close()
			return nil
		}
		d.text.Update(msg)
	case screen.WheelMsg:
		d.text.Wheel(msg.Delta)
	case farMsg:
		if msg.of == d {
			d.far = msg.text
			return d.next(msg.came)
		}
	case endMsg:
		if msg.of == d && !errors.Is(msg.err, context.Canceled) {
			d.found, d.err = &msg.found, msg.err
			d.write()
		}
	}
	return nil
}

// SetSize implements screen.Dialog.
func (d *Dialog) SetSize(w, h int) {
	d.Base.SetSize(w, h)
	d.text.SetSize(widgets.Inner(d.size()))
	d.write()
}

func (d *Dialog) size() (w, h int) { return min(d.W, 110), min(d.H, 32) }

// write lays out what was found, for the width.
func (d *Dialog) write() {
	if d.found == nil || d.Styles == nil {
		return
	}
	w, _ := widgets.Inner(d.size())
	w = max(1, w-2) // the scroll bar
	var lines []string
	add := func(text string) { lines = append(lines, strings.Split(widgets.Wrap(text, w), "\n")...) }
	if d.err != nil {
		add("It could not be counted: " + client.CleanLine(d.err.Error()))
		d.text.SetLines(lines)
		return
	}
	part := func(rows []drift.Row, after string) {
		last := ""
		for _, r := range rows {
			if at := client.CleanLine(r.Format + " " + string(r.Of)); at != last {
				last = at
				lines = append(lines, "")
				add(widgets.NewInk(d.Styles.BoxTitle).Text(strings.TrimSpace(at)))
			}
			text := r.Text()
			switch {
			case r.Elsewhere:
				text += " (seen at other gateways)"
			case r.Own:
				text += " (the embedded gateway's own)"
			}
			add("  " + text)
			add(widgets.NewInk(d.Styles.Muted).Text(fmt.Sprintf("    %s, last %s, at %s", human.Plural(r.Count, "time"), d.clock.Stamp(r.Last), example(r.Example))))
		}
		if len(rows) == 0 {
			add(after)
		}
	}
	all, other := d.found.Rows(false), []drift.Row{}
	for _, r := range d.found.Rows(true) {
		if !r.Alarm() {
			other = append(other, r)
		}
	}
	add(human.Plural(d.found.Answers, "answer") + " looked through.")
	part(all, "Nothing in them that the interface does not name.")
	if len(other) > 0 {
		lines = append(lines, "")
		add(widgets.NewInk(d.Styles.DialogTitle).Text("No reason for alarm: seen elsewhere, or the embedded gateway's own"))
		part(other, "")
	}
	d.text.SetLines(lines)
}

// example is the short id of a job, or the whole id of a task.
func example(id string) string {
	if uuid.Validate(id) == nil {
		return jobs.ShortID(id)
	}
	return client.CleanLine(id)
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	w, h := d.size()
	body := d.text.View(d.Styles)
	if d.found == nil {
		body = "counting … " + d.far
	}
	return widgets.Box(d.Styles, widgets.NewInk(d.Styles.DialogTitle).Text("What differs from the interface"), "", body, w, h, true)
}

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	return []key.Binding{keys.Fixed("↑↓", "scroll"), keys.Fixed("esc", "back")}
}
