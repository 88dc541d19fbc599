package items_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/keys"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/items"
	"darkroom/tui/widgets/zone"
)

// content is a Spec as that of content items (GATEWAY: Content item).
func content() items.Spec {
	s := items.Spec{Title: "Content", List: true, Tag: "type", Tags: []string{"text", "image_url", "video_url", "audio_url"},
		Parts: []items.Part{{Path: []string{"text"}, Only: "text", Kind: items.Lines, Required: true}}}
	for _, kind := range []string{"image", "video", "audio"} {
		s.Parts = append(s.Parts, items.Part{Path: []string{kind + "_url", "url"}, Only: kind + "_url", Kind: items.Media,
			Media: []string{kind}, Required: true, Hint: "path or URL"})
	}
	return append2(s, items.Part{Path: []string{"role"}, Options: []string{"reference_image", "first_frame"}, Seen: "seen are"},
		items.Part{Path: []string{"name"}})
}

func append2(s items.Spec, p ...items.Part) items.Spec { s.Parts = append(s.Parts, p...); return s }

func object() items.Spec {
	return items.Spec{Title: "Parameters", Parts: []items.Part{
		{Path: []string{"duration"}, Kind: items.Number, Unit: "s"}, {Path: []string{"ratio"}, Options: []string{"16:9", "9:16"}},
		{Path: []string{"seed"}, Kind: items.Integer}, {Path: []string{"hd"}, Kind: items.Boolean}, {Path: []string{"more"}, Kind: items.JSON},
	}}
}

func value(t testing.TB, text string) any {
	t.Helper()
	v, err := client.ParseJSON(text)
	require.NoError(t, err)
	return v
}

func press(t testing.TB, m *items.Model, names ...string) (out items.Event) {
	t.Helper()
	for _, n := range names {
		k, ok := keys.Parse(n)
		require.True(t, ok, n)
		add(&out, m.Update(k))
	}
	return out
}

func add(to *items.Event, ev items.Event) {
	to.Changed, to.Left = to.Changed || ev.Changed, to.Left || ev.Left
	to.Closed, to.Raw = ev.Closed, ev.Raw
}

