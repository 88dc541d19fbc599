package compose

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/tuitest"
)

const pastedCurl = `curl -sS -X POST 'https://gateway.example/v1/videos' \
  -H 'Authorization: Bearer sk-0123456789abcdef' -H 'X-Group: stable' \
  -d '{"model":"famI-omni","mode":"r2v","prompt":"a 塩 kite 🪁","duration":6,"images":["https://example.org/kite.png"],"zz":{"b":1}}'`

// paste sends a bracketed paste.
func (b *bench) paste(text string) {
	b.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

func TestAPastedCommandFillsTheForm(t *testing.T) {
	b := realBench(t, 120, 34)
	b.Type("my own words")
	b.paste(pastedCurl)
	require.True(t, b.m.over.Has(askRequest))
	assert.True(t, b.m.Capturing(), "digits are for the question")
	assert.Contains(t, b.View(), "There is a key in it")
	assert.NotContains(t, b.View(), "sk-0123456789abcdef")
	b.Key("enter")
	assert.Equal(t, "a 塩 kite 🪁", b.m.sheet.Draft.Prompt)
	assert.Equal(t, "famI-omni", b.m.sheet.Draft.Model)
	assert.Equal(t, "r2v", b.m.sheet.Draft.Mode)
	assert.Equal(t, []any{"https://example.org/kite.png"}, b.m.sheet.Draft.Values["images"])
	assert.Equal(t, "6", sheet.Text(b.m.sheet.Draft.Values["duration"]))
	assert.JSONEq(t, `{"b":1}`, string(b.m.sheet.Draft.Extra["zz"]))
	b.Key("ctrl+_")
	assert.Equal(t, "my own words", b.m.sheet.Draft.Prompt, "undo takes the whole fill back")
	assert.Empty(t, b.m.sheet.Draft.Extra)
	b.Key("alt+z")
	assert.Equal(t, "a 塩 kite 🪁", b.m.sheet.Draft.Prompt, "and nothing of it is lost either")
	require.NoError(t, b.m.Flush())
	assert.NotContains(t, fmt.Sprintf("%+v", b.drafts.kept), "sk-0123456789abcdef")
}

func TestAPastedRequestIsKeptAsTextWithoutItsKey(t *testing.T) {
	b := realBench(t, 120, 34)
	b.paste(pastedCurl)
	b.Key("t")
	assert.Contains(t, b.m.sheet.Draft.Prompt, "curl -sS")
	assert.NotContains(t, b.m.sheet.Draft.Prompt, "sk-0123456789abcdef")
	b.Key("ctrl+_")
	assert.Empty(t, b.m.sheet.Draft.Prompt, "a paste is one step of undo")
	b.paste(pastedCurl)
	b.Key("esc")
	assert.Empty(t, b.m.sheet.Draft.Prompt)
	b.paste(pastedCurl)
	b.Click("btn:fill")
	assert.Equal(t, "famI-omni", b.m.sheet.Draft.Model)
}

func TestWhatIsNoRequestIsPastedAsText(t *testing.T) {
	b := realBench(t, 120, 34)
	for _, text := range []string{"{a|b} kite {c}", `{"foo":1}`, "{", "curly"} {
		b.m.sheet.Form.SetText(client.FieldPrompt, "")
		b.paste(text)
		assert.False(t, b.m.over.Has(askRequest), text)
		assert.Equal(t, text, b.m.sheet.Draft.Prompt)
	}
	b.m.sheet.Form.SetText(client.FieldPrompt, "")
	b.paste("curl https://gateway.example/v1/videos/task_1 -H 'Authorization: Bearer sk-0123456789'")
	assert.Contains(t, b.m.sheet.Draft.Prompt, "curl https://")
	assert.NotContains(t, b.m.sheet.Draft.Prompt, "sk-0123456789")
	assert.Contains(t, toast(t, b).Text, "sends no body")
}

func TestJSONGoesIntoTheFieldThatTakesIt(t *testing.T) {
	b := realBench(t, 120, 34)
	b.pick("famI-omni")
	b.Key("alt+m")
	require.True(t, b.m.sheet.Form.Focus("parameters"))
	b.m.sheet.Pieces.Show("parameters", false)
	b.m.sheet.Form.SetFields(b.m.sheet.Rows())
	require.True(t, b.m.sheet.Form.Focus("parameters"))
	b.paste(`{"model": "famA3", "seed": 7}`)
	assert.False(t, b.m.over.Has(askRequest))
	assert.Contains(t, b.m.sheet.Form.Text("parameters"), "famA3")
}

func TestGoldensOfAPastedRequest(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		name := fmt.Sprintf("%dx%d", s[0], s[1])
		b := realBench(t, s[0], s[1])
		b.paste(pastedCurl)
		b.Golden("paste-ask-" + name)
		b.Key("enter")
		b.Golden("paste-filled-" + name)
	}
}

