package request

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// Gateway makes requests without sending them.
type Gateway interface {
	Preview(d client.Draft, format string) (client.Preview, error)
	Curl(d client.Draft, format string) (string, error)
	// Body is the whole body of the create request, with local files as data URIs.
	Body(ctx context.Context, d client.Draft, format string) ([]byte, error)
}

// copyWait bounds how long reading the files of a copied request may take.
const copyWait = 10 * time.Second

// What of a format is copied; it ends the name of an item or a zone.
const (
	copyJSON = "/json"
	copyCurl = "/curl"
)

// Off says why nothing is copied or edited, "" when it can be.
func (p *Pane) Off() string {
	if p.Preview() == nil {
		return "there is no request yet"
	}
	return ""
}

// Choices are what can be copied while the formats show side by side, to be picked from first; nil
// while they do not.
func (p *Pane) Choices() []picker.Item {
	if p.tab != Wire {
		return nil
	}
	var out []picker.Item
	for i := range p.got.wire {
		x := &p.got.wire[i]
		off, detail := "", ""
		if x.err != nil {
			off = client.CleanLine(x.err.Error())
		} else if n := len(x.preview.Dropped); n > 0 {
			detail = "does not carry " + human.Plural(n, "value")
		}
		name := client.CleanLine(x.format)
		out = append(out,
			picker.Item{ID: strconv.Itoa(i) + copyJSON, Title: name + " as JSON", Detail: detail, Off: off},
			picker.Item{ID: strconv.Itoa(i) + copyCurl, Title: name + " as curl", Detail: "the key is a variable", Off: off})
	}
	return out
}

// Copy copies what shows of a source, or the choice named by id, "" for none. The curl command is
// shown with curlKey, "" for none.
func (p *Pane) Copy(s Source, id, curlKey string) tea.Cmd {
	if id != "" {
		return p.copyChoice(s, id, curlKey)
	}
	if p.Preview() == nil {
		return screen.Toast(screen.Warn, "there is no request to copy yet")
	}
	if p.tab == Curl {
		return copyCommand(p.gateway, s.Draft, s.Format, "the curl command")
	}
	return copyBody(p.gateway, s.Draft, s.Format, "the request", curlKey)
}

func (p *Pane) copyChoice(s Source, id, curlKey string) tea.Cmd {
	number, what, _ := strings.Cut(id, "/")
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(p.got.wire) || p.got.wire[i].err != nil {
		return nil
	}
	wire := p.got.wire[i].format
	name := client.CleanLine(wire)
	if "/"+what == copyCurl {
		return copyCommand(p.gateway, s.Wide, wire, "the curl command of "+name)
	}
	return copyBody(p.gateway, s.Wide, wire, "the "+name+" request", curlKey)
}

// copyBody copies the body that a draft makes, whole if the clipboard takes that much. Otherwise it
// copies the body that shows, with its data abbreviated, and says so. name is what the request is
// called.
func copyBody(g Gateway, d client.Draft, wire, name, curlKey string) tea.Cmd {
	how := "a curl command has all of it"
	if curlKey != "" {
		how = curlKey + " shows the curl command, which has all of it"
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
		what := fmt.Sprintf("%s SHORTENED: whole it has %s, and a clipboard takes %s", name, human.Bytes(int64(p.Bytes)), human.Bytes(screen.MaxCopied))
		if len(p.Body) > screen.MaxCopied {
			return screen.Copied(string(p.Body), name, how)
		}
		return screen.CopyMsg{Text: string(p.Body), What: what + "; " + how}
	}
}

func notCopied(err error) tea.Msg {
	return screen.ToastMsg{Level: screen.Bad, Text: "nothing was copied: " + client.CleanLine(err.Error())}
}

// bodyOf is the body of a create request, indented for reading where there is room for that.
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

// copyCommand copies the curl command of a draft.
func copyCommand(g Gateway, d client.Draft, wire, name string) tea.Cmd {
	d = d.Clone()
	return func() tea.Msg {
		text, err := g.Curl(d, wire)
		if err != nil {
			return notCopied(err)
		}
		return screen.Copied(text, name, "data that was pasted is part of it: keep that in a file, and give its path")
	}
}
