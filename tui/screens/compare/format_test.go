package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs/compare/pick"
	"darkroom/tui/screen"
)

// TestTheChosenFormatIsCompared: models that it reaches are sent that way, for others it is
// told that they are not.
func TestTheChosenFormatIsCompared(t *testing.T) {
	b := start(t, 120, 34)
	d := client.Draft{Modality: client.Video, Model: "famG-h3", Mode: "t2v", Prompt: "a kite", Values: client.Values{"duration": "6"}}
	b.Send(screen.CompareDraft{Draft: d, Format: "content"})
	assert.Contains(t, b.View(), "format content")
	by := map[string]pick.Candidate{}
	for _, c := range b.m.plan.Candidates {
		by[c.Model.ID] = c
	}
	assert.Equal(t, "content", by["famG-h3"].Format)
	assert.Equal(t, "content", by["famI-omni"].Format)
	assert.Empty(t, by["famA3"].Format)
	assert.Contains(t, by["famA3"].Changes[0], "not through format content")
	b.m.plan.Chosen["famA3"] = true
	b.Key("ctrl+s")
	require.NotEmpty(t, b.e.got)
	formats := map[string]string{}
	for _, s := range b.e.got[0] {
		formats[s.Draft.Model] = s.Format
	}
	assert.Equal(t, map[string]string{"famG-h3": "content", "famA3": ""}, formats)

	b.Send(screen.CompareDraft{Draft: d})
	assert.NotContains(t, b.m.settings(), "format")
}
