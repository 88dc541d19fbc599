package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/delivered"
)

// TestWhatCameIsComparedWithWhatWasAsked: of what a job reports when it ends, and of what its file
// is, where the answer tells nothing; a comparison that breaks costs nothing else.
func TestWhatCameIsComparedWithWhatWasAsked(t *testing.T) {
	t.Parallel()
	asked := client.Values{"duration": "8", "size": "1280x720", "image": "https://example.org/a.png"}
	for name, c := range map[string]struct {
		raw     string
		measure func(context.Context, string) (delivered.File, error)
		want    []string
	}{
		"the answer tells": {`{"seconds":"5","size":"1280x720","images":[]}`, nil,
			[]string{"asked for 8 s, the task reports 5 s", "1 image was sent, the task reports 0"}},
		"the file tells": {`{"status":"completed"}`, func(context.Context, string) (delivered.File, error) {
			return delivered.File{Duration: 5 * time.Second, Width: 960, Height: 540}, nil
		}, []string{"asked for 8 s, got 5.0 s", "asked for 1280x720, got 960x540"}},
		"both tell of one thing": {`{"seconds":"5"}`, func(context.Context, string) (delivered.File, error) {
			return delivered.File{Duration: 5 * time.Second, Width: 1280, Height: 720}, nil
		}, []string{"asked for 8 s, the task reports 5 s"}},
		"all is well": {`{"seconds":"8"}`, func(context.Context, string) (delivered.File, error) {
			return delivered.File{Duration: 8 * time.Second, Width: 1280, Height: 720}, nil
		}, nil},
		"damaged": {`{}`, func(context.Context, string) (delivered.File, error) { return delivered.File{}, errors.New("damaged") }, nil},
		"broken":  {`{}`, func(context.Context, string) (delivered.File, error) { panic("broken") }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, func(r *rig, o *jobs.Options) {
				o.Delivery.Measure = c.measure
				r.gate.query = func(id string, _ int) (client.Task, error) {
					tk := done(id)
					tk.Raw = []byte(c.raw)
					return tk, nil
				}
				r.save.save = func(context.Context, jobs.FileRequest, func(int64, int64)) (jobs.File, error) {
					return jobs.File{Path: "/results/a.mp4", Bytes: 1}, nil
				}
			}, func(r *rig) {
				s := sub("a kite")
				s.Draft.Values = asked
				ids, err := r.e.Submit(ctx0, []jobs.Submission{s})
				require.NoError(t, err)
				r.pass(10 * time.Minute)
				j := r.kept(ids[0]).Job
				assert.Equal(t, jobs.Completed, j.State)
				assert.Equal(t, jobs.FileSaved, j.Files[0].State)
				assert.Equal(t, c.want, j.Warnings)
			})
		})
	}
}
