package compose

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/client/media"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
)

// heads is what servers are asked about URLs.
type heads struct {
	asking bool           // an answer is on its way
	at     uint64         // what the person had done when they were asked, see [Model.input]
	said   *refs.HeadsMsg // until somebody has looked at it
}

// askHeads names the question that shows what servers say.
const askHeads = "compose-heads"

// urls are those of the focused field: the one at the cursor of a list, else all.
func (m *Model) urls() (out []string) {
	id := m.sheet.Form.Focused()
	f, ok := m.sheet.FieldNamed(id)
	if !ok {
		return nil
	}
	ref, ok := m.sheet.Reference(&f)
	if !ok {
		return nil
	}
	if text, _, ok := m.sheet.Form.Item(); ok && ref.Spec == nil {
		if s := media.Scheme(strings.TrimSpace(text)); s == "http" || s == "https" {
			return []string{strings.TrimSpace(text)}
		}
	}
	for url := range ref.All() {
		if s := media.Scheme(strings.TrimSpace(url)); (s == "http" || s == "https") && len(out) < refs.MaxHeads {
			out = append(out, strings.TrimSpace(url))
		}
	}
	return out
}

func (m *Model) offCheck() string {
	if len(m.urls()) == 0 && m.heads.said == nil {
		return "the focused field has no http:// or https:// reference"
	}
	return ""
}

// checkURLs asks the servers of the focused field's URLs; nothing is ever asked by itself. An
// answer that nobody has looked at yet is shown first.
func (m *Model) checkURLs() tea.Cmd {
	p, ok := m.deps.Gateway.(refs.Prober)
	list := m.urls()
	switch was := m.heads.said; {
	case was != nil && (len(list) == 0 || slices.Equal(list, was.URLs)):
		return m.showHeads()
	case !ok:
		return screen.Toast(screen.Info, "nobody can be asked here")
	case m.heads.asking:
		return screen.Toast(screen.Info, "the servers are being asked already")
	}
	m.heads = heads{asking: true, at: m.done}
	return tea.Batch(screen.Toast(screen.Info, "asking for the head of "+human.Plural(len(list), "URL")+", without the key"), refs.AskHeads(p, list))
}

// headsCame shows the answer to who has waited for it. Who went on meanwhile is told of it, and
// keeps the keys: the same key shows it.
func (m *Model) headsCame(msg refs.HeadsMsg) tea.Cmd {
	m.heads.asking, m.heads.said = false, &msg
	if m.heads.at == m.done {
		return m.showHeads()
	}
	level := screen.Info
	if msg.Good < len(msg.URLs) {
		level = screen.Warn
	}
	return screen.Toast(level, fmt.Sprintf("%d of %s found by their servers; %s shows what they say",
		msg.Good, human.Plural(len(msg.URLs), "URL"), or(m.deps.Keys.Keys(actHeads), "the palette")))
}

func (m *Model) showHeads() tea.Cmd {
	return m.over.Open(ask.Choose(ask.QuestionOptions{
		Box:   confirm.New("What the servers say", strings.Join(m.heads.said.Lines, "\n"), "close", confirm.Button{ID: "close", Label: "Close"}),
		Width: 84, Height: 22, Help: [][2]string{{"esc", "close"}}, Name: askHeads, About: &m.heads,
	}))
}
