// Package items is the dialog in which a list or an object is edited piece by piece. The owner
// keeps the value: the dialog shows it, and answers with the new one.
package items

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/items"
)

// Scope is that of the dialog's keys and actions.
const Scope = "items"

// Title is its heading in the help.
const Title = "In items and objects"

// Commands is the table of the dialog's actions; letters work while no text is typed. The dialog
// itself says why an action is off.
func Commands() []screen.Command[*Dialog] {
	row := func(verb, title, word string, keys ...string) screen.Command[*Dialog] {
		return screen.Command[*Dialog]{ID: Scope + "." + verb, Title: title, Keys: keys, Word: word,
			Off: func(d *Dialog) string { return d.list.Off(verb) },
			Do:  func(d *Dialog) tea.Cmd { return d.follow(d.list.Do(verb)) }}
	}
	return []screen.Command[*Dialog]{
		row(items.Repair, "Repair the item", "repair", "R", "alt+r"),
		row(items.Add, "Add an item", "add", "a", "insert"),
		row(items.Edit, "Edit the item", "edit", "enter", "e"),
		row(items.Close, "Close the item, then the list", "close", "esc"),
		row(items.Delete, "Delete the item", "delete", "d", "delete"),
		row(items.Undo, "Undo in the items", "undo", "u", "alt+u"),
		row(items.Up, "Item up", "up", "K", "alt+up"),
		row(items.Down, "Item down", "down", "J", "alt+down"),
		row(items.Named, "Name the item", "name", "n"),
		row(items.Role, "Give the item a role", "role", "r"),
		row(items.Duplicate, "Duplicate the item", "copy", "D"),
		row(items.Redo, "Redo in the items", "redo", "U", "alt+U"),
		row(items.Raw, "Items as JSON", "JSON", "w", "alt+w"),
	}
}

// Field is the edited field in its present state.
type Field interface {
	// Text is the value as JSON; false when it is no longer edited piece by piece.
	Text() (string, bool)
	Value() any
	// Facts are the known facts about the references in it.
	Facts() map[string]items.Fact
	// Pasted is the form that a pasted text takes in an item.
	Pasted(runes []rune) []rune
}

// Messages for the dialog.
type (
	// ChangedMsg says that the field may have changed.
	ChangedMsg struct{}
	// LearnedMsg says that more is known of the references in it.
	LearnedMsg struct{}
	// EditMsg makes it answer with Edit.
	EditMsg struct{}
	// EditedMsg brings back the text being typed, from an editor.
	EditedMsg struct{ Text string }
)

// Said is an answer: the field's value has changed, and is Text now. Left says that paths in it
// can be checked.
type Said struct {
	Name string // of the field
	Text string
	items.Event
}

// Edit is an answer: a text of an item is to be edited elsewhere, or the whole value where none is
// being typed.
type Edit struct {
	Name    string // of the field
	Text    string
	Written bool
}

// Other is an answer: a key stands for an action of the screen.
type Other struct{ ID string }

// Options are what the dialog works with.
type Options struct {
	Keys  keys.Map
	Name  string
	Field Field
	Spec  items.Spec
	// At is the item to begin in, "+" for a new one, "" for none.
	At string
	// Paste is the text pasted onto the field.
	Paste []rune
	// Others are the IDs of actions of the screen whose keys work in the dialog, too.
	Others []string
}

// Dialog is the dialog.
type Dialog struct {
	screen.Base
	o        Options
	commands screen.Commands[*Dialog]
	words    map[string]string // of the actions, by their IDs
	list     *items.Model
	text     string // the field's that shows
}

// New is the dialog.
func New(o Options) *Dialog {
	d := &Dialog{o: o, words: map[string]string{}}
	table := Commands()
	for i := range table {
		d.words[table[i].ID] = table[i].Word
	}
	d.commands = screen.Bind(o.Keys, table)
	return d
}

