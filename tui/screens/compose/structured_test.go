package compose

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/items"
)

// kiteBench composes with content items in the form.
func kiteBench(t *testing.T, w, h int, content string) *bench {
	t.Helper()
	b := start(t, w, h)
	v, err := client.ParseJSON(content)
	require.NoError(t, err)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a kite",
		Values: client.Values{"content": v}}})
	return b
}

const kites = `[{"type":"image_url","image_url":{"url":"https://example.org/kite.png"},"role":"reference_image","name":"kite"},
	{"type":"text","text":"a red kite over 塩の平原","weight":9007199254740993},
	"https://example.org/bare.mp4"]`

// contentIs compares the draft's content as JSON, digits included.
func (b *bench) contentIs(t *testing.T, want string) {
	t.Helper()
	v, err := client.ParseJSON(want)
	require.NoError(t, err)
	assert.Equal(t, items.Format(v), items.Format(b.m.sheet.Draft.Values["content"]))
}

// TestContentItemsAreComposed adds an image and a text, names it, gives it a role, moves
// it, and submits (GATEWAY: Content item; Mode and model rules 4).
func TestContentItemsAreComposed(t *testing.T) {
	b := start(t, 120, 34)
	b.Type("a kite")
	b.pick("famI-omni")
	b.Click("compose/mode/o2")
	path := file(t, "凧.png", png)
	b.Key("alt+i", "a")
	b.Type("image")
	b.Key("enter")
	b.Type(path)
	for _, p := range b.m.sheet.Problems {
		assert.NotEqual(t, catalog.Block, p.Severity, "a path that is being typed is no finding: %s", p.Message)
	}
	b.Key("tab", "right", "tab")
	b.Type("kite")
	b.Key("esc", "a", "enter")
	b.Type("it flies")
	b.Key("esc", "K", "esc")
	want := fmt.Sprintf(`[{"type":"text","text":"it flies"},{"type":"image_url","image_url":{"url":%q},"role":"reference_image","name":"kite"}]`, client.FileURL(path))
	b.contentIs(t, want)
	assert.Contains(t, b.View(), "① text  it flies")
	assert.Contains(t, b.View(), "② image_url  凧.png 16 B")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	got, err := json.Marshal(b.jobs.got[0][0].Draft.Values["content"])
	require.NoError(t, err)
	assert.JSONEq(t, want, string(got))
}

func TestWhatIsNotEditedStays(t *testing.T) {
	b := kiteBench(t, 120, 40, kites)
	b.Key("alt+i", "down", "enter", "tab", "esc", "esc")
	b.contentIs(t, kites)
	b.Key("alt+i", "down", "n")
	b.Type("words")
	b.Key("esc", "end", "R", "esc")
	b.contentIs(t, `[{"type":"image_url","image_url":{"url":"https://example.org/kite.png"},"role":"reference_image","name":"kite"},
	{"type":"text","text":"a red kite over 塩の平原","weight":9007199254740993,"name":"words"},
	{"type":"video_url","video_url":{"url":"https://example.org/bare.mp4"}}]`)
	assert.Contains(t, b.m.sheet.Form.Text("content"), "9007199254740993", "all digits")
}

func TestAMissingFileBlocks(t *testing.T) {
	b := kiteBench(t, 120, 40, `[{"type":"image_url","image_url":{"url":"/no/such.png"}}]`)
	b.Key("ctrl+s")
	assert.Empty(t, b.jobs.got)
	assert.Contains(t, problem(b.m, "content", catalog.Block), "there is no file /no/such.png")
	b.Key("alt+i")
	assert.Contains(t, b.View(), "✗ there is no file /no/such.png")
	path := file(t, "in.png", png)
	b.Key("enter", "ctrl+u")
	b.Paste("'" + path + "'")
	b.Key("esc", "esc", "ctrl+s")
	require.Len(t, b.jobs.got, 1)
	b.contentIs(t, fmt.Sprintf(`[{"type":"image_url","image_url":{"url":%q}}]`, client.FileURL(path)))
}

func TestFilesOfADraftAreLookedAt(t *testing.T) {
	path := client.FileURL(file(t, "in.mp4", mp4))
	b := kiteBench(t, 120, 40, fmt.Sprintf(`[{"type":"image_url","image_url":{"url":%q}},{"type":"image_url","image_url":{"url":"half/typed"}}]`, path))
	assert.Contains(t, b.View(), "in.mp4 32 B")
	assert.Equal(t, "video/mp4", b.m.sheet.Known.Facts()[path].Type)
	assert.Empty(t, problem(b.m, "content", catalog.Block), "a path that is being typed is left alone")
}