func write(m *items.Model, text string) (out items.Event) {
	for _, r := range text {
		add(&out, m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
	}
	return out
}

func is(t testing.TB, want string, m *items.Model) {
	t.Helper()
	got, err := json.Marshal(m.Value())
	require.NoError(t, err)
	assert.JSONEq(t, want, string(got))
}

const two = `[{"type":"image_url","image_url":{"url":"https://x.org/kite.png"},"role":"reference_image","name":"kite"},
	{"type":"text","text":"a red kite","seed":9007199254740993}]`

func TestAddingAnItem(t *testing.T) {
	m := items.New(content(), nil, tuitest.Styles(t))
	assert.Nil(t, m.Value())
	m.Do(items.Add)
	assert.True(t, m.Capturing(), "the kind is chosen first")
	write(m, "image")
	ev := press(t, m, "enter")
	assert.True(t, ev.Changed)
	is(t, `[{"type":"image_url"}]`, m)
	assert.True(t, write(m, "kite.png").Changed)
	is(t, `[{"type":"image_url","image_url":{"url":"kite.png"}}]`, m)
	assert.True(t, press(t, m, "tab").Left, "a path can be looked at now")
	press(t, m, "right", "tab")
	write(m, "凧")
	is(t, `[{"type":"image_url","image_url":{"url":"kite.png"},"role":"reference_image","name":"凧"}]`, m)
	ev = m.Do(items.Close)
	assert.False(t, ev.Closed, "back to the list first")
	assert.True(t, m.Do(items.Close).Closed)
	m.Do(items.Undo)
	assert.Nil(t, m.Value(), "a visit is one step")
	m.Do(items.Redo)
	assert.Equal(t, 1, m.Len())
}

func TestAnItemThatStayedEmptyGoes(t *testing.T) {
	m := items.New(content(), value(t, two), tuitest.Styles(t))
	m.Do(items.Add)
	press(t, m, "down", "enter")
	require.Equal(t, 3, m.Len())
	ev := m.Do(items.Close)
	assert.True(t, ev.Changed)
	is(t, two, m)
	assert.Equal(t, "nothing was changed", m.Off(items.Undo))
	m.Do(items.Add)
	m.Do(items.Close)
	assert.False(t, m.Capturing(), "no kind was chosen")
	is(t, two, m)
}

func TestMovingCopyingDeleting(t *testing.T) {
	spec := items.Spec{Title: "Elements", List: true, Parts: []items.Part{{Path: []string{"element_id"}, Kind: items.Integer}}}
	m := items.New(spec, value(t, `[{"element_id":1},{"element_id":2},{"element_id":3}]`), tuitest.Styles(t))
	assert.NotEmpty(t, m.Off(items.Up))
	assert.False(t, m.Do(items.Up).Changed)
	assert.True(t, m.Do(items.Down).Changed)
	is(t, `[{"element_id":2},{"element_id":1},{"element_id":3}]`, m)
	assert.Equal(t, 1, m.Cursor(), "the cursor goes along")
	m.Do(items.Duplicate)
	is(t, `[{"element_id":2},{"element_id":1},{"element_id":1},{"element_id":3}]`, m)
	m.Do(items.Delete)
	m.Do(items.Delete)
	is(t, `[{"element_id":2},{"element_id":1}]`, m)
	for range 4 {
		assert.True(t, m.Do(items.Undo).Changed)
	}
	is(t, `[{"element_id":1},{"element_id":2},{"element_id":3}]`, m)
	assert.False(t, m.Do(items.Undo).Changed)
	for range 4 {
		m.Do(items.Redo)
	}
	is(t, `[{"element_id":2},{"element_id":1}]`, m)
}

func TestOnlyWhatIsEditedChanges(t *testing.T) {
	m := items.New(content(), value(t, two), tuitest.Styles(t))
	m.Select(1)
	m.Do(items.Edit)
	assert.False(t, press(t, m, "tab", "shift+tab", "tab").Changed)
	m.Do(items.Close)
	m.Do(items.Named)
	write(m, "words")
	is(t, strings.Replace(two, `"seed"`, `"name":"words","seed"`, 1), m)
	assert.Contains(t, items.Format(m.Value()), "9007199254740993")
}

func TestAnObject(t *testing.T) {
	m := items.New(object(), value(t, `{"duration":"5","seed":9007199254740993,"more":[1,2],"other":{"a":1}}`), tuitest.Styles(t))
	assert.True(t, m.Capturing(), "the form shows at once")
	press(t, m, "ctrl+u")
	write(m, "6.5")
	is(t, `{"duration":"6.5","seed":9007199254740993,"more":[1,2],"other":{"a":1}}`, m)
	press(t, m, "tab", "right", "tab", "ctrl+u")
	write(m, "9007199254740995")
	press(t, m, "tab", "right", "tab", "ctrl+end", "backspace")
	ev := write(m, ",")
	assert.False(t, ev.Changed, "half of a list is none yet")
	assert.Contains(t, items.Format(m.Value()), `"seed": 9007199254740995`)
	is(t, `{"duration":"6.5","ratio":"16:9","seed":9007199254740995,"hd":true,"more":[1,2],"other":{"a":1}}`, m)
	assert.False(t, m.Do(items.Close).Closed, "what is not JSON is not dropped at once")
	assert.Contains(t, tuitest.Plain(m.View(nil, 70, 16)), "not JSON")
	press(t, m, "backspace")
	write(m, ",3]")
	is(t, `{"duration":"6.5","ratio":"16:9","seed":9007199254740995,"hd":true,"more":[1,2,3],"other":{"a":1}}`, m)
	ev = m.Do(items.Close)
	assert.True(t, ev.Closed)
	empty := items.New(object(), nil, tuitest.Styles(t))
	assert.Nil(t, empty.Value())
	assert.NotEmpty(t, empty.Off(items.Add))
	write(empty, "5")
	is(t, `{"duration":5}`, empty)
	press(t, empty, "backspace")
	assert.Nil(t, empty.Value())
}

func TestNumbersAreTypedInPieces(t *testing.T) {
	m := items.New(object(), value(t, `{"seed":1}`), tuitest.Styles(t))
	press(t, m, "tab", "tab", "ctrl+u")
	write(m, "-42")
	is(t, `{"seed":-42}`, m)
}

func TestAnotherKindKeepsTheReference(t *testing.T) {
	m := items.New(content(), value(t, two), tuitest.Styles(t))
	m.Do(items.Edit)
	press(t, m, "shift+tab", "right")
	is(t, `[{"type":"video_url","video_url":{"url":"https://x.org/kite.png"},"role":"reference_image","name":"kite"},{"type":"text","text":"a red kite","seed":9007199254740993}]`, m)
	press(t, m, "left", "left")
	is(t, `[{"type":"text","role":"reference_image","name":"kite"},{"type":"text","text":"a red kite","seed":9007199254740993}]`, m)
	press(t, m, "right")
	is(t, two, m)
}

func TestMisshapenItems(t *testing.T) {
	for _, c := range []struct{ name, item, says, repaired string }{
		{"bare URL", `"https://x.org/a.png"`, "bare text", `{"type":"image_url","image_url":{"url":"https://x.org/a.png"}}`},
		{"bare URL of a video", `"https://x.org/a.MP4?sig=1"`, "bare text", `{"type":"video_url","video_url":{"url":"https://x.org/a.MP4?sig=1"}}`},
		{"bare data URI", `"data:audio/wav;base64,AAAA"`, "bare text", `{"type":"audio_url","audio_url":{"url":"data:audio/wav;base64,AAAA"}}`},
		{"bare words", `"a red kite"`, "bare text", `{"type":"text","text":"a red kite"}`},
		{"bare string in the place of an object", `{"type":"image_url","image_url":"https://x.org/a","role":"x"}`, "image_url is “https://x.org/a”; it is an object {url: …}",
			`{"type":"image_url","image_url":{"url":"https://x.org/a"},"role":"x"}`},
		{"no type", `{"image_url":{"url":"https://x.org/a"}}`, "type is missing", `{"type":"image_url","image_url":{"url":"https://x.org/a"}}`},
		{"no type and bare", `{"image_url":"https://x.org/a","k":1}`, "not a bare value", `{"type":"image_url","image_url":{"url":"https://x.org/a"},"k":1}`},
		{"two kinds and no type", `{"image_url":{"url":"a"},"text":"b"}`, "type is missing", ""},
		{"unknown type", `{"type":"image","image_url":{"url":"a"}}`, "type is “image”; allowed: text, image_url", ""},
		{"number", `7`, "✗ a number, not an object", ""},
		{"null", `null`, "null, not an object", ""},
		{"list", `["a"]`, "a list, not an object", ""},
		{"nothing in it", `{"type":"image_url"}`, "image_url.url is missing", ""},
		{"a number for a URL", `{"type":"image_url","image_url":{"url":7}}`, "image_url.url is 7; it is a path or a URL", ""},
		{"role", `{"type":"text","text":"a","role":"last_frame"}`, "role is “last_frame”; seen are reference_image, first_frame", ""},
		{"other keys", `{"type":"text","text":"a","x":1,"image_url":2}`, "other keys, kept: image_url, x", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := value(t, "["+c.item+"]")
			m := items.New(content(), v, tuitest.Styles(t))
			assert.Contains(t, strings.Join(strings.Fields(tuitest.Plain(m.View(nil, 200, 20))), " "), c.says)
			is(t, "["+c.item+"]", m)
			if c.repaired == "" {
				assert.NotEmpty(t, m.Off(items.Repair))
				assert.False(t, m.Do(items.Repair).Changed)
				return
			}
			assert.True(t, m.Do(items.Repair).Changed)
			is(t, "["+c.repaired+"]", m)
			assert.NotEmpty(t, m.Off(items.Repair))
			m.Do(items.Undo)
			is(t, "["+c.item+"]", m)
			m.Do(items.Edit)
			assert.True(t, m.Do(items.Repair).Changed, "from the form as well")
		})
	}
	elements := items.Spec{List: true, Parts: []items.Part{{Path: []string{"element_id"}, Kind: items.Integer}}}
	m := items.New(elements, value(t, `[42]`), tuitest.Styles(t))
	m.Do(items.Repair)
	is(t, `[{"element_id":42}]`, m)
}

