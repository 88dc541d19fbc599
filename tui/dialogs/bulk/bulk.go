// Package bulk is the dialog that does one thing to many jobs, one after another: it says how many,
// and which are left out and why, asks once, tells how far it is, and can be stopped between two
// jobs. What failed is told job by job.
package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/scroll"
)

// Scope names the dialog; it has no keys or actions of its own.
const Scope = "bulk"

// Item is a job. Off says why nothing is done to it, "" where something is.
type Item struct{ ID, Name, Off string }

// Work is what is to be done.
type Work struct {
	// Verb is what is done, as "Ask again about": it begins the question. Button is its word on a
	// button, as "Ask again".
	Verb, Button string
	// Did is what was done, as "asked again about".
	Did   string
	Items []Item
	// Asked says that the person has agreed elsewhere: it begins at once.
	Asked bool
	// Do does it to one job. It touches the disk, and is called in commands, one call at a time.
	Do func(ctx context.Context, id string) error
	// End, where it is not nil, is called in a command once all was done to the jobs, and not when
	// that was stopped. Its text is told.
	End func() (string, error)
}

// Done is the answer once it has begun: how many jobs it was done to.
type Done struct{ Jobs int }

// How long one step may take, and one job.
const (
	stepTime = 100 * time.Millisecond
	jobTime  = 30 * time.Second
)

type phase int

const (
	asking phase = iota
	working
	ended
)

// Dialog is the dialog.
type Dialog struct {
	screen.Base
	o       Work
	ids     []string // to which it is done
	left    []Item   // who is left out, in the order in which their reasons first came
	phase   phase
	yes     bool // the button that begins has the focus
	done    int  // so many were tried
	failed  []string
	stopped bool
	told    string          // by End
	wrong   error           // of End
	ctx     context.Context //nolint:containedctx // it is stopped by a key
	stop    context.CancelFunc
	lines   scroll.Model
}

// New is the dialog about some work.
func New(o Work) *Dialog {
	d := &Dialog{o: o}
	d.ctx, d.stop = context.WithCancel(context.Background())
	for _, it := range o.Items {
		if it.Off == "" {
			d.ids = append(d.ids, it.ID)
			continue
		}
		d.left = append(d.left, Item{Name: client.CleanLine(it.Name), Off: client.CleanLine(it.Off)})
	}
	first := map[string]int{}
	for i, it := range d.left {
		if _, known := first[it.Off]; !known {
			first[it.Off] = i
		}
	}
	slices.SortStableFunc(d.left, func(a, b Item) int { return cmp.Compare(first[a.Off], first[b.Off]) })
	d.lines.Zone = Scope
	return d
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd {
	if d.o.Asked {
		return d.begin()
	}
	return nil
}

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// Keep implements screen.Keeper: work goes on until it is stopped here.
func (d *Dialog) Keep() bool { return d.phase == working }

// Closed implements screen.Dialog.
func (d *Dialog) Closed() { d.stop() }

// SetSize implements screen.Dialog.
func (d *Dialog) SetSize(w, h int) {
	d.Base.SetSize(w, h)
	d.lay()
}

// SetStyles implements screen.Dialog.
func (d *Dialog) SetStyles(st *themes.Styles) {
	d.Base.SetStyles(st)
	d.lay()
}

// stepped says how far a step came.
type stepped struct {
	to      *Dialog
	done    int
	failed  []string
	stopped bool
	last    bool
	told    string
	wrong   error
}

// To implements screen.Addressed.
func (m stepped) To() screen.Dialog { return m.to }

// Missed implements screen.Addressed: the dialog is kept while it works, so that this is the end of a
// console.
func (m stepped) Missed() tea.Cmd { return nil }

// begin starts the work.
func (d *Dialog) begin() tea.Cmd {
	d.phase = working
	d.lay()
	return d.step()
}

// step does the work for a moment.
func (d *Dialog) step() tea.Cmd {
	from := d.done
	return func() tea.Msg {
		m := stepped{to: d, done: from}
		for until := time.Now().Add(stepTime); m.done < len(d.ids) && time.Now().Before(until); m.done++ {
			if m.stopped = d.ctx.Err() != nil; m.stopped {
				return m
			}
			if err := d.one(d.ids[m.done]); err != nil {
				if m.stopped = d.ctx.Err() != nil; m.stopped {
					return m
				}
				m.failed = append(m.failed, client.CleanLine(err.Error()))
			}
		}
		if m.last = m.done == len(d.ids); m.last && d.o.End != nil {
			m.told, m.wrong = d.o.End()
		}
		return m
	}
}

func (d *Dialog) one(id string) error {
	ctx, cancel := context.WithTimeout(d.ctx, jobTime)
	defer cancel()
	return d.o.Do(ctx, id)
}

// take goes on after a step.
func (d *Dialog) take(m stepped) tea.Cmd {
	d.done = m.done
	d.failed = append(d.failed, m.failed...)
	d.stopped, d.told, d.wrong = m.stopped, m.told, m.wrong
	if !m.last && !m.stopped {
		d.lay()
		return d.step()
	}
	d.phase = ended
	d.lay()
	n := d.done - len(d.failed)
	d.Answer(Done{n})
	if n > 0 && len(d.failed)+len(d.left) == 0 && !d.stopped && d.wrong == nil {
		d.Close()
		return screen.Toast(screen.Good, d.outcome())
	}
	return nil
}

// outcome is what came of it.
func (d *Dialog) outcome() string {
	switch {
	case d.wrong != nil:
		return client.CleanLine(d.wrong.Error())
	case d.told != "":
		return client.CleanLine(d.told)
	}
	return d.o.Did + " " + human.Plural(d.done-len(d.failed), "job")
}

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case stepped:
		if msg.to == d {
			return d.take(msg)
		}
	case tea.KeyMsg:
		if !msg.Paste {
			return d.key(msg)
		}
	case screen.ClickMsg:
		switch msg.Zone {
		case "btn:" + zoneYes:
			return d.begin()
		case "btn:" + zoneNo:
			d.leave()
		}
	case screen.WheelMsg:
		d.lines.Wheel(msg.Delta)
	}
	return nil
}

