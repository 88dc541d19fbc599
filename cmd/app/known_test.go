package app

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/jobs"
)

// fewJobs is a history that lists jobs by the ids of their tasks.
type fewJobs struct {
	jobs.Reader
	list []jobs.Job
}

func (f fewJobs) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	var p jobs.Page
	for _, j := range f.list {
		if j.TaskID == q.TaskID || slices.Contains(j.AltIDs, q.TaskID) {
			p.Jobs = append(p.Jobs, j)
		}
	}
	return p, nil
}

// TestTheConsolesInspectKnowsATaskByAllItsIDs: the command took an answer under another id of the
// job, the console called it one about another task.
func TestTheConsolesInspectKnowsATaskByAllItsIDs(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"id":"vendor-7","status":"completed","video_url":"https://example.org/v.mp4"}`)
	}))
	t.Cleanup(srv.Close)
	c, err := client.New(client.Options{BaseURL: srv.URL, Key: func() (string, error) { return "k", nil }, Formats: formats.All()})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	h := fewJobs{list: []jobs.Job{{ID: "j", TaskID: "video_mine", AltIDs: []string{"vendor-7"}}}}
	for _, history := range []jobs.Reader{nil, &h} {
		got := screenGateway{c, nil, history}.Lookup(t.Context(), "video_mine", "videos")
		require.Len(t, got, 1)
		if history != nil {
			require.NoError(t, got[0].Err)
			require.NotNil(t, got[0].Task)
			continue
		}
		require.IsType(t, &client.OtherTaskError{}, got[0].Err)
	}
	got := screenGateway{c, nil, &h}.Lookup(t.Context(), "video_other", "videos")
	require.IsType(t, &client.OtherTaskError{}, got[0].Err, "an id that no job has")
}
