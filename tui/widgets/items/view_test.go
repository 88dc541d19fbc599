package items_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/items"
	"darkroom/tui/widgets/zone"
)

func hints() []items.Hint {
	keys := map[string]string{"add": "a", "edit": "enter", "close": "esc", "delete": "d", "down": "J", "up": "K",
		"name": "n", "role": "r", "duplicate": "D", "raw": "w", "repair": "R", "undo": "u", "redo": "U"}
	var out []items.Hint
	for _, a := range items.Actions() {
		out = append(out, items.Hint{Action: a, Keys: keys[a], Label: a})
	}
	return out
}

const mixed = `[{"type":"image_url","image_url":{"url":"file:///a/kite.png"},"role":"reference_image","name":"kite"},
	{"type":"text","text":"a red kite over 塩の平原\nat dawn","weight":2},
	"https://x.org/bare.png",
	{"type":"video_url","video_url":{"url":"https://example.org/media/clip.mp4"},"role":"motion","name":"凧の歌"},
	{"type":"audio_url","audio_url":"data:audio/wav;base64,AAAA"}, 17]`

func mixedModel(t testing.TB) *items.Model {
	m := items.New(content(), value(t, mixed), tuitest.Styles(t))
	m.SetFacts(map[string]items.Fact{"file:///a/kite.png": {Size: 214_000, Type: "image/png"}})
	return m
}

func TestGoldens(t *testing.T) {
	for _, s := range [][2]int{{38, 10}, {78, 18}, {100, 24}} {
		name := fmt.Sprintf("%dx%d", s[0], s[1])
		t.Run(name, func(t *testing.T) {
			m := mixedModel(t)
			tuitest.Golden(t, "list-"+name, m.View(hints(), s[0], s[1]))
			m.Select(2)
			tuitest.Golden(t, "bare-"+name, m.View(hints(), s[0], s[1]))
			m.Select(0)
			m.Do(items.Edit)
			tuitest.Golden(t, "edit-"+name, m.View(hints(), s[0], s[1]))
			m.Do(items.Close)
			m.Do(items.Add)
			tuitest.Golden(t, "add-"+name, m.View(hints(), s[0], s[1]))
			o := items.New(object(), value(t, `{"duration":6,"seed":9007199254740993,"more":[1,2],"other":{"a":1}}`), tuitest.Styles(t))
			tuitest.Golden(t, "object-"+name, o.View(hints(), s[0], s[1]))
		})
	}
}

// TestSummary says items in a line, as the form shows them.
func TestSummary(t *testing.T) {
	c, o := content(), object()
	facts := map[string]items.Fact{"file:///a/kite.png": {Size: 214_000}}
	list, _ := value(t, mixed).([]any)
	assert.Equal(t, "image_url  kite.png 214 kB  reference_image  “kite”", c.Summary(list[0], facts).String())
	assert.Equal(t, "text  a red kite over 塩の平原 at dawn", c.Summary(list[1], facts).String())
	assert.Equal(t, "audio_url  data: audio/wav 3 B", c.Summary(list[4], facts).String())
	assert.Equal(t, "17", c.Summary(list[5], facts).String())
	assert.Equal(t, "duration 6 · seed 9007199254740993 · other {\"a\":1}", o.Summary(value(t, `{"duration":6,"seed":9007199254740993,"other":{"a":1}}`), nil).String())
	messages := items.Spec{List: true, Parts: []items.Part{{Path: []string{"role"}, Options: []string{"user"}}, {Path: []string{"content"}, Kind: items.Lines}}}
	assert.Equal(t, "user  hi there", messages.Summary(value(t, `{"role":"user","content":"hi there"}`), nil).String())
	assert.Equal(t, []string{"①", "⑳", "21", "200"}, []string{items.Ordinal(0), items.Ordinal(19), items.Ordinal(20), items.Ordinal(199)})
}

// TestOnlyWhatShowsIsDrawn draws a long list at the cost of a short one.
func TestOnlyWhatShowsIsDrawn(t *testing.T) {
	cost := func(n int) float64 {
		list := make([]any, n)
		for i := range list {
			list[i] = map[string]any{"type": "text", "text": fmt.Sprint("text ", i)}
		}
		m := items.New(content(), list, tuitest.Styles(t))
		m.Select(n)
		require.Contains(t, tuitest.Plain(m.View(nil, 78, 18)), fmt.Sprint("text ", n-1))
		return testing.AllocsPerRun(20, func() { m.View(nil, 78, 18) })
	}
	short, long := cost(20), cost(5_000)
	assert.Less(t, long, 1.5*short, "20: %.0f, 5,000: %.0f", short, long)
}

