package compose

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/widgets/picker"
)

// listLimit bounds what the gateway's model lists may take.
const listLimit = 30 * time.Second

// listed is what the gateway's model lists said; they are asked when somebody picks a
// model.
type listed struct {
	busy, have bool
	models     []client.RemoteModel // as they were sent; nil before a list has answered
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

// listCame takes over what the lists say. When none of them answered, what they said before
// stays, and why is told.
func (m *Model) listCame(msg listedMsg) {
	l := &m.listed
	l.busy, l.have, l.err = false, true, msg.err
	if msg.err == nil || len(msg.models) > 0 {
		l.models = msg.models
		if l.models == nil {
			l.models = []client.RemoteModel{}
		}
	}
	m.pickAgain()
}

// freeItems are the models of the catalog, if there are any, and those that the gateway
// lists and the catalog does not know: which of them fit, the gateway does not say.
func (m *Model) freeItems() []picker.Item {
	var out []picker.Item
	if q := strings.TrimSpace(m.picker.Query()); q != "" {
		// Its text stands in the detail, so that it comes after all that is found by name.
		out = append(out, picker.Item{ID: asTyped, Title: "❯", Detail: client.CleanLine(q) + "  as it is typed"})
	}
	kind := m.modality
	if m.picking == pickImprover {
		kind = client.Chat
	}
	out = append(out, m.modelItems(kind)...)
	switch {
	case len(out) > 0:
	case m.listed.busy:
		out = append(out, picker.Item{ID: "", Title: "asking the gateway …", Off: "the list is on its way", Group: groupLive})
	case m.listed.err != nil:
		out = append(out, picker.Item{ID: "", Title: "the gateway's list did not come", Off: "type the name, enter takes it", Group: groupLive})
	default:
		out = append(out, picker.Item{ID: "", Title: "none", Off: "the gateway lists no other model: type the name, enter takes it", Group: groupLive})
	}
	return out
}
