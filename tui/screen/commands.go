package screen

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
)

// Command is one row of the table of a screen or a dialog: everything that is said of one
// action. The palette, the help, the keys, the buttons and the clicks are drawn from it. M is
// what the action is done to, the pointer to the screen's or the dialog's model.
type Command[M any] struct {
	// ID is "<scope>.<verb>", by which the settings bind keys; the rows of a table have one scope.
	ID string
	// Title is the palette's and the help's.
	Title string
	// Keys are the built-in ones, as in [keys.Action].
	Keys []string
	// Word is the short name, for a button and for the bottom line; "" where it has neither.
	Word string
	// Button gives it a button, which shows while it can be done.
	Button bool
	// Off says why it cannot be done now, "" when it can; nil where it always can.
	Off func(M) string
	// Says marks an action that says itself what is in its way: Do is called even while Off says
	// why not, and only the palette shows that.
	Says bool
	// Do does it. It is called only while Off is empty, or with Says.
	Do func(M) tea.Cmd
}

// Act is what a command does that has no message to wait for.
func Act[M any](do func(M)) func(M) tea.Cmd {
	return func(m M) tea.Cmd { do(m); return nil }
}

// Actions that a text of another screen names.
const (
	GoToCompose = "app.screen.1"
	SubmitDraft = "compose.submit"
	ToCompare   = "compose.to-compare"
)

// Rows are the actions of a table, for the key map.
func Rows[M any](table []Command[M]) []keys.Action {
	out := make([]keys.Action, len(table))
	for i, c := range table {
		out[i] = keys.Action{ID: c.ID, Title: c.Title, Keys: c.Keys}
	}
	return out
}

// Commands is a table with the keys in force. The zero Commands can do nothing.
type Commands[M any] struct {
	keys  keys.Map
	scope string
	table []Command[M]
}

// Bind makes a table's rows answer to the keys that a map has for them.
func Bind[M any](k keys.Map, table []Command[M]) Commands[M] {
	c := Commands[M]{keys: k, table: table}
	if len(table) > 0 {
		c.scope = keys.Action{ID: table[0].ID}.Scope()
	}
	return c
}

// Scope is what the IDs begin with.
func (c Commands[M]) Scope() string { return c.scope }

func (c Commands[M]) row(id string) *Command[M] {
	if i := slices.IndexFunc(c.table, func(r Command[M]) bool { return r.ID == id }); i >= 0 {
		return &c.table[i]
	}
	return nil
}

// Lookup is the action that a key does, as msg.String() names it.
func (c Commands[M]) Lookup(key string) (id string, ok bool) { return c.keys.Lookup(c.scope, key) }

// Off says why an action cannot be done now, "" when it can.
func (c Commands[M]) Off(m M, id string) string {
	if r := c.row(id); r != nil && r.Off != nil {
		return r.Off(m)
	}
	return ""
}

// Do does an action, or says why it cannot be done. An ID of another table does nothing.
func (c Commands[M]) Do(m M, id string) tea.Cmd {
	r := c.row(id)
	if r == nil {
		return nil
	}
	if r.Off != nil && !r.Says {
		if off := r.Off(m); off != "" {
			return Toast(Warn, off)
		}
	}
	return r.Do(m)
}

// Actions are all of them, in the order of the table, as the palette has them.
func (c Commands[M]) Actions(m M) []Action {
	out := make([]Action, len(c.table))
	for i, r := range c.table {
		out[i] = Action{ID: r.ID, Title: r.Title, Off: c.Off(m, r.ID)}
	}
	return out
}

// Buttons are the rows with a button that can be done now.
func (c Commands[M]) Buttons(m M) []Command[M] {
	var out []Command[M]
	for _, r := range c.table {
		if r.Button && c.Off(m, r.ID) == "" {
			out = append(out, r)
		}
	}
	return out
}

// Help is every row with its first key, for the help overlay.
func (c Commands[M]) Help() []key.Binding {
	out := make([]key.Binding, len(c.table))
	for i, r := range c.table {
		out[i] = c.keys.Binding(r.ID)
	}
	return out
}

// Line is some rows with their words, for the bottom line.
func (c Commands[M]) Line(ids ...string) []key.Binding {
	out := make([]key.Binding, 0, len(ids))
	for _, id := range ids {
		if r := c.row(id); r != nil {
			out = append(out, c.keys.Short(id, r.Word))
		}
	}
	return out
}

// LineNow is [Commands.Line] of those that can be done now.
func (c Commands[M]) LineNow(m M, ids ...string) []key.Binding {
	return c.Line(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return c.Off(m, id) != "" })...)
}

// Key is the first key of an action as people write it, "" for none. The action may be
// another table's.
func (c Commands[M]) Key(id string) string { return c.keys.Keys(id) }
