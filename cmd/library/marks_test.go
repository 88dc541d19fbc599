package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/client/kept"
)

func TestMarksLoseNothingOfOneAnothers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "models.json")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			_, err := OpenMarks(path).Star(fmt.Sprintf("model-%02d", i), true)
			assert.NoError(t, err)
		})
	}
	all.Wait()
	marks, err := OpenMarks(path).Load()
	require.NoError(t, err)
	assert.Len(t, marks.Stars, 20)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	info, err = os.Stat(filepath.Dir(path))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestMarksAreBounded(t *testing.T) {
	t.Parallel()
	k := OpenMarks(filepath.Join(t.TempDir(), "models.json"))
	for i := range maxRecent + 5 {
		_, err := k.Used(fmt.Sprintf("model-%02d", i))
		require.NoError(t, err)
	}
	marks, err := k.Used("model-20")
	require.NoError(t, err)
	assert.Len(t, marks.Recent, maxRecent)
	assert.Equal(t, []string{"model-20", "model-24", "model-23"}, marks.Recent[:3], "the newest first, each once")
	for _, bad := range []string{"", " ", "a\nb", " a", "a\x1b[2J", strings.Repeat("x", maxModel+1)} {
		_, err := k.Star(bad, true)
		assert.Error(t, err, "%q", bad)
	}
	require.NoError(t, os.WriteFile(k.path, []byte(`{"version": 9, "stars": ["a"]}`), 0o600))
	_, err = k.Star("b", true)
	assert.ErrorContains(t, err, "version 9")
	require.NoError(t, os.WriteFile(k.path, []byte(`{"version": 1, "stars": ["a", "b\u001b[2J"], "improver": "x\ny"}`), 0o600))
	marks, err = k.Load()
	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, marks.Stars, "names that do not show are passed over")
	assert.Empty(t, marks.Improver)
}

// TestQuestionsOfComposeAreConversations: Chat lists what Compose asked, in every state.
func TestQuestionsOfComposeAreConversations(t *testing.T) {
	t.Parallel()
	c := OpenChats(t.TempDir())
	now := time.Unix(1_700_000_000, 0).UTC()
	k := c.Talks(func() time.Time { return now })
	asked := improve.Talk{Model: "talker-2", System: "improve", Asked: "a red kite", Title: "a red kite", At: now, State: kept.Arriving}
	id, err := k.Keep(asked)
	require.NoError(t, err)
	got, err := c.Load(id)
	require.NoError(t, err)
	assert.Equal(t, kept.Arriving, got.Messages[1].State, "as Chat has an answer that a crash cut off")
	asked.ID, asked.State = id, ""
	asked.Answer = client.ChatAnswer{Text: "a crimson kite", Model: "talker-2b"}
	again, err := k.Keep(asked)
	require.NoError(t, err)
	assert.Equal(t, id, again)
	list, err := c.List()
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, "a red kite", list[0].Title)
	got, err = c.Load(id)
	require.NoError(t, err)
	assert.Equal(t, "a crimson kite", got.Messages[1].Text)
	assert.Empty(t, got.Messages[1].State)
	assert.Equal(t, "talker-2b", got.Messages[1].Model)
}
