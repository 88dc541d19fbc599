package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/attach"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/pasted"
	"darkroom/tui/widgets/confirm"
)

// Names of the questions about what was pasted, and answers to them.
const (
	askRequest   = "compose-request"
	askAttach    = "compose-attach"
	answerFill   = "fill"
	answerText   = attach.AsText
	answerAttach = "attach"
	answerLeave  = "leave"
)

// pastedMsg is a pasted text that was read as a request.
type pastedMsg struct {
	text pasted.Text
	got  intake.Result
	err  error
}

// readPasted reads a text as a request; false when it does not look like one, or when JSON
// is what the focused field takes.
func (m *Model) readPasted(runes []rune) (tea.Cmd, bool) {
	text := string(runes)
	if !intake.Looks(text) {
		return nil, false
	}
	if !intake.IsCommand(text) {
		if m.sheet.TakesJSON() && !m.doc.Side.Alone() {
			return nil, false
		}
	}
	g, hint := m.deps.Gateway, m.readHint()
	ready := make(chan pasted.Text, 1)
	return m.pasting.Look(func() pasted.Text { return pasted.Redacted(text, ready) }, func() tea.Msg {
		kept := pasted.Redact(text)
		ready <- kept
		got, err := g.ReadRequest(text, hint)
		return pastedMsg{text: kept, got: got, err: err}
	}), true
}

// readHint is what is supposed of a request that does not say it.
func (m *Model) readHint() intake.Hint {
	return intake.Hint{Modality: m.sheet.Modality, Model: m.sheet.Chosen[m.sheet.Modality].Model}
}

// pastedRequest asks whether the form is to be filled. What is no request is text.
func (m *Model) pastedRequest(msg pastedMsg) tea.Cmd {
	if msg.err != nil {
		if msg.got.Command && msg.text.Text != "" {
			why := screen.Toast(screen.Info, msg.text.After("kept as text, it fills no form: "+client.CleanLine(msg.err.Error())))
			return tea.Batch(m.pasteText([]rune(msg.text.Text)), why)
		}
		return m.pasteKept(msg.text)
	}
	what := "a request"
	if msg.got.Command {
		what = "a curl command"
	}
	said := []string{"This is " + what + ": " + document.Gist(msg.got) + "."}
	if msg.got.Secret {
		said = append(said, "There is a key in it, which is not kept, whatever you choose.")
	}
	for _, n := range msg.got.Notes {
		said = append(said, client.CleanLine(n)+".")
	}
	return m.over.Open(ask.Choose(ask.QuestionOptions{
		Box: confirm.New("Fill the form from it?", strings.Join(said, "\n"), "cancel",
			confirm.Button{ID: answerFill, Label: "Fill form", Key: "f"},
			confirm.Button{ID: answerText, Label: "As text", Key: "t"},
			confirm.Button{ID: "cancel", Label: "Cancel"}),
		Width: 72, Height: 20, Help: [][2]string{{"f", "fill the form"}, {"t", "keep as text"}, {"esc", "cancel"}}, Name: askRequest, About: msg,
	}))
}

// handleAnswer takes the answer to a question. What has waited for it was typed where the focus is
// still.
func (m *Model) handleAnswer(a ask.Chosen) tea.Cmd {
	switch about := a.About.(type) {
	case pastedMsg:
		switch a.ID {
		case answerFill:
			left := m.pasting.Drop() // it was for the form that was there
			fill := func(got intake.Result) tea.Cmd {
				return m.doc.FillFrom(got, screen.ComposeDraft{}, "filled from what was pasted")
			}
			return tea.Batch(m.askFiles(about.got, nil, fill), left)
		case answerText:
			return tea.Batch(m.pasteKept(about.text), m.pasting.Release(pasted.AskedFirst))
		}
		return m.pasting.Release(pasted.AskedFirst)
	case attachment:
		return about.take(a.ID == answerAttach)
	case *attach.Heads:
		about.Forget()
	}
	return m.refs.Answer(a)
}

