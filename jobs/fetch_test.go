package jobs_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// TestAFullDiskIsSaid: the job tells what its files wait for, and no more once there is
// space.
func TestAFullDiskIsSaid(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
		r.save.save = func(context.Context, jobs.FileRequest, func(int64, int64)) (jobs.File, error) {
			return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveNoSpace, Err: errBroken}
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(10 * time.Minute)
		j := r.kept(id).Job
		assert.Equal(t, jobs.Completed, j.State)
		assert.Equal(t, "waiting for space on the disk: broken", j.Note)
		assert.Equal(t, jobs.FileWanted, j.Files[0].State)
		d, err := r.e.Detail(ctx0, id)
		require.NoError(t, err)
		said := 0
		for _, e := range d.Events {
			if e.Kind == jobs.EventFile {
				said++
			}
		}
		assert.Equal(t, 1, said, "it is told once, however often it was tried")
		tries := r.save.count()
		assert.Greater(t, tries, 10)
		r.save.script(nil)
		r.pass(31 * time.Second)
		j = r.kept(id).Job
		assert.Equal(t, jobs.FileSaved, j.Files[0].State)
		assert.Empty(t, j.Note)
		assert.Equal(t, tries+1, r.save.count())
	})
}

// TestDownloadAgain fetches what is there already, and leaves what can not be had.
func TestDownloadAgain(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/f"
	require.NoError(t, os.WriteFile(path, []byte("abc"), 0o600))
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) {
			tk := done(id)
			tk.Assets = append(tk.Assets, client.Asset{Kind: client.AssetCover, Inline: []byte("abc")})
			return tk, nil
		}
		r.save.save = func(context.Context, jobs.FileRequest, func(int64, int64)) (jobs.File, error) {
			return jobs.File{Path: path, Bytes: 3, Total: 3}, nil
		}
	}, func(r *rig) {
		id := r.submit()
		_, err := r.e.Wait(ctx0, []string{id})
		require.NoError(t, err)
		require.Equal(t, 2, r.save.count())
		require.NoError(t, r.e.Download(ctx0, id))
		r.pass(time.Minute)
		require.Equal(t, 2, r.save.count(), "what is there is not fetched")
		require.NoError(t, r.e.DownloadAgain(ctx0, id))
		r.pass(time.Minute)
		require.Equal(t, 3, r.save.count(), "the video alone: the cover came in the answer")
		assert.Equal(t, jobs.FileSaved, r.kept(id).Job.Files[1].State)

		require.NoError(t, os.Remove(path)) // both
		require.NoError(t, r.e.Download(ctx0, id))
		r.pass(time.Minute)
		require.Equal(t, 4, r.save.count(), "nobody asks for what nobody has")
		f := r.kept(id).Job.Files[1]
		assert.Equal(t, jobs.FileFailed, f.State)
		assert.Contains(t, f.Error, "can not be fetched again")
	})
}

// TestExchangesNameThePlaceTheBytesCameFrom: each place that was asked is one, in turn, with
// how long it took.
func TestExchangesNameThePlaceTheBytesCameFrom(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
		r.save.save = func(_ context.Context, q jobs.FileRequest, _ func(int64, int64)) (jobs.File, error) {
			<-time.After(2 * time.Second)
			q.Tried("h/t1.mp4", &jobs.SaveError{Fault: jobs.SaveExpired, Err: apiError(403)})
			<-time.After(time.Second)
			q.Tried("/v1/videos/t1/content", nil)
			return jobs.File{Path: "/d/f", Bytes: 3, Total: 3}, nil
		}
	}, func(r *rig) {
		id := r.submit()
		_, err := r.e.Wait(ctx0, []string{id})
		require.NoError(t, err)
		d, err := r.e.Detail(ctx0, id)
		require.NoError(t, err)
		var got []jobs.Exchange
		for _, x := range d.Exchanges {
			if x.Kind == jobs.ExchangeFetch {
				x.At = time.Time{}
				got = append(got, x)
			}
		}
		assert.Equal(t, []jobs.Exchange{
			{Kind: jobs.ExchangeFetch, Format: "videos", Path: "GET h/t1.mp4", HTTPStatus: 403, Latency: 2 * time.Second, Error: apiError(403).Error()},
			{Kind: jobs.ExchangeFetch, Format: "videos", Path: "GET /v1/videos/t1/content", Latency: time.Second, RawStatus: "saved"},
		}, got)
	})
}
