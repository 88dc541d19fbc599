package jobs_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/client/transport"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// host is a gateway behind the real client, in virtual time: it takes no more than limit requests in any
// second.
type host struct {
	took  func(id string) time.Duration // of a task
	limit int                           // 0 for any number

	mu      sync.Mutex
	made    map[string]time.Time
	polls   map[string][]time.Time
	all     []time.Time
	refused []time.Time
	files   int
}

func (h *host) RoundTrip(r *http.Request) (*http.Response, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	code, body := http.StatusOK, ""
	h.all = append(h.all, now)
	id := strings.TrimPrefix(r.URL.Path, "/v1/videos/")
	switch {
	case h.limit > 0 && len(h.all) > h.limit && now.Sub(h.all[len(h.all)-1-h.limit]) < time.Second:
		h.refused = append(h.refused, now)
		code, body = http.StatusTooManyRequests, `{"error":{"message":"slow down"}}`
	case r.Method == http.MethodPost:
		id = fmt.Sprint("t", len(h.made)+1)
		h.made[id] = now
		body = `{"id":"` + id + `","status":"queued"}`
	case strings.HasSuffix(id, "/content"):
		h.files++
		return &http.Response{
			StatusCode: code, Header: http.Header{"Content-Type": {"video/mp4"}}, ContentLength: 3,
			Body: io.NopCloser(strings.NewReader("mp4")), Request: r,
		}, nil
	default:
		h.polls[id] = append(h.polls[id], now)
		body = `{"id":"` + id + `","status":"in_progress"}`
		if now.Sub(h.made[id]) >= h.took(id) {
			body = `{"id":"` + id + `","status":"completed"}`
		}
	}
	return &http.Response{
		StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(body)),
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}

// asked is how many requests came from a time on.
func (h *host) asked(of []time.Time, from time.Time) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(of) - slices.IndexFunc(append(of, from), func(t time.Time) bool { return !t.Before(from) })
}

// gaps are the times between the polls of a task from a time on, ascending.
func (h *host) gaps(id string, from time.Time) (out []time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := h.polls[id]
	for i := 1; i < len(at); i++ {
		if at[i-1].After(from) {
			out = append(out, at[i].Sub(at[i-1]))
		}
	}
	slices.Sort(out)
	return out
}

// withHost runs an engine against a host in virtual time.
func withHost(t *testing.T, h *host, pace transport.Pace, set func(*client.Client, *jobs.Options), body func(*rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h.made, h.polls = map[string]time.Time{}, map[string][]time.Time{}
		c, err := client.New(client.Options{
			BaseURL: "https://gateway.example", Key: func() (string, error) { return "sk-0123456789", nil }, Formats: formats.All(),
			Transport: h, Pace: pace,
		})
		require.NoError(t, err)
		r := newRig(t, func(_ *rig, o *jobs.Options) {
			o.Gateway, o.Saver = c, nil
			if set != nil {
				set(c, o)
			}
		})
		r.start()
		body(r)
		r.end()
		c.Close()
	})
}

// submitAll submits jobs: so many others, whose tasks come first, and so many of a run.
func submitAll(r *rig, others, ofRuns int) (ids []string) {
	r.t.Helper()
	run := uuid.Must(uuid.NewV7()).String()
	for i := range others + ofRuns {
		s := sub("a kite")
		if i >= others {
			s = ofRun(run, fmt.Sprint(i+1, ".1"))
		}
		id, err := r.e.Submit(ctx0, []jobs.Submission{s})
		require.NoError(r.t, err)
		synctest.Wait()
		ids = append(ids, id...)
	}
	return ids
}

func hours(string) time.Duration { return 24 * time.Hour }

// TestRunsArePolledTightly: the end of a task of a run is known to a second or to 2.5 %; other jobs are
// polled as ever.
func TestRunsArePolledTightly(t *testing.T) {
	t.Parallel()
	h := &host{took: func(id string) time.Duration {
		return map[string]time.Duration{"t1": time.Hour, "t2": 4300 * time.Millisecond, "t3": 25 * time.Second, "t4": 2 * time.Minute}[id]
	}}
	withHost(t, h, transport.Pace{}, nil, func(r *rig) {
		ids := submitAll(r, 1, 3)
		r.pass(3 * time.Minute)
		byTask := map[string]jobs.Job{}
		for _, id := range ids {
			j := r.job(id)
			byTask[j.TaskID] = j
		}
		for task, j := range byTask {
			if task == "t1" {
				continue
			}
			wide := j.Seen.Ended.Sub(j.Seen.Working)
			assert.LessOrEqual(t, wide, max(1100*time.Millisecond, h.took(task)*28/1000), task)
			end := h.made[task].Add(h.took(task))
			assert.WithinRange(t, end, j.Seen.Working, j.Seen.Ended, task)
		}
		assert.LessOrEqual(t, len(h.polls["t4"]), 90)
		assert.LessOrEqual(t, len(h.polls["t1"]), 26, "as ever")
	})
}

// TestRunsLeaveRoom: at the limit of the pace the jobs of a run take half of it, and the others are
// polled as if there were no run.
func TestRunsLeaveRoom(t *testing.T) {
	t.Parallel()
	alone := map[int]time.Duration{}
	for _, ofRuns := range []int{0, 60} {
		h := &host{took: hours}
		withHost(t, h, transport.Pace{Rate: 10}, nil, func(r *rig) {
			submitAll(r, 20, ofRuns)
			r.pass(5 * time.Minute)
			from := time.Now()
			r.pass(10 * time.Minute)
			rate := float64(h.asked(h.all, from)) / 600
			var others []time.Duration
			for i := range 20 {
				others = append(others, h.gaps(fmt.Sprint("t", i+1), from)...)
			}
			slices.Sort(others)
			alone[ofRuns] = others[len(others)-1]
			if ofRuns > 0 {
				assert.InDelta(t, 5+20.0/25, rate, 0.7, "half of the pace, and the others")
			}
		})
	}
	assert.Less(t, alone[60], alone[0]+500*time.Millisecond, "the longest wait of the others")
}

