package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// refusing is a host that serves something else for the first n tries, and the file after.
func refusing(r *rig, n int, fault jobs.SaveFault, status int) (tries *[]time.Time) {
	tries = &[]time.Time{}
	r.save.script(func(context.Context, jobs.FileRequest, func(int64, int64)) (jobs.File, error) {
		*tries = append(*tries, time.Now())
		if n < 0 || len(*tries) <= n {
			return jobs.File{}, &jobs.SaveError{Fault: fault, Err: apiError(status)}
		}
		return jobs.File{Path: "/d/f", Bytes: 3, Total: 3}, nil
	})
	return tries
}

// told are the events about the files of a job.
func (r *rig) told(id string) (texts []string) {
	r.t.Helper()
	d, err := r.e.Detail(ctx0, id)
	require.NoError(r.t, err)
	for _, e := range d.Events {
		if e.Kind == jobs.EventFile {
			texts = append(texts, e.Message)
		}
	}
	return texts
}

// TestAHostThatRefusesIsAskedAgain: a page or a 403 in the place of a file is no word for good.
// A fresh address is asked for at the first and the third, the tries lie apart, and the events
// tell how many there are.
func TestAHostThatRefusesIsAskedAgain(t *testing.T) {
	t.Parallel()
	for refusals, tc := range map[int]struct {
		tries, polls int
		state        jobs.FileState
		said         []string
	}{
		1:  {2, 2, jobs.FileSaved, []string{"video 1 wanted: try 1 of 5, the next at a fresh address: GET /x: HTTP 403: m"}},
		2:  {3, 2, jobs.FileSaved, []string{"try 1 of 5, ", "try 2 of 5: "}},
		4:  {5, 3, jobs.FileSaved, []string{"try 1 of 5, ", "try 2 of 5: ", "try 3 of 5, the next at a fresh address: ", "try 4 of 5: "}},
		-1: {5, 3, jobs.FileFailed, []string{"try 1 of 5, ", "try 2 of 5: ", "try 3 of 5, ", "try 4 of 5: ", "video 1 failed: given up after 5 tries: GET /x: HTTP 403: m"}},
	} {
		run(t, func(r *rig, _ *jobs.Options) {
			r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
		}, func(r *rig) {
			tries := refusing(r, refusals, jobs.SaveExpired, 403)
			id := r.submit()
			_, err := r.e.Wait(ctx0, []string{id})
			require.NoError(t, err)
			f := r.kept(id).Job.Files[0]
			assert.Equal(t, tc.state, f.State)
			assert.Len(t, r.gate.polls("t1"), tc.polls, "%d: the poll that saw the end, and those for fresh addresses", refusals)
			require.Len(t, *tries, tc.tries)
			said := r.told(id)
			require.GreaterOrEqual(t, len(said), len(tc.said))
			for i, want := range tc.said {
				assert.Contains(t, said[i], want)
			}
			if tc.state == jobs.FileFailed {
				assert.Contains(t, f.Error, "given up after 5 tries: GET /x")
				assert.Zero(t, r.kept(id).Due, "it is not asked any more")
			}
			for i := 2; i < len(*tries); i += 2 { // those without a fresh address
				assert.GreaterOrEqual(t, (*tries)[i].Sub((*tries)[i-1]), time.Second)
			}
		})
	}
}

// TestAResultWithoutATaskIsAskedForAgain, as that of an image, of which there is no other
// address.
func TestAResultWithoutATaskIsAskedForAgain(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			tk := done("")
			tk.Assets[0].Kind = client.AssetImage
			return tk, nil
		}
	}, func(r *rig) {
		tries := refusing(r, 3, jobs.SaveExpired, 200)
		id := r.submit()
		_, err := r.e.Wait(ctx0, []string{id})
		require.NoError(t, err)
		assert.Equal(t, jobs.FileSaved, r.kept(id).Job.Files[0].State)
		assert.Len(t, *tries, 4)
		assert.Zero(t, r.gate.total())
	})
}

// TestRefusalsAreCountedOverProcesses: consoles that end and begin again do not ask for ever.
func TestRefusalsAreCountedOverProcesses(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
	}, func(r *rig) {
		tries := refusing(r, -1, jobs.SaveExpired, 403)
		id := r.submit()
		for range 20 {
			r.pass(5 * time.Second)
			r.again()
		}
		assert.Equal(t, jobs.FileFailed, r.kept(id).Job.Files[0].State)
		assert.Len(t, *tries, 5)
		assert.Len(t, r.gate.polls("t1"), 3)
	})
}

