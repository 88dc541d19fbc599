// Package keys lists all actions with the keys bound to them. Screens look up what a key means and
// what the help should say; the configuration may change every key.
package keys

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// App is the scope of the shell; its keys hold on every screen.
const App = "app"

// Action is something a key or the palette can do. ID is "<scope>.<verb>"; Keys are named as in
// bubbletea ("ctrl+s", "alt+x", "f2", " " for the space bar), and the help shows the first one;
// without keys the action is in the palette only.
type Action struct {
	ID    string
	Title string
	Keys  []string
}

// Scope is the part of the ID before the first dot.
func (a Action) Scope() string {
	s, _, _ := strings.Cut(a.ID, ".")
	return s
}

// Map binds keys to actions. [Map.Override] makes another one; [Map.Become] alone changes it, for all
// that hold it. The zero Map has no actions, and never has.
type Map struct{ now *atomic.Pointer[bindings] }

// bindings are what a Map holds; they do not change.
type bindings struct {
	actions []Action
	byID    map[string]int
	byKey   map[scoped]string
}

func (m Map) b() *bindings {
	if m.now == nil {
		return &bindings{}
	}
	return m.now.Load()
}

// Become makes a map bind as another one does, for everybody who holds it: when the settings change
// while the console runs.
func (m Map) Become(other Map) {
	if m.now != nil {
		m.now.Store(other.b())
	}
}

type scoped struct{ scope, key string }

// New is a map of all actions of some tables, with their built-in keys.
func New(tables ...[]Action) Map { return build(slices.Concat(tables...)) }

func build(actions []Action) Map {
	m := &bindings{actions: actions, byID: make(map[string]int, len(actions)), byKey: make(map[scoped]string, len(actions))}
	for i, a := range actions {
		m.byID[a.ID] = i
		for _, k := range a.Keys {
			at := scoped{a.Scope(), k}
			if _, taken := m.byKey[at]; !taken {
				m.byKey[at] = a.ID
			}
		}
	}
	return m.held()
}

// held is a map of its own that binds so, and can become another one.
func (b *bindings) held() Map {
	out := Map{new(atomic.Pointer[bindings])}
	out.now.Store(b)
	return out
}

// Lookup returns the action bound to a key (named as by msg.String()) in a scope. Keys of the
// shell are found in the scope [App] only: the shell looks there first or last, depending on
// whether the screen captures text.
func (m Map) Lookup(scope, key string) (string, bool) {
	id, ok := m.b().byKey[scoped{scope, key}]
	return id, ok
}

// Action is the action of an ID.
func (m Map) Action(id string) (Action, bool) {
	b := m.b()
	i, ok := b.byID[id]
	if !ok {
		return Action{}, false
	}
	return b.actions[i], true
}

// Actions are all actions of a scope, in their order; of all scopes for "".
func (m Map) Actions(scope string) []Action {
	var out []Action
	for _, a := range m.b().actions {
		if scope == "" || a.Scope() == scope {
			out = append(out, a)
		}
	}
	return out
}

// Title is the title of an action, or its ID when there is no such action.
func (m Map) Title(id string) string {
	if a, ok := m.Action(id); ok {
		return a.Title
	}
	return id
}

// Keys is the first key of an action as people write it, "" for none.
func (m Map) Keys(id string) string {
	a, ok := m.Action(id)
	if !ok || len(a.Keys) == 0 {
		return ""
	}
	return Show(a.Keys[0])
}

// WhileTyping is [Map.Keys] where text is typed, of which a single character is a part.
func (m Map) WhileTyping(id string) string {
	a, _ := m.Action(id)
	for _, k := range a.Keys {
		if utf8.RuneCountInString(k) > 1 {
			return Show(k)
		}
	}
	return ""
}

// Binding is an action for bubbles' key and help; disabled when the action does not exist or has
// no key.
func (m Map) Binding(id string) key.Binding {
	a, ok := m.Action(id)
	if !ok || len(a.Keys) == 0 {
		return key.NewBinding(key.WithDisabled())
	}
	return key.NewBinding(key.WithKeys(a.Keys...), key.WithHelp(Show(a.Keys[0]), a.Title))
}

