package jobs_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/client/transport"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
	"darkroom/jobs/store"
	"darkroom/jobs/store/storetest"
)

const (
	envServe    = "JOBS_TEST_SERVE"
	loadJobs    = 10_000
	loadPollers = 64
)

// serve answers queries for ever, in a process of its own so that what it costs is not
// counted. A path that begins with /moving has a progress that changes all the time, one
// with /turning a state that does.
func serve() error {
	prompt := strings.Repeat("a red kite over a salt flat, ", 15)[:410] // of 540 bytes in all
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(os.Stdout, "http://"+l.Addr().String())
	var n atomic.Int64
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		progress, status := int64(10), "in_progress"
		path := r.URL.Path
		if rest, ok := strings.CutPrefix(path, "/moving"); ok {
			path, progress = rest, n.Add(1)%99
		}
		if rest, ok := strings.CutPrefix(path, "/turning"); ok {
			path, status = rest, fmt.Sprint("phase_", n.Add(1)%997) // no term that is known, told as it is
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", "req-0123456789abcdef")
		_, _ = fmt.Fprintf(w, `{"id":%q,"object":"video","model":"famA3","status":%q,"progress":%d,"created_at":1700000000,"prompt":%q}`,
			path[strings.LastIndexByte(path, '/')+1:], status, progress, prompt)
	}))
}

func startServer(b *testing.B) string {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envServe+"=1")
	in, err := cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	return strings.TrimSpace(line)
}

// cpu is what this process has used of the processors.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// rates are polls a second, and CPU a poll in microseconds.
type rates struct{ polls, cpu float64 }

// measured is what a part of the benchmark comes to.
func measured(polls func() int64) rates {
	began, used := time.Now(), cpu()
	n := float64(polls())
	return rates{n / time.Since(began).Seconds(), float64((cpu() - used).Microseconds()) / n}
}

// turns is how often two sides are measured by turns, for turnFor each, so that what else
// the machine does meets both.
const (
	turns   = 8
	turnFor = 500 * time.Millisecond
)

// compared measures a side and the bare client by turns, and reports the side, and what
// it is of the other: the medians.
func compared(b *testing.B, url string, side func() int64) {
	other := newBare(b, url)
	against(b, "of-bare", func() rates { return measured(other.polls) }, side)
}

// against measures a side and another one by turns.
func against(b *testing.B, of string, one func() rates, side func() int64) {
	var polls, used, ratios []float64
	for range turns {
		other, this := one(), measured(side)
		polls, used, ratios = append(polls, this.polls), append(used, this.cpu), append(ratios, this.polls/other.polls)
	}
	b.ReportMetric(median(polls), "polls/s")
	b.ReportMetric(median(used), "cpu-us/poll")
	b.ReportMetric(median(ratios), of)
	b.ReportMetric(0, "ns/op")
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[len(x)/2] + x[(len(x)-1)/2]) / 2
}

// BenchmarkLoad compares polls through the engine with those of the bare client of
// net/http, tuned alike, against the same server in the same run and process.
func BenchmarkLoad(b *testing.B) {
	url := startServer(b)
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			compared(b, url, newBare(b, url).polls)
		}
	})
	if wrk, err := exec.LookPath("wrk"); err == nil { // Debian has it
		b.Run("client-wrk", func(b *testing.B) {
			c := newClient(b, url)
			for b.Loop() {
				against(b, "of-wrk", func() rates { return wrkOf(b, wrk, url) }, func() int64 { return queries(b, c) })
			}
		})
	}
	b.Run("client", func(b *testing.B) {
		c := newClient(b, url)
		jobsHeld := storetest.NewMem() // a heap as large as that of a process with so many jobs
		fillActive(b, jobsHeld, loadJobs, time.Now())
		for b.Loop() {
			compared(b, url, func() int64 { return queries(b, c) })
		}
		runtime.KeepAlive(jobsHeld)
	})
	b.Run("engine", func(b *testing.B) { engineLoad(b, url, "", storetest.NewMem()) })
	b.Run("engine-sqlite", func(b *testing.B) { engineLoad(b, url, "", openStore(b)) })
	b.Run("engine-sqlite-moving", func(b *testing.B) { engineLoad(b, url, "/moving", openStore(b)) })
	b.Run("engine-sqlite-turning", func(b *testing.B) { engineLoad(b, url, "/turning", openStore(b)) })
}

func openStore(b *testing.B) *store.SQLite {
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "h.db"))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	return s
}

