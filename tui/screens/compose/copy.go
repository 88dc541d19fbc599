package compose

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/format"
)

// copyWait bounds reading the files of a request that is copied.
const copyWait = 10 * time.Second

// copyBody copies the body that a draft makes, whole where a clipboard takes it. Else it is the one
// that shows, with its data abbreviated, which is said. name is what the request is called.
func (m *Model) copyBody(d client.Draft, wire, name string) tea.Cmd {
	g, how := m.deps.Gateway, "a curl command has all of it"
	if k := m.deps.Keys.Keys("compose.view-curl"); k != "" {
		how = k + " shows the curl command, which has all of it"
	}
	d = d.Clone()
	return func() tea.Msg {
		p, err := g.Preview(d, wire)
		if err == nil && p.Bytes <= screen.MaxCopied {
			var body string
			if body, err = bodyOf(g, d, wire); err == nil {
				return screen.Copied(body, name, how)
			}
		}
		if err != nil {
			return notCopied(err)
		}
		what := fmt.Sprintf("%s SHORTENED: whole it has %s, and a clipboard takes %s", name, format.Bytes(int64(p.Bytes)), format.Bytes(screen.MaxCopied))
		if len(p.Body) > screen.MaxCopied {
			return screen.Copied(string(p.Body), name, how)
		}
		return screen.CopyMsg{Text: string(p.Body), What: what + "; " + how}
	}
}

func notCopied(err error) tea.Msg {
	return screen.ToastMsg{Level: screen.Bad, Text: "nothing was copied: " + client.CleanLine(err.Error())}
}

// bodyOf is the body of a create, laid out as people read it where there is room for that.
func bodyOf(g Gateway, d client.Draft, wire string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), copyWait)
	defer stop()
	body, err := g.Body(ctx, d, wire)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, body, "", "  "); err != nil || out.Len() > screen.MaxCopied {
		return string(body), nil
	}
	return out.String(), nil
}

// copyCurl copies the curl command of a draft.
func (m *Model) copyCurl(d client.Draft, wire, name string) tea.Cmd {
	g := m.deps.Gateway
	d = d.Clone()
	return func() tea.Msg {
		text, err := g.Curl(d, wire)
		if err != nil {
			return notCopied(err)
		}
		return screen.Copied(text, name, "data that was pasted is part of it: keep that in a file, and give its path")
	}
}