// edited hands the request over to the editor and takes a text back.
func (b *bench) edited(t *testing.T, change func(string) string) screen.EditMsg {
	t.Helper()
	b.Sent = nil
	b.Key("alt+j")
	msg, ok := tuitest.Last[screen.EditMsg](b.Driver)
	require.True(t, ok)
	require.Equal(t, tagRequest, msg.Tag)
	b.Send(screen.EditedMsg{Text: change(msg.Text), Tag: tagRequest})
	return msg
}

func TestTheRequestIsEditedAsJSON(t *testing.T) {
	b := realBench(t, 120, 34)
	long := "data:image/png;base64," + strings.Repeat("AAAA", 400)
	b.Send(screen.ComposeDraft{Format: "ent", Draft: client.Draft{
		Modality: client.Video, Model: "famJq3-turbo", Mode: "reference_images", Prompt: "a kite",
		Values: client.Values{"images": []any{"file:///pictures/a b.jpg", long}, "fps": "24", "cfg_scale": "0.5", "seed": "7"},
	}})
	msg := b.edited(t, func(s string) string { return s })
	assert.Contains(t, msg.Text, `"file:///pictures/a b.jpg"`, "a reference stands as the form has it")
	assert.NotContains(t, msg.Text, strings.Repeat("AAAA", 100), "no kilobytes of base64")
	before := b.m.sheet.Whole()
	assert.Equal(t, before, b.m.sheet.Whole())
	assert.Len(t, b.m.sheet.Formers, 0, "nothing was changed, so nothing is replaced")

	b.edited(t, func(s string) string {
		return strings.Replace(s, `"prompt": "a kite"`, `"prompt": "a red kite", "new_field": [1]`, 1)
	})
	assert.Equal(t, "a red kite", b.m.sheet.Draft.Prompt)
	assert.JSONEq(t, "[1]", string(b.m.sheet.Draft.Extra["new_field"]))
	assert.Equal(t, []any{"file:///pictures/a b.jpg", long}, b.m.sheet.Draft.Values["images"])
	assert.Equal(t, "24", sheet.Text(b.m.sheet.Values["fps"]), "what the format does not carry stays")
	assert.Equal(t, "0.5", sheet.Text(b.m.sheet.Values["cfg_scale"]), "what does not apply stays")
	assert.Equal(t, "reference_images", b.m.sheet.Draft.Mode, "the format has no mode")
	assert.Equal(t, "ent", b.m.sheet.Effective().Format)
	b.Key("alt+z")
	assert.Equal(t, before, b.m.sheet.Whole())
}

func TestBrokenJSONIsNotLost(t *testing.T) {
	b := realBench(t, 120, 34)
	b.Type("a kite")
	b.edited(t, func(string) string { return "{\n  \"prompt\": \"long work\",\n" })
	assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt)
	assert.Contains(t, toast(t, b).Text, "line ")
	msg := b.edited(t, func(s string) string { return s + "}" })
	assert.Contains(t, msg.Text, "long work", "it is opened as it was left")
	b.edited(t, func(s string) string { return `{"model":"famI-omni","prompt":"mended"}` })
	assert.Equal(t, "mended", b.m.sheet.Draft.Prompt)
	b.Send(screen.EditedMsg{Text: "x", Tag: tagRequest, Err: errors.New("exit 1")})
	assert.Equal(t, "mended", b.m.sheet.Draft.Prompt)
}

func TestWhatDiffersFromTheJobShows(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}} {
		b := realBench(t, s[0], s[1])
		from := manyWays()
		from.Job = "0198c0de-0000-7000-8000-0000deadbeef"
		b.Send(from)
		assert.Empty(t, b.m.sheet.Differ)
		if s[0] > 100 {
			assert.Contains(t, b.View(), "as job deadbeef")
		}
		require.True(t, b.m.sheet.Form.Focus("duration"))
		b.Type("8")
		require.True(t, b.m.sheet.Form.Focus("seed"))
		b.Key("ctrl+u")
		b.m.sheet.Form.SetText(client.FieldPrompt, "a green kite")
		b.Send(screen.ActionMsg{ID: "compose.next-field"})
		_ = b.m.doc.Changed(client.FieldPrompt)
		b.m.doc.Settle()
		require.Len(t, b.m.sheet.Differ, 3)
		b.Golden(fmt.Sprintf("origin-%dx%d", s[0], s[1]))
		if s[0] > 100 {
			view := b.View()
			assert.Contains(t, view, "3 changes from job deadbeef")
			assert.Contains(t, view, "Duration was 5")
			assert.Contains(t, view, "was 7")
			b.Click("compose-differ/1")
			assert.Equal(t, "duration", b.m.sheet.Form.Focused())
			assert.Contains(t, b.View(), "≠ was 5 ·", "the help says it too")
			b.Key("alt+u")
			assert.Equal(t, "5", sheet.Text(b.m.sheet.Draft.Values["duration"]))
			assert.Len(t, b.m.sheet.Differ, 2)
			b.Key("ctrl+_")
			assert.Len(t, b.m.sheet.Differ, 3, "which can be undone")
		}
		b.Key("ctrl+x")
		assert.Empty(t, b.m.sheet.Differ)
		b.Key("alt+z")
		assert.Len(t, b.m.sheet.Differ, 3, "the job comes back with the form")
	}
}

