package compose

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/attach"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/latest"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/screens/compose/internal/side"
	"darkroom/tui/widgets/form"
)

const scope = string(screen.Compose)

// Actions that texts, buttons and dialogs trigger as well as keys.
const (
	actSubmit    = screen.SubmitDraft
	actCompare   = screen.ToCompare
	actShowBatch = scope + ".show-batch"
	actHistory   = scope + ".history"
	actJSON      = side.ActJSON
	actCurl      = side.ActCurl
	actWire      = scope + ".view-wire"
	actCopy      = scope + ".copy"
	actEdit      = scope + ".edit-request"
	actNext      = scope + ".next-field"
	actResults   = scope + ".from-results"
	actPrompt    = scope + ".to-prompt"
	actLate      = scope + ".take-late"
	actLatest    = scope + ".latest"
	actFold      = scope + ".fold-request"
)

// Commands is the table of what can be done on the screen, grouped as in the help.
func Commands() []screen.Command[*Model] {
	return slices.Concat(formCommands(), sendCommands(), refCommands())
}

func formCommands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actNext, Title: "Next field", Keys: []string{"tab"}, Word: "next", Do: moving(tea.KeyTab)},
		{ID: scope + ".prev-field", Title: "Previous field", Keys: []string{"shift+tab"}, Do: moving(tea.KeyShiftTab)},
		{ID: actPrompt, Title: "Back to the prompt", Keys: []string{"alt+x"}, Word: "prompt", Off: offPrompt, Says: true, Do: toPrompt},
		{ID: sheet.ActModel, Title: "Choose a model", Keys: []string{"ctrl+g"}, Word: "model", Do: (*Model).pickModel},
		{ID: sheet.ActImprove, Title: "Improve the prompt with a chat model", Keys: []string{"alt+=", "alt++"}, Off: (*Model).offImprove, Do: (*Model).openImprove},
		{ID: scope + ".star", Title: "Star or unstar the model", Keys: []string{"alt+*", "f12"},
			Off: func(m *Model) string { return m.models.OffStar(m.sheet.Chosen[m.sheet.Modality].Model) }, Do: func(m *Model) tea.Cmd { return m.models.Star(m.sheet.Chosen[m.sheet.Modality].Model) }},
		{ID: sheet.ActEditor, Title: "Write in the editor", Keys: []string{"ctrl+o"}, Word: "editor", Do: func(m *Model) tea.Cmd { return m.edits.Open() }},
		{ID: actHistory, Title: "Find a prompt that was sent", Keys: []string{"ctrl+r"}, Word: "history", Do: (*Model).openPast},
		{ID: scope + ".add-reference", Title: "Add a reference", Keys: []string{"alt+a", "f7"}, Do: addReference},
		{ID: sheet.ActItems, Title: "Edit items and objects", Keys: []string{"alt+i", "f9"},
			Off: func(m *Model) string { return m.structured.Off() }, Do: func(m *Model) tea.Cmd { return m.structured.OpenAny() }},
		{ID: sheet.ActMore, Title: "More or fewer fields", Keys: []string{"alt+m", "f5"}, Word: "more", Do: screen.Act(func(m *Model) { m.sheet.More = !m.sheet.More; m.sheet.Form.SetFields(m.sheet.Rows()) })},
	}
}

