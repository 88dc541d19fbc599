package compose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// longTemplate makes two prompts that differ behind their 200th character.
var longTemplate = strings.Repeat("a red kite over a salt flat ", 8) + "at {dawn|dusk}"

func TestTheMarkedJobOfABatchShowsAsAWhole(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 34}} {
		b, _ := batchBench(t, size[0], size[1])
		b.Paste(longTemplate)
		b.Key("alt+t")
		assert.Contains(t, b.View(), "dawn")
		assert.NotContains(t, b.View(), "dusk")
		b.Key("pgdown")
		assert.Contains(t, b.View(), "dusk")
		assert.NotContains(t, b.View(), "dawn")
	}
}

func TestNothingIsSubmittedFromTheListOfJobs(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a {red|blue|green} kite")
	b.Key("ctrl+s") // the focus is on Submit
	d := b.m.batch.dialog
	require.NotNil(t, d)
	b.View()
	b.Key("pgdown")
	require.Equal(t, 2, d.list.Cursor())
	b.Key("enter", " ")
	assert.Empty(t, b.jobs.got)
	assert.Contains(t, toast(t, b).Text, "nothing is submitted from the list: ^S submits 3 jobs")
	b.Key("up")
	assert.Equal(t, 1, d.list.Cursor())
	b.Click("compose-job/0")
	b.Key("enter")
	assert.Empty(t, b.jobs.got, "nor from one that was pressed")
	b.Key("tab", "enter")
	assert.Len(t, b.jobs.got, 1)
}

func TestATemplateBeginsOnARow(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a {red|blue|green} kite")
	b.Key("alt+t")
	d := b.m.batch.dialog
	assert.Equal(t, rowCount, d.form.Focused())
	b.Key("enter")
	assert.Empty(t, b.jobs.got)
	seen := map[string]bool{}
	for range 4 {
		seen[d.form.Focused()] = true
		b.Key("tab")
	}
	assert.Equal(t, map[string]bool{rowMode: true, rowCount: true, rowSeeds: true, rowSend: true}, seen, "tab goes around")
}