func TestPasting(t *testing.T) {
	m := items.New(content(), value(t, two), tuitest.Styles(t))
	ev := m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("'/a b/kite.png'\n/c/clip.mov\r\n"), Paste: true})
	assert.True(t, ev.Changed && ev.Left)
	require.Equal(t, 4, m.Len())
	got, _ := m.Value().([]any)
	assert.Equal(t, map[string]any{"type": "image_url", "image_url": map[string]any{"url": "'/a b/kite.png'"}}, got[1])
	assert.Equal(t, map[string]any{"type": "video_url", "video_url": map[string]any{"url": "/c/clip.mov"}}, got[2])
	m.Do(items.Undo)
	is(t, two, m)
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("many words\nin lines"), Paste: true})
	got, _ = m.Value().([]any)
	assert.Equal(t, map[string]any{"type": "text", "text": "many words\nin lines"}, got[1])
}

func TestFactsShow(t *testing.T) {
	m := items.New(content(), value(t, `[{"type":"image_url","image_url":{"url":"file:///a/%E5%87%A7.png"}},{"type":"image_url","image_url":{"url":"file:///a/b.mp4"}},{"type":"image_url","image_url":{"url":"file:///a/c.png"}}]`), tuitest.Styles(t))
	m.SetFacts(map[string]items.Fact{"file:///a/%E5%87%A7.png": {Size: 5_000_000, Type: "image/png"},
		"file:///a/b.mp4": {Size: 2000, Type: "video/mp4"}, "file:///a/c.png": {Err: "there is no file /a/c.png"}})
	view := func() string { return tuitest.Plain(m.View(nil, 120, 20)) }
	assert.Contains(t, view(), "凧.png 5.0 MB")
	assert.Contains(t, view(), "data URI of 6.7 MB, more than 4.0 MB")
	assert.Contains(t, view(), "is sent as a data URI, which is not documented as accepted")
	press(t, m, "down")
	assert.Contains(t, view(), "b.mp4 is video/mp4, not image")
	press(t, m, "end")
	assert.Contains(t, view(), "✗ there is no file /a/c.png")
}