func TestManyFormersGoAround(t *testing.T) {
	b := start(t, 120, 34)
	for _, p := range []string{"one", "two", "three"} {
		b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: p}})
	}
	var seen []string
	for range 4 {
		seen = append(seen, b.m.sheet.Draft.Prompt)
		b.Key("alt+z")
	}
	assert.Equal(t, []string{"three", "two", "one", "three"}, seen)
}

// TestEveryKindComesBackFromTheEditor changes one word of the request of each kind: nothing
// else of the form becomes another.
func TestEveryKindComesBackFromTheEditor(t *testing.T) {
	content := []any{map[string]any{"type": "text", "text": "look"}, map[string]any{"type": "image_url", "role": "first_frame", "image_url": map[string]any{"url": "file:///p/a.png"}}}
	for name, d := range map[string]screen.ComposeDraft{
		"videos": {Format: "videos", Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "edit", Prompt: "OLD", Values: client.Values{
			"videos": []any{"file:///p/v.mp4"}, "duration": "6", "seed": "9007199254740993", "generate_audio": true, "fps": "24", "parameters": map[string]any{"ratio": "16:9"}}}},
		"content": {Format: "content", Draft: client.Draft{Modality: client.Video, Model: "famG-h3", Mode: "reference_material", Prompt: "OLD", Values: client.Values{
			"content": content, "duration": "6", "resolution": "1440p", "watermark": false}}},
		"famF": {Format: "videos", Draft: client.Draft{Modality: client.Video, Model: "famF-video", ModelName: "famF-v2-6", Mode: "i2v", Prompt: "OLD", Values: client.Values{
			"image": "file:///p/a.png", "cfg_scale": "0.5", "camera_control": map[string]any{"type": "simple"}}}},
		"images": {Format: "images", Draft: client.Draft{Modality: client.Image, Model: "famL-2", Prompt: "OLD", Values: client.Values{
			"size": "1024x1024", "n": "2", "image": "file:///p/a.png"}}},
		"music":  {Format: "music", Draft: client.Draft{Modality: client.Music, Model: "famN_music", Prompt: "OLD", Values: client.Values{"upstream_model": "famN-v5", "title": "Rain", "make_instrumental": true}}},
		"speech": {Format: "music", Draft: client.Draft{Modality: client.Speech, Model: "famN_music", Prompt: "OLD", Values: client.Values{"upstream_model": "famO-speech-2.8-hd", "speed": "0.9"}}},
		"chat": {Format: "chat", Draft: client.Draft{Modality: client.Chat, Model: "some-model", Prompt: "OLD", Values: client.Values{
			"system": "short", "messages": []any{map[string]any{"role": "user", "content": "hi"}, map[string]any{"role": "assistant", "content": "hello"}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := realBench(t, 120, 34)
			b.Send(d)
			before := b.m.sheet.Whole()
			msg := b.edited(t, func(s string) string { return strings.Replace(s, "OLD", "NEW", 1) })
			require.Contains(t, msg.Text, "OLD")
			after := b.m.sheet.Whole()
			assert.Equal(t, "NEW", after.Draft.Prompt)
			after.Draft.Prompt = "OLD"
			assert.Equal(t, fmt.Sprint(before), fmt.Sprint(after))
			assert.Equal(t, d.Draft.Modality, b.m.sheet.Modality)
		})
	}
}

func TestEveryRowGoesBackToTheJob(t *testing.T) {
	b := realBench(t, 120, 34)
	b.Key("alt+u")
	assert.Contains(t, toast(t, b).Text, "not taken from a job")
	from := manyWays()
	from.Job = "0198c0de-0000-7000-8000-0000deadbeef"
	b.Send(from)
	b.Key("alt+u")
	assert.Contains(t, toast(t, b).Text, "unchanged since the job")
	b.pick("famI-omni")
	require.True(t, b.m.sheet.Form.Focus(sheet.RowKind))
	b.Key("right")
	require.Equal(t, client.Image, b.m.sheet.Modality)
	b.Key("alt+u")
	require.Equal(t, client.Video, b.m.sheet.Modality)
	for _, id := range []string{client.FieldModel, client.FieldMode, sheet.RowFormat} {
		require.True(t, b.m.sheet.Form.Focus(id), id)
		b.Key("alt+u")
	}
	require.True(t, b.m.sheet.Form.Focus(client.FieldPrompt))
	b.Type(" and more")
	b.Key("alt+u")
	assert.Empty(t, b.m.sheet.Differ)
}