// TestTheCursorIsInSight moves through 200 items at several sizes.
func TestTheCursorIsInSight(t *testing.T) {
	list := make([]any, 200)
	for i := range list {
		list[i] = map[string]any{"type": "text", "text": fmt.Sprint("text ", i)}
	}
	m := items.New(content(), list, tuitest.Styles(t))
	for i := range 400 {
		press(t, m, []string{"down", "pgdown", "up", "down", "down", "end", "home", "j"}[i%7])
		w, h := 20+i%90, 4+i%20
		frame := m.View(hints(), w, h)
		tuitest.CheckFrame(t, frame, w, h)
		_, zones := zone.Scan(frame)
		_, shown := zones.Find(fmt.Sprint("items-row/", m.Cursor()))
		assert.True(t, shown, "%dx%d: %d", w, h, m.Cursor())
	}
}

// TestAnythingAtAnySize presses keys, clicks, pastes and resizes at random: frames have
// the exact size, and values stay JSON.
func TestAnythingAtAnySize(t *testing.T) {
	names := []string{"tab", "shift+tab", "up", "down", "left", "right", "enter", "esc", "backspace", "pgdown", "home", "end", " ", "ctrl+u", "delete"}
	texts := []string{"a", "世界", "👩\u200d🚀", "{", "]", "\"", "5", "-", "\n", "/a/b.png", "https://x", "ו", "\t"}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // reproducible, not secret
		m := mixedModel(t)
		if seed%3 == 2 {
			m = items.New(object(), value(t, `{"duration":6,"more":[1]}`), tuitest.Styles(t))
		}
		for range 250 {
			switch r.IntN(6) {
			case 0, 1:
				press(t, m, names[r.IntN(len(names))])
			case 2:
				m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(texts[r.IntN(len(texts))]), Paste: r.IntN(2) == 0})
			case 3:
				m.Do(items.Actions()[r.IntN(len(items.Actions()))])
			case 4:
				_, zones := zone.Scan(m.View(hints(), 60, 16))
				if len(zones) > 0 {
					m.Click(zone.Click{Zone: zones[r.IntN(len(zones))].ID, X: r.IntN(20), Double: r.IntN(3) == 0})
				}
			default:
				m.Wheel(r.IntN(3) - 1)
			}
			w, h := 1+r.IntN(110), 1+r.IntN(30)
			tuitest.CheckFrame(t, m.View(hints(), w, h), w, h)
			_, err := json.Marshal(m.Value())
			require.NoError(t, err)
		}
	}
}

// FuzzUnedited opens, moves through and leaves any value: without an edit it comes back
// as it was, all digits of all numbers included.
func FuzzUnedited(f *testing.F) {
	for _, s := range []string{mixed, two, `[]`, `{}`, `{"seed":9007199254740993}`, `[{"text":null,"type":1e400}]`, `[[{"a":[{}]}]]`, `"x"`, `[{"image_url":{"url":{"url":"x"}}}]`} {
		f.Add(s)
	}
	st := tuitest.Styles(f)
	f.Fuzz(func(t *testing.T, text string) {
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) != nil || len(text) > 4000 {
			return
		}
		for _, spec := range []items.Spec{content(), object()} {
			_, isList := v.([]any)
			_, isObject := v.(map[string]any)
			if spec.List && !isList || !spec.List && !isObject {
				continue
			}
			m := items.New(spec, v, st)
			for range min(m.Len(), 5) {
				m.Do(items.Edit)
				press(t, m, "tab", "tab", "shift+tab", "tab", "tab", "tab")
				m.View(hints(), 60, 20)
				if ev := m.Do(items.Close); ev.Changed {
					t.Fatalf("%s: changed without an edit", text)
				}
				press(t, m, "down")
			}
			m.SetFacts(map[string]items.Fact{})
			m.View(hints(), 60, 20)
			want := items.Format(v)
			got := items.Format(m.Value())
			if m.Value() == nil && (want == "[]" || want == "{}") {
				continue
			}
			if got != want {
				t.Fatalf("%s became %s", want, got)
			}
			if same := spec.EachReference(v, func(r string, _ []string) string { return r }); items.Format(same) != want {
				t.Fatalf("%s became %s by looking", want, items.Format(same))
			}
		}
	})
}

func BenchmarkKeyToView(b *testing.B) {
	list := make([]any, 200)
	for i := range list {
		list[i] = map[string]any{"type": "text", "text": fmt.Sprint("text ", i)}
	}
	m := items.New(content(), list, tuitest.Styles(b))
	h := hints()
	for b.Loop() {
		press(b, m, "down")
		m.View(h, 78, 18)
	}
}