// pasteKept pastes a text, and says what was taken out of it.
func (m *Model) pasteKept(t pasted.Text) tea.Cmd {
	var cmds []tea.Cmd
	if t.Text != "" {
		cmds = append(cmds, m.pasteText([]rune(t.Text)))
	}
	if t.Said != "" {
		cmds = append(cmds, screen.Toast(screen.Warn, t.Said))
	}
	return tea.Batch(cmds...)
}

// pasteText pastes into the focused text, else into the prompt.
func (m *Model) pasteText(runes []rune) tea.Cmd {
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: runes, Paste: true}
	m.doc.Side.ShowForm()
	if !m.sheet.Form.Capturing() {
		if cmd, ok := m.pasteItems(k.Runes); ok {
			return cmd
		}
		m.pasteTarget()
	}
	k.Runes = m.sheet.Paste(k.Runes)
	return m.handle(m.sheet.Form.Key(k))
}

// input is what a person does.
func (m *Model) input(msg tea.Msg) tea.Cmd {
	m.heads.Awaited = false
	return m.pasting.Do(msg)
}

func (m *Model) act(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.ActionMsg:
		return m.do(msg.ID)
	}
	return nil
}

// handleLooked takes what a look has found, and then what has waited for it. A question about it is
// answered first: what was typed before it could be seen is no answer.
func (m *Model) handleLooked(msg pasted.LookedMsg) tea.Cmd {
	found, cmd := m.pasting.Looked(msg)
	if found == nil {
		return cmd
	}
	barred := m.refs.Partly(found)
	_, cmd = m.Update(found)
	if m.asksOfPaste() || m.over.Has(choose.Scope) {
		return cmd
	}
	return tea.Batch(cmd, m.pasting.Release(barred))
}

// asksOfPaste reports whether a question about something pasted is open.
func (m *Model) asksOfPaste() bool {
	return m.over.Has(askRequest) || m.over.Has(askAttach) || m.over.Has(attach.Dropped)
}

// releaseAll puts all that was pasted and typed into the form that is there, in its order, and
// submits nothing of it: no look is waited for any longer, and a question about what was pasted is
// answered "as text". Afterwards nothing waits. It comes to an end, since each round ends a look or
// a question, and only what has waited, which grows no more, can begin another.
func (m *Model) releaseAll(why string) tea.Cmd {
	var cmds []tea.Cmd
	answer := func(name, id, said string) {
		cmd, _ := m.over.Update(ask.Choice{Name: name, ID: id})
		cmds = append(cmds, screen.Toast(screen.Warn, why+": "+said), cmd)
	}
	for {
		switch {
		case m.pasting.Looking():
			cmds = append(cmds, m.pasting.End(why))
		case m.over.Has(askAttach):
			answer(askAttach, answerLeave, "files of this machine left out, since the question about them was not answered")
		case m.over.Has(askRequest):
			answer(askRequest, answerText, keptAsText)
		case m.over.Has(attach.Dropped):
			answer(attach.Dropped, answerText, keptAsText)
		case m.pasting.Waiting(): // for what is to be chosen
			m.over.Close(choose.Scope)
			cmds = append(cmds, m.pasting.Release(pasted.AskedFirst))
		default:
			return tea.Batch(cmds...)
		}
	}
}

// keptAsText is said when nobody answers any more what is to be done with a paste.
const keptAsText = "kept as text, since the question about it was not answered"

// leaveDialogs closes what was left open here when the person went elsewhere and came back with
// something else: it was about the former form, into which goes what was pasted and typed last.
// An answer that was asked for and paid stays.
func (m *Model) leaveDialogs() tea.Cmd {
	cmd := m.releaseAll("another form came")
	m.over.Clear()
	m.heads.Forget()
	m.ready = nil
	return cmd
}
