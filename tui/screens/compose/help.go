package compose

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/request"
)

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	k := m.deps.Keys
	if m.over.Top() != nil {
		return m.over.ShortHelp()
	}
	if m.requests.ask != nil {
		fixed := func(keys, what string) key.Binding {
			return key.NewBinding(key.WithKeys(keys), key.WithHelp(keys, what))
		}
		if m.requests.attach != nil {
			return []key.Binding{fixed("a", "attach"), fixed("o/esc", "leave out")}
		}
		return []key.Binding{fixed("f", "fill the form"), fixed("t", "keep as text"), fixed("esc", "cancel")}
	}
	if m.room().Alone() {
		return []key.Binding{
			key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "form")),
			k.Short("compose.copy", "copy"), k.Short("compose.edit-request", "edit"), k.Short("compose.view-json", "JSON"),
			k.Short("compose.view-curl", "curl"), k.Short("compose.view-wire", "every format"), k.Short("compose.submit", "submit"),
		}
	}
	out := []key.Binding{
		k.Short("compose.submit", "submit"), k.Short("compose.next-field", "next"),
		k.Short("compose.model", "model"), k.Short("compose.editor", "editor"), k.Short("compose.history", "history"),
		k.Short("compose.more", "more"), k.Short("compose.view-json", "request"),
	}
	if m.sheet.Form.Paused() {
		out = slices.Insert(out, 0, key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "type")))
	}
	return out
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	k := m.deps.Keys
	fixed := func(keys, what string) key.Binding {
		return key.NewBinding(key.WithKeys(keys), key.WithHelp(keys, what))
	}
	groups := [][]key.Binding{
		append(k.Bindings("compose.next-field", "compose.prev-field", "compose.model", "compose.improve", "compose.star", "compose.editor",
			"compose.history", "compose.add-reference", "compose.items", "compose.more"),
			fixed("←→", "choose, or step through values"), fixed("enter", "open, press, next field"),
			fixed("esc", "leave the text, so that digits change the screen")),
		append(k.Bindings("compose.submit", "compose.submit-many", "compose.template", "compose.batch", "compose.show-batch",
			"compose.presets", "compose.save-preset", "compose.to-compare", "compose.view-json",
			"compose.view-curl", "compose.view-wire", "compose.copy", "compose.edit-request", "compose.clear",
			"compose.bring-back", "compose.revert", "compose.next-check",
			"compose.checks-down", "compose.checks-up"),
			fixed("alt+↑↓", "scroll the request"), fixed("ctrl+_", "undo; right after a form was filled or cleared, the whole of it"), fixed("ctrl+y", "redo")),
	}
	groups = m.withRefs(groups)
	out := make([][]key.Binding, 0, len(groups))
	for _, g := range m.helpGroups(groups) {
		out = append(out, g.Bindings)
	}
	return out
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action {
	offCopy, offBack := "", ""
	if m.request.Preview() == nil {
		offCopy = request.NoRequest
	}
	if len(m.sheet.Formers) == 0 {
		offBack = "nothing was cleared or replaced"
	}
	k := m.deps.Keys
	act := func(verb, off string) screen.Action {
		return screen.Action{ID: scope + "." + verb, Title: k.Title(scope + "." + verb), Off: off}
	}
	offSubmit := m.offSubmit()
	offRun := ""
	if m.batch.run.group == "" {
		offRun = "no batch was submitted yet"
	}
	offShelf := m.offShelf()
	return append(slices.Concat(m.refsActions(), m.over.Actions()), []screen.Action{
		act("submit", offSubmit), act("submit-many", offSubmit), act("template", offSubmit), act("batch", offSubmit),
		act("show-batch", offRun), act("presets", offShelf), act("save-preset", offShelf), act("to-compare", m.sheet.CompareOff()), act("model", ""),
		act("editor", ""), act("history", ""), act("add-reference", ""), act("items", m.offItems()), act("more", ""), act("view-json", ""), act("view-curl", ""), act("view-wire", ""),
		act("copy", offCopy), act("clear", ""),
		act("edit-request", offCopy), act("bring-back", offBack), act("revert", m.sheet.OffRevert()),
		act("next-check", m.sheet.OffJump()), act("checks-down", m.offChecks()), act("checks-up", m.offChecks()), act("improve", m.offImprove()), act("star", m.models.OffStar(m.sheet.Chosen[m.sheet.Modality].Model)),
	}...)
}
