package compose

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/format"
)

// prober asks what is behind a URL, without the key.
type prober interface {
	Head(ctx context.Context, address string) (client.Head, error)
}

// headsMsg is what servers said of URLs.
type headsMsg struct {
	lines []string
	at    asked
}

// maxHeads bounds how many URLs are asked for at once.
const maxHeads = 8

// urls are those of the focused field: the one at the cursor of a list, else all.
func (m *Model) urls() (out []string) {
	id := m.form.Focused()
	f, ok := m.fieldNamed(id)
	if !ok || !holdsMedia(&f) && !m.nested(id) {
		return nil
	}
	if text, _, ok := m.form.Item(); ok && !m.nested(id) {
		if s := scheme(strings.TrimSpace(text)); s == "http" || s == "https" {
			return []string{strings.TrimSpace(text)}
		}
	}
	for ref := range m.references(id) {
		if s := scheme(strings.TrimSpace(ref)); (s == "http" || s == "https") && len(out) < maxHeads {
			out = append(out, strings.TrimSpace(ref))
		}
	}
	return out
}

func (m *Model) offCheck() string {
	if len(m.urls()) == 0 {
		return "the focused field has no http:// or https:// reference"
	}
	return ""
}

// checkURLs asks the servers of the focused field's URLs; nothing is ever asked by itself.
func (m *Model) checkURLs() tea.Cmd {
	p, ok := m.deps.Gateway.(prober)
	list := m.urls()
	switch {
	case !ok:
		return screen.Toast(screen.Info, "nobody can be asked here")
	case len(list) == 0:
		return screen.Toast(screen.Info, m.offCheck())
	case m.refs.asking:
		return screen.Toast(screen.Info, "the servers are being asked already")
	}
	m.refs.asking = true
	at := m.asks()
	return tea.Batch(screen.Toast(screen.Info, "asking for the head of "+count(len(list), "URL")+", without the key"), func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), refWait)
		defer stop()
		out := headsMsg{at: at}
		for _, u := range list {
			h, err := p.Head(ctx, u)
			out.lines = append(out.lines, headLines(u, h, err)...)
		}
		return out
	})
}

// headLines tell what a server said of a URL.
func headLines(u string, h client.Head, err error) []string {
	out := []string{client.CleanLine(u)}
	if err != nil {
		return append(out, "  ✗ "+client.CleanLine(err.Error()))
	}
	sign, parts := "✓", []string{h.Status(), or(client.CleanLine(h.MediaType), "no type"), "length not told"}
	if h.StatusCode < 200 || h.StatusCode > 299 {
		sign = "✗"
	}
	if h.Bytes >= 0 {
		parts[2] = format.Bytes(h.Bytes)
	}
	parts = append(parts, format.Dur(h.Took))
	out = append(out, "  "+sign+" "+strings.Join(parts, " · "))
	for _, hop := range h.Hops {
		out = append(out, "  → "+client.CleanLine(hop))
	}
	return out
}

// headsCame shows it, unless somebody is typing or answers another question meanwhile.
func (m *Model) headsCame(msg headsMsg) tea.Cmd {
	m.refs.asking = false
	if !m.untouched(msg.at) {
		return m.offer("what the servers say", func() tea.Cmd { return m.showHeads(msg) })
	}
	return m.showHeads(msg)
}

func (m *Model) showHeads(msg headsMsg) tea.Cmd {
	ask := confirm.New("What the servers say", strings.Join(msg.lines, "\n"), "close", confirm.Button{ID: "close", Label: "Close"})
	m.refs.heads, m.refs.ask = &msg, &ask
	return nil
}
