package attach

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/confirm"
)

// Heads asks servers what is behind the URLs of the focused field; nothing is asked automatically.
// Make it with [NewHeads].
type Heads struct {
	// Awaited says that the person still waits for the answer. It becomes false if they go on
	// meanwhile: then a message announces the answer, which does not take their keys, and the key
	// that asked shows it.
	Awaited bool

	sheet  *sheet.Sheet
	prober refs.Prober // nil: nobody can be asked
	key    string
	open   func(screen.Dialog) tea.Cmd
	asking bool           // an answer is on its way
	said   *refs.HeadsMsg // until somebody has looked at it
}

// NewHeads returns what asks about the URLs of a form. key is the key that asks, as people write
// it; open shows the answer.
func NewHeads(s *sheet.Sheet, p refs.Prober, key string, open func(screen.Dialog) tea.Cmd) *Heads {
	return &Heads{sheet: s, prober: p, key: cmp.Or(key, "the palette"), open: open}
}

// Off says why there is nobody to ask, "" when somebody can, or when there is an answer to show.
func (h *Heads) Off() string {
	if len(urls(h.sheet)) == 0 && h.said == nil {
		return "the focused field has no http:// or https:// reference"
	}
	return ""
}

// Ask asks the servers; an answer that nobody has looked at yet is shown first.
func (h *Heads) Ask() tea.Cmd {
	list := urls(h.sheet)
	switch {
	case h.said != nil && (len(list) == 0 || slices.Equal(list, h.said.URLs)):
		return h.show()
	case h.prober == nil:
		return screen.Toast(screen.Info, "there is nobody to ask here")
	case h.asking:
		return screen.Toast(screen.Info, "the servers are being asked already")
	}
	h.asking, h.Awaited, h.said = true, true, nil
	return tea.Batch(screen.Toast(screen.Info, "asking for the head of "+human.Plural(len(list), "URL")+", without the key"), refs.AskHeads(h.prober, list))
}

// Update shows the answer if the person has waited for it. It leaves all other messages alone.
func (h *Heads) Update(msg tea.Msg) tea.Cmd {
	said, ok := msg.(refs.HeadsMsg)
	if !ok {
		return nil
	}
	h.asking, h.said = false, &said
	if h.Awaited {
		return h.show()
	}
	level := screen.Info
	if said.Good < len(said.URLs) {
		level = screen.Warn
	}
	return screen.Toast(level, fmt.Sprintf("%d of %s found by their servers; %s shows what they say",
		said.Good, human.Plural(len(said.URLs), "URL"), h.key))
}

func (h *Heads) show() tea.Cmd {
	return h.open(ask.Choose(ask.QuestionOptions{
		Box:   confirm.New("What the servers say", strings.Join(h.said.Lines, "\n"), "close", confirm.Button{ID: "close", Label: "Close"}),
		Width: 84, Height: 22, Help: [][2]string{{"esc", "close"}}, Name: "compose-heads", About: h,
	}))
}

// Forget drops the answer: it was looked at, or is about another form.
func (h *Heads) Forget() { h.said = nil }
