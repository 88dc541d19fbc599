package compose

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/widgets/picker"
)

// listLimit bounds what the gateway's model lists may take.
const listLimit = 30 * time.Second

// listed is what the gateway's model lists said; they are asked when somebody picks a
// model of a kind whose models are not shown.
type listed struct {
	busy, have bool
	names      []string // that the catalog does not know, clean, each once
	err        error
}

// asTyped is the choice that takes what was typed as the name.
const asTyped = "\x00typed"

// freeKey is a key while a model is picked where any will do.
func (m *Model) freeKey(k tea.KeyMsg) picker.Event {
	was := m.picker.Query()
	ev := m.picker.Update(k)
	if ev != picker.Picked && ev != picker.Cancelled && m.picker.Query() != was {
		m.picker.SetItems(m.freeItems())
	}
	return ev
}

// listModels asks the gateway's model lists.
func listModels(g Gateway) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), listLimit)
		defer stop()
		l, err := g.Models(ctx)
		return listedMsg{models: l.Models, err: err}
	}
}

// pickFree opens the choice of a model where any will do.
func (m *Model) pickFree() tea.Cmd {
	var cmd tea.Cmd
	if !m.listed.busy && (!m.listed.have || m.listed.err != nil) {
		m.listed.busy = true
		cmd = listModels(m.deps.Gateway)
	}
	m.picking, m.onlyPane = client.FieldModel, false
	m.picker = picker.New("Model", "name of a model …", nil)
	m.picker.SetItems(m.freeItems())
	m.picker.Select(m.form.Text(client.FieldModel))
	return cmd
}

func (m *Model) listCame(msg listedMsg) {
	l := &m.listed
	l.busy, l.have, l.err = false, true, msg.err
	l.names = nil
	for _, r := range msg.models {
		if _, known := m.deps.Catalog.Model(r.ID); known || r.ID == "" || r.ID != client.CleanLine(r.ID) || slices.Contains(l.names, r.ID) {
			continue
		}
		l.names = append(l.names, r.ID)
	}
	if m.picking == client.FieldModel && m.kinds.free {
		m.picker.SetItems(m.freeItems())
	}
}

// freeItems are the models of the catalog, if there are any, and those that the gateway
// lists and the catalog does not know: which of them fit, the gateway does not say.
func (m *Model) freeItems() []picker.Item {
	var out []picker.Item
	if q := strings.TrimSpace(m.picker.Query()); q != "" {
		// Its text stands in the detail, so that it comes after all that is found by name.
		out = append(out, picker.Item{ID: asTyped, Title: "❯", Detail: client.CleanLine(q) + "  as it is typed"})
	}
	out = append(out, m.modelItems()...)
	const group = "Listed by the gateway and not in the catalog"
	for _, name := range m.listed.names {
		out = append(out, picker.Item{ID: name, Title: name, Group: group})
	}
	switch {
	case m.listed.busy:
		out = append(out, picker.Item{ID: "", Title: "asking the gateway …", Off: "the list is on its way", Group: group})
	case m.listed.err != nil:
		out = append(out, picker.Item{ID: "", Title: "the gateway's list did not come", Off: client.CleanLine(m.listed.err.Error()), Group: group})
	case len(out) == 0:
		out = append(out, picker.Item{ID: "", Title: "none", Off: "the gateway lists no other model: type the name, enter takes it", Group: group})
	}
	return out
}