// Short is [Map.Binding] with another text in the help, as for the line at the bottom.
func (m Map) Short(id, text string) key.Binding {
	b := m.Binding(id)
	b.SetHelp(b.Help().Key, text)
	return b
}

// Fixed is the help's line about a key that cannot be rebound.
func Fixed(keys, text string) key.Binding {
	return key.NewBinding(key.WithKeys(keys), key.WithHelp(keys, text))
}

// Override makes a map with other keys for some actions, by action ID; an empty list takes an
// action's keys away. A change that is impossible is skipped, with an error for each that names
// the action and the key.
func (m Map) Override(by map[string][]string) (Map, []error) {
	if len(by) == 0 {
		return m.b().held(), nil
	}
	var errs []error
	wanted := map[string][]string{}
	for _, id := range sortedIDs(by) {
		if _, ok := m.Action(id); !ok {
			errs = append(errs, fmt.Errorf("keys: %s: there is no such action", id))
			continue
		}
		list, err := normalAll(by[id])
		if err != nil {
			errs = append(errs, fmt.Errorf("keys: %s: %w", id, err))
			continue
		}
		wanted[id] = list
	}
	for {
		next := m.with(wanted)
		bad := ""
		for _, c := range next.conflicts() {
			if _, ok := wanted[c.second]; ok {
				bad = c.second
			} else if _, ok := wanted[c.first]; ok {
				bad = c.first
			}
			if bad != "" {
				errs = append(errs, fmt.Errorf("keys: %s: %w", bad, c.err()))
				break
			}
		}
		if bad == "" {
			return next, errs
		}
		delete(wanted, bad)
	}
}

func sortedIDs(by map[string][]string) []string {
	ids := make([]string, 0, len(by))
	for id := range by {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	return ids
}

func normalAll(list []string) ([]string, error) {
	var out []string
	var errs []error
	for _, k := range list {
		n, err := Normal(k)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, errors.Join(errs...)
}

func (m Map) with(wanted map[string][]string) Map {
	actions := slices.Clone(m.b().actions)
	for i, a := range actions {
		if k, ok := wanted[a.ID]; ok {
			actions[i].Keys = k
		}
	}
	return build(actions)
}

type conflict struct{ key, first, second string }

func (c conflict) err() error {
	return fmt.Errorf("the key %s would do both %s and %s", Show(c.key), c.first, c.second)
}

// conflicts lists keys that two actions claim in the same place: within a scope, or on a screen and
// in the shell.
func (m Map) conflicts() []conflict {
	var out []conflict
	b := m.b()
	for _, a := range b.actions {
		for _, k := range a.Keys {
			if id := b.byKey[scoped{a.Scope(), k}]; id != a.ID {
				out = append(out, conflict{k, id, a.ID})
			}
			if id, ok := b.byKey[scoped{App, k}]; ok && a.Scope() != App {
				out = append(out, conflict{k, id, a.ID})
			}
		}
	}
	return out
}

// Taken are the actions that a key would be in the way of as that of an action: those of its scope that
// have the key, those of the shell, and for an action of the shell those of every screen.
func (m Map) Taken(id, key string) (by []Action) {
	scope := Action{ID: id}.Scope()
	for _, a := range m.b().actions {
		near := a.Scope() == scope || a.Scope() == App || scope == App
		if near && a.ID != id && slices.Contains(a.Keys, key) {
			by = append(by, a)
		}
	}
	return by
}

// Split takes apart a message of several runes: keys that arrive in one read come as one message.
// A paste stays whole.
func Split(msg tea.KeyMsg) []tea.KeyMsg {
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 {
		return []tea.KeyMsg{msg}
	}
	out := make([]tea.KeyMsg, 0, len(msg.Runes))
	for _, r := range msg.Runes {
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}
		if r == ' ' {
			k.Type = tea.KeySpace
		}
		out = append(out, k)
	}
	return out
}
