package jobs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs/owner"
)

// TestALongDraftIsNotTaken: no request could be made of it, and an export of it would be refused.
func TestALongDraftIsNotTaken(t *testing.T) {
	t.Parallel()
	d := client.Draft{Model: "m", Extra: map[string]json.RawMessage{"x": json.RawMessage(`"` + strings.Repeat("<", 5<<20) + `"`)}}
	require.NoError(t, checkDraft(d, 6<<20), "an export has each character once")
	require.EqualError(t, checkDraft(d, 4<<20), "the draft has 5 MiB; up to 4 MiB are taken: use smaller values or URLs")
}

// TestAChatIsNotOfferedAnID: what is advised is what is allowed.
func TestAChatIsNotOfferedAnID(t *testing.T) {
	t.Parallel()
	for m, want := range map[client.Modality]string{client.Chat: noteNoTask, client.Video: noteAmbiguous} {
		require.Equal(t, want, asUnanswered(Job{State: Submitting, Draft: client.Draft{Modality: m}}).Note)
	}
}

func TestOrphaned(t *testing.T) {
	t.Parallel()
	work := func(s State, owner string) Work { return Work{Job: Job{State: s}, Owner: owner} }
	leases := []Lease{{Owner: "lives", Lives: true}, {Owner: "over"}}
	for owner, want := range map[string]bool{"": true, "over": true, "lives": false, "of another machine": false, owner.New(): false} {
		assert.Equal(t, want, orphaned(work(Submitting, owner), leases), owner)
		for _, s := range States() {
			if s != Submitting {
				assert.False(t, orphaned(work(s, owner), leases), s)
				assert.Equal(t, work(s, owner).Job, asUnanswered(work(s, owner).Job))
			}
		}
	}
}
