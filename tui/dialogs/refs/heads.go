package refs

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
)

// Prober asks the server of a URL about it, without sending the API key.
type Prober interface {
	Head(ctx context.Context, address string) (client.Head, error)
}

// HeadsMsg is what the servers said about URLs.
type HeadsMsg struct {
	URLs  []string
	Lines []string
	Good  int // how many exist
}

// MaxHeads bounds how many URLs are asked for at once.
const MaxHeads = 8

// headsWait bounds the time for all answers.
const headsWait = 90 * time.Second

// AskHeads asks the servers of URLs; it brings a [HeadsMsg].
func AskHeads(p Prober, urls []string) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), headsWait)
		defer stop()
		out := HeadsMsg{URLs: urls}
		for _, u := range urls {
			h, err := p.Head(ctx, u)
			if err == nil && there(h) {
				out.Good++
			}
			out.Lines = append(out.Lines, headLines(u, h, err)...)
		}
		return out
	}
}

// there reports whether a server has the requested resource.
func there(h client.Head) bool { return h.StatusCode >= 200 && h.StatusCode <= 299 }

// headLines are a server's answer about a URL.
func headLines(u string, h client.Head, err error) []string {
	out := []string{client.CleanLine(u)}
	if err != nil {
		return append(out, "  ✗ "+client.CleanLine(err.Error()))
	}
	sign, kind, size := "✓", client.CleanLine(h.MediaType), "length unknown"
	if !there(h) {
		sign = "✗"
	}
	if kind == "" {
		kind = "no type"
	}
	if h.Bytes >= 0 {
		size = human.Bytes(h.Bytes)
	}
	out = append(out, "  "+sign+" "+strings.Join([]string{h.Status(), kind, size, human.Dur(h.Took)}, " · "))
	for _, hop := range h.Hops {
		out = append(out, "  → "+client.CleanLine(hop))
	}
	return out
}