func newClient(b *testing.B, url string) *client.Client {
	c, err := client.New(client.Options{
		BaseURL: url, Key: func() (string, error) { return "sk-0123456789", nil }, Formats: formats.All(),
		Pace: transport.Pace{Rate: -1},
	})
	require.NoError(b, err)
	b.Cleanup(c.Close)
	return c
}

// workers calls poll from as many goroutines as the engine has, for a while.
func workers(poll func(i int64) error) (int64, error) {
	var n atomic.Int64
	var failed atomic.Pointer[error]
	var done sync.WaitGroup
	until := time.Now().Add(turnFor)
	for range loadPollers {
		done.Go(func() {
			for time.Now().Before(until) {
				if err := poll(n.Add(1)); err != nil {
					failed.Store(&err)
					return
				}
			}
		})
	}
	done.Wait()
	if p := failed.Load(); p != nil {
		return 0, *p
	}
	return n.Load(), nil
}

// bare is a client of net/http alone, tuned alike, which keeps its connections and decodes.
type bare struct {
	b   *testing.B
	t   *http.Transport
	url string
}

func newBare(b *testing.B, url string) *bare {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	t := &http.Transport{MaxIdleConns: 256, MaxIdleConnsPerHost: loadPollers, Protocols: p}
	b.Cleanup(t.CloseIdleConnections)
	return &bare{b, t, url}
}

func (c *bare) polls() int64 {
	n, err := workers(func(i int64) error {
		r, err := http.NewRequestWithContext(c.b.Context(), http.MethodGet, fmt.Sprint(c.url, "/v1/videos/t-", i%loadJobs), nil)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer sk-0123456789")
		resp, err := c.t.RoundTrip(r)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(resp.Body)
		var task struct {
			ID, Object, Model, Status, Prompt string
			Progress                          float64
			CreatedAt                         int64 `json:"created_at"`
		}
		return errorsOf(err, resp.Body.Close(), json.Unmarshal(body, &task))
	})
	require.NoError(c.b, err)
	return n
}

