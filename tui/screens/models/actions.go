package models

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
)

// Actions that keys and clicks trigger besides their own, or that texts name.
const (
	actOpen        = "models.open"
	actRefresh     = "models.refresh"
	actFilter      = "models.filter"
	actBack        = "models.clear-filter"
	actNextKind    = "models.next-kind"
	actDifferences = "models.show-differences"
)

// Commands is the table of what can be done on the screen.
func Commands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actOpen, Title: "Open", Keys: []string{"enter"}, Word: "open", Off: ofRow(nil), Do: focusing(detailPane)},
		{ID: "models.compose", Title: "Use in Compose", Keys: []string{"c"}, Word: "compose", Button: true, Off: ofRow(offDraft), Do: handing(screen.Compose)},
		{ID: "models.compare", Title: "Compare with it", Keys: []string{"m"}, Word: "compare", Button: true, Off: ofRow(offDraft), Do: handing(screen.Compare)},
		{ID: "models.chat", Title: "Chat with it", Keys: []string{"t"}, Word: "chat", Button: true, Off: ofRow(offChat),
			Do: func(m *Model) tea.Cmd { return screen.Open(screen.Chat, screen.ChatModel{Model: m.selected().id}) }},
		{ID: "models.copy", Title: "Copy the name", Keys: []string{"y"}, Word: "copy", Button: true, Off: ofRow(offCopy), Do: copyName},
		{ID: "models.star", Title: "Star or unstar the model", Keys: []string{"s"}, Word: "star", Button: true, Off: ofRow(offStar),
			Do: func(m *Model) tea.Cmd { return m.stars.turn(m.selected().id) }},
		{ID: actRefresh, Title: "Ask the gateway's lists again", Keys: []string{"r", "ctrl+r", "f5"}, Word: "ask again", Do: (*Model).refresh},
		{ID: "models.probe", Title: "Probe the gateway: which paths and models it has", Keys: []string{"P"}, Off: offProbe, Do: (*Model).startProbe},
		{ID: actFilter, Title: "Filter", Keys: []string{"/"}, Word: "filter", Do: (*Model).openFilter},
		{ID: actBack, Title: "Back, or clear the filter", Keys: []string{"esc"}, Word: "back", Do: screen.Act((*Model).leave)},
		{ID: actNextKind, Title: "Next kind", Keys: []string{"right", "l"}, Word: "kind", Do: screen.Act(func(m *Model) { m.setKind(m.kind + 1) })},
		{ID: "models.prev-kind", Title: "Previous kind", Keys: []string{"left", "h"}, Do: screen.Act(func(m *Model) { m.setKind(m.kind - 1) })},
		{ID: "models.next-family", Title: "Next family", Keys: []string{"n", "}"}, Off: ofRow(nil), Do: screen.Act(func(m *Model) { m.family(1) })},
		{ID: "models.prev-family", Title: "Previous family", Keys: []string{"N", "{"}, Off: ofRow(nil), Do: screen.Act(func(m *Model) { m.family(-1) })},
		{ID: "models.show-all", Title: "Show all models", Keys: []string{"A"}, Do: showing(showAll)},
		{ID: "models.show-catalog", Title: "Show only models of the catalog", Keys: []string{"C"}, Do: showing(showCatalog)},
		{ID: "models.show-live", Title: "Show only models that the gateway offers", Keys: []string{"L"}, Do: showing(showLive)},
		{ID: actDifferences, Title: "Show what differs: not offered, or not in the catalog", Keys: []string{"D"}, Word: "differences", Do: showing(showDifferences)},
		{ID: "models.next-pane", Title: "Next pane", Keys: []string{"tab"}, Do: screen.Act(func(m *Model) { m.focus = tablePane + detailPane - m.focus })},
		{ID: "models.prev-pane", Title: "Previous pane", Keys: []string{"shift+tab"}, Do: screen.Act(func(m *Model) { m.focus = tablePane + detailPane - m.focus })},
	}
}

func focusing(p pane) func(*Model) tea.Cmd { return screen.Act(func(m *Model) { m.focus = p }) }

func showing(s show) func(*Model) tea.Cmd { return screen.Act(func(m *Model) { m.setShow(s) }) }

// handing hands the model under the cursor to another screen, in the draft of its kind.
func handing(to screen.ID) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		return handOver(m.deps.Catalog, m.deps.Drafts, *m.meant(m.selected()), to)
	}
}

func copyName(m *Model) tea.Cmd {
	text := m.selected().id
	return func() tea.Msg { return screen.CopyMsg{Text: text, What: "the model's name"} }
}

func (m *Model) openFilter() tea.Cmd {
	m.filtering, m.focus = true, tablePane
	m.layout()
	return nil
}

// meant is the model of a row as it is used for the kind shown, nil for a model that only the lists
// have.
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

// ofRow says why nothing can be done with the row under the cursor: there is none, or more objects
// to it.
func ofRow(more func(*Model, *row) string) func(*Model) string {
	return func(m *Model) string {
		switch r := m.selected(); {
		case r == nil:
			return "there is no model under the cursor"
		case more == nil:
			return ""
		default:
			return more(m, r)
		}
	}
}

func offProbe(m *Model) string {
	if m.deps.Probe == nil {
		return "this gateway cannot be probed"
	}
	return ""
}

// unsafeName says why nothing is done with a name by which nobody would know the model.
const unsafeName = "the name has invisible characters, or is too long"

func offCopy(_ *Model, r *row) string {
	if !r.safe {
		return unsafeName
	}
	return ""
}

func offDraft(m *Model, r *row) string {
	switch x := m.meant(r); {
	case x == nil:
		return "the catalog does not know the model, so neither its kind nor its fields"
	case x.Modality == client.Chat:
		return "Compose makes no conversations: Chat does"
	}
	return ""
}

// offChat says why one cannot chat with a model: only a model that makes something else is known
// not to chat.
func offChat(_ *Model, r *row) string {
	switch {
	case len(r.known) > 0 && !r.makes(string(client.Chat)):
		return "the model makes " + string(r.known[0].Modality) + " and no conversation"
	case !r.safe:
		return unsafeName
	default:
		return ""
	}
}

// leave goes back one step: from the detail to the table, then from the filter to all models, then
// from a choice of kind and origin.
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
