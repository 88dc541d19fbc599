package client_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
)

func TestDescentIsWhatADraftStillUses(t *testing.T) {
	d := client.Draft{
		Values: client.Values{"image": " https://a.invalid/1 ", "images": []any{"https://a.invalid/2"}, "video_id": "task-9",
			"content": []any{map[string]any{"type": "image_url", "image_url": map[string]any{"url": "https://a.invalid/3"}}}},
		Parents: []client.Parent{{Job: "a", As: "i2v", Ref: "https://a.invalid/1"}, {Job: "b", Ref: "https://a.invalid/2"}, {Job: "c", Ref: "https://a.invalid/3"},
			{Job: "d", As: "extend", Ref: "task-9"}, {Job: "gone", Ref: "https://a.invalid/9"}, {Job: "a", Ref: "https://a.invalid/2"}, {Ref: "task-9"}, {Job: "e"}},
	}
	assert.Equal(t, d.Parents[:4], d.Descent(), "each job once, and those whose results are there")
	assert.Nil(t, client.Draft{Parents: d.Parents}.Descent())
	many := client.Draft{Values: d.Values}
	for i := range 50 {
		many.Parents = append(many.Parents, client.Parent{Job: fmt.Sprint(i), Ref: "task-9"})
	}
	assert.Len(t, many.Descent(), client.MaxParents)
}

func TestParentsAreKeptAndCopied(t *testing.T) {
	d := client.Draft{Model: "famA3", Parents: []client.Parent{{Job: "a", As: "i2v", Ref: "r"}}}
	c := d.Clone()
	c.Parents[0].Job = "b"
	assert.Equal(t, "a", d.Parents[0].Job)
	b, err := json.Marshal(d)
	require.NoError(t, err)
	var back client.Draft
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, d, back)
}

// No format sends what a draft was made from.
func TestParentsAreNeverSent(t *testing.T) {
	for _, f := range formats.All() {
		d := client.Draft{Modality: client.Video, Model: "famA3", Prompt: "x", Values: client.Values{"image": "https://a.invalid/1"}}
		plain, _, err := f.EncodeCreate(d)
		d.Parents = []client.Parent{{Job: "a-parent", As: "i2v", Ref: "https://a.invalid/1"}}
		made, _, errMade := f.EncodeCreate(d)
		require.Equal(t, err, errMade, f.Name())
		assert.Equal(t, string(plain.Body), string(made.Body), f.Name())
		assert.NotContains(t, string(made.Body), "a-parent", f.Name())
	}
}
