package settings

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/dialogs/ask"
	"darkroom/tui/keys"
)

// capture waits for the key of an action.
type capture struct {
	action keys.Action
	more   bool // it is one more
	wrong  string
}

// ask has the next key taken as that of the action under the cursor.
func (m *Model) ask(more bool) {
	if a := m.current().action; a != nil {
		m.capture = &capture{action: *a, more: more}
	}
}

// captured takes the key that was asked for. Escape and ctrl+c leave it: both are needed to get out of
// anything.
func (m *Model) captured(k tea.KeyMsg) tea.Cmd {
	c := m.capture
	name := k.String()
	if k.Paste || name == "esc" || name == "ctrl+c" {
		m.capture = nil
		return nil
	}
	name, err := keys.Normal(name)
	if err != nil {
		c.wrong = err.Error()
		return nil
	}
	m.capture = nil
	list := []string{name}
	if c.more {
		list = append(without(c.action.Keys, name), name)
	}
	if slices.Equal(list, c.action.Keys) {
		return nil
	}
	by := map[string][]string{c.action.ID: list}
	taken := m.deps.Keys.Taken(c.action.ID, name)
	if len(taken) == 0 {
		return setKeys(m, by)
	}
	var of []string
	bare := ""
	for _, a := range taken {
		by[a.ID] = without(a.Keys, name)
		of = append(of, fmt.Sprintf("%q (%s)", a.Title, placeName(a.Scope())))
		if len(by[a.ID]) == 0 {
			bare = " An action without a key is still in the palette."
		}
	}
	return m.stack.Open(ask.Decide(keys.Show(name)+" is taken",
		fmt.Sprintf("%s does %s now. Use it for %q instead?%s", keys.Show(name), strings.Join(of, " and "), c.action.Title, bare),
		"Leave it", "Use it", taking{by}))
}

func noKey(m *Model) tea.Cmd {
	return setKeys(m, map[string][]string{m.current().action.ID: {}})
}

// press is what stands in the place of the help while a key is asked for.
func (c *capture) press() string {
	text := fmt.Sprintf("Press the key for %q; esc cancels.", c.action.Title)
	if c.more {
		text = fmt.Sprintf("Press another key for %q; esc cancels.", c.action.Title)
	}
	if c.wrong != "" {
		text = c.wrong + ". " + text
	}
	return text
}
