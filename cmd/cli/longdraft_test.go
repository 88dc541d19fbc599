package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// TestListsDoNotLoadLongPrompts: a list has the beginning of a long prompt and says so; whatever
// goes on with the job has all of it, also where a list found it by the end of its id.
func TestListsDoNotLoadLongPrompts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	prompt := strings.TrimSpace(strings.Repeat("a long prompt ", 1<<14))
	ids := w.history(2, func(i int, j *jobs.Job) {
		j.Draft.Model, j.Draft.Mode, j.TaskID = "famF-video", "t2v", "task-a"
		j.Draft.Values = client.Values{"duration": "5"}
		j.Assets = []client.Asset{{Kind: client.AssetVideo, URL: "https://media.invalid/v.mp4"}}
		if i == 0 {
			j.Draft.Prompt = prompt
		}
	})
	out := w.ok("jobs", "list", "-o", "json").out
	assert.Less(t, len(out), 32<<10)
	var list []jobs.Job
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	require.Len(t, list, 2)
	assert.True(t, list[1].Draft.Cut)
	assert.True(t, strings.HasPrefix(list[1].Draft.Prompt, "a long prompt a long"))
	assert.False(t, list[0].Draft.Cut)
	assert.Contains(t, out, `"cut": true`)

	end := ids[0][len(ids[0])-8:]
	for _, word := range []string{ids[0], end} {
		assert.Contains(t, w.ok("jobs", "show", word, "-o", "json").out, prompt)
		assert.Contains(t, w.jsonOf("video", "--from-job", word, "--as", "extend"), prompt)
	}
}