// wrkOf is what wrk reads of one task, over as many connections, and decodes nothing.
func wrkOf(b *testing.B, wrk, url string) rates {
	out, err := exec.CommandContext(b.Context(), wrk, "-t2", fmt.Sprint("-c", loadPollers), "-d1s", "-H", "Authorization: Bearer sk-0123456789", url+"/v1/videos/t-1").CombinedOutput()
	require.NoError(b, err, string(out))
	_, rest, found := strings.Cut(string(out), "Requests/sec:")
	require.True(b, found, string(out))
	polls, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	require.NoError(b, err)
	return rates{polls: polls}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func queries(b *testing.B, c *client.Client) int64 {
	n, err := workers(func(i int64) error {
		_, err := c.Query(b.Context(), "videos", fmt.Sprint("t-", i%loadJobs))
		return err
	})
	require.NoError(b, err)
	return n
}

// fillActive journals tasks that run at the gateway.
func fillActive(b *testing.B, s jobs.Store, n int, now time.Time) {
	for from := 0; from < n; from += 1000 {
		var batch []jobs.Change
		for i := range 1000 {
			j := storetest.NewJob(fmt.Sprintf("a red kite over a salt flat at dawn, take %d", from+i))
			j.TaskID, j.QueryFormat, j.State = fmt.Sprint("t-", from+i), "videos", jobs.Running
			j.RawStatus, j.CreatedAt, j.AcceptedAt, j.UpdatedAt = "in_progress", now, now, now
			c := storetest.Plan(j)
			c.Due = now
			batch = append(batch, c)
		}
		require.NoError(b, s.Insert(b.Context(), batch))
	}
}

// counted counts queries.
type counted struct {
	jobs.Gateway
	hold  sync.RWMutex
	n     atomic.Int64
	after func(id string)
}

func (c *counted) Query(ctx context.Context, format, id string) (client.Task, error) {
	c.hold.RLock()
	defer c.hold.RUnlock()
	c.n.Add(1)
	if c.after != nil {
		c.after(id)
	}
	return c.Gateway.Query(ctx, format, id)
}

// engineLoad has an engine poll without a pause, and holds its requests back in the turns
// of the other side.
func engineLoad(b *testing.B, url, prefix string, s jobs.Store) {
	fillActive(b, s, loadJobs, time.Now())
	g := &counted{Gateway: newClient(b, url+prefix)}
	e := jobs.NewEngine(jobs.Options{
		Store: s, Gateway: g, Profile: "p", MaxPolls: loadPollers, FormatFor: func(client.Draft) string { return "videos" },
		Curve: schedule.Curve{First: 200 * time.Millisecond, Max: 200 * time.Millisecond, Jitter: 0.5},
	})
	stop := runEngine(b, e)
	for first := 0; first < loadJobs; { // the first answer to each is written
		<-time.After(500 * time.Millisecond)
		first = 0
		list, _ := e.Changes(0)
		for i := range list {
			if list[i].Polls > 1 {
				first++
			}
		}
	}
	g.hold.Lock()
	for b.Loop() {
		compared(b, url, func() int64 {
			g.hold.Unlock()
			from := g.n.Load()
			<-time.After(turnFor)
			n := g.n.Load() - from
			g.hold.Lock() // waits for those under way
			return n
		})
	}
	g.hold.Unlock()
	stop()
}

func runEngine(b *testing.B, e *jobs.Engine) (stop func()) {
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	return func() {
		cancel()
		require.NoError(b, <-done)
	}
}

// BenchmarkTenThousand has ten thousand active jobs polled every ten seconds, against a
// server that takes five milliseconds, and tells what they add to the memory and how late
// polls begin.
func BenchmarkTenThousand(b *testing.B) {
	for b.Loop() {
		tenThousand(b)
	}
}

func tenThousand(b *testing.B) {
	s := openStore(b)
	var mu sync.Mutex
	var lags []time.Duration
	var e *jobs.Engine
	measuring := false
	g := &counted{Gateway: slowly{}}
	g.after = func(id string) {
		now := time.Now()
		mu.Lock()
		defer mu.Unlock()
		if measuring {
			lags = append(lags, now.Sub(e.DueOf(strings.TrimPrefix(id, "t-"))))
		}
	}
	e = jobs.NewEngine(jobs.Options{
		Store: s, Gateway: g, Profile: "p", MaxPolls: 32, FormatFor: func(client.Draft) string { return "videos" },
		Curve: schedule.Curve{First: 10 * time.Second, Max: 10 * time.Second, Jitter: 0.1},
	})
	empty := heap()
	fillByID(b, s, time.Now())
	stop := runEngine(b, e)
	for g.n.Load() < 2*loadJobs {
		<-time.After(10 * time.Millisecond)
	}
	mu.Lock()
	measuring = true
	mu.Unlock()
	began, used, from := time.Now(), cpu(), g.n.Load()
	<-time.After(25 * time.Second)
	mu.Lock()
	measuring = false
	slices.Sort(lags)
	at := func(q float64) float64 {
		return float64(lags[int(q*float64(len(lags)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(at(0.5), "lag-ms/p50")
	b.ReportMetric(at(0.99), "lag-ms/p99")
	b.ReportMetric(at(1), "lag-ms/max")
	n := float64(g.n.Load() - from)
	b.ReportMetric(n/time.Since(began).Seconds(), "polls/s")
	b.ReportMetric(float64((cpu()-used).Microseconds())/n, "cpu-us/poll")
	lags = nil
	mu.Unlock()
	b.ReportMetric((heap()-empty)/(1<<20), "MiB-added")
	b.ReportMetric(0, "ns/op")
	stop()
}

// fillByID makes tasks whose ids tell their jobs.
func fillByID(b *testing.B, s jobs.Store, now time.Time) {
	var batch []jobs.Change
	for i := range loadJobs {
		j := storetest.NewJob(fmt.Sprintf("a red kite over a salt flat at dawn, take %d", i))
		j.TaskID, j.QueryFormat, j.State = "t-"+j.ID, "videos", jobs.Running
		j.RawStatus, j.CreatedAt, j.AcceptedAt, j.UpdatedAt = "running", now, now, now
		c := storetest.Plan(j)
		c.Due = now
		batch = append(batch, c)
	}
	require.NoError(b, s.Insert(b.Context(), batch))
}

// heap is what lives in memory after a collection, in bytes.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// slowly answers after five milliseconds.
type slowly struct{}

func (slowly) Create(context.Context, client.Draft, string) (client.Task, error) {
	return client.Task{}, io.EOF
}

func (slowly) Query(ctx context.Context, _, id string) (client.Task, error) {
	select {
	case <-time.After(5 * time.Millisecond):
	case <-ctx.Done():
	}
	return task(id, client.StatusRunning, "running"), ctx.Err()
}
