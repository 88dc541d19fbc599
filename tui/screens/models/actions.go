package models

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
)

// do does an action by its id.
func (m *Model) do(id string) tea.Cmd {
	if off := m.off(id); off != "" {
		return screen.Toast(screen.Warn, off)
	}
	switch id {
	case "models.filter":
		m.filtering, m.focus = true, tablePane
		m.layout()
		return m.filter.Focus()
	case "models.clear-filter":
		m.leave()
	case "models.refresh":
		return m.refresh()
	case "models.probe":
		return m.startProbe()
	case "models.open":
		m.focus = detailPane
	case "models.next-pane", "models.prev-pane":
		m.focus = tablePane + detailPane - m.focus
	case "models.next-kind":
		m.setKind(m.kind + 1)
	case "models.prev-kind":
		m.setKind(m.kind - 1)
	case "models.next-family":
		m.family(1)
	case "models.prev-family":
		m.family(-1)
	case "models.show-all":
		m.setShow(showAll)
	case "models.show-catalog":
		m.setShow(showCatalog)
	case "models.show-live":
		m.setShow(showLive)
	case "models.show-differences":
		m.setShow(showDifferences)
	default:
		return m.give(id)
	}
	return nil
}

// give does the actions that hand the model under the cursor on.
func (m *Model) give(id string) tea.Cmd {
	r := m.selected()
	switch id {
	case "models.copy":
		text := r.id
		return func() tea.Msg { return screen.CopyMsg{Text: text, What: "the model's name"} }
	case "models.star":
		return m.star(r.id)
	case "models.chat":
		return screen.Open(screen.Chat, screen.ChatModel{Model: r.id})
	case "models.compose":
		return handOver(m.deps.Catalog, m.deps.Drafts, *m.meant(r), screen.Compose)
	case "models.compare":
		return handOver(m.deps.Catalog, m.deps.Drafts, *m.meant(r), screen.Compare)
	}
	return nil
}

// meant is the model of a row as it is used for the kind that is looked at, nil for one
// that only the lists have.
func (m *Model) meant(r *row) *catalog.Model {
	for i := range r.known {
		if string(r.known[i].Modality) == m.kindName() {
			return &r.known[i]
		}
	}
	if len(r.known) > 0 {
		return &r.known[0]
	}
	return nil
}

// off says why an action can not be done now, "" when it can.
func (m *Model) off(id string) string {
	switch id {
	case "models.copy", "models.compose", "models.compare", "models.chat", "models.star", "models.open", "models.next-family", "models.prev-family":
	case "models.probe":
		if m.deps.Probe == nil {
			return "this gateway can not be probed"
		}
		return ""
	default:
		return ""
	}
	r := m.selected()
	if r == nil {
		return "there is no model under the cursor"
	}
	switch id {
	case "models.chat":
		return m.offChat(r)
	case "models.star":
		return m.offStar(r)
	case "models.copy":
		if !r.safe {
			return unsafeName
		}
	case "models.compose", "models.compare":
		switch x := m.meant(r); {
		case x == nil:
			return "the catalog does not know the model, so neither its kind nor its fields"
		case x.Modality == client.Chat:
			return "a conversation is not composed: it belongs to Chat"
		}
	}
	return ""
}

// unsafeName says why nothing is done with a name by which nobody would know the model.
const unsafeName = "the name holds characters that nobody sees, or is too long to be one"

// offChat says why one can not chat with a model: only one that makes something else is
// known not to talk.
func (m *Model) offChat(r *row) string {
	switch {
	case len(r.known) > 0 && !r.makes(string(client.Chat)):
		return "the model makes " + string(r.known[0].Modality) + " and no conversation"
	case !r.safe:
		return unsafeName
	default:
		return ""
	}
}

// leave goes back by one step: from the detail to the table, then from the filter to all
// models, then from a choice of kind and origin.
func (m *Model) leave() {
	switch {
	case m.probe.shown:
		m.endProbe()
	case m.focus == detailPane:
		m.focus = tablePane
	case m.filter.Value() != "":
		m.filter.SetValue("")
		m.apply(false)
	case m.kind != 0 || m.show != showAll:
		m.kind, m.show = 0, showAll
		m.apply(false)
	}
}
