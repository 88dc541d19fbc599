package jobs_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// life is how a task goes, from the answer of its create on.
type life struct{ starts, ends time.Duration }

// script has a gateway answer as the life of its task says; polls take a while, and show what is so
// at their end.
func (l life) script(g *gateway) (born func() time.Time) {
	var at time.Time
	g.create = func(client.Draft, int) (client.Task, error) {
		at = time.Now()
		return task("t1", client.StatusQueued, "queued"), nil
	}
	g.query = func(id string, _ int) (client.Task, error) {
		switch age := time.Since(at); {
		case age < l.starts:
			return task(id, client.StatusQueued, "queued"), nil
		case age < l.ends:
			return task(id, client.StatusRunning, "running"), nil
		default:
			return done(id), nil
		}
	}
	return func() time.Time { return at }
}

// plain has the times without what tells one clock's from another's, to be compared.
func plain(s jobs.Seen) jobs.Seen {
	for _, at := range []*time.Time{
		&s.Sent, &s.Waiting, &s.Working, &s.Running, &s.Ended, &s.FetchBegun, &s.Fetched,
		&s.GatewayCreated, &s.GatewayStarted, &s.GatewayEnded,
	} {
		*at = at.Round(0).UTC()
	}
	return s
}

// from asserts that a time is when something began, by is that for an answer: each is to the
// millisecond, and on the safe side.
func from(t *testing.T, want, got time.Time, msg ...any) {
	t.Helper()
	assert.WithinRange(t, got, want.Add(1-time.Millisecond), want, msg...)
}

func by(t *testing.T, want, got time.Time, msg ...any) {
	t.Helper()
	assert.WithinRange(t, got, want, want.Add(time.Millisecond-1), msg...)
}

// every polls at a fixed interval.
func every(d time.Duration) schedule.Curve { return schedule.Curve{First: d, Max: d} }

// TestSeenBounds: a transition lies between the begin of the last look before it and the answer of the
// first one after it.
func TestSeenBounds(t *testing.T) {
	t.Parallel()
	const took = 200 * time.Millisecond
	var born func() time.Time
	run(t, func(r *rig, o *jobs.Options) {
		o.Curve = every(time.Second)
		r.gate.hold, r.gate.pollTime = 400*time.Millisecond, took
		born = life{4500 * time.Millisecond, 9700 * time.Millisecond}.script(r.gate)
	}, func(r *rig) {
		began := time.Now()
		id := r.submit()
		r.pass(30 * time.Second)
		s := r.job(id).Seen
		starts, ends := born().Add(4500*time.Millisecond), born().Add(9700*time.Millisecond)
		before := func(x time.Time) (last time.Time) {
			for _, p := range r.gate.polls("t1") {
				if p.Add(took).Before(x) {
					last = p
				}
			}
			return last
		}
		after := func(x time.Time) time.Time {
			for _, p := range r.gate.polls("t1") {
				if !p.Add(took).Before(x) {
					return p.Add(took)
				}
			}
			return time.Time{}
		}
		from(t, began, s.Sent)
		from(t, before(starts), s.Waiting)
		by(t, after(starts), s.Running)
		from(t, before(ends), s.Working)
		by(t, after(ends), s.Ended)
		assert.Less(t, s.Ended.Sub(s.Working), 1500*time.Millisecond)
		assert.Equal(t, plain(s), plain(r.kept(id).Job.Seen))
	})
}

// TestNeverSeenRunning: a task that starts and ends between two looks started and ended there.
func TestNeverSeenRunning(t *testing.T) {
	t.Parallel()
	var born func() time.Time
	run(t, func(r *rig, o *jobs.Options) {
		o.Curve = every(5 * time.Second)
		born = life{6 * time.Second, 8 * time.Second}.script(r.gate)
	}, func(r *rig) {
		id := r.submit()
		r.pass(time.Minute)
		s := r.job(id).Seen
		from(t, born().Add(5*time.Second), s.Waiting)
		assert.Equal(t, s.Waiting, s.Working)
		by(t, r.gate.polls("t1")[1], s.Ended)
		assert.Equal(t, s.Ended, s.Running)
	})
}

