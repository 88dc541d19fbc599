package compose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/media"
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
	urls  []string
	lines []string
	good  int    // how many are there
	at    uint64 // what the person had done when they were asked, see [Model.input]
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
		if s := media.Scheme(strings.TrimSpace(text)); s == "http" || s == "https" {
			return []string{strings.TrimSpace(text)}
		}
	}
	for ref := range m.references(id) {
		if s := media.Scheme(strings.TrimSpace(ref)); (s == "http" || s == "https") && len(out) < maxHeads {
			out = append(out, strings.TrimSpace(ref))
		}
	}
	return out
}

func (m *Model) offCheck() string {
	if len(m.urls()) == 0 && m.refs.heads == nil {
		return "the focused field has no http:// or https:// reference"
	}
	return ""
}

// checkURLs asks the servers of the focused field's URLs; nothing is ever asked by itself. An
// answer that nobody has looked at yet is shown first.
func (m *Model) checkURLs() tea.Cmd {
	p, ok := m.deps.Gateway.(prober)
	list := m.urls()
	switch was := m.refs.heads; {
	case was != nil && (len(list) == 0 || slices.Equal(list, was.urls)):
		m.showHeads()
		return nil
	case !ok:
		return screen.Toast(screen.Info, "nobody can be asked here")
	case len(list) == 0:
		return screen.Toast(screen.Info, m.offCheck())
	case m.refs.asking:
		return screen.Toast(screen.Info, "the servers are being asked already")
	}
	m.refs.asking, m.refs.heads = true, nil
	at := m.done
	return tea.Batch(screen.Toast(screen.Info, "asking for the head of "+format.Plural(len(list), "URL")+", without the key"), func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), refWait)
		defer stop()
		out := headsMsg{urls: list, at: at}
		for _, u := range list {
			h, err := p.Head(ctx, u)
			if err == nil && there(h) {
				out.good++
			}
			out.lines = append(out.lines, headLines(u, h, err)...)
		}
		return out
	})
}

// there reports whether a server has what it was asked for.
func there(h client.Head) bool { return h.StatusCode >= 200 && h.StatusCode <= 299 }

// headLines tell what a server said of a URL.
func headLines(u string, h client.Head, err error) []string {
	out := []string{client.CleanLine(u)}
	if err != nil {
		return append(out, "  ✗ "+client.CleanLine(err.Error()))
	}
	sign, parts := "✓", []string{h.Status(), or(client.CleanLine(h.MediaType), "no type"), "length not told"}
	if !there(h) {
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

// headsCame shows the answer to who has waited for it. Who went on meanwhile is told of it, and
// keeps the keys: the same key shows it.
func (m *Model) headsCame(msg headsMsg) tea.Cmd {
	m.refs.asking = false
	m.refs.heads = &msg
	if msg.at == m.done {
		m.showHeads()
		return nil
	}
	level := screen.Info
	if msg.good < len(msg.urls) {
		level = screen.Warn
	}
	return screen.Toast(level, fmt.Sprintf("%d of %s found by their servers; %s shows what they say",
		msg.good, format.Plural(len(msg.urls), "URL"), or(m.deps.Keys.Keys("compose.check-url"), "the palette")))
}

func (m *Model) showHeads() {
	ask := confirm.New("What the servers say", strings.Join(m.refs.heads.lines, "\n"), "close", confirm.Button{ID: "close", Label: "Close"})
	m.refs.ask = &ask
}