func TestAsJSONAndBack(t *testing.T) {
	b := kiteBench(t, 120, 40, kites)
	b.Key("alt+i", "w")
	require.Nil(t, b.m.over.Top())
	assert.True(t, b.m.sheet.Form.Capturing())
	b.Key("ctrl+end", "backspace")
	b.Type("x]")
	assert.Contains(t, b.View(), "Content is not JSON: line 16, column 1")
	b.Key("alt+i")
	assert.Nil(t, b.m.over.Top(), "what is not JSON is mended as text")
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, toast.Text, "line 16, column 1")
	b.Key("tab")
	assert.Contains(t, b.View(), "\"type\": \"text\"", "what is not JSON is shown as it is")
	b.Key("shift+tab", "ctrl+end", "backspace", "backspace")
	b.Type("]")
	b.contentIs(t, kites)
	b.Key("tab")
	assert.Contains(t, b.View(), "② text", "what was left shows as pieces again")
	b.Key("shift+tab")
	b.Key("alt+i")
	require.NotNil(t, b.m.over.Top())
	b.Key("esc")
	assert.Contains(t, b.View(), "① image_url")
}

func TestTheEditor(t *testing.T) {
	b := kiteBench(t, 120, 40, kites)
	b.Key("alt+i", "ctrl+o")
	msg, ok := tuitest.Last[screen.EditMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, ".json", msg.Suffix)
	assert.JSONEq(t, kites, msg.Text)
	b.Send(screen.EditedMsg{Tag: msg.Tag, Text: `[{"type":"text","text":"one"}]`})
	assert.Contains(t, b.View(), "1 item ─", "the dialog shows what came back")
	b.Send(screen.EditedMsg{Tag: msg.Tag, Text: `[{"type"`})
	assert.Nil(t, b.m.over.Top())
	assert.False(t, b.m.sheet.Pieces.Shows("content", nil))
	b.Send(screen.EditedMsg{Tag: msg.Tag, Text: "[]", Err: errors.New("no editor")})
	assert.Equal(t, `[{"type"`, b.m.sheet.Form.Text("content"), "nothing is lost")

	b = kiteBench(t, 120, 40, kites)
	b.Key("alt+i", "down", "enter", "ctrl+o")
	msg, _ = tuitest.Last[screen.EditMsg](b.Driver)
	assert.Equal(t, "a red kite over 塩の平原", msg.Text, "the text that is written")
	b.Send(screen.EditedMsg{Tag: msg.Tag, Text: "one\ntwo\n"})
	got, _ := b.m.sheet.Draft.Values["content"].([]any)
	assert.Equal(t, "one\ntwo", got[1].(map[string]any)["text"])
	assert.Contains(t, b.View(), "two")
}

func TestPastedFilesBecomeItems(t *testing.T) {
	b := kiteBench(t, 120, 40, kites)
	require.True(t, b.m.sheet.Form.Focus("content"))
	one, other := file(t, "a.png", png), file(t, "b.mp4", mp4)
	b.Paste(one + "\n" + other)
	b.Key("esc")
	got, _ := b.m.sheet.Draft.Values["content"].([]any)
	require.Len(t, got, 5)
	assert.Equal(t, map[string]any{"type": "image_url", "image_url": map[string]any{"url": client.FileURL(one)}}, got[3])
	assert.Equal(t, map[string]any{"type": "video_url", "video_url": map[string]any{"url": client.FileURL(other)}}, got[4])
	assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt)
}

