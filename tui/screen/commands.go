package screen

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
)

// Command is one row of the table of a screen or a dialog: all there is to say about one action.
// The palette, the help, the keys, the buttons and the clicks are drawn from it. M is the pointer
// to the model of the screen or the dialog that the action works on.
type Command[M any] struct {
	// ID is "<scope>.<verb>", the name that settings bind keys to; all rows of a table share one
	// scope.
	ID string
	// Title is the name in the palette and in the help.
	Title string
	// Keys are the built-in keys, as in [keys.Action].
	Keys []string
	// Word is the short name for a button and for the bottom line; "" where it appears on neither.
	Word string
	// Button gives the action a button, shown while the action is available.
	Button bool
	// Off says why the action is unavailable now, "" when it is available; nil where it always is.
	Off func(M) string
	// Says marks an action that explains itself: Do is called even while Off gives a reason, and
	// only the palette shows that reason.
	Says bool
	// Do carries out the action. It is called only while Off is empty, or with Says.
	Do func(M) tea.Cmd
}

// Act turns a function that has no message to wait for into a Do.
func Act[M any](do func(M)) func(M) tea.Cmd {
	return func(m M) tea.Cmd { do(m); return nil }
}

// Actions that texts of other screens name.
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

// Commands is a table with the keys in force. The zero Commands has no actions.
type Commands[M any] struct {
	keys  keys.Map
	scope string
	table []Command[M]
}

// Bind gives the rows of a table the keys that a map has for them.
func Bind[M any](k keys.Map, table []Command[M]) Commands[M] {
	c := Commands[M]{keys: k, table: table}
	if len(table) > 0 {
		c.scope = keys.Action{ID: table[0].ID}.Scope()
	}
	return c
}

// Scope is the scope that the IDs begin with.
func (c Commands[M]) Scope() string { return c.scope }

func (c Commands[M]) row(id string) *Command[M] {
	if i := slices.IndexFunc(c.table, func(r Command[M]) bool { return r.ID == id }); i >= 0 {
		return &c.table[i]
	}
	return nil
}

// Lookup returns the action bound to a key, named as by msg.String().
func (c Commands[M]) Lookup(key string) (id string, ok bool) { return c.keys.Lookup(c.scope, key) }

// Off says why an action is unavailable now, "" when it is available.
func (c Commands[M]) Off(m M, id string) string {
	if r := c.row(id); r != nil && r.Off != nil {
		return r.Off(m)
	}
	return ""
}

// Do carries out an action, or says why it is unavailable. An ID of another table does nothing.
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

// Actions are all actions in the order of the table, for the palette.
func (c Commands[M]) Actions(m M) []Action {
	out := make([]Action, len(c.table))
	for i, r := range c.table {
		out[i] = Action{ID: r.ID, Title: r.Title, Off: c.Off(m, r.ID)}
	}
	return out
}

// Buttons are the rows with a button whose action is available now.
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

// Line is the given rows with their words, for the bottom line.
func (c Commands[M]) Line(ids ...string) []key.Binding {
	out := make([]key.Binding, 0, len(ids))
	for _, id := range ids {
		if r := c.row(id); r != nil {
			out = append(out, c.keys.Short(id, r.Word))
		}
	}
	return out
}

// LineTyping is [Commands.Line] where text is typed: with the keys that are no text, and without the
// actions that have none.
func (c Commands[M]) LineTyping(ids ...string) []key.Binding {
	var out []key.Binding
	for _, id := range ids {
		r, shown := c.row(id), c.keys.WhileTyping(id)
		if r == nil || shown == "" {
			continue
		}
		b := c.keys.Binding(id)
		b.SetHelp(shown, r.Word)
		out = append(out, b)
	}
	return out
}

// LineNow is [Commands.Line] with only the actions that are available now.
func (c Commands[M]) LineNow(m M, ids ...string) []key.Binding {
	return c.Line(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return c.Off(m, id) != "" })...)
}

// Key is the first key of an action as people write it, "" for none. The action may be
// another table's.
func (c Commands[M]) Key(id string) string { return c.keys.Keys(id) }

// KeyTyping is [Commands.Key] where text is typed.
func (c Commands[M]) KeyTyping(id string) string { return c.keys.WhileTyping(id) }
