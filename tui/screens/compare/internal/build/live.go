package build

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
)

// listLimit bounds how long asking the gateway's model lists may take.
const listLimit = 30 * time.Second

// Gateway is what the screen uses for models that the catalog does not know.
type Gateway interface {
	// FormatsFor are the formats that can create a draft, preferred first.
	FormatsFor(d client.Draft) []string
	// Models asks the gateway's lists of models.
	Models(ctx context.Context) (client.ModelList, error)
}

// live is the state of asking the gateway's model lists; they are asked when somebody chooses
// models.
type live struct {
	busy, have bool
	err        error
}

// listedMsg is what the gateway's model lists say.
type listedMsg struct {
	models []client.RemoteModel
	err    error
}

// askLists asks the gateway's lists if the models have the focus and nobody has asked yet.
func (m *Model) askLists() tea.Cmd {
	if m.focus != modelsPane || m.live.have || m.live.busy || m.o.Gateway == nil {
		return nil
	}
	m.live.busy = true
	g := m.o.Gateway
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), listLimit)
		defer stop()
		l, err := g.Models(ctx)
		return listedMsg{models: l.Models, err: err}
	}
}

// handleLists takes the answers of the lists; where none answered, the former ones stay. The cursor
// stays on its model.
func (m *Model) handleLists(msg listedMsg) {
	m.live.busy, m.live.have, m.live.err = false, true, msg.err
	if msg.err != nil && len(msg.models) == 0 {
		return
	}
	c, _ := m.candidate()
	m.plan.Offer(msg.models)
	m.showCandidates()
	m.point(c.Model.ID)
}

// text says how the gateway's lists answered, "" when that needs no mention.
func (l *live) text() string {
	switch {
	case l.busy:
		return "asking the gateway …"
	case l.err != nil:
		return "the gateway's list did not come"
	default:
		return ""
	}
}
