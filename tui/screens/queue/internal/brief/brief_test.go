package brief

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets"
)

func TestWhy(t *testing.T) {
	t.Parallel()
	assert.Empty(t, Why(nil))
	for _, c := range []struct{ code, message, want string }{
		{"rate_limit_exceeded", "", "rate limit"},
		{"429", "slow down", "rate limit"},
		{"1429", "something broke", "something broke"},
		{"content_policy_violation", "", "safety filter"},
		{"upstream_error", "a timeout", "upstream error"}, // its own word before what else is said
		{"", "The request timed out.", "timed out"},
		{"500", "Everything is overloaded, try later", "gateway busy"},
		{"", "Something that nobody ever heard of happened here", "Something that nobody…"},
		{"", "", ""},
		{"\x1b[31mE\x07", "", "␛[31me␇"},
	} {
		got := Why(&client.TaskError{Code: c.code, Message: c.message})
		assert.Equal(t, c.want, got, "%s: %s", c.code, c.message)
		assert.LessOrEqual(t, widgets.Width(got), Most)
	}
}

func TestTimesFitTheirColumn(t *testing.T) {
	t.Parallel()
	for d := time.Millisecond; d < 900*time.Hour; d = d*11/10 + 7*time.Millisecond {
		assert.LessOrEqual(t, widgets.Width(Took(d)), TimeWidth, d)
		assert.LessOrEqual(t, widgets.Width(Left(d)), TimeWidth, d)
	}
	for d, want := range map[time.Duration]string{12 * time.Second: "~15 s", 80 * time.Second: "~1:20", 12 * time.Minute: "~12 m", 2*time.Hour + time.Minute: "~2 h"} {
		assert.Equal(t, want, Left(d))
	}
	assert.Equal(t, "1:05", Took(65*time.Second))
}

func TestWhatIsDoneNeedsNoWord(t *testing.T) {
	t.Parallel()
	for _, s := range jobs.States() {
		assert.Equal(t, s == jobs.Completed, Word(s) == "", s)
	}
}
