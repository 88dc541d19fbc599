// Package ask is a question with a few buttons over a screen.
package ask

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
)

// Answered is the answer, with which the dialog closes.
type Answered struct {
	Name string // of the question
	ID   string // of the button
}

// Options are what the dialog works with.
type Options struct {
	Question confirm.Model
	// Width and Height are the most that it takes.
	Width, Height int
	// Help are its keys for the bottom line, as pairs of keys and what they do.
	Help [][2]string
	// Name is the dialog's scope, which has no keys or actions: a stack asks each question once.
	Name string
}

// Dialog is the dialog.
type Dialog struct {
	screen.Base
	o Options
}

// New is the dialog.
func New(o Options) *Dialog { return &Dialog{o: o} }

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return d.o.Name }

// Update implements screen.Dialog. What is pasted is no answer.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	id := ""
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if !msg.Paste {
			id = d.o.Question.HandleKey(msg.String())
		}
	case screen.ClickMsg:
		id = d.o.Question.Click(msg.Zone)
	}
	if id != "" {
		d.Close()
		d.Answer(Answered{Name: d.o.Name, ID: id})
	}
	return nil
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	return d.o.Question.View(d.Styles, min(d.W, d.o.Width), min(d.H, d.o.Height))
}

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	out := make([]key.Binding, len(d.o.Help))
	for i, h := range d.o.Help {
		out[i] = key.NewBinding(key.WithKeys(h[0]), key.WithHelp(h[0], h[1]))
	}
	return out
}
