package cli

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store"
)

// TestShowAnswerInWords: what a chat model said is wrapped and cleaned for people, and as it
// was for programs.
func TestShowAnswerInWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	st, err := store.Open(t.Context(), w.paths().History)
	require.NoError(t, err)
	id, err := uuid.NewV7()
	require.NoError(t, err)
	said := `A salt flat is 塩の平原.` + `\u001b[2J` + strings.Repeat("It is dry. ", 40)
	j := jobs.Job{ID: id.String(), Profile: "sandbox", Format: "chat", State: jobs.Completed, Progress: -1,
		Draft: client.Draft{Modality: client.Chat, Model: "any-model", Prompt: "what is it?"}}
	require.NoError(t, st.Insert(t.Context(), []jobs.Change{{Job: j,
		Events:   []jobs.Event{{Kind: jobs.EventPlanned, To: j.State}},
		Payloads: []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte(`{"choices":[{"message":{"role":"assistant","content":"` + said + `"}}]}`)}}}}))
	require.NoError(t, st.Close())

	r := w.ok("jobs", "show", j.ID)
	words, _, ok := strings.Cut(r.out[strings.Index(r.out, "answer in words:"):], "newest answer:")
	require.True(t, ok, r.out)
	require.Contains(t, words, "A salt flat is 塩の平原.")
	require.NotContains(t, words, "\x1b")
	for l := range strings.SplitSeq(words, "\n") {
		require.LessOrEqual(t, len(l), 200, "wrapped")
	}
	d := w.ok("jobs", "show", j.ID, "-o", "json").object(t)
	require.Contains(t, text(t, d, "text"), "塩の平原.\x1b[2JIt is dry.")
}