func sendCommands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actSubmit, Title: "Submit", Keys: []string{"ctrl+s"}, Word: "submit", Off: offSubmit, Says: true,
			Do: func(m *Model) tea.Cmd { return m.sending.Submit() }},
		{ID: sheet.ActCopies, Title: "Variations: jobs with different seeds", Keys: []string{"alt+s"}, Off: offSubmit, Do: batching(batch.OfCopies)},
		{ID: sheet.ActTemplate, Title: "Template: see what the prompt makes", Keys: []string{"alt+t"}, Off: offSubmit, Do: batching(batch.OfTemplate)},
		{ID: scope + ".batch", Title: "Batch from a table or lines", Keys: []string{"alt+l"}, Off: offSubmit, Do: batching(batch.OfFile)},
		{ID: actShowBatch, Title: "Show the last batch in Queue", Keys: []string{"alt+q"}, Off: func(m *Model) string { return m.outcomes.OffBatch() }, Do: func(m *Model) tea.Cmd { return m.outcomes.ShowBatch() }},
		{ID: scope + ".presets", Title: "Presets: begin with one", Keys: []string{"alt+p"}, Off: offPresets, Do: func(m *Model) tea.Cmd { return m.presets.Open() }},
		{ID: scope + ".save-preset", Title: "Save the form as a preset", Keys: []string{"alt+P"}, Off: offPresets, Do: func(m *Model) tea.Cmd { return m.presets.Save() }},
		{ID: actCompare, Title: "Compare models with this", Keys: []string{"alt+c", "f8"}, Off: ofSheet((*sheet.Sheet).CompareOff), Do: (*Model).askCompare},
		{ID: actJSON, Title: "Request as JSON", Keys: []string{"f2"}, Word: "JSON", Do: viewing(request.JSON)},
		{ID: actCurl, Title: "Request as curl", Keys: []string{"f3"}, Word: "curl", Do: viewing(request.Curl)},
		{ID: actWire, Title: "Request in every format, side by side", Keys: []string{"f4", "alt+w"}, Word: "every format", Do: viewing(request.Wire)},
		{ID: actCopy, Title: "Copy the request", Keys: []string{"alt+y", "f6"}, Word: "copy", Off: offRequest, Do: (*Model).copy},
		{ID: actLatest, Title: "Go to the latest results, or back to the prompt", Keys: []string{"alt+e"}, Word: "results", Off: func(m *Model) string { return m.doc.Side.OffResults() }, Do: screen.Act((*Model).turnLatest)},
		{ID: actFold, Title: "Fold the request for the latest results, or open it", Keys: []string{"alt+-"}, Off: func(m *Model) string { return m.doc.Side.OffFold() }, Do: screen.Act(func(m *Model) { m.doc.Side.TurnFold() })},
		{ID: actEdit, Title: "Edit the request as JSON in the editor", Keys: []string{"alt+j", "f10"}, Word: "edit", Off: offRequest, Says: true, Do: func(m *Model) tea.Cmd { return m.edits.OpenRequest() }},
		{ID: scope + ".clear", Title: "Clear the form", Keys: []string{"ctrl+x"}, Do: func(m *Model) tea.Cmd { return m.doc.Clear() }},
		{ID: document.ActBringBack, Title: "Bring back what was cleared, replaced or rejected", Keys: []string{"alt+z"}, Off: (*Model).offBack, Do: (*Model).bringBack},
		{ID: scope + ".revert", Title: "Restore the job's value", Keys: []string{"alt+u"}, Off: ofSheet((*sheet.Sheet).OffRevert),
			Do: func(m *Model) tea.Cmd { m.sheet.Revert(); return m.doc.Touched() }},
		{ID: scope + ".next-check", Title: "Go to what is wrong", Keys: []string{"alt+!", "f11"}, Off: ofSheet((*sheet.Sheet).OffJump), Do: screen.Act(func(m *Model) { m.doc.NextProblem() })},
		{ID: side.ActChecksDown, Title: "Scroll Checks down", Keys: []string{"alt+pgdown"}, Off: offChecks, Do: screen.Act(func(m *Model) { m.doc.Side.Checks.Scroll(m.doc.Side.Checks.Page()) })},
		{ID: side.ActChecksUp, Title: "Scroll Checks up", Keys: []string{"alt+pgup"}, Off: offChecks, Do: screen.Act(func(m *Model) { m.doc.Side.Checks.Scroll(-m.doc.Side.Checks.Page()) })},
	}
}

