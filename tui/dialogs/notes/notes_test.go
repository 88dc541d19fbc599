package notes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/notes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// TestNotes: each dialog takes what a job can keep, and says what is wrong with the rest.
func TestNotes(t *testing.T) {
	for name, c := range map[string]struct {
		dialog      *ask.Line
		bad, wrong  string
		good        string
		alsoNothing bool
	}{
		"tags":   {dialog: notes.Tags("job 1", "about"), bad: "it's", wrong: "one word", good: "a -b ticket:77"},
		"ticket": {dialog: notes.Adopt("vid_1", "about"), bad: "7 7", wrong: "one word", good: "77", alsoNothing: true},
		"remark": {dialog: notes.Remark("job 1", "as it was", "about"), good: " before", alsoNothing: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := tuitest.NewDialog(t, keys.Map{}, c.dialog, 80, 24)
			if c.bad != "" {
				d.Type(c.bad)
				d.Key("enter")
				assert.Contains(t, d.View(), c.wrong)
				d.Key("ctrl+u")
			}
			if c.bad != "" && !c.alsoNothing {
				d.Key("enter")
				assert.Contains(t, d.View(), "type a tag")
			}
			d.Type(c.good)
			d.Key("enter")
			require.Len(t, d.Answers, 1)
			typed, ok := d.Answers[0].(ask.Typed)
			require.True(t, ok)
			assert.Equal(t, "about", typed.About)
			assert.Contains(t, typed.Text, c.good)
		})
	}
	var _ screen.Dialog = notes.Tags("", nil)
}

func TestSplitTags(t *testing.T) {
	add, remove := notes.SplitTags(" +kept good,-bad  - + ticket:77 --x ")
	assert.Equal(t, []string{"kept", "good", "ticket:77"}, add)
	assert.Equal(t, []string{"bad", "-x"}, remove)
}
