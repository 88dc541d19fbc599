package compose

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/dialogs/improve"
	"darkroom/tui/dialogs/models"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/widgets/picker"
)

// What is being chosen in a [choose.Dialog], and for what purpose; see also [attach.References].
type (
	forField struct{ id string } // an option of a row
	forCopy  struct{}            // the format that is copied
)

// openPicker lets a value of a row be picked by a few letters.
func (m *Model) openPicker(id string) tea.Cmd {
	if id == client.FieldModel {
		return m.pickModel()
	}
	list := picker.New("Choose", "", m.sheet.OptionItems(id))
	list.Select(m.sheet.Form.Text(id))
	return m.open(choose.New(list, forField{id}))
}

// picked takes what was picked, and lets go on what was waiting for it.
func (m *Model) picked(a choose.Picked) tea.Cmd {
	var cmd tea.Cmd
	if a.OK {
		switch what := a.For.(type) {
		case forField:
			cmd = m.doc.Set(what.id, a.ID)
		case forCopy:
			cmd = m.doc.Side.Copy(a.ID)
		default:
			cmd = m.refs.Answer(a)
		}
	}
	return tea.Batch(cmd, m.pasting.Chosen())
}

// copy copies the request; where several show, it asks which one.
func (m *Model) copy() tea.Cmd {
	if list := m.doc.Side.Request.Choices(); len(list) > 0 {
		return m.over.Open(choose.New(picker.New("Copy which request?", "format …", list), forCopy{}))
	}
	return m.doc.Side.Copy("")
}

// pickModel opens the list of models for the form.
func (m *Model) pickModel() tea.Cmd {
	return m.open(models.New(models.Options{Known: m.models, Keys: m.deps.Keys, Title: "Model", Kind: m.sheet.Modality, Free: m.sheet.Free,
		At: m.sheet.Form.Text(client.FieldModel)}))
}

// pickedModel puts the chosen model into the form.
func (m *Model) pickedModel(a models.Picked) tea.Cmd {
	if a.ID == "" {
		return m.pasting.Chosen()
	}
	return tea.Batch(m.doc.Set(client.FieldModel, a.ID), m.pasting.Chosen())
}

// improver is the chat model that improves prompts: the one that did so last, else the one
// that is chosen for chats, else the gateway's own.
func (m *Model) improver() string {
	return cmp.Or(m.models.Improver(), strings.TrimSpace(m.sheet.Chosen[client.Chat].Model), m.deps.ChatModel)
}

// offImprove says why the prompt cannot be improved now, "" when it can.
func (m *Model) offImprove() string {
	switch {
	case m.deps.ReadOnly != "":
		return m.deps.ReadOnly
	case m.deps.Chat == nil:
		return "there is no gateway to ask"
	case m.over.Has(improve.Scope):
		return late.OverForm
	}
	return improve.Off(m.sheet.Form.Text(client.FieldPrompt))
}

// openImprove shows what would be asked, and which model; nothing is sent until the person agrees.
func (m *Model) openImprove() tea.Cmd {
	return m.open(improve.New(improve.Options{
		Chat: m.deps.Chat, Talks: m.deps.Talks, Keys: m.deps.Keys, Now: m.deps.Now, Modality: m.sheet.Modality, Model: m.improver(),
		Models: func(at string) *models.Dialog {
			return models.New(models.Options{Known: m.models, Keys: m.deps.Keys, Title: "Chat model that improves prompts", Kind: client.Chat, Free: true, At: at})
		},
		Prompt:  func() string { return m.sheet.Form.Text(client.FieldPrompt) },
		Blocked: m.pasting.Blocked,
		Free:    !jobs.Billed(m.deps.Profile),
	}))
}

// improved puts the accepted parts into the prompt, as one step for undo.
func (m *Model) improved(a improve.Taken) tea.Cmd {
	m.sheet.Form.SetText(client.FieldPrompt, a.Prompt)
	m.doc.GoTo(client.FieldPrompt)
	return tea.Batch(m.doc.Changed(client.FieldPrompt), screen.Toast(screen.Good, a.Said()))
}