func refCommands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: attach.ActFiles, Title: "Choose files as references", Keys: []string{"alt+o"}, Do: func(m *Model) tea.Cmd { return m.refs.Files() }},
		{ID: actResults, Title: "Take a result as a reference", Keys: []string{"alt+r", "alt+g"}, Do: func(m *Model) tea.Cmd { return m.refs.Results() }},
		{ID: scope + ".ref-up", Title: "Reference up", Keys: []string{"alt+K", "shift+up"},
			Off: func(m *Model) string { return m.refs.OffMove(-1) }, Do: func(m *Model) tea.Cmd { return m.handle(m.sheet.Form.MoveItem(-1)) }},
		{ID: scope + ".ref-down", Title: "Reference down", Keys: []string{"alt+J", "shift+down"},
			Off: func(m *Model) string { return m.refs.OffMove(1) }, Do: func(m *Model) tea.Cmd { return m.handle(m.sheet.Form.MoveItem(1)) }},
		{ID: scope + ".ref-name", Title: "Name a reference in the prompt", Keys: []string{"alt+n"},
			Off: func(m *Model) string { return m.refs.OffName() }, Do: func(m *Model) tea.Cmd { return m.refs.Name() }},
		{ID: attach.ActHeads, Title: "Ask what is behind a reference's URL", Keys: []string{"alt+h"},
			Off: func(m *Model) string { return m.heads.Off() }, Do: func(m *Model) tea.Cmd { return m.heads.Ask() }},
		{ID: actLate, Title: "Take what arrived after the form changed", Keys: []string{"alt+v"},
			Off: func(m *Model) string { return m.late.Off() }, Do: func(m *Model) tea.Cmd { return m.late.Take() }},
	}
}

func ofSheet(off func(*sheet.Sheet) string) func(*Model) string {
	return func(m *Model) string { return off(m.sheet) }
}

func offPresets(m *Model) string { return m.presets.Off() }

func offRequest(m *Model) string { return m.doc.Side.Request.Off() }

func offSubmit(m *Model) string { return m.sending.Off() }

func offChecks(m *Model) string { return m.doc.Side.OffChecks() }

func batching(k batch.Kind) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.batches.Open(k, false) }
}

func viewing(t request.Tab) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.doc.Side.View(t) }
}

// moving changes the field also from where a key would not.
func moving(k tea.KeyType) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if m.doc.Side.Alone() {
			m.doc.Side.ShowForm()
			return nil
		}
		if m.tabToLatest(k) {
			return nil
		}
		return m.handle(m.sheet.Form.Update(tea.KeyMsg{Type: k}))
	}
}

// offPrompt says why there is no way back to the prompt, "" when there is.
func offPrompt(m *Model) string {
	if m.sheet.Form.Focused() == client.FieldPrompt && m.sheet.Form.Capturing() && !m.doc.Side.Alone() && !m.latest.Focused() {
		return "the prompt is being written"
	}
	return ""
}

// toPrompt goes on writing the prompt, from any row and from the request.
func toPrompt(m *Model) tea.Cmd {
	m.doc.Side.ShowForm()
	ev := form.Event{Kind: form.Moved, ID: client.FieldPrompt}
	if left := m.sheet.Form.Focused(); left != client.FieldPrompt {
		ev.Left = left
	}
	m.doc.GoTo(client.FieldPrompt)
	return m.handle(ev)
}

// addReference begins a reference in the field where one belongs.
func addReference(m *Model) tea.Cmd {
	name := attach.Place(m.sheet)
	if name == "" {
		return m.refs.FilesInstead()
	}
	m.doc.GoTo(name)
	return m.handle(m.sheet.Form.Click(screen.ClickMsg{Zone: sheet.ZonePrefix + name + "/+"}))
}

// do performs an action of the topmost dialog, or of the screen.
func (m *Model) do(id string) tea.Cmd {
	if cmd, ok := m.over.Update(screen.ActionMsg{ID: id}); ok {
		return cmd
	}
	if strings.HasPrefix(id, latest.Scope+".") {
		return m.latest.Do(id)
	}
	return m.commands.Do(m, id)
}

// askCompare hands the draft to Compare once its files have been checked, or says why it cannot.
func (m *Model) askCompare() tea.Cmd {
	if why := m.pasting.Blocked(); why != "" {
		return screen.Toast(screen.Warn, "not handed to Compare: "+why)
	}
	m.pasting.BlockRest("you asked for Compare first") // what was pressed then is meant for that
	return m.doc.After(m.sheet.ResolveLocal(references.GoOn), func() tea.Cmd {
		open := screen.Open(screen.Compare, screen.CompareDraft{Draft: m.sheet.WideDraft(), Format: m.sheet.ChosenFormat()})
		if m.sheet.AsksFirst() {
			return tea.Batch(open, screen.Toast(screen.Warn, "the prompt goes to Compare as written: templates are filled in only when submitted from Compose"))
		}
		return open
	})
}
