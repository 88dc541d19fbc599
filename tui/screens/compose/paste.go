package compose

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/format"
)

// requests is what goes on with requests that come from elsewhere: pasted, or from the
// editor.
type requests struct {
	text keptText // that was pasted
	got  intake.Result
	ask  *confirm.Model // what is to be done with it; nil when nothing is asked
	// attach goes on when ask is about files of this machine that a request names; else nil.
	attach func(with bool) tea.Cmd

	edit   editing
	broken string // as it was left: what came from the editor and is no request: it is opened again
}

// askedFirst is why nothing is sent that was asked for before a question could be seen.
const askedFirst = "there was a question about what was pasted; do it again"

// Answers to what is to be done with a pasted request.
const (
	answerFill = "fill"
	answerText = "text"
)

// pastedMsg is a pasted text that was read as a request.
type pastedMsg struct {
	text keptText
	got  intake.Result
	err  error
}

// keptText is what was pasted as it goes into a text: without what authorizes. said tells what
// was taken out of it, or why it is held back, which leaves no text at all.
type keptText struct{ text, said string }

// redactAtOnce bounds what is looked through for keys without a command, in bytes.
const redactAtOnce = 16 << 10

// redacted hands a text over that a command has looked through for keys. Whoever does not
// wait for the command gets a short one all the same.
func redacted(text string, ready <-chan keptText) keptText {
	select {
	case t := <-ready:
		return t
	default:
	}
	if len(text) > redactAtOnce {
		return keptText{said: "not pasted: it was not yet looked through for keys; paste it again, and wait"}
	}
	return redact(text)
}

func redact(text string) keptText {
	kept, said := intake.Redact(text)
	return keptText{kept, said}
}

// readPasted reads a text as a request; false when it does not look like one, or when JSON
// is what the focused field takes.
func (m *Model) readPasted(runes []rune) (tea.Cmd, bool) {
	text := string(runes)
	if !intake.Looks(text) {
		return nil, false
	}
	if !intake.IsCommand(text) {
		if m.sheet.TakesJSON() && !m.room().Alone() {
			return nil, false
		}
	}
	g, hint := m.deps.Gateway, m.readHint()
	ready := make(chan keptText, 1)
	return m.lookAt(func() keptText { return redacted(text, ready) }, func() tea.Msg {
		kept := redact(text)
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
		if msg.got.Command && msg.text.text != "" {
			why := screen.Toast(screen.Info, andSaid("kept as text, it fills no form: "+client.CleanLine(msg.err.Error()), msg.text.said))
			return tea.Batch(m.pasteText([]rune(msg.text.text)), why)
		}
		return m.pasteKept(msg.text)
	}
	m.requests.text, m.requests.got = msg.text, msg.got
	what := "a request"
	if msg.got.Command {
		what = "a curl command"
	}
	said := []string{"This is " + what + ": " + m.gist(msg.got) + "."}
	if msg.got.Secret {
		said = append(said, "There is a key in it, which is not kept, whatever you choose.")
	}
	for _, n := range msg.got.Notes {
		said = append(said, client.CleanLine(n)+".")
	}
	ask := confirm.New("Fill the form from it?", strings.Join(said, "\n"), "cancel",
		confirm.Button{ID: answerFill, Label: "Fill form", Key: "f"},
		confirm.Button{ID: answerText, Label: "As text", Key: "t"},
		confirm.Button{ID: "cancel", Label: "Cancel"})
	m.requests.ask = &ask
	return nil
}

// gist is a request in a few words.
func (m *Model) gist(got intake.Result) string {
	d := &got.Draft
	parts := []string{string(d.Modality)}
	for _, s := range []string{d.Model, d.ModelName, d.Mode} {
		if s != "" {
			parts = append(parts, client.CleanLine(s))
		}
	}
	if got.Format != "" {
		parts = append(parts, "format "+client.CleanLine(got.Format))
	}
	parts = append(parts, format.Plural(len(d.Values), "value"))
	if n := len(d.Extra); n > 0 {
		parts = append(parts, format.Plural(n, "raw addition"))
	}
	return strings.Join(parts, " · ")
}

// answered does what was chosen for a pasted request.
func (m *Model) answered(id string) tea.Cmd {
	if id == "" {
		return nil
	}
	q := m.requests
	m.requests.ask, m.requests.attach, m.requests.text, m.requests.got = nil, nil, keptText{}, intake.Result{}
	if q.attach != nil {
		return q.attach(id == answerAttach)
	}
	switch id {
	case answerFill:
		left := m.dropHeld() // it was for the form that was there
		fill := func(got intake.Result) tea.Cmd { return m.fillFrom(got, "filled from what was pasted") }
		return tea.Batch(m.askFiles(q.got, nil, fill), left)
	case answerText:
		return tea.Batch(m.pasteKept(q.text), m.goOnTyping(askedFirst))
	}
	return m.goOnTyping(askedFirst)
}

// fillFrom puts a request that was read into the form.
func (m *Model) fillFrom(got intake.Result, what string) tea.Cmd {
	return m.fillOver(got, screen.ComposeDraft{}, what)
}

// fillOver is fillFrom with what no request tells: what the prompt is taken for, and the jobs
// that the draft comes from.
func (m *Model) fillOver(got intake.Result, rest screen.ComposeDraft, what string) tea.Cmd {
	d := got.Draft.Clone()
	if d.Model == "" { // then it goes with what is chosen
		c := m.sheet.Chosen[d.Modality]
		d.Model = c.Model
		if d.ModelName == "" {
			d.ModelName = c.ModelName
		}
	}
	d.Parents = rest.Draft.Parents
	rest.Draft, rest.Format = d, got.Format
	cmd := m.filled(rest)
	said := fmt.Sprintf("%s: %s", what, m.gist(got))
	if key := m.deps.Keys.Keys(actBringBack); key != "" && len(m.sheet.Formers) > 0 {
		said += "; " + key + " brings back what was there"
	}
	if got.Secret {
		said += "; the key in it was not kept"
	}
	return tea.Batch(cmd, screen.Toast(screen.Good, said))
}

// pasteKept pastes a text, and says what was taken out of it.
func (m *Model) pasteKept(t keptText) tea.Cmd {
	var cmds []tea.Cmd
	if t.text != "" {
		cmds = append(cmds, m.pasteText([]rune(t.text)))
	}
	if t.said != "" {
		cmds = append(cmds, screen.Toast(screen.Warn, t.said))
	}
	return tea.Batch(cmds...)
}

// andSaid joins what is told in one line.
func andSaid(said, more string) string {
	return strings.TrimSuffix(said+"; "+more, "; ")
}

// pasteText pastes into the focused text, else into the prompt.
func (m *Model) pasteText(runes []rune) tea.Cmd {
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: runes, Paste: true}
	m.onlyPane = false
	if !m.sheet.Form.Capturing() {
		if cmd, ok := m.pasteItems(k.Runes); ok {
			return cmd
		}
		m.pasteTarget()
	}
	k.Runes = m.sheet.Paste(k.Runes)
	return m.handle(m.sheet.Form.Key(k))
}
