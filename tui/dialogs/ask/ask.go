// Package ask asks for a decision, or for a line of text.
package ask

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/form"
)

// Answers, which are also the zones of the buttons.
const (
	no  = "no"
	yes = "yes"
)

// Bounds of the box of a dialog, in cells.
const (
	maxWidth   = 64
	lineHeight = 7 // with one line that says what is asked
)

// Agreed is the answer yes to a [Decision]; no closes it without an answer.
type Agreed struct{ About any }

// Typed is the answer to a [Line]; leaving it gives none.
type Typed struct {
	About any
	Text  string
}

// Decision asks for a yes or a no. The focus begins on no.
type Decision struct {
	screen.Base
	about any
	box   confirm.Model
	w, h  int // the largest size, 0 for the usual one
}

// Within limits the box to so many cells and lines, and to the screen.
func (d *Decision) Within(w, h int) *Decision {
	d.w, d.h = w, h
	return d
}

// Decide makes a Decision. No and yes are the labels of the buttons; about comes back with the
// answer.
func Decide(title, text, noWord, yesWord string, about any) *Decision {
	return &Decision{about: about, box: confirm.New(title, text, no,
		confirm.Button{ID: no, Label: noWord, Key: "n"}, confirm.Button{ID: yes, Label: yesWord, Key: "y"})}
}

// Update implements screen.Dialog.
func (d *Decision) Update(msg tea.Msg) tea.Cmd {
	answer := ""
	switch msg := msg.(type) {
	case tea.KeyMsg:
		answer = d.box.Update(msg)
	case screen.ClickMsg:
		answer = d.box.Click(msg)
	}
	if answer == yes {
		d.Answer(Agreed{d.about})
	}
	if answer != "" {
		d.Close()
	}
	return nil
}

// View implements screen.Dialog.
func (d *Decision) View() string {
	if d.w > 0 {
		return d.box.View(d.Styles, min(d.W, d.w), min(d.H, d.h))
	}
	return d.box.View(d.Styles, min(d.W-2, maxWidth), d.H)
}

// ShortHelp implements screen.Dialog.
func (d *Decision) ShortHelp() []key.Binding {
	return []key.Binding{keys.Fixed("y", "yes"), keys.Fixed("n", "no"), keys.Fixed("←→", "choose")}
}

// Look is the wording around the input of a [Line].
type Look struct{ Title, Hint, Button string }

// Options are the options of a [Line].
type Options struct {
	Look
	Prompt, Placeholder string
	Subject             string // what it is about, in a line
	Text                string // to begin with
	// LookOf, when it is not nil, gives the wording for the text typed so far.
	LookOf func(text string) Look
	// Check says what is wrong with a text, "" to accept it. nil accepts any text.
	Check func(text string) string
	About any // comes back with the answer
	// Secret draws a sign for each character. Limit bounds the text, in characters; 0 is the usual bound.
	Secret bool
	Limit  int
}

// maxText bounds what is typed, in characters.
const maxText = 500

// Line asks for a line of text.
type Line struct {
	screen.Base
	o     Options
	input *form.Editor
	paper form.Paper
	wrong string
}

// ForLine makes a Line.
func ForLine(o Options) *Line {
	in := form.NewEditor(false)
	in.Limit = cmp.Or(o.Limit, maxText)
	in.SetValue(client.CleanLine(o.Text))
	return &Line{o: o, input: in}
}

// SetStyles implements screen.Dialog.
func (d *Line) SetStyles(st *themes.Styles) {
	d.Base.SetStyles(st)
	d.paper = form.NewPaper(st)
}

// Update implements screen.Dialog.
func (d *Line) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return d.key(msg)
	case screen.ClickMsg:
		switch msg.Zone {
		case "btn:" + no:
			d.Close()
		case "btn:" + yes:
			d.answer()
		}
	}
	return nil
}

func (d *Line) key(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		d.Close()
		return nil
	case "enter":
		d.answer()
		return nil
	}
	d.wrong = ""
	if msg.Type == tea.KeyRunes { // typed and pasted text is made safe to draw
		msg.Runes = []rune(client.CleanLine(string(msg.Runes)))
	}
	d.input.Update(msg, 0)
	return nil
}

// answer closes the dialog with its answer, unless Check refuses the text.
func (d *Line) answer() {
	text := d.input.Value()
	if d.o.Check != nil {
		if d.wrong = client.CleanLine(d.o.Check(text)); d.wrong != "" {
			return
		}
	}
	d.Answer(Typed{About: d.o.About, Text: text})
	d.Close()
}

func (d *Line) look() Look {
	if d.o.LookOf != nil {
		return d.o.LookOf(d.input.Value())
	}
	return d.o.Look
}

// View implements screen.Dialog.
func (d *Line) View() string {
	w := min(d.W-2, maxWidth)
	iw, _ := widgets.Inner(w, lineHeight)
	if iw <= 0 {
		return ""
	}
	look, st := d.look(), d.Styles
	hint := widgets.NewInk(st.Muted).Text(look.Hint)
	if d.wrong != "" {
		hint = widgets.NewInk(st.Bad).Text(d.wrong)
	}
	buttons := widgets.Button(st, no, "Leave it", false, false) + "  " + widgets.Button(st, yes, look.Button, true, false)
	room := max(1, iw-widgets.Width(d.o.Prompt))
	example := widgets.Truncate(d.o.Placeholder, max(1, room-widgets.Width(d.o.Prompt)-1))
	field := widgets.NewInk(st.Accent).Text(d.o.Prompt)
	if n := d.input.Len(); d.o.Secret && n > 0 {
		field += widgets.NewInk(st.Value).Text(strings.Repeat("•", min(n, room-1))) + widgets.NewInk(st.Cursor).Text(" ")
	} else {
		field += d.input.Field(d.paper, example, true, room)
	}
	lines := widgets.WrapLines(d.o.Subject, iw, min(3, max(1, d.H-lineHeight+1)))
	lines = append(lines, widgets.Line(field, iw), widgets.Line(hint, iw), "", widgets.PadLeft(buttons, iw))
	return widgets.Box(st, look.Title, "", strings.Join(lines, "\n"), w, min(d.H, len(lines)+2), true)
}

// ShortHelp implements screen.Dialog.
func (d *Line) ShortHelp() []key.Binding {
	return []key.Binding{keys.Fixed("enter", strings.ToLower(d.look().Button)), keys.Fixed("esc", "leave it")}
}