// TestRefusalsAreCountedApart: a host that is busy and one that refuses are tried as often as if
// there were only the one, in whatever order, and over processes that end; the events count all.
func TestRefusalsAreCountedApart(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		answers string // r refuses, b is busy; the file comes after them
		polls   int
		state   jobs.FileState
		said    map[int]string
	}{
		{"bbbbrrrr", 3, jobs.FileSaved, map[int]string{
			3: "try 4 of 8: ", 4: "try 5 of 9, the next at a fresh address: ", 6: "try 7 of 9, the next at a fresh", 7: "try 8 of 9: ",
		}},
		{"rrrrbbbbbbb", 3, jobs.FileSaved, map[int]string{3: "try 4 of 5: ", 4: "try 5 of 12: ", 10: "try 11 of 12: "}},
		{"brbrbrbr", 3, jobs.FileSaved, map[int]string{0: "try 1 of 8: ", 1: "try 2 of 6, ", 2: "try 3 of 9: ", 7: "try 8 of 9: "}},
		{"bbbbrrrrr", 3, jobs.FileFailed, map[int]string{8: "given up after 9 tries: GET /x: HTTP 403"}},
		{"rrbbrrbr", 3, jobs.FileFailed, map[int]string{7: "given up after 8 tries: GET /x: HTTP 403"}},
	} {
		for _, restarts := range []bool{false, true} {
			run(t, func(r *rig, _ *jobs.Options) {
				r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
			}, func(r *rig) {
				n := 0
				r.save.script(func(context.Context, jobs.FileRequest, func(int64, int64)) (jobs.File, error) {
					n++
					switch {
					case n > len(tc.answers):
						return jobs.File{Path: "/d/f", Bytes: 3, Total: 3}, nil
					case tc.answers[n-1] == 'r':
						return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveExpired, Err: apiError(403)}
					}
					return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveTemporary, Err: apiError(503)}
				})
				id := r.submit()
				for range 40 {
					r.pass(30 * time.Second)
					if restarts {
						r.again()
					}
				}
				assert.Equal(t, tc.state, r.kept(id).Job.Files[0].State, tc.answers)
				assert.Len(t, r.gate.polls("t1"), tc.polls, "%s: the poll that saw the end, and those for fresh addresses", tc.answers)
				said := r.told(id)
				for i, want := range tc.said {
					require.Greater(t, len(said), i)
					assert.Contains(t, said[i], want, tc.answers)
				}
			})
		}
	}
}

// TestATaskWithoutAFreshAddressIsAskedOnce more, though its file is tried again.
func TestATaskWithoutAFreshAddressIsAskedOnce(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, n int) (client.Task, error) {
			if n > 1 {
				return client.Task{}, apiError(404)
			}
			return done(id), nil
		}
	}, func(r *rig) {
		tries := refusing(r, 4, jobs.SaveExpired, 403)
		id := r.submit()
		_, err := r.e.Wait(ctx0, []string{id})
		require.NoError(t, err)
		assert.Equal(t, jobs.FileSaved, r.kept(id).Job.Files[0].State)
		assert.Len(t, *tries, 5)
		assert.Len(t, r.gate.polls("t1"), 2)
		assert.Contains(t, r.told(id)[0], "the gateway has no fresh address")
	})
}

// again ends the engine and begins another on the same history.
func (r *rig) again() {
	r.end()
	r.e = jobs.NewEngine(jobs.Options{Store: r.store, Gateway: r.gate, Saver: r.save, Profile: "p", Owner: "me", Rand: func() float64 { return 1 }})
	r.start()
}

// TestAHostThatIsBackAndRefuses: what was tried while it was away does not count.
func TestAHostThatIsBackAndRefuses(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
	}, func(r *rig) {
		refusing(r, -1, jobs.SaveTemporary, 503)
		id := r.submit()
		r.pass(3 * time.Hour)
		require.Contains(t, r.kept(id).Job.Note, "tried again by itself")
		before := len(r.gate.polls("t1"))
		tries := refusing(r, 3, jobs.SaveExpired, 403)
		r.pass(2 * time.Hour)
		j := r.kept(id).Job
		assert.Equal(t, jobs.FileSaved, j.Files[0].State)
		assert.Empty(t, j.Note)
		assert.Len(t, *tries, 4)
		assert.Len(t, r.gate.polls("t1"), before+2)
	})
}

// TestABusyHostIsToldOf: the tries are told, then that they go on, and what the host asks to
// wait is waited.
func TestABusyHostIsToldOf(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
	}, func(r *rig) {
		var tries []time.Time
		r.save.script(func(context.Context, jobs.FileRequest, func(int64, int64)) (jobs.File, error) {
			tries = append(tries, time.Now())
			err := apiError(503)
			if len(tries) == 1 {
				err.RetryAfter = 5 * time.Minute
			}
			return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveTemporary, Err: err}
		})
		id := r.submit()
		r.pass(6 * time.Hour)
		require.Greater(t, len(tries), 8)
		assert.GreaterOrEqual(t, tries[1].Sub(tries[0]), 5*time.Minute)
		said := r.told(id)
		require.Len(t, said, 8, "once more when it is put off, and no more then")
		assert.Contains(t, said[0], "try 1 of 8: ")
		assert.Contains(t, said[6], "try 7 of 8: ")
		assert.NotContains(t, said[7], "try 8")
		assert.Contains(t, r.kept(id).Job.Note, "tried again by itself for a day: GET /x: HTTP 503")
	})
}
