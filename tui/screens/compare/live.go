package compare

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
)

// listLimit bounds what the gateway's model lists may take.
const listLimit = 30 * time.Second

// Gateway is what the screen asks about models that the catalog does not know.
type Gateway interface {
	// FormatsFor are the formats that can create a draft, preferred first.
	FormatsFor(d client.Draft) []string
	// Models asks the gateway's lists of models.
	Models(ctx context.Context) (client.ModelList, error)
}

// live is what the gateway's model lists said; they are asked when somebody chooses models.
type live struct {
	busy, have bool
	models     []client.RemoteModel // as they were sent
	err        error
}

// listedMsg is what the gateway's model lists say.
type listedMsg struct {
	models []client.RemoteModel
	err    error
}

// askLists asks the gateway's lists where the models have the focus and nobody asked yet.
func (m *Model) askLists() tea.Cmd {
	if m.focus != modelsPane || m.live.have || m.live.busy || m.deps.Gateway == nil {
		return nil
	}
	m.live.busy = true
	g := m.deps.Gateway
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), listLimit)
		defer stop()
		l, err := g.Models(ctx)
		return listedMsg{models: l.Models, err: err}
	}
}

// listCame takes over what the lists say; what they said before stays where none answered. The
// cursor stays on its model.
func (m *Model) listCame(msg listedMsg) {
	m.live.busy, m.live.have, m.live.err = false, true, msg.err
	if msg.err != nil && len(msg.models) == 0 {
		return
	}
	m.live.models = msg.models
	c, _ := m.candidate()
	m.refit()
	m.point(c.model.ID)
}

// listsText says what the gateway's lists did, "" when they need no word.
func (m *Model) listsText() string {
	switch {
	case m.live.busy:
		return "asking the gateway …"
	case m.live.err != nil:
		return "the gateway's list did not come"
	default:
		return ""
	}
}

// unlisted are the models that are not in the catalog and can be tried: those that only the
// gateway's lists have, which leave their kind open, and the draft's own, by name.
func (m *Model) unlisted() []candidate {
	c, kind := m.deps.Catalog, m.base.Modality
	var out []candidate
	for _, o := range catalog.Join(nil, m.live.models) {
		if c.Unlisted(kind, o.ID) && client.CleanLine(o.ID) == o.ID {
			out = append(out, candidate{model: catalog.Model{ID: o.ID, Modality: kind}, tried: true, live: true})
		}
	}
	has := func(x candidate) bool { return x.model.ID == m.base.Model }
	if c.Unlisted(kind, m.base.Model) && !slices.ContainsFunc(out, has) {
		out = append(out, candidate{model: catalog.Model{ID: m.base.Model, Modality: kind}, tried: true})
		slices.SortStableFunc(out, func(a, b candidate) int {
			return strings.Compare(strings.ToLower(a.model.ID), strings.ToLower(b.model.ID))
		})
	}
	if len(out) == 0 || m.deps.Gateway == nil {
		return nil
	}
	ways := c.WaysOfKind(kind, m.deps.Gateway.FormatsFor)
	for i := range out {
		out[i].model.Formats = ways
	}
	return out
}
