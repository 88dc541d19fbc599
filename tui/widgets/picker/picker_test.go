package picker_test

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/keys"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/picker"
	"darkroom/tui/widgets/zone"
)

func items() []picker.Item {
	return []picker.Item{
		{ID: "queue.download", Title: "Download", Group: "Queue", Keys: "d", Off: "nothing is finished"},
		{ID: "queue.drop", Title: "Drop", Group: "Queue", Keys: "x"},
		{ID: "compose.submit", Title: "Submit", Group: "Compose", Keys: "^S", Detail: "send the draft"},
		{ID: "compose.many", Title: "Submit four times", Group: "Compose", Keys: "alt+s"},
		{ID: "app.theme", Title: "Change the theme 你好", Group: "App", Keys: "^T"},
	}
}

func press(t *testing.T, m *picker.Model, names ...string) picker.Event {
	t.Helper()
	ev := picker.None
	for _, n := range names {
		msg, ok := keys.Parse(n)
		require.True(t, ok, n)
		ev = m.Update(msg)
	}
	return ev
}

func current(t *testing.T, m *picker.Model) string {
	t.Helper()
	it, ok := m.Current()
	require.True(t, ok)
	return it.ID
}

func TestFindingByLetters(t *testing.T) {
	for query, want := range map[string]string{
		"sub": "compose.submit", "four": "compose.many", "theme": "app.theme", "sft": "compose.many", "SUBMIT": "compose.submit",
		"compose four": "compose.many", "draft": "compose.submit", "queue.drop": "queue.drop", "你": "app.theme",
	} {
		m := picker.New("Commands", "", items())
		m.SetQuery(query)
		assert.Equal(t, want, current(t, &m), query)
	}
	m := picker.New("Commands", "", items())
	m.SetQuery("zzz")
	_, ok := m.Current()
	assert.False(t, ok)
	assert.Equal(t, picker.None, press(t, &m, "enter"))
}

func TestWhatIsOffComesLastAndCannotBePicked(t *testing.T) {
	m := picker.New("Commands", "", items())
	assert.Equal(t, "queue.drop", current(t, &m), "the first that can be picked")
	m.SetQuery("d")
	assert.NotEqual(t, "queue.download", current(t, &m))
	m.SetQuery("download")
	assert.Equal(t, "queue.download", current(t, &m))
	assert.Equal(t, picker.None, press(t, &m, "enter"))
	assert.Equal(t, picker.None, m.Click(zone.Click{Zone: "pick:queue.download"}))
}

func TestKeys(t *testing.T) {
	m := picker.New("Commands", "", items())
	press(t, &m, "down")
	assert.Equal(t, "compose.submit", current(t, &m))
	press(t, &m, "end", "down")
	assert.Equal(t, "queue.download", current(t, &m), "around the end")
	press(t, &m, "up")
	assert.Equal(t, "app.theme", current(t, &m))
	assert.Equal(t, picker.Picked, press(t, &m, "enter"))
	assert.Equal(t, picker.Cancelled, press(t, &m, "esc"))
	press(t, &m, "f", "o", "u", "x", "backspace")
	assert.Equal(t, "fou", m.Query())
	assert.Equal(t, "compose.many", current(t, &m))
	press(t, &m, "ctrl+a", "delete", " ", "ctrl+e", "r")
	assert.Equal(t, " our", m.Query())
	press(t, &m, "ctrl+w")
	assert.Equal(t, " ", m.Query())
	press(t, &m, "ctrl+u")
	assert.Empty(t, m.Query())
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("the\x1bme"), Paste: true})
	assert.Equal(t, "theme", m.Query(), "what cannot be shown is left out")
}

func TestNewItemsKeepTheCursor(t *testing.T) {
	m := picker.New("Commands", "", items())
	m.Select("app.theme")
	m.SetItems(items()[2:])
	assert.Equal(t, "app.theme", current(t, &m))
	m.SetItems(items()[:2])
	assert.Equal(t, "queue.drop", current(t, &m))
}