// TestNamedKeysOfOtherFields edits an element list, an object with the meaning of other
// fields, voice parameters and messages (GATEWAY: Image generation request; Video
// creation request; Music and sound request; Endpoints).
func TestNamedKeysOfOtherFields(t *testing.T) {
	for _, c := range []struct {
		draft  client.Draft
		field  string
		keys   []string
		typed  string
		expect string
	}{
		{client.Draft{Modality: client.Image, Model: "famF-image", ModelName: "famF-v2"}, "element_list", []string{"a"}, "9007199254740993", `[{"element_id":9007199254740993}]`},
		{client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v"}, "parameters", nil, "6", `{"duration":6}`},
		{client.Draft{Modality: client.Music, Model: "famN_music"}, "extra_params", nil, "narrator", `{"voice":"narrator"}`},
		{client.Draft{Modality: client.Chat, Model: "any-1"}, "messages", []string{"a"}, "hello", `[{"content":"hello"}]`},
	} {
		t.Run(c.field, func(t *testing.T) {
			b := start(t, 120, 40)
			b.Send(screen.ComposeDraft{Draft: c.draft})
			b.Send(screen.ActionMsg{ID: "compose.more"})
			require.True(t, b.m.sheet.Form.Focus(c.field))
			b.Key("enter")
			require.NotNil(t, b.m.over.Top())
			b.Key(c.keys...)
			b.Type(c.typed)
			b.Key("esc", "esc")
			got, err := json.Marshal(b.m.sheet.Draft.Values[c.field])
			require.NoError(t, err)
			assert.Equal(t, c.expect, string(got))
		})
	}
}

// TestUnnamedKeysAreJSON: their keys are not documented, so none is invented.
func TestUnnamedKeysAreJSON(t *testing.T) {
	for field, d := range map[string]client.Draft{
		"subjects":       {Modality: client.Video, Model: "famJq3-turbo", Mode: "reference_images"},
		"camera_control": {Modality: client.Video, Model: "famF-video", ModelName: "famF-v3", Mode: "t2v"},
		"watermark_info": {Modality: client.Video, Model: "famF-video", ModelName: "famF-v3", Mode: "t2v"},
	} {
		t.Run(field, func(t *testing.T) {
			b := start(t, 120, 60)
			b.Send(screen.ComposeDraft{Draft: d, Format: "ent"}, screen.ActionMsg{ID: "compose.more"})
			require.True(t, b.m.sheet.Form.Focus(field))
			b.Key("alt+i")
			assert.Nil(t, b.m.over.Top())
			b.Type("{\"a\":")
			b.Key("enter")
			b.Type(" x}")
			assert.Contains(t, b.View(), "line 2, column 2")
			assert.True(t, findings.Has(b.m.sheet.Problems, field, catalog.Block))
		})
	}
}

// TestAFieldOfAPersonsCatalog gets the same editor without code.
func TestAFieldOfAPersonsCatalog(t *testing.T) {
	c := catalogtest.Catalog(t)
	c, err := c.Overlay([]byte(`version: 1
fields:
  video:
    - name: keyframes
      label: Key frames
      kind: list
      media: [image]
      models: [famI-omni]
      keys: {at: "", picture: "", look: ""}
      key_kinds: {at: number, picture: media, look: text}
      key_values: {look: [soft, hard]}
      help: "key frames"
      source: "mine"
`), "catalog.yaml")
	require.NoError(t, err)
	m, _, _ := newModel(t)
	d := m.deps
	d.Catalog = c
	m = New(d)
	b := &bench{Driver: tuitest.NewScreen(t, m, 120, 40), m: m}
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v"}}, screen.ActionMsg{ID: "compose.more"})
	require.True(t, m.sheet.Form.Focus("keyframes"))
	path := file(t, "in.png", png)
	b.Key("enter", "a", "right", "tab")
	b.Type("1.5")
	b.Key("tab")
	b.Type(path)
	b.Key("esc")
	assert.Contains(t, b.View(), "soft")
	assert.Equal(t, []any{map[string]any{"look": "soft", "at": json.Number("1.5"), "picture": client.FileURL(path)}}, m.sheet.Draft.Values["keyframes"])
	b.Key("r")
	assert.Contains(t, b.View(), "there is nothing like that here")
}

func TestKeysOfTheDialogCanBeChanged(t *testing.T) {
	m, _, _ := newModel(t)
	k, errs := keys.New(Rows()).Override(map[string][]string{"items.add": {"+"}, "items.delete": {}})
	require.Empty(t, errs)
	d := m.deps
	d.Keys = k
	m = New(d)
	b := &bench{Driver: tuitest.NewScreen(t, m, 120, 40), m: m}
	b.pick("famI-omni")
	b.Key("alt+i", "a")
	assert.False(t, m.Capturing())
	assert.Contains(t, b.View(), "+ add")
	b.Key("+")
	assert.True(t, m.Capturing(), "the kind is being chosen")
}

func TestActionsOfTheDialog(t *testing.T) {
	b := kiteBench(t, 120, 40, kites)
	offered := func() map[string]string {
		out := map[string]string{}
		for _, a := range b.m.Actions() {
			out[a.ID] = a.Off
		}
		return out
	}
	assert.NotContains(t, offered(), "items.add")
	assert.Empty(t, offered()["compose.items"])
	b.Send(screen.ActionMsg{ID: "items.add"})
	b.contentIs(t, kites)
	b.Key("alt+i")
	for _, a := range items.Actions() {
		assert.Contains(t, offered(), "items."+a)
	}
	assert.Equal(t, "it is the first", offered()["items.up"])
	b.Send(screen.ActionMsg{ID: "items.delete"})
	assert.Len(t, b.m.sheet.Draft.Values["content"], 2)
	b.Send(screen.ActionMsg{ID: "items.undo"})
	b.contentIs(t, kites)
	b.Send(screen.ActionMsg{ID: "compose.clear"})
	assert.NotContains(t, b.View(), "①", "the dialog follows what happens around it")
	b.Send(screen.ActionMsg{ID: "compose.bring-back"})
	assert.Contains(t, b.View(), "③")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Image, Model: "famL", Prompt: "a kite"}})
	assert.Nil(t, b.m.over.Top())
}

