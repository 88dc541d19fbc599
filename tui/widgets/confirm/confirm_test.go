package confirm_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/zone"
)

func quit() confirm.Model {
	return confirm.New("Quit?", "Two jobs are still running. They go on at the gateway; the next start polls them again.", "stay",
		confirm.Button{ID: "stay", Label: "Stay", Key: "n"}, confirm.Button{ID: "quit", Label: "Quit", Key: "y"}, confirm.Button{ID: "wait", Label: "Wait"})
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"enter"}, "stay"}, {[]string{"tab", "enter"}, "quit"}, {[]string{"shift+tab", " "}, "wait"},
		{[]string{"right", "right", "right", "enter"}, "stay"}, {[]string{"esc"}, "stay"}, {[]string{"y"}, "quit"},
		{[]string{"Y"}, "quit"}, {[]string{"x"}, ""},
	} {
		m := quit()
		got := ""
		for _, k := range c.keys {
			got = m.Update(tuitest.KeyMsg(t, k))
		}
		assert.Equal(t, c.want, got, "%v", c.keys)
	}
	m := quit()
	assert.Equal(t, "quit", m.Click(zone.Click{Zone: "btn:quit"}))
	assert.Empty(t, m.Click(zone.Click{Zone: "btn:other"}))
	assert.Empty(t, m.Click(zone.Click{Zone: "row:1"}))
	none := confirm.New("t", "x", "")
	assert.Equal(t, "cancel", none.Update(tuitest.KeyMsg(t, "enter")))
	assert.Empty(t, none.Update(tuitest.KeyMsg(t, "tab")))
}

func TestView(t *testing.T) {
	st := tuitest.Styles(t)
	m := quit()
	for w := 1; w < 70; w++ {
		for h := 1; h < 14; h++ {
			tuitest.CheckWithin(t, m.View(st, w, h), w, h)
		}
	}
	tuitest.Golden(t, "quit-60", m.View(st, 60, 12))
	tuitest.Golden(t, "quit-24", m.View(st, 24, 12))
}