func TestAChangeFromOutside(t *testing.T) {
	m := items.New(content(), value(t, two), tuitest.Styles(t))
	m.Do(items.Edit)
	press(t, m, "ctrl+u")
	write(m, "kite.png")
	m.SetValue(value(t, strings.Replace(two, "https://x.org/kite.png", "file:///a/kite.png", 1)))
	press(t, m, "end")
	write(m, "2")
	is(t, strings.Replace(two, "https://x.org/kite.png", "file:///a/kite.png2", 1), m)
	m.SetValue(nil)
	assert.False(t, m.Capturing())
	assert.Equal(t, 0, m.Len())
	assert.NotEmpty(t, m.Off(items.Delete))
}

func TestMouse(t *testing.T) {
	m := items.New(content(), value(t, two), tuitest.Styles(t))
	m.Click(zone.Click{Zone: "items-row/1", X: 3})
	assert.Equal(t, 1, m.Cursor())
	m.Click(zone.Click{Zone: "items-row/1", X: 3})
	assert.True(t, m.Capturing())
	m.Click(zone.Click{Zone: "items/#tag/o1"})
	assert.Equal(t, "image_url", m.Value().([]any)[1].(map[string]any)["type"])
	assert.False(t, m.Click(zone.Click{Zone: "items-do/close"}).Closed)
	m.Click(zone.Click{Zone: "items-do/add"})
	m.Click(zone.Click{Zone: "pick:audio_url"})
	assert.Equal(t, 3, m.Len())
	assert.True(t, m.Click(zone.Click{Zone: "items-do/raw"}).Raw)
	assert.False(t, m.Click(zone.Click{Zone: "items-row/99"}).Changed)
	m.Wheel(-5)
	assert.Equal(t, 0, m.Cursor())
}

func TestEachReference(t *testing.T) {
	spec := content()
	v := value(t, `[{"type":"image_url","image_url":{"url":"a"}},"a",{"type":"text","text":"a","image_url":{"url":"a"}},{"image_url":{"url":"a"},"k":1}]`)
	var seen []string
	same := spec.EachReference(v, func(ref string, media []string) string {
		seen = append(seen, fmt.Sprint(ref, media))
		return ref
	})
	assert.Equal(t, []string{"a[image]", "a[image]"}, seen)
	assert.Equal(t, fmt.Sprintf("%p", v), fmt.Sprintf("%p", same), "nothing is copied")
	next := spec.EachReference(v, func(string, []string) string { return "b" })
	got, err := json.Marshal(next)
	require.NoError(t, err)
	assert.JSONEq(t, `[{"type":"image_url","image_url":{"url":"b"}},"a",{"type":"text","text":"a","image_url":{"url":"a"}},{"image_url":{"url":"b"},"k":1}]`, string(got))
	was, _ := json.Marshal(v)
	assert.NotContains(t, string(was), `"b"`, "the value itself stays")
}
