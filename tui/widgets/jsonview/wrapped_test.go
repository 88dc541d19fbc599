package jsonview_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/jsonview"
)

func TestLongTextsAreThereToBeRead(t *testing.T) {
	words := strings.TrimSpace(strings.Repeat("sand and wind, ", 200))
	in := func(body string) []string {
		out := jsonview.RenderIn(tuitest.Styles(t), []byte(body), client.Clean, 40)
		for _, l := range out {
			assert.LessOrEqual(t, widgets.Width(l), 40)
		}
		return out
	}
	joined := func(lines []string) string {
		for i, l := range lines {
			lines[i] = strings.TrimPrefix(strings.TrimSpace(l), "↳ ")
		}
		return strings.Join(lines, " ")
	}
	assert.Contains(t, joined(in(`{"prompt":"`+words+`"}`)), words, "to its end")
	assert.Contains(t, joined(in(`{"prompt":"line one\nline two"}`)), `line one\nline two`, "line breaks are those of JSON")
	for _, data := range []string{strings.Repeat("QUJD", 3000), "data:image/png;base64," + strings.Repeat("QUJD", 3000)} {
		assert.Less(t, len(in(`{"image":"`+data+`"}`)), 20, "nobody reads base64")
	}
}
