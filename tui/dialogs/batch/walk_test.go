package batch

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
		b := desk(t, "", longTemplate, size[0], size[1])
		b.open(OfTemplate)
		assert.Contains(t, b.View(), "dawn")
		assert.NotContains(t, b.View(), "dusk")
		b.Key("pgdown")
		assert.Contains(t, b.View(), "dusk")
		assert.NotContains(t, b.View(), "dawn")
	}
}

func TestNothingIsSubmittedFromTheListOfJobs(t *testing.T) {
	b := desk(t, "", "a {red|blue|green} kite", 120, 34)
	b.o.Asked = true // the focus is on Submit
	b.open(OfTemplate)
	require.NotNil(t, b.Top())
	b.View()
	b.Key("pgdown")
	require.Equal(t, 2, b.d.list.Cursor())
	b.Key("enter", " ")
	assert.Empty(t, b.sent())
	assert.Contains(t, toast(t, b).Text, "nothing is submitted from the list: ^S submits 3 jobs")
	b.Key("up")
	assert.Equal(t, 1, b.d.list.Cursor())
	b.Click("compose-job/0")
	b.Key("enter")
	assert.Empty(t, b.sent(), "nor from one that was pressed")
	b.Key("tab", "enter")
	assert.Len(t, b.sent(), 3)
}

func TestATemplateBeginsOnARow(t *testing.T) {
	b := desk(t, "", "a {red|blue|green} kite", 120, 34)
	b.open(OfTemplate)
	assert.Equal(t, rowCount, b.d.form.Focused())
	b.Key("enter")
	assert.Empty(t, b.sent())
	seen := map[string]bool{}
	for range 4 {
		seen[b.d.form.Focused()] = true
		b.Key("tab")
	}
	assert.Equal(t, map[string]bool{rowMode: true, rowCount: true, rowSeeds: true, rowSend: true}, seen, "tab goes around")
}