// TestSeenAfterACrash: what a killed process had not written of its looks makes an interval wider.
func TestSeenAfterACrash(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dead := false
		a := newRig(t, func(r *rig, o *jobs.Options) {
			o.Curve = every(time.Second)
			life{22 * time.Second, time.Hour}.script(r.gate)
			r.store.Fail = func(string, *jobs.Change) error {
				if dead {
					return errBroken
				}
				return nil
			}
		})
		a.start()
		id := a.submit()
		a.pass(20 * time.Second)
		held, kept := a.job(id).Seen, a.kept(id).Job.Seen
		assert.Equal(t, time.Second, time.Since(held.Waiting).Round(time.Second), "the board has the newest")
		from(t, kept.Sent, kept.Waiting, "the history that of the last change")
		dead = true
		a.end() // as if it were killed: nothing is written any more
		dead = false
		<-time.After(10 * time.Second)

		b := newRig(t, func(r *rig, o *jobs.Options) {
			r.store, r.gate = a.store, a.gate
			o.Store, o.Gateway, o.Owner, o.Curve = a.store, a.gate, "you", every(time.Second)
		})
		b.start()
		b.pass(20 * time.Second)
		s := b.job(id).Seen
		require.Equal(t, jobs.Running, b.job(id).State)
		from(t, kept.Waiting, s.Waiting, "the last look that is known of")
		assert.Less(t, s.Waiting, s.Running)
		first := a.gate.polls("t1")[0]
		for _, p := range a.gate.polls("t1") {
			if p.Sub(kept.Sent) > 20*time.Second {
				first = p
				break
			}
		}
		by(t, first, s.Running, "the first look of the other one")
		b.end()
	})
}

// TestLooksCostNoWrites: looks that show nothing new are in memory, and in the history with the notes
// about their requests.
func TestLooksCostNoWrites(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) { o.Curve = every(2 * time.Second) }, func(r *rig) {
		id := r.submit()
		r.pass(3 * time.Second)
		w := r.kept(id)
		require.Equal(t, jobs.Running, w.Job.State)
		r.pass(20 * time.Second)
		assert.Equal(t, w.Rev, r.kept(id).Rev)
		assert.Greater(t, r.job(id).Seen.Working, w.Job.Seen.Working.Add(15*time.Second))
		r.pass(20 * time.Second)
		assert.Greater(t, r.kept(id).Job.Seen.Working, w.Job.Seen.Working.Add(20*time.Second), "for whoever takes it over")
	})
}

// TestAnErrorIsNoLook: what a failed query would have shown is not known.
func TestAnErrorIsNoLook(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.Curve = every(time.Second)
		o.Retry = schedule.Backoff{Base: time.Second, Cap: time.Second}
		r.gate.query = func(id string, n int) (client.Task, error) {
			switch {
			case n <= 3:
				return task(id, client.StatusRunning, "running"), nil
			case n <= 10:
				return client.Task{}, apiError(500 + n)
			case n == 11:
				return client.Task{}, apiError(404)
			default:
				return done(id), nil
			}
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(time.Minute)
		j, polls := r.job(id), r.gate.polls("t1")
		require.Equal(t, jobs.Completed, j.State)
		by(t, polls[0], j.Seen.Running)
		from(t, polls[2], j.Seen.Working)
		by(t, polls[11], j.Seen.Ended)
	})
}