// Zones of the buttons.
const (
	zoneYes = "bulk-yes"
	zoneNo  = "bulk-no"
)

func (d *Dialog) key(k tea.KeyMsg) tea.Cmd {
	name := k.String()
	switch {
	case name == "esc" || name == "ctrl+c":
		d.leave()
	case d.phase == ended && (name == "enter" || name == "q"):
		d.leave()
	case d.phase != asking:
		d.lines.Update(k)
	case name == "y" || name == "enter" && d.yes:
		return d.begin()
	case name == "n" || name == "enter":
		d.leave()
	case name == "left" || name == "right" || name == "tab" || name == "shift+tab":
		d.yes = !d.yes
	default:
		d.lines.Update(k)
	}
	return nil
}

// leave closes the dialog, or stops the work first.
func (d *Dialog) leave() {
	if d.phase == working {
		d.stop()
		return
	}
	d.Close()
}

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	switch d.phase {
	case asking:
		return []key.Binding{keys.Fixed("y", "yes"), keys.Fixed("n", "no"), keys.Fixed("↑↓", "who is left out")}
	case working:
		return []key.Binding{keys.Fixed("esc", "stop")}
	default:
		return []key.Binding{keys.Fixed("esc", "close"), keys.Fixed("↑↓", "look through")}
	}
}

// title says what it is about.
func (d *Dialog) title() string {
	n := human.Plural(len(d.ids), "job")
	if d.phase == asking {
		return d.o.Verb + " " + n + "?"
	}
	return d.o.Verb + " " + n
}

// head is how it stands, in a line.
func (d *Dialog) head() string {
	switch {
	case d.phase == asking:
		return "One after another; esc stops after the one under way."
	case d.phase == working && d.ctx.Err() != nil:
		return "stopping …"
	case d.phase == working:
		return fmt.Sprintf("%s of %s", human.Count(d.done), human.Count(len(d.ids)))
	case d.stopped:
		return fmt.Sprintf("stopped: %s; nothing was done to %s", d.outcome(), human.Plural(len(d.ids)-d.done, "job"))
	case errors.Is(d.wrong, context.Canceled):
		return "stopped"
	}
	return d.outcome()
}
