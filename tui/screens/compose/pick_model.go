package compose

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// Marks keeps which models are starred and were used. Its methods touch the disk, and
// return all marks as they are then.
type Marks interface {
	Load() (screen.ModelMarks, error)
	Star(model string, on bool) (screen.ModelMarks, error)
	Used(model string) (screen.ModelMarks, error)
	// Improve makes a chat model the one that improves prompts.
	Improve(model string) (screen.ModelMarks, error)
}

// scopePick is that of the keys and actions of the choice of a model.
const scopePick = "pick"

// How much a star and a use put a model before others that match as well.
const (
	boostStar   = 400
	boostRecent = 200
)

// markedMsg brings the marks, after reading or changing them. said tells of a star.
type markedMsg struct {
	marks screen.ModelMarks
	said  string
	err   error
}

func loadMarks(k Marks) tea.Cmd {
	return func() tea.Msg {
		marks, err := k.Load()
		return markedMsg{marks: marks, err: err}
	}
}

// marked takes marks over; what could not be kept is told, and the former ones stay.
func (m *Model) marked(msg markedMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Warn, "stars and recent models are not kept: "+client.CleanLine(msg.err.Error()))
	}
	m.marks = msg.marks
	m.pickAgain()
	if msg.said != "" {
		return screen.Toast(screen.Info, msg.said)
	}
	return nil
}

// picksModel reports whether the choice of a model is open.
func (m *Model) picksModel() bool { return m.picking == client.FieldModel || m.picking == pickImprover }

// pickModel opens the choice of a model, and asks the gateway's lists where they have not
// answered yet.
func (m *Model) pickModel(row string) tea.Cmd {
	m.picking, m.onlyPane = row, false
	m.picker = picker.New("Model", "family, mode, name …", nil)
	if m.picksFree() {
		m.picker.Placeholder = "name of a model …"
	}
	if row == pickImprover {
		m.picker.Title = "Chat model that improves prompts"
	}
	m.picker.Aligned = true
	var cmd tea.Cmd
	if !m.listed.busy && (!m.listed.have || m.listed.err != nil) {
		cmd = m.askLists()
	}
	m.pickAgain()
	if row == pickImprover {
		m.picker.Select(m.improver())
	} else {
		m.picker.Select(m.form.Text(client.FieldModel))
	}
	return cmd
}

// askLists asks the gateway's lists of models.
func (m *Model) askLists() tea.Cmd {
	m.listed.busy = true
	return listModels(m.deps.Gateway)
}

// pickAgain makes the items of the open choice anew; the cursor stays on its model.
func (m *Model) pickAgain() {
	if !m.picksModel() {
		return
	}
	k := m.deps.Keys
	m.picker.Keys = strings.TrimSpace(k.Keys("pick.star") + " star · " + k.Keys("pick.refresh") + " ask again")
	m.picker.Note = ""
	switch {
	case m.listed.busy:
		m.picker.Note = "asking the gateway for its models …"
	case m.listed.err != nil && len(m.listed.models) > 0:
		m.picker.Note = "the gateway's list did not come, shown is what it said before: " + client.CleanLine(m.listed.err.Error())
	case m.listed.err != nil:
		m.picker.Note = "the gateway's list did not come, shown is the catalog: " + client.CleanLine(m.listed.err.Error())
	}
	if m.picksFree() {
		m.picker.SetItems(m.freeItems())
	} else {
		m.picker.SetItems(m.modelItems(m.modality))
	}
}

// picksFree reports whether any name will do for what is picked.
func (m *Model) picksFree() bool { return m.kinds.free || m.picking == pickImprover }

// pickKey is a key while a model is picked; false when it is the picker's own.
func (m *Model) pickKey(k tea.KeyMsg) (tea.Cmd, bool) {
	if k.Paste || !m.picksModel() {
		return nil, false
	}
	id, ok := m.deps.Keys.Lookup(scopePick, k.String())
	if !ok {
		return nil, false
	}
	return m.pickDo(strings.TrimPrefix(id, scopePick+".")), true
}

// pickDo does an action of the choice of a model by its name.
func (m *Model) pickDo(verb string) tea.Cmd {
	if !m.picksModel() {
		return nil
	}
	switch verb {
	case "star":
		if it, ok := m.picker.Current(); ok && it.ID != asTyped && it.ID != "" {
			return m.star(it.ID)
		}
	case "refresh":
		if m.listed.busy {
			return nil
		}
		cmd := m.askLists()
		m.pickAgain()
		return cmd
	}
	return nil
}

// star gives a model a star, or takes it away.
func (m *Model) star(model string) tea.Cmd {
	if off := m.offStar(model); off != "" {
		return screen.Toast(screen.Info, off)
	}
	k, on := m.deps.Marks, !slices.Contains(m.marks.Stars, model)
	said := "★ " + client.CleanLine(model) + " stands first among the models"
	if !on {
		said = client.CleanLine(model) + " has no star any more"
	}
	return func() tea.Msg {
		marks, err := k.Star(model, on)
		return markedMsg{marks: marks, said: said, err: err}
	}
}

// offStar says why a model can not be starred, "" when it can.
func (m *Model) offStar(model string) string {
	switch {
	case m.deps.Marks == nil:
		return "stars are not kept here"
	case strings.TrimSpace(model) == "":
		return "choose a model first"
	}
	return ""
}

// used remembers a model that was submitted to.
func (m *Model) used(model string) tea.Cmd {
	k := m.deps.Marks
	if k == nil || model == "" {
		return nil
	}
	return func() tea.Msg {
		marks, err := k.Used(model)
		return markedMsg{marks: marks, err: err}
	}
}

// pickActions are what the palette offers while a model is picked.
func (m *Model) pickActions() []screen.Action {
	if !m.picksModel() {
		return nil
	}
	it, _ := m.picker.Current()
	busy := ""
	if m.listed.busy {
		busy = "the gateway is being asked"
	}
	return []screen.Action{
		{ID: "pick.star", Title: m.deps.Keys.Title("pick.star"), Off: m.offStar(it.ID)},
		{ID: "pick.refresh", Title: m.deps.Keys.Title("pick.refresh"), Off: busy},
	}
}

// offers are the models of a kind, joined with what the gateway's lists say, and behind
// them those that only the lists have.
func (m *Model) offers(k client.Modality) []catalog.Offer {
	all := catalog.Join(m.deps.Catalog.Offers(), m.listed.models)
	return slices.DeleteFunc(all, func(o catalog.Offer) bool {
		return o.ID == "" || len(o.Known) > 0 && !slices.ContainsFunc(o.Known, func(x catalog.Model) bool { return x.Modality == k })
	})
}