// TestEndByAnotherRoute: where the first route does not know the task, the look is that of the route
// that does.
func TestEndByAnotherRoute(t *testing.T) {
	t.Parallel()
	const took = 300 * time.Millisecond
	run(t, func(r *rig, o *jobs.Options) {
		o.Curve = every(time.Second)
		o.RoutesFor = func(string) []string { return []string{"responses"} }
		r.gate.pollTime = took
		r.gate.query = func(id string, n int) (client.Task, error) {
			switch n {
			case 1:
				return task(id, client.StatusQueued, "queued"), nil
			case 2:
				return client.Task{}, apiError(404)
			default:
				return done(id), nil
			}
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(time.Minute)
		j, polls := r.job(id), r.gate.polls("t1")
		require.Equal(t, jobs.Completed, j.State)
		require.Equal(t, "responses", j.QueryFormat)
		from(t, polls[0], j.Seen.Working)
		by(t, polls[2].Add(took), j.Seen.Ended)
	})
}

// TestSeenOfARoundabout: a state that nobody knows may be one of running; a task that waits again has
// run; and one that a person has looked for again has not ended.
func TestSeenOfARoundabout(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.Curve = every(time.Second)
		r.gate.query = func(id string, n int) (client.Task, error) {
			raw := []string{"queued", "moderated", "running", "queued", "running"}[min(n, 5)-1]
			s := map[string]client.Status{"queued": client.StatusQueued, "running": client.StatusRunning}[raw]
			return task(id, s, raw), nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(10500 * time.Millisecond)
		s, polls := r.job(id).Seen, r.gate.polls("t1")
		from(t, polls[0], s.Waiting)
		by(t, polls[2], s.Running)
		from(t, polls[len(polls)-1], s.Working)

		require.NoError(t, r.e.Drop(ctx0, id))
		assert.Zero(t, r.job(id).Seen.Ended, "nobody saw it end")
		from(t, s.Working, r.job(id).Seen.Working, "but until then it had not")
	})
}

// TestAnsweredAtOnce: a picture is there with the answer; its bytes are not fetched.
func TestAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.hold = 3 * time.Second
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			t := done("")
			t.Assets = []client.Asset{{Kind: client.AssetImage, Inline: []byte("png")}}
			t.Meta.At, t.Meta.Latency = time.Now(), 2*time.Second // a second went by until it could be written
			return t, nil
		}
	}, func(r *rig) {
		began := time.Now()
		id := r.submit()
		r.pass(10 * time.Second)
		j := r.job(id)
		require.Equal(t, jobs.Completed, j.State)
		end := began.Add(3 * time.Second)
		assert.Equal(t, plain(jobs.Seen{Sent: began.Add(time.Second), Running: end, Ended: end}), plain(j.Seen))
	})
}

// TestUnclearCreate: the create of a job whose answer was lost was sent all the same, one that never
// left was not.
func TestUnclearCreate(t *testing.T) {
	t.Parallel()
	for outcome, sent := range map[client.Outcome]bool{client.OutcomeAmbiguous: true, client.OutcomeNotSent: false} {
		run(t, func(r *rig, _ *jobs.Options) {
			r.gate.create = func(client.Draft, int) (client.Task, error) {
				return client.Task{}, &client.CreateError{Outcome: outcome, Err: context.DeadlineExceeded}
			}
			r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
		}, func(r *rig) {
			began := time.Now()
			id := r.submit()
			r.pass(10 * time.Millisecond)
			if !sent {
				assert.Zero(t, r.job(id).Seen)
				return
			}
			assert.Equal(t, plain(jobs.Seen{Sent: began}), plain(r.job(id).Seen))
			r.pass(time.Minute)
			require.NoError(t, r.e.Adopt(ctx0, id, "found"))
			r.pass(time.Minute)
			s := r.job(id).Seen
			from(t, began, s.Sent)
			by(t, r.gate.polls("found")[0], s.Ended)
		})
	}
}

