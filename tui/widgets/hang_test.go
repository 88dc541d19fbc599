package widgets_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

func TestALineHangsUnderItsBeginning(t *testing.T) {
	ink := widgets.NewInk(tuitest.Styles(t).Faint)
	assert.Equal(t, []string{"  short"}, widgets.Hang("  short", 20, ink))
	assert.Equal(t, []string{`  "prompt": "one`, `  ↳ two three`, `  ↳ four"`}, widgets.Hang(`  "prompt": "one two three four"`, 18, ink))
	assert.Equal(t, []string{"https://exam", "↳ ple.org/abc"}, widgets.Hang("https://example.org/abc", 14, ink))
}

func TestWhatHangsIsNeverWiderThanAsked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	st := colours(t)
	for range 2000 {
		line := strings.Repeat(" ", r.IntN(30)) + flat(hostile(r))
		w := 2 + r.IntN(40)
		for _, l := range widgets.Hang(line, w, widgets.NewInk(st.Faint)) {
			assert.LessOrEqual(t, widgets.Width(l), w, "%q", line)
		}
	}
}