// TestRunsHeedTheGateway: a gateway that refuses what is above a limit of its own is not driven into it
// again and again.
func TestRunsHeedTheGateway(t *testing.T) {
	t.Parallel()
	h := &host{took: hours, limit: 10}
	withHost(t, h, transport.Pace{}, nil, func(r *rig) {
		submitAll(r, 5, 0)
		r.pass(2 * time.Second)
		submitAll(r, 0, 5)
		r.pass(2 * time.Second)
		for range 9 {
			submitAll(r, 0, 5)
			r.pass(2 * time.Second)
		}
		r.pass(2 * time.Minute)
		from := time.Now()
		r.pass(20 * time.Minute)
		refused, all := h.asked(h.refused, from), h.asked(h.all, from)
		t.Logf("%d of %d refused, %.1f a second", refused, all, float64(all)/1200)
		assert.LessOrEqual(t, refused*50, all, "one in fifty")
		assert.Greater(t, all, 1200*2, "and yet what others get is not all")
		for i := range 5 {
			g := h.gaps(fmt.Sprint("t", i+1), from)
			assert.Less(t, g[len(g)-1], 40*time.Second, "the others")
		}
	})
}

// fetcher saves by fetching from the client, and waits for nothing else.
type fetcher struct{ c *client.Client }

func (f fetcher) Save(ctx context.Context, r jobs.FileRequest, _ func(int64, int64)) (jobs.File, error) {
	m, err := f.c.Open(ctx, r.Job.QueryFormat, r.Job.TaskID, r.Asset, 0, "")
	if err != nil {
		return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveTemporary, Err: err}
	}
	_, err = io.Copy(io.Discard, m.Body)
	return jobs.File{Path: "/d/" + r.Job.ID, Bytes: 3, Total: 3, SHA256: "x"}, errorsOf(err, m.Body.Close())
}

// TestDownloadsDelayNoPoll: files that come from the gateway itself take requests of its pace, and take
// only those that no poll waits for.
func TestDownloadsDelayNoPoll(t *testing.T) {
	t.Parallel()
	latest := map[int]time.Duration{}
	for _, files := range []int{0, 40} {
		h := &host{took: func(id string) time.Duration {
			if n, _ := strconv.Atoi(id[1:]); n <= files {
				return 30 * time.Second
			}
			return 24 * time.Hour
		}}
		withHost(t, h, transport.Pace{Rate: 2, Burst: 4}, func(c *client.Client, o *jobs.Options) {
			o.Saver = fetcher{c}
			o.Curve = schedule.Curve{First: 4 * time.Second, Max: 4 * time.Second}
		}, func(r *rig) {
			submitAll(r, files, 0)
			r.pass(2 * time.Minute)
			for range 4 {
				s := sub("a kite")
				s.Draft.Model = "famL" // of which nobody knows how long it takes
				_, err := r.e.Submit(ctx0, []jobs.Submission{s})
				require.NoError(t, err)
			}
			r.pass(20 * time.Second)
			from := time.Now()
			for range 30 { // again and again
				p, err := r.e.List(ctx0, jobs.Query{States: []jobs.State{jobs.Completed}, Limit: 100})
				require.NoError(t, err)
				for _, j := range p.Jobs {
					if !j.Saving() {
						require.NoError(t, r.e.DownloadAgain(ctx0, j.ID))
					}
				}
				r.pass(10 * time.Second)
			}
			for i := range 4 {
				g := h.gaps(fmt.Sprint("t", files+i+1), from)
				latest[files] = max(latest[files], g[len(g)-1])
			}
			t.Logf("%d files fetched, longest gap %s", h.files, latest[files])
			assert.Equal(t, files > 0, h.files > 60)
		})
	}
	assert.LessOrEqual(t, latest[40], latest[0]+50*time.Millisecond)
}

// TestRunsTakeTurns: where the polls in flight are the limit, and where the creates are, a run does not
// make others wait for all of it.
func TestRunsTakeTurns(t *testing.T) {
	t.Parallel()
	longest := map[int]time.Duration{}
	for _, ofRuns := range []int{0, 100} {
		run(t, func(r *rig, o *jobs.Options) {
			r.gate.pollTime, r.gate.hold = time.Second, time.Second
			o.Curve = every(4 * time.Second)
		}, func(r *rig) {
			submitAll(r, 8, 0)
			r.pass(time.Minute)
			submitAll(r, 0, ofRuns)
			began, n := time.Now(), r.gate.sent()
			_, err := r.e.Submit(ctx0, []jobs.Submission{sub("mine")})
			require.NoError(t, err)
			for !slices.ContainsFunc(r.gate.drafts()[n:], func(d client.Draft) bool { return d.Prompt == "mine" }) {
				r.pass(100 * time.Millisecond)
			}
			took := time.Since(began)
			t.Logf("created after %s", took)
			assert.LessOrEqual(t, took, 2*time.Second)
			from := time.Now()
			r.pass(5 * time.Minute)
			for i := range 8 {
				at := r.gate.polls(fmt.Sprint("t", i+1))
				for k := 1; k < len(at); k++ {
					if at[k-1].After(from) {
						longest[ofRuns] = max(longest[ofRuns], at[k].Sub(at[k-1]))
					}
				}
			}
		})
	}
	t.Logf("%s, and %s beside a run", longest[0], longest[100])
	assert.LessOrEqual(t, longest[100], longest[0]+2*time.Second)
}
