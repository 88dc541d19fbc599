package compose

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

// probing is a gateway that can be asked for heads.
type probing struct {
	gateway
	asked *[]string
}

func (p probing) Head(_ context.Context, u string) (client.Head, error) {
	*p.asked = append(*p.asked, u)
	if strings.Contains(u, "away") {
		return client.Head{}, errors.New("no route\x1b[2J")
	}
	return client.Head{StatusCode: 404, MediaType: "text/html", Bytes: 1500, Hops: []string{"https://elsewhere.invalid/x"}}, nil
}

func TestURLsAreAskedForOnRequestOnly(t *testing.T) {
	var asked []string
	b := start(t, 120, 34, func(d *Deps) {
		g, ok := d.Gateway.(gateway)
		require.True(t, ok)
		d.Gateway = probing{g, &asked}
	})
	b.Key("alt+h")
	assert.Contains(t, toast(t, b).Text, "no http:// or https:// reference")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v",
		Values: client.Values{"image": "https://x.invalid/a.png", "images": []any{"https://away.invalid/b"}}}})
	b.m.doc.GoTo("image")
	assert.Empty(t, asked, "nothing is asked by itself")
	b.Key("alt+h")
	assert.Equal(t, []string{"https://x.invalid/a.png"}, asked, "the focused field's")
	view := b.View()
	assert.Contains(t, view, "✗ 404 Not Found · text/html · 1.5 kB")
	assert.Contains(t, view, "→ https://elsewhere.invalid/x")
	b.Key("enter")
	assert.Nil(t, b.m.over.Top())
	b.m.doc.GoTo("images")
	b.Key("alt+h")
	assert.Contains(t, b.View(), "✗ no route")
}

// An answer that comes while the person goes on takes no key: it is told of, and shown when asked for.
func TestAHeadThatComesLateTakesNoKeys(t *testing.T) {
	var asked []string
	b := start(t, 120, 34, func(d *Deps) {
		g, ok := d.Gateway.(gateway)
		require.True(t, ok)
		d.Gateway = probing{g, &asked}
	})
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v",
		Values: client.Values{"image": "https://x.invalid/a.png", "images": []any{"https://away.invalid/b"}}}})
	for name, meanwhile := range map[string]tea.Msg{"typing": tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("k")}, "clicking": screen.ClickMsg{Zone: sheet.ZonePrefix + client.FieldPrompt},
		"elsewhere": screen.HiddenMsg{}} {
		b.m.doc.GoTo("image")
		asked = nil
		late := pressed(t, b.m, "alt+h")
		b.m.doc.GoTo(client.FieldPrompt)
		b.Send(meanwhile)
		b.Send(late())
		assert.Nil(t, b.m.over.Top(), name)
		assert.Equal(t, screen.Warn, toast(t, b).Level)
		assert.Contains(t, toast(t, b).Text, "0 of 1 URL found by their servers; alt+h shows", name)
		before := b.m.sheet.Form.Text(client.FieldPrompt)
		b.Type("ite")
		assert.Equal(t, before+"ite", b.m.sheet.Form.Text(client.FieldPrompt), name)
		b.Key("alt+h")
		assert.Contains(t, b.View(), "✗ 404 Not Found", name)
		b.Key("esc", "alt+h")
		assert.Contains(t, toast(t, b).Text, "no http:// or https:// reference", "it was seen")
		assert.Len(t, asked, 1, name)
	}
	b.m.doc.GoTo("image")
	late := pressed(t, b.m, "alt+h")
	b.m.doc.GoTo("images")
	b.Send(screen.HiddenMsg{}, late())
	b.Key("alt+h")
	assert.Equal(t, "https://away.invalid/b", asked[len(asked)-1], "other URLs are asked for")
}
