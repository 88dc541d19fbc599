package compose

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/tui/screen"
)

// scopeImprove is that of the keys and actions of the dialog.
const scopeImprove = "improve"

// zonePart marks a part in the list of the dialog.
const zonePart = "compose-part/"

func (m *Model) improves() bool { return m.improve.phase != closed && m.picking == "" }

// improveKey is a key while the dialog is open.
func (m *Model) improveKey(k tea.KeyMsg) tea.Cmd {
	if k.Paste {
		return nil
	}
	if id, ok := m.deps.Keys.Lookup(scopeImprove, k.String()); ok {
		return m.improveDo(strings.TrimPrefix(id, scopeImprove+"."))
	}
	return nil
}

// improveDo does an action of the dialog by its name.
func (m *Model) improveDo(verb string) tea.Cmd {
	i := &m.improve
	if !m.improves() || m.offPart(verb) != "" {
		return nil
	}
	switch verb {
	case "go":
		if i.phase == review {
			return m.applyImprove()
		}
		if off := m.barred("not asked"); off != nil {
			return off
		}
		return m.askImprove()
	case "toggle":
		m.togglePart(i.at)
	case "all", "none":
		for _, c := range i.changes {
			i.take[c] = verb == "all"
		}
	case "next":
		i.at = (i.at + 1) % len(i.changes)
	case "prev":
		i.at = (i.at + len(i.changes) - 1) % len(i.changes)
	case "model":
		return m.pickModel(pickImprover)
	case "copy":
		answer, prompt := i.kept.Answer.Text, i.prompt
		return func() tea.Msg {
			return screen.Copied(client.Clean(improve.Text(answer, prompt)), "the improved prompt", "Chat keeps the answer")
		}
	case "close":
		return m.stopImprove()
	}
	return nil
}

// offPart says why an action of the dialog can not be done now, "" when it can.
func (m *Model) offPart(verb string) string {
	i := &m.improve
	switch verb {
	case "go":
		if i.phase == running {
			return "an answer is awaited"
		}
		if i.phase == review && len(i.changes) == 0 {
			return "there is nothing to take"
		}
	case "model":
		if i.phase == running || i.phase == review {
			return "the question is asked already"
		}
	case "toggle", "all", "none", "next", "prev":
		if i.phase != review || len(i.changes) == 0 {
			return "there are no parts to choose"
		}
	case "copy":
		if i.phase != review {
			return "there is no answer yet"
		}
	}
	return ""
}

func (m *Model) togglePart(at int) {
	i := &m.improve
	if at >= 0 && at < len(i.changes) {
		i.at = at
		i.take[i.changes[at]] = !i.take[i.changes[at]]
	}
}

// improveClick is a press on a zone while the dialog is open.
func (m *Model) improveClick(zone string) tea.Cmd {
	if rest, ok := strings.CutPrefix(zone, zonePart); ok && m.improve.phase == review {
		if n, err := strconv.Atoi(rest); err == nil {
			m.togglePart(n)
		}
	}
	if verb, ok := strings.CutPrefix(zone, "btn:"+scopeImprove+"."); ok {
		return m.improveDo(verb)
	}
	return nil
}

func (m *Model) improveVerbs() []string {
	return []string{"go", "toggle", "all", "none", "next", "prev", "model", "copy", "close"}
}

// improveActions are what the palette offers while the dialog is open.
func (m *Model) improveActions() []screen.Action {
	if !m.improves() {
		return nil
	}
	var out []screen.Action
	for _, verb := range m.improveVerbs() {
		id := scopeImprove + "." + verb
		out = append(out, screen.Action{ID: id, Title: m.deps.Keys.Title(id), Off: m.offPart(verb)})
	}
	return out
}

// improveBindings are the keys of the dialog for the line at the bottom.
func (m *Model) improveBindings() []key.Binding {
	k := m.deps.Keys
	switch m.improve.phase {
	case ready, failed:
		return []key.Binding{k.Short("improve.go", "ask"), k.Short("improve.model", "another model"), k.Short("improve.close", "back")}
	case running:
		return []key.Binding{k.Short("improve.close", "stop")}
	default:
		return []key.Binding{k.Short("improve.toggle", "accept or reject"), k.Short("improve.all", "all"), k.Short("improve.none", "none"),
			k.Short("improve.go", "take what is accepted"), k.Short("improve.close", "leave it as it was")}
	}
}
