package compose

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/client/intake"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/tuitest"
)

// realGateway makes requests in the real formats; nothing is sent.
type realGateway struct {
	*client.Client
	catalog *catalog.Catalog
}

func (g realGateway) FormatsFor(d client.Draft) []string {
	var out []string
	m, ok := g.catalog.ModelFor(d.Modality, d.Model)
	all := m.Formats
	if !ok {
		all = []string{g.catalog.DraftFormat(d)}
	}
	for _, f := range all {
		if g.CanCreate(f) == nil {
			out = append(out, f)
		}
	}
	return out
}

func (g realGateway) Preview(d client.Draft, format string) (client.Preview, error) {
	if format == "" && len(g.FormatsFor(d)) > 0 {
		format = g.FormatsFor(d)[0]
	}
	return g.Client.Preview(d, format)
}

func (g realGateway) ReadRequest(text string, h intake.Hint) (intake.Result, error) {
	return intake.Reader{Catalog: g.catalog, Formats: formats.All()}.Read(text, h)
}

func (g realGateway) Models(context.Context) (client.ModelList, error) {
	return client.ModelList{}, nil
}

// realBench is a screen whose requests are in the real formats.
func realBench(t testing.TB, w, h int) *bench {
	t.Helper()
	m, j, d := newModel(t, func(deps *Deps) {
		c, err := client.New(client.Options{BaseURL: "https://gateway.example", Key: func() (string, error) { return "key", nil },
			Formats: formats.All(), WireNames: deps.Catalog.WireNames})
		require.NoError(t, err)
		t.Cleanup(c.Close)
		deps.Gateway = realGateway{c, deps.Catalog}
	})
	return &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, jobs: j, drafts: d}
}

// manyWays is a draft that its formats carry differently.
func manyWays() screen.ComposeDraft {
	return screen.ComposeDraft{Format: "ent", Draft: client.Draft{
		Modality: client.Video, Model: "famJq3-turbo", Mode: "i2v", Prompt: "a red kite 🪁 over 塩の平原",
		Values: client.Values{"images": []any{"https://example.org/kite.png"}, "duration": "5", "movement_amplitude": "small", "seed": "7", "fps": "24"},
	}}
}

func TestGoldensOfTheWirePane(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		name := fmt.Sprintf("%dx%d", s[0], s[1])
		t.Run(name, func(t *testing.T) {
			b := realBench(t, s[0], s[1])
			b.Key("f4")
			b.Golden("wire-empty-" + name)
			if s[0] < 100 {
				b.Key("f4")
			}
			b.Send(manyWays())
			if s[0] < 100 {
				b.Key("f4")
			}
			b.Golden("wire-" + name)
			if s[0] >= 100 {
				b.Key("f4")
				b.Golden("wire-whole-" + name)
			}
			b.Key("f6")
			b.Golden("wire-copy-" + name)
		})
	}
}

func TestTheWirePaneSaysWhatEachFormatLeavesOut(t *testing.T) {
	b := realBench(t, 160, 60)
	b.Send(manyWays())
	b.Key("f4", "f4")
	view := b.View()
	assert.Contains(t, view, "POST /v1/videos")
	assert.Contains(t, view, "POST /ent/v2/img2video")
	assert.Contains(t, view, "not carried: movement_amplitude", "the common format has none")
	assert.Contains(t, view, "not carried: fps", "the vendor-style format has none")
	require.True(t, b.m.doc.Side.Alone())
	b.Key("esc")
	assert.False(t, b.m.doc.Side.Alone(), "back to the form")
	assert.Contains(t, b.View(), "copy JSON curl", "and laid out for the room that is left")
	b.Key("alt+m")
	require.True(t, b.m.sheet.Form.Focus("seed"))
	b.Type("99")
	assert.Contains(t, b.View(), "99", "it follows what is typed")
}

func TestAFormatThatCanNotCreateSaysWhy(t *testing.T) {
	b := realBench(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famK-3.0", Prompt: "a kite"}})
	b.Key("f4")
	assert.Contains(t, b.View(), "not here: ")
	assert.Contains(t, b.View(), "create_paths.tasks")
}

func TestAnyFormatIsCopied(t *testing.T) {
	b := realBench(t, 120, 34)
	b.Send(manyWays())
	b.Key("f4", "f6")
	b.Type("ent json")
	b.Key("enter")
	copied, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, copied.Text, `"images"`)
	assert.NotContains(t, copied.Text, `"image_urls"`)
	b.Key("f6")
	b.Type("videos curl")
	b.Key("enter")
	copied, _ = tuitest.Last[screen.CopyMsg](b.Driver)
	assert.True(t, strings.HasPrefix(copied.Text, "curl "), copied.Text)
	assert.Contains(t, copied.Text, "$DARKROOM_API_KEY")
	b.Click("compose-wire/1/json")
	copied, _ = tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Contains(t, copied.What, b.m.sheet.Reaching()[1])
	b.Click("compose-tab/0")
	assert.Equal(t, request.JSON, b.m.doc.Side.Request.Tab())
	b.Click("compose-tab/2")
	assert.NotEmpty(t, b.m.doc.Side.Request.Choices())
}

func TestTheWirePaneHasAnActionAndAHugeBodyFits(t *testing.T) {
	b := realBench(t, 200, 60)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Prompt: strings.Repeat("kite ", 20_000)}})
	b.Send(screen.ActionMsg{ID: "compose.view-wire"})
	tuitest.CheckFrame(t, b.Frame(), 200, 60)
	b.Send(screen.ActionMsg{ID: "compose.view-wire"})
	tuitest.CheckFrame(t, b.Frame(), 200, 60)
}
