// Package everywhere is the dialog that asks the gateways of all profiles about an id, each with its
// own key, and goes to the one that knows it.
package everywhere

import (
	"context"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// Scope names the dialog; it has no keys or actions of its own.
const Scope = "everywhere"

// Profiles asks them, as [lookup.Profiles] does.
type Profiles interface {
	Names() []string
	One(ctx context.Context, s inspect.Subject, each func(lookup.Answer)) lookup.Found
}

// Taken is the answer: where to go on with the id.
type Taken struct {
	Profile string
	Subject inspect.Subject
}

// Dialog is the dialog. It closes when it answers.
type Dialog struct {
	screen.Base
	profiles Profiles
	subject  inspect.Subject
	list     picker.Model
	answers  map[string]lookup.Answer
	over     bool
	cancel   context.CancelFunc
}

// answerMsg brings the answer of one profile, endMsg what came of all.
type (
	answerMsg struct {
		of   *Dialog
		a    lookup.Answer
		came <-chan lookup.Answer
	}
	endMsg struct {
		of    *Dialog
		found lookup.Found
	}
)

// New is the dialog about a subject; it asks when it opens.
func New(p Profiles, s inspect.Subject) *Dialog {
	d := &Dialog{profiles: p, subject: s, answers: map[string]lookup.Answer{}, cancel: func() {}}
	d.list = picker.New("Which gateway knows "+client.CleanLine(s.Value), "a profile", nil)
	d.list.Aligned = true
	d.fill()
	return d
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd {
	var ctx context.Context
	ctx, d.cancel = context.WithCancel(context.Background())
	p, s := d.profiles, d.subject
	came := make(chan lookup.Answer, len(p.Names()))
	ask := func() tea.Msg {
		defer close(came)
		return endMsg{d, p.One(ctx, s, func(a lookup.Answer) { came <- a })}
	}
	return tea.Batch(ask, d.next(came))
}

// next waits for the next profile's answer.
func (d *Dialog) next(came <-chan lookup.Answer) tea.Cmd {
	return func() tea.Msg {
		a, ok := <-came
		if !ok {
			return nil
		}
		return answerMsg{d, a, came}
	}
}

// Closed implements screen.Dialog: what is not answered is no longer asked.
func (d *Dialog) Closed() { d.cancel() }

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		d.follow(d.list.Update(choose.Plain(msg)))
	case screen.ClickMsg:
		d.follow(d.list.Click(msg))
	case screen.WheelMsg:
		d.list.Wheel(msg.Delta)
	case answerMsg:
		if msg.of == d {
			d.answers[msg.a.Profile] = msg.a
			d.fill()
			return d.next(msg.came)
		}
	case endMsg:
		if msg.of == d {
			d.end(msg.found)
		}
	}
	return nil
}

// end puts the cursor on the profile that knows it.
func (d *Dialog) end(f lookup.Found) {
	d.over = true
	for _, a := range f.Answers {
		d.answers[a.Profile] = a
	}
	d.fill()
	if knows := f.Knowing(); len(knows) > 0 {
		d.list.Select(knows[0])
	} else {
		d.list.Note = "none of the gateways asked knows it"
	}
}

// fill lists the profiles, each with what its gateway has said.
func (d *Dialog) fill() {
	var items []picker.Item
	for _, name := range d.profiles.Names() {
		it := picker.Item{ID: name, Title: client.CleanLine(name), Detail: "asking …", Sign: " "}
		if a, ok := d.answers[name]; ok {
			it.Detail = client.CleanLine(a.Words())
			if a.Knows() {
				it.Sign = "✓"
			}
			if model := a.Said(inspect.KeyModel); model != "" && a.Knows() {
				it.Detail += ", " + client.CleanLine(model)
			}
		}
		items = append(items, it)
	}
	d.list.SetItems(items)
}

// follow continues after a key or a click.
func (d *Dialog) follow(ev picker.Event) {
	if ev == picker.None {
		return
	}
	it, ok := d.list.Current()
	d.Close()
	if ok && ev == picker.Picked && slices.Contains(d.profiles.Names(), it.ID) {
		d.Answer(Taken{Profile: it.ID, Subject: d.subject})
	}
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	return d.list.View(d.Styles, min(d.W, 100), min(d.H, len(d.profiles.Names())+6))
}

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	return []key.Binding{keys.Fixed("enter", "go there"), keys.Fixed("esc", "back")}
}