func TestMouse(t *testing.T) {
	m := picker.New("Commands", "", items())
	_, zones := zone.Scan(m.View(tuitest.Styles(t), 60, 16))
	require.Len(t, zones, 5)
	assert.Equal(t, picker.Picked, m.Click(zone.Click{Zone: "pick:compose.many"}))
	assert.Equal(t, "compose.many", current(t, &m))
	assert.Equal(t, picker.None, m.Click(zone.Click{Zone: "pick:gone"}))
	assert.Equal(t, picker.None, m.Click(zone.Click{Zone: "tab:x"}))
	m.Wheel(-9)
	assert.Equal(t, "queue.download", current(t, &m))
}

// TestNamesOfAnyScript: a model may be called anything, and is clicked all the same.
func TestNamesOfAnyScript(t *testing.T) {
	list := []picker.Item{{ID: "塩-видео-ç", Title: "塩-видео-ç", Keys: "◇ live", About: []string{"a", "塩の平原 עפיפון"}}, {ID: "b", Title: "b", Sign: "★", Detail: "t2v"}}
	m := picker.New("Models", "", list)
	m.Aligned, m.Keys, m.Note = true, "alt+s star", "the list did not come"
	for w := 1; w < 90; w += 4 {
		for h := 1; h < 24; h += 3 {
			tuitest.CheckFrame(t, m.View(tuitest.Styles(t), w, h), w, h)
		}
	}
	frame, zones := zone.Scan(m.View(tuitest.Styles(t), 60, 24))
	assert.Contains(t, frame, "◇ live")
	assert.Contains(t, frame, "the list did not come")
	assert.Contains(t, frame, "עפיפון", "what is said about the item under the cursor")
	require.Len(t, zones, 2)
	m.Select("b")
	assert.Equal(t, picker.Picked, m.Click(zone.Click{Zone: zones[0].ID}))
	assert.Equal(t, "塩-видео-ç", current(t, &m))
}

func TestViewHasTheSizeAskedAndShowsTheCursor(t *testing.T) {
	st := tuitest.Styles(t)
	var many []picker.Item
	for i := range 60 {
		many = append(many, picker.Item{ID: fmt.Sprint(i), Title: fmt.Sprintf("model %d 你好 with a name", i), Group: fmt.Sprintf("family %d", i/7), Detail: "video\nimage", Keys: "^X"})
	}
	for _, query := range []string{"", "mod", "name 4", strings.Repeat("long ", 30), "zzz"} {
		m := picker.New("Models", "type 你好 to find", many)
		m.SetQuery(query)
		for w := 1; w < 80; w += 3 {
			for h := 1; h < 24; h += 2 {
				press(t, &m, "down")
				frame := m.View(st, w, h)
				tuitest.CheckFrame(t, frame, w, h)
				if it, ok := m.Current(); ok && h > 6 && w > 9 {
					_, zones := zone.Scan(frame)
					_, shown := zones.Find("pick:" + it.ID)
					assert.True(t, shown, "%dx%d", w, h)
				}
			}
		}
	}
}

func TestGoldens(t *testing.T) {
	st := tuitest.Styles(t)
	m := picker.New("Commands", "type to find a command", items())
	tuitest.Golden(t, "all", m.View(st, 56, 14))
	m.SetQuery("sub")
	tuitest.Golden(t, "sub", m.View(st, 40, 8))
}

func BenchmarkTyping(b *testing.B) {
	var many []picker.Item
	for i := range 500 {
		many = append(many, picker.Item{ID: fmt.Sprint(i), Title: fmt.Sprintf("model %d of a family", i), Detail: "video"})
	}
	m := picker.New("Models", "", many)
	st := tuitest.Styles(b)
	for b.Loop() {
		m.SetQuery("mof4")
		m.View(st, 80, 24)
	}
}