// TestSeenOfFiles: the download is from the first try to the last file; what an earlier process may
// have fetched of it, and what a person asks for again, is no measure.
func TestSeenOfFiles(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		two := func(id string, _ int) (client.Task, error) {
			d := done(id)
			d.Assets = append(d.Assets, client.Asset{Kind: client.AssetCover, URL: "https://h/c"})
			return d, nil
		}
		r := newRig(t, func(r *rig, o *jobs.Options) {
			o.Curve, r.gate.query = every(time.Second), two
			o.Retry = schedule.Backoff{Base: time.Second, Cap: time.Second}
			tries := 0
			r.save.save = func(ctx context.Context, q jobs.FileRequest, _ func(int64, int64)) (jobs.File, error) {
				tries++
				select {
				case <-time.After(2 * time.Second):
				case <-ctx.Done():
					return jobs.File{}, ctx.Err()
				}
				if tries == 1 {
					return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveTemporary, Err: errBroken}
				}
				return jobs.File{Path: "/d/" + q.Job.ID, Bytes: 3, Total: 3, SHA256: "x"}, nil
			}
		})
		r.start()
		id := r.submit()
		r.pass(30 * time.Second)
		s := r.job(id).Seen
		require.True(t, func() bool { j := r.job(id); return j.Saved() }())
		assert.WithinDuration(t, s.Ended, s.FetchBegun, time.Millisecond)
		from(t, s.FetchBegun.Add(7*time.Second), s.Fetched, "two seconds each try, and one between")
		assert.Equal(t, plain(s), plain(r.kept(id).Job.Seen))

		require.NoError(t, r.e.DownloadAgain(ctx0, id))
		r.pass(30 * time.Second)
		assert.Zero(t, r.job(id).Seen.FetchBegun)

		id = r.submit()
		r.pass(2 * time.Second)
		r.end() // in the middle of the first file
		b := newRig(t, func(o *rig, p *jobs.Options) {
			o.store, o.gate, o.save = r.store, r.gate, r.save
			p.Store, p.Gateway, p.Saver = r.store, r.gate, r.save
		})
		b.start()
		b.pass(30 * time.Second)
		s = b.job(id).Seen
		assert.Zero(t, s.FetchBegun, "some of it may have been there")
		assert.NotZero(t, s.Fetched)
		b.end()
	})
}

// TestGatewayTimes are taken over where a history can hold them, and by no other clock than the
// gateway's.
func TestGatewayTimes(t *testing.T) {
	t.Parallel()
	made := time.Date(2031, 1, 2, 3, 4, 5, 678_900_000, time.UTC)
	run(t, func(r *rig, o *jobs.Options) {
		o.Curve = every(time.Second)
		r.gate.query = func(id string, n int) (client.Task, error) {
			t := task(id, client.StatusRunning, "running")
			t.CreatedAt, t.StartedAt = made, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
			if n > 3 {
				t = done(id)
				t.StartedAt, t.EndedAt = made.Add(time.Second), made.Add(time.Minute)
			}
			return t, nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(1500 * time.Millisecond)
		s := r.job(id).Seen
		assert.True(t, s.GatewayCreated.Equal(made.Truncate(time.Millisecond)))
		assert.Zero(t, s.GatewayStarted)
		r.pass(10 * time.Second)
		s = r.kept(id).Job.Seen
		assert.True(t, s.GatewayCreated.Equal(made.Truncate(time.Millisecond)), "the newest answer with such a time")
		assert.Equal(t, time.Second, s.GatewayStarted.Sub(s.GatewayCreated))
		assert.Equal(t, time.Minute, s.GatewayEnded.Sub(s.GatewayCreated))
	})
}

// TestSeenIsNeverTooNarrow: a clock is read to less than a millisecond, a history keeps that much.
func TestSeenIsNeverTooNarrow(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.Curve = every(time.Second)
		o.Clock = func() time.Time { return time.Now().Add(400 * time.Microsecond) }
		life{0, 1500 * time.Millisecond}.script(r.gate)
	}, func(r *rig) {
		id := r.submit()
		r.pass(10 * time.Second)
		s, polls := r.job(id).Seen, r.gate.polls("t1")
		assert.Less(t, s.Working, polls[0].Add(400*time.Microsecond))
		assert.Greater(t, s.Ended, polls[1].Add(400*time.Microsecond))
		by(t, s.Ended, s.Ended.Truncate(time.Millisecond))
	})
}