func TestTheDialogByMouse(t *testing.T) {
	b := kiteBench(t, 120, 40, kites)
	b.Click("compose/content/+")
	b.Click("pick:audio_url")
	b.Type("https://example.org/a.wav")
	b.Click("items-do/close")
	b.Click("items-row/0")
	b.Click("items-do/delete")
	b.Click("items-do/close")
	require.Nil(t, b.m.over.Top())
	b.contentIs(t, `[{"type":"text","text":"a red kite over 塩の平原","weight":9007199254740993},
	"https://example.org/bare.mp4",{"type":"audio_url","audio_url":{"url":"https://example.org/a.wav"}}]`)
	b.Click("compose/content/i0")
	require.NotNil(t, b.m.over.Top())
	assert.True(t, b.m.Capturing(), "an item that is clicked opens")
}

func TestPastedDataOfAnItemIsFolded(t *testing.T) {
	b := kiteBench(t, 120, 40, `[{"type":"image_url","image_url":{"url":""}}]`)
	uri := "data:image/png;base64," + string(make64(4_100_000))
	b.Key("alt+i", "enter")
	b.Paste(uri)
	b.Key("esc")
	assert.Contains(t, b.View(), "4.1 MB")
	assert.Less(t, len(b.m.sheet.Form.Text("content")), 400)
	got, _ := b.m.sheet.Draft.Values["content"].([]any)
	assert.Equal(t, map[string]any{"url": uri}, got[0].(map[string]any)["image_url"])
	assert.True(t, findings.Has(b.m.sheet.Problems, "content", catalog.Warn), "a long data URI is said to be one")
}

func make64(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = 'A'
	}
	return out
}

func TestItemGoldens(t *testing.T) {
	for _, s := range [][2]int{{40, 10}, {80, 22}, {120, 32}, {200, 58}} {
		name := fmt.Sprintf("%dx%d", s[0], s[1])
		t.Run(name, func(t *testing.T) {
			b := kiteBench(t, s[0], s[1], kites)
			b.m.doc.GoTo("content")
			b.Golden("items-row-" + name)
			b.Key("alt+i")
			b.Golden("items-list-" + name)
			b.Key("enter")
			b.Golden("items-edit-" + name)
		})
	}
}

// TestTheDialogAtAnySize presses keys and clicks at random while the dialog is open, and
// resizes: frames have the exact size.
func TestTheDialogAtAnySize(t *testing.T) {
	names := []string{"alt+i", "a", "enter", "enter", "tab", "down", "up", "right", "esc", "K", "J", "D", "d", "u", "U", "R", "w", "n", "r", "x", "5", "backspace", "alt+i"}
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 5)) //nolint:gosec // reproducible, not secret
		b := kiteBench(t, 100, 30, kites)
		b.m.doc.GoTo("content")
		for range 60 {
			b.Key(names[r.IntN(len(names))])
			if zones := b.Zones(); len(zones) > 0 && r.IntN(4) == 0 {
				b.Send(screen.ClickMsg{Zone: zones[r.IntN(len(zones))].ID, X: r.IntN(20)})
			}
			w, h := 40+r.IntN(120), 10+r.IntN(40)
			b.Resize(w, h)
			tuitest.CheckFrame(t, b.Frame(), w, h)
		}
	}
}

func BenchmarkTypingInItems(b *testing.B) {
	m, _, _ := newModel(b)
	m.SetSize(120, 40)
	list := make([]any, 200)
	for i := range list {
		list[i] = map[string]any{"type": "image_url", "role": "reference_image", "image_url": map[string]any{"url": fmt.Sprintf("https://example.org/%d.png", i)}}
	}
	_, _ = m.Update(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a kite", Values: client.Values{"content": list}}})
	_ = m.structured.Open("content", "199", nil)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'x'}})
		_ = m.View()
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyBackspace})
		_ = m.View()
	}
}

// TestPathsOfItemsAreReadable: what is said of a file within an item names it as people do.
func TestPathsOfItemsAreReadable(t *testing.T) {
	path := file(t, "große 凧.png", png)
	b := kiteBench(t, 120, 40, fmt.Sprintf(`[{"type":"image_url","image_url":{"url":%q}}]`, client.FileURL(path)))
	said := ""
	for _, p := range b.m.sheet.Problems {
		said += p.Message + "\n"
	}
	assert.Contains(t, said, "große 凧.png; the file is sent as a data URI")
	assert.Contains(t, said, "(16 B, 46 B as data URI)")
	assert.NotContains(t, said, "file://")
}

func TestTheHelpOfAnItemSaysBack(t *testing.T) {
	b := kiteBench(t, 120, 40, kites)
	words := func() (out []string) {
		for _, k := range b.m.ShortHelp() {
			out = append(out, k.Help().Desc)
		}
		return out
	}
	b.Key("alt+i")
	assert.Contains(t, words(), "close")
	b.Key("enter")
	assert.Contains(t, words(), "back")
	assert.NotContains(t, words(), "close")
}
