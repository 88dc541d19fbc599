package batch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// While nothing can be sent, the dialog shows nothing that it would send.
func TestADialogThatIsBlockedShowsNoJobs(t *testing.T) {
	b := desk(t, "", "a kite", 120, 34)
	b.open(OfCopies)
	require.Contains(t, b.View(), "Submit 4 jobs")
	require.True(t, b.d.form.Focus(rowCount))
	b.Key("ctrl+u")
	b.Type("x")
	text := b.dialogText()
	assert.Contains(t, text, "nothing to send yet")
	assert.NotContains(t, text, "Submit 4 jobs")
	assert.NotContains(t, text, "a kite", "the jobs of before")
	b.Key("ctrl+u")
	b.Type("540")
	text = b.dialogText()
	assert.Contains(t, text, "showing the first 20 of 540")
	assert.NotContains(t, text, "20 of 20")
	b.Key("ctrl+u")
	b.Type("3")
	assert.Contains(t, b.View(), "Submit 3 jobs")
}

func TestWhatBlocksATableIsNotCalledSending(t *testing.T) {
	b := desk(t, "famI-omni", "", 120, 34)
	b.table(t, "shots.csv", "prompt,mode\na,t2v\nb,r2v\nc,t2v\nd,t2v\n")
	text := b.dialogText()
	assert.Contains(t, text, "line 3")
	assert.Contains(t, text, "sends nothing yet: something is wrong with the 4 jobs")
	assert.NotContains(t, text, "in one group")
	assert.NotContains(t, text, "Submit 4 jobs")
}

func TestAPathThatIsTypedIsNoMistake(t *testing.T) {
	b := desk(t, "", "", 120, 34)
	b.table(t, "shots.csv", "prompt\nred\nblue\n")
	require.Contains(t, b.View(), "Submit 2 jobs")
	require.True(t, b.d.form.Focus(rowFile))
	b.Type(".old")
	text := b.dialogText()
	assert.Contains(t, text, "i enter reads")
	assert.NotContains(t, text, "✗")
	assert.NotContains(t, text, "Submit 2 jobs", "those are of the other file")
	b.Key("enter")
	assert.Contains(t, strings.Join(strings.Fields(b.dialogText()), " "), "there is no file")
}