// SetStyles implements screen.Dialog.
func (d *Dialog) SetStyles(st *themes.Styles) {
	d.Base.SetStyles(st)
	if d.list != nil {
		d.list.SetStyles(st)
		return
	}
	d.list = items.New(d.o.Spec, d.o.Field.Value(), st)
	d.list.SetFacts(d.o.Field.Facts())
	d.text, _ = d.o.Field.Text()
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd {
	n, err := strconv.Atoi(d.o.At)
	switch {
	case d.o.Paste != nil:
		d.list.Select(d.list.Len()) // behind the last
		return d.follow(d.list.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: d.o.Paste, Paste: true}))
	case d.o.At == "+":
		d.list.Select(d.list.Len())
		return d.follow(d.list.Do(items.Add))
	case err == nil && n < d.list.Len():
		d.list.Select(n)
		d.list.Do(items.Edit)
	}
	return nil
}

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return d.key(msg)
	case screen.ClickMsg:
		return d.follow(d.list.Click(msg))
	case screen.WheelMsg:
		d.list.Wheel(msg.Delta)
	case screen.ActionMsg:
		return d.follow(d.list.Do(strings.TrimPrefix(msg.ID, Scope+".")))
	case ChangedMsg:
		d.sync()
	case LearnedMsg:
		d.list.SetFacts(d.o.Field.Facts())
	case EditMsg:
		text, ok := d.list.Writing()
		d.Answer(Edit{Name: d.o.Name, Text: text, Written: ok})
	case EditedMsg:
		return d.follow(d.list.Write(msg.Text))
	}
	return nil
}

// types reports whether a key edits a text.
func (d *Dialog) types(k tea.KeyMsg) bool {
	return d.list.Capturing() && (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !k.Alt
}

// OwnKey implements screen.OwnKeys: a letter is text while one is being typed, and within an item
// most keys are for its form.
func (d *Dialog) OwnKey(k tea.KeyMsg) bool {
	id, _ := d.commands.Lookup(k.String())
	return d.types(k) || !d.list.Takes(strings.TrimPrefix(id, Scope+"."))
}

func (d *Dialog) key(k tea.KeyMsg) tea.Cmd {
	if k.Paste {
		k.Runes = d.o.Field.Pasted(k.Runes)
	} else if !d.types(k) {
		for _, id := range d.o.Others {
			if a, ok := d.o.Keys.Action(id); ok && slices.Contains(a.Keys, k.String()) {
				d.Answer(Other{id})
				return nil
			}
		}
	}
	return d.follow(d.list.Update(k))
}

// follow reports the events of the list.
func (d *Dialog) follow(ev items.Event) tea.Cmd {
	if ev.Changed {
		d.text = ""
		if v := d.list.Value(); v != nil {
			d.text = items.Format(v)
		}
	}
	if ev.Closed || ev.Raw {
		d.Close()
	}
	if ev != (items.Event{}) {
		d.Answer(Said{Name: d.o.Name, Text: d.text, Event: ev})
	}
	return nil
}

// sync takes over changes made outside the dialog: another model, or another value of the field,
// as from the editor.
func (d *Dialog) sync() {
	text, ok := d.o.Field.Text()
	if !ok {
		d.Close()
		return
	}
	if text != d.text {
		d.text = text
		d.list.SetValue(d.o.Field.Value())
	}
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	hints := make([]items.Hint, 0, 13)
	for _, verb := range items.Actions() {
		hints = append(hints, items.Hint{Action: verb, Keys: d.keyOf(verb), Label: d.word(verb)})
	}
	return d.list.View(hints, min(d.W, 100), min(d.H, 30, max(18, d.list.Len()+6)))
}

// keyOf is the key of an action that works now: while text is typed, only a key that types
// nothing.
func (d *Dialog) keyOf(verb string) string {
	a, _ := d.o.Keys.Action(Scope + "." + verb)
	for _, k := range a.Keys {
		if !d.list.Capturing() || utf8.RuneCountInString(k) > 1 {
			return keys.Show(k)
		}
	}
	return ""
}

// word is the one word for an action as it works now.
func (d *Dialog) word(verb string) string {
	if verb == items.Close && d.list.Inside() {
		return "back"
	}
	return d.words[Scope+"."+verb]
}

// Capturing implements screen.Dialog.
func (d *Dialog) Capturing() bool { return d.list.Capturing() }

// TakesLetters implements screen.TakesLetters.
func (d *Dialog) TakesLetters() bool { return true }

// Actions implements screen.Dialog.
func (d *Dialog) Actions() []screen.Action { return d.commands.Actions(d) }

// ShortHelp implements screen.Dialog: the keys of what can be done now.
func (d *Dialog) ShortHelp() []key.Binding {
	var out []key.Binding
	for _, verb := range items.Actions() {
		if d.list.Takes(verb) && d.list.Off(verb) == "" {
			b := d.o.Keys.Short(Scope+"."+verb, d.word(verb))
			b.SetHelp(d.keyOf(verb), d.word(verb))
			out = append(out, b)
		}
	}
	return out
}
