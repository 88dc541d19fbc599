package ask

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
)

// Chosen is the answer to a [Question], with which it closes.
type Chosen struct {
	About any    // what the question is about
	ID    string // of the button
}

// Choice is a message that answers the question of that name for the person.
type Choice struct{ Name, ID string }

// QuestionOptions are the options of a [Question].
type QuestionOptions struct {
	Box confirm.Model
	// Width and Height are the largest size of the box.
	Width, Height int
	// Help is its help for the bottom line, as pairs of keys and what they do.
	Help [][2]string
	// Name is its scope, which has no keys or actions: a stack shows each question once.
	Name string
	// About comes back with the answer.
	About any
}

// Question lets one of several buttons be chosen.
type Question struct {
	screen.Base
	o QuestionOptions
}

// Choose makes a Question.
func Choose(o QuestionOptions) *Question { return &Question{o: o} }

// Scope implements screen.Dialog.
func (d *Question) Scope() string { return d.o.Name }

// Update implements screen.Dialog. A paste is no answer.
func (d *Question) Update(msg tea.Msg) tea.Cmd {
	id := ""
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if !msg.Paste {
			id = d.o.Box.Update(msg)
		}
	case screen.ClickMsg:
		id = d.o.Box.Click(msg)
	case Choice:
		if msg.Name == d.o.Name {
			id = msg.ID
		}
	}
	if id != "" {
		d.Close()
		d.Answer(Chosen{About: d.o.About, ID: id})
	}
	return nil
}

// View implements screen.Dialog.
func (d *Question) View() string {
	return d.o.Box.View(d.Styles, min(d.W, d.o.Width), min(d.H, d.o.Height))
}

// ShortHelp implements screen.Dialog.
func (d *Question) ShortHelp() []key.Binding {
	out := make([]key.Binding, len(d.o.Help))
	for i, h := range d.o.Help {
		out[i] = keys.Fixed(h[0], h[1])
	}
	return out
}
