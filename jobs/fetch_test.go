package jobs_test

import (
	"context"
	"net"
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

// TestDownloadAgain fetches what is there already, and leaves what cannot be had.
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
		assert.Contains(t, f.Error, "cannot be fetched again")
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

// TestExpiredWhileTheGatewayIsAway: an address that is over is not the end of a file while
// nobody could be asked for a fresh one; that the task is gone is.
func TestExpiredWhileTheGatewayIsAway(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer error
		state  jobs.FileState
	}{
		"no network":  {&net.OpError{Op: "dial", Err: errBroken}, jobs.FileSaved},
		"unavailable": {apiError(503), jobs.FileSaved},
		"too many":    {apiError(429), jobs.FileSaved},
		"a web page":  {apiError(200), jobs.FileSaved},
		"gone":        {apiError(404), jobs.FileFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, func(r *rig, _ *jobs.Options) {
				r.gate.query = func(id string, n int) (client.Task, error) {
					tk := done(id)
					switch {
					case n > 1 && n < 5:
						return client.Task{}, tc.answer
					case n >= 5:
						tk.Assets[0].URL = "https://h/fresh.mp4"
					}
					return tk, nil
				}
				r.save.save = func(_ context.Context, q jobs.FileRequest, _ func(int64, int64)) (jobs.File, error) {
					if q.Asset.URL != "https://h/fresh.mp4" {
						return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveExpired, Err: errBroken}
					}
					return jobs.File{Path: "/d/f", Bytes: 3, Total: 3}, nil
				}
			}, func(r *rig) {
				id := r.submit()
				r.pass(10 * time.Minute)
				assert.Equal(t, tc.state, r.kept(id).Job.Files[0].State)
				if tc.state == jobs.FileFailed {
					assert.Len(t, r.gate.polls("t1"), 2)
				}
			})
		})
	}
}

// TestExpiredWhileTheEngineEnds: the next engine goes on with a file for which a fresh address
// was being asked.
func TestExpiredWhileTheEngineEnds(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) {
			r.gate.pollTime = time.Minute
			return done(id), nil
		}
		r.save.save = func(context.Context, jobs.FileRequest, func(int64, int64)) (jobs.File, error) {
			return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveExpired, Err: errBroken}
		}
	}, func(r *rig) {
		id := r.submit()
		for len(r.gate.polls("t1")) < 2 {
			r.pass(time.Second)
		}
		r.end()
		assert.Equal(t, jobs.FileWanted, r.kept(id).Job.Files[0].State)
		r.gate.pollTime = 0
		r.save.script(nil)
		r.e = jobs.NewEngine(jobs.Options{Store: r.store, Gateway: r.gate, Saver: r.save, Profile: "p", Owner: "next", Rand: func() float64 { return 0.5 }})
		r.start()
		r.pass(time.Minute)
		assert.Equal(t, jobs.FileSaved, r.kept(id).Job.Files[0].State)
	})
}
