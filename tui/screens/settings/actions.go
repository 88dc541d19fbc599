package settings

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// Actions that are used by name, not only by key.
const (
	actChange = "settings.change"
	actReset  = "settings.reset"
	actAdd    = "settings.add"
	actTest   = "settings.test"
	actSwitch = "settings.switch"
	actKey    = "settings.key"
	actMore   = "settings.more-key"
	actFilter = "settings.filter"
	actBack   = "settings.back"
	actNext   = "settings.next-page"
	actEdit   = "settings.edit"
)

// Commands is the table of the screen's actions.
func Commands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actChange, Title: "Change it", Keys: []string{"enter", " "}, Word: "change", Button: true, Off: offChange, Do: (*Model).change},
		{ID: actReset, Title: "Back to the default", Keys: []string{"u", "backspace"}, Word: "default", Button: true, Off: offReset, Do: (*Model).reset},
		{ID: actMore, Title: "Give the action another key, too", Keys: []string{"a"}, Word: "add key", Button: true, Off: offAction, Do: screen.Act(func(m *Model) { m.ask(true) })},
		{ID: "settings.no-key", Title: "Clear the action's keys", Keys: []string{"x"}, Word: "clear keys", Button: true, Off: offNoKey, Do: noKey},
		{ID: actAdd, Title: "Add a profile", Keys: []string{"n"}, Word: "add", Button: true, Off: offPage(profiles, "profiles are added on the page Profiles"), Do: addProfile},
		{ID: actTest, Title: "Test the connection", Keys: []string{"t"}, Word: "test", Button: true, Off: offProfile, Do: test},
		{ID: actSwitch, Title: "Switch to the profile", Keys: []string{"s"}, Word: "switch", Button: true, Off: offSwitch, Do: switchTo},
		{ID: actKey, Title: "Change the profile's key", Keys: []string{"K"}, Word: "its key", Off: offKey, Do: otherKey},
		{ID: "settings.begin", Title: "Start with this profile", Keys: []string{"b"}, Word: "start with", Off: offBegin, Do: beginWith},
		{ID: "settings.copy", Title: "Copy the command that sets it", Keys: []string{"y"}, Word: "copy", Off: offCopy, Do: copyCommand},
		{ID: actEdit, Title: "Edit config.yaml in your editor", Keys: []string{"e"}, Word: "edit the file", Do: (*Model).openSource},
		{ID: "settings.read", Title: "Reload config.yaml", Keys: []string{"r", "f5"}, Do: (*Model).reload},
		{ID: actFilter, Title: "Filter", Keys: []string{"/"}, Word: "filter", Do: screen.Act(func(m *Model) { m.filtering = true })},
		{ID: actBack, Title: "Clear the filter", Keys: []string{"esc"}, Do: screen.Act((*Model).back)},
		{ID: actNext, Title: "Next page", Keys: []string{"tab", "right", "l"}, Word: "page", Do: screen.Act(func(m *Model) { m.turn(1) })},
		{ID: "settings.prev-page", Title: "Previous page", Keys: []string{"shift+tab", "left", "h"}, Do: screen.Act(func(m *Model) { m.turn(-1) })},
	}
}

func offPage(p page, why string) func(*Model) string {
	return func(m *Model) string {
		if m.page != p {
			return why
		}
		return ""
	}
}

func offChange(m *Model) string {
	switch e := m.current(); {
	case e.row != nil, e.action != nil:
		return ""
	case e.profile != nil:
		return "change the settings below it"
	}
	return "there is no setting under the cursor"
}

func offReset(m *Model) string {
	switch e := m.current(); {
	case e.action != nil && m.sheet.Keys[e.action.ID] == "":
		return "it has its built-in keys"
	case e.action != nil:
		return ""
	case e.row == nil:
		return "there is no setting under the cursor"
	case e.row.Required:
		return "a profile needs it"
	case !e.row.Own:
		return "config.yaml does not set it"
	}
	return ""
}

func offAction(m *Model) string {
	if m.current().action == nil {
		return "no action is selected"
	}
	return ""
}

func offNoKey(m *Model) string {
	if a := m.current().action; a != nil && len(a.Keys) == 0 {
		return "it has none; the palette has the action"
	}
	return offAction(m)
}

func offProfile(m *Model) string {
	if m.current().profile == nil {
		return "there is no profile under the cursor"
	}
	if m.asking != "" {
		return m.asking
	}
	return ""
}

func offSwitch(m *Model) string {
	if p := m.current().profile; p != nil && p.Shown {
		return "it is in use"
	}
	return offProfile(m)
}

func offKey(m *Model) string {
	if p := m.current().profile; p != nil && p.Embedded {
		return "the embedded gateway needs no key"
	}
	return offProfile(m)
}

func offBegin(m *Model) string {
	if p := m.current().profile; p != nil && p.Default {
		return "it is the default already"
	}
	return offProfile(m)
}

func offCopy(m *Model) string {
	if e := m.current(); e.row == nil && e.action == nil {
		return "there is no setting under the cursor"
	}
	return ""
}

func copyCommand(m *Model) tea.Cmd {
	e := m.current()
	key, value := "", ""
	if e.action != nil {
		key, value = "keys."+e.action.ID, strings.Join(spaced(e.action.Keys), " ")
	} else {
		key, value = e.row.Key, e.row.Value
	}
	text := "darkroom config set " + quoted(key) + " " + quoted(value)
	return func() tea.Msg { return screen.Copied(text, "the command", "edit config.yaml instead") }
}

// spaced are keys as a person writes them in a line.
func spaced(all []string) []string {
	out := make([]string, len(all))
	for i, k := range all {
		if out[i] = k; k == " " {
			out[i] = "space"
		}
	}
	return out
}

func (m *Model) back() {
	m.filter.SetValue("")
	m.fill()
}

// quoted is a word as a shell reads it.
func quoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_.:+-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
