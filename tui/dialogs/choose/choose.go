// Package choose is the dialog that finds one of many things by a few letters.
package choose

import (
	"cmp"
	"slices"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// Scope names the dialog; it has no keys or actions of its own.
const Scope = "choose"

// Picked is the answer, with which the dialog closes.
type Picked struct {
	For any    // the value given to [New]
	ID  string // of the item
	OK  bool   // false when the dialog was left without a choice
}

// Dialog is the dialog.
type Dialog struct {
	screen.Base
	// Lines is the height that it needs, 0 for that of a long list.
	Lines int
	list  picker.Model
	what  any
}

// New is the dialog over a list. What is the subject of the choice, which tells its answer from
// those of other choices.
func New(list picker.Model, what any) *Dialog { return &Dialog{list: list, what: what} }

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		d.follow(d.list.Update(Plain(msg)))
	case screen.ClickMsg:
		d.follow(d.list.Click(msg))
	case screen.WheelMsg:
		d.list.Wheel(msg.Delta)
	}
	return nil
}

// Plain is a key without the characters that find nothing: the items have plain names, without
// combining marks, variation selectors and joiners.
func Plain(k tea.KeyMsg) tea.KeyMsg {
	k.Runes = slices.DeleteFunc(slices.Clone(k.Runes), func(r rune) bool {
		return unicode.IsMark(r) || unicode.Is(unicode.Cf, r)
	})
	return k
}

// follow continues after a key or a click.
func (d *Dialog) follow(ev picker.Event) {
	if ev == picker.None {
		return
	}
	out := Picked{For: d.what}
	if it, ok := d.list.Current(); ok && ev == picker.Picked {
		out.ID, out.OK = it.ID, true
	}
	d.Close()
	d.Answer(out)
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	return d.list.View(d.Styles, min(d.W, 76), min(d.H, cmp.Or(d.Lines, 24)))
}

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	return []key.Binding{keys.Fixed("enter", "take"), keys.Fixed("esc", "back")}
}
