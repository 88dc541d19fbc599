package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/postgres"
	"darkroom/jobs/store/postgres/pgtest"
	"darkroom/jobs/store/storetest"
)

const (
	waitLong = 20 * time.Second // for what comes soon on a machine that has nothing else to do
	tick     = 10 * time.Millisecond
)

func openShared(t *testing.T, dsn string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// following is a job of the profile work that a poller is to follow.
func following(task string) jobs.Change {
	j := storetest.NewJob("x")
	j.Profile, j.State, j.TaskID, j.QueryFormat = "work", jobs.Running, task, "videos"
	c := storetest.Plan(j)
	c.Due = time.Now().Add(-time.Second)
	return c
}

// TestPollOnce does what is due and ends; what a person paused is not waited for, and files
// are on the disk at the end.
func TestPollOnce(t *testing.T) {
	t.Parallel()
	gateway, dsn := startGateway(t), server.Database(t)
	w := sharing(t, gateway, dsn)
	s := openShared(t, dsn)
	paused := following("paused")
	paused.Job.Paused = true
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{paused}))
	id := text(t, w.ok("create", "video", "--prompt", "a kite", "-o", "json").object(t), "id")
	require.NoError(t, s.Insert(t.Context(), nil))
	out := filepath.Join(w.dir, "results")
	var all string
	require.Eventually(t, func() bool { // as often as a timer would start it
		all += w.ok("poll", "--once", "--downloads", out, "-o", "ndjson").out
		j, err := s.Get(t.Context(), id)
		return err == nil && jobs.Settled(j.Job)
	}, waitLong, tick)
	j, err := s.Get(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, jobs.Completed, j.Job.State)
	require.NotEmpty(t, j.Job.Files)
	for _, f := range j.Job.Files {
		assert.Equal(t, jobs.FileSaved, f.State)
		assert.FileExists(t, f.Path)
		assert.Equal(t, out, filepath.Dir(f.Path))
	}
	var seen struct{ Job, Profile string }
	for _, line := range strings.Split(strings.TrimSpace(all), "\n") {
		seen.Job, seen.Profile = "", ""
		require.NoError(t, json.Unmarshal([]byte(line), &seen), line)
		if seen.Job == id {
			assert.Equal(t, "work", seen.Profile)
		}
	}
	got, err := s.Get(t.Context(), paused.Job.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Running, got.Job.State)
	owners, err := s.Owners(t.Context())
	require.NoError(t, err)
	assert.Empty(t, owners, "every run gave its leases back")
}

// TestPollWithoutKey takes nothing over that it could not send.
func TestPollWithoutKey(t *testing.T) {
	t.Parallel()
	gateway, dsn := startGateway(t), server.Database(t)
	w := sharing(t, gateway, dsn)
	require.NoError(t, os.Remove(filepath.Join(w.dir, "keys", "work")))
	s := openShared(t, dsn)
	j := storetest.NewJob("for somebody with a key")
	j.Profile = "work"
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(j)}))
	w.fails(kit.ExitAuth, nil, "poll", "--once")
	got, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Planned, got.Job.State)
	assert.EqualValues(t, 1, got.Token, "nobody claimed it")
}

// TestPollNewerSchema: a history of a newer program is refused, and said to be.
func TestPollNewerSchema(t *testing.T) {
	t.Parallel()
	gateway, dsn := startGateway(t), server.Database(t)
	openShared(t, dsn)
	server.Exec(t, dsn, "UPDATE darkroom.darkroom_schema SET version = 99")
	w := sharing(t, gateway, dsn)
	for _, args := range [][]string{{"poll", "--once"}, {"history", "doctor"}, {"jobs", "list"}} {
		w.fails(kit.ExitFailed, []string{"schema version 99", "use a newer darkroom"}, args...)
	}
}

// withPassword is an address that holds the password of a role that needs one.
func withPassword(t *testing.T, dsn, password string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	u.User = url.UserPassword(pgtest.Secret, password)
	return u.String()
}

// TestPollWrongPassword: what is wrong is said, and neither password is.
func TestPollWrongPassword(t *testing.T) {
	t.Parallel()
	gateway, dsn := startGateway(t), server.Database(t)
	w := sharing(t, gateway, withPassword(t, dsn, "wrong-and-hidden"))
	r := w.fails(kit.ExitFailed, []string{"refused the user or the password", "PGPASSWORD"}, "poll")
	assert.NotContains(t, r.err+r.out, "wrong-and-hidden")
	assert.NotContains(t, r.err+r.out, gateway.Key)
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	u.Path = "/nowhere"
	w.file("config/config.yaml", "profile: work\nprofiles:\n  work:\n    base_url: "+gateway.URL+"\n    history: "+u.String()+"\n")
	w.fails(kit.ExitFailed, []string{"does not exist", "createdb"}, "poll")
}

// slowGateway answers queries only when the test lets it, and counts them.
type slowGateway struct {
	mu      sync.Mutex
	open    map[string]int
	most    int // queries of one task at the same time
	queries int
	hold    chan struct{}
}

func (g *slowGateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Path
	g.mu.Lock()
	g.queries++
	g.open[id]++
	g.most = max(g.most, g.open[id])
	g.mu.Unlock()
	select {
	case <-g.hold:
	case <-r.Context().Done():
	}
	g.mu.Lock()
	g.open[id]--
	g.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	// A gateway that tells the key back must not bring it into the history either.
	_, _ = fmt.Fprintf(w, `{"id":%q,"status":"completed","echo":%q}`, path.Base(id), r.Header.Get("Authorization"))
}

func (g *slowGateway) asked() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.queries
}

func slow(t *testing.T) (*slowGateway, string) {
	t.Helper()
	g := &slowGateway{open: map[string]int{}, hold: make(chan struct{})}
	srv := httptest.NewServer(g)
	t.Cleanup(srv.Close)
	return g, srv.URL
}

func (w *world) profile(base, dsn string) {
	w.t.Helper()
	w.file("config/config.yaml", "profile: work\nprofiles:\n  work:\n    base_url: "+base+"\n    history: "+dsn+"\n")
	w.file("keys/work", "key-that-is-known")
}

// TestPollSIGTERM ends a real process in the middle of a query: it drops that, gives its
// lease back and exits with 0, and another one goes on at once.
func TestPollSIGTERM(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	g, base := slow(t)
	w := newWorld(t)
	w.profile(base, dsn)
	s := openShared(t, dsn)
	c := following("t")
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{c}))
	p := w.spawn("poll")
	require.Eventually(t, func() bool { return g.asked() == 1 }, waitLong, tick)
	assert.Equal(t, 0, p.end(syscall.SIGTERM), "%s", p.said())
	owners, err := s.Owners(t.Context())
	require.NoError(t, err)
	assert.Empty(t, owners)
	close(g.hold)
	w.ok("poll", "--until-idle")
	got, err := s.Get(t.Context(), c.Job.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Completed, got.Job.State)
}

// TestTwoPollers are two processes on one machine: they share the jobs, and no task is asked
// for by both at once. One is killed; the other one has its jobs.
func TestTwoPollers(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	g, base := slow(t)
	w := newWorld(t)
	w.profile(base, dsn)
	s := openShared(t, dsn)
	a, b := w.spawn("poll", "-o", "ndjson"), w.spawn("poll", "-o", "ndjson")
	var all []jobs.Change
	for i := range 12 {
		all = append(all, following(fmt.Sprint("t", i)))
	}
	a.says("working on the jobs")
	b.says("working on the jobs")
	require.NoError(t, s.Insert(t.Context(), all))
	require.Eventually(t, func() bool { return g.asked() >= 8 }, waitLong, tick)
	assert.Equal(t, -1, a.end(syscall.SIGKILL))
	close(g.hold)
	require.Eventually(t, func() bool {
		p, err := s.List(t.Context(), jobs.Query{States: []jobs.State{jobs.Completed}})
		return err == nil && len(p.Jobs) == len(all)
	}, waitLong, tick)
	assert.Equal(t, 0, b.end(syscall.SIGTERM), "%s", b.said())
	g.mu.Lock()
	defer g.mu.Unlock()
	// The killed one's query may still be open at the gateway when its heir asks.
	assert.LessOrEqual(t, g.most, 2)
}

// TestPollAway: a poller whose server crashes says so, without a password, and goes on by
// itself when it is there again.
func TestPollAway(t *testing.T) {
	t.Parallel()
	own := &pgtest.Server{}
	t.Cleanup(own.Stop)
	gateway, dsn := startGateway(t), own.Database(t)
	secret := withPassword(t, dsn, pgtest.Password)
	w := sharing(t, gateway, secret)
	p := w.spawn("poll", "--downloads", filepath.Join(w.dir, "results"))
	p.says("working on the jobs")
	own.Halt(t)
	p.says("the history has not answered since")
	r := w.fails(kit.ExitFailed, []string{"postgres://"}, "create", "video", "--prompt", "x")
	assert.NotContains(t, r.err, pgtest.Password)
	own.Resume(t)
	p.says("the history answers again")
	id := text(t, w.ok("create", "video", "--prompt", "a kite", "-o", "json").object(t), "id")
	p.says(jobs.ShortID(id))
	p.says("→  completed")
	p.says(".mp4")
	assert.Equal(t, 0, p.end(syscall.SIGTERM), "%s", p.said())
	assert.NotContains(t, p.said(), pgtest.Password)
	assert.NotContains(t, p.said(), url.PathEscape(pgtest.Password))
}

// TestNoSecretIsKept: after real work, with a gateway that tells the key back, neither the
// key nor the database's password is anywhere in the database, nor in what is exported.
func TestNoSecretIsKept(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	gateway := startGateway(t)
	w := sharing(t, gateway, withPassword(t, dsn, pgtest.Password))
	w.ok("create", "video", "--prompt", "a kite", "--wait")
	w.ok("jobs", "list", "-o", "json")
	g, base := slow(t)
	close(g.hold)
	w.profile(base, withPassword(t, dsn, pgtest.Password))
	s := openShared(t, dsn)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{following("t")}))
	w.ok("poll", "--until-idle")
	w.run("create", "video", "--prompt", "sent to it", "--wait")

	dump := dumpAll(t, s, dsn)
	require.Contains(t, dump, "a kite")
	require.Contains(t, dump, `"echo"`)
	w.ok("history", "export", filepath.Join(w.dir, "all.ndjson"))
	export, err := os.ReadFile(filepath.Join(w.dir, "all.ndjson"))
	require.NoError(t, err)
	for name, secret := range map[string]string{"gateway's key": gateway.Key, "key": "key-that-is-known", "password": pgtest.Password,
		"password in an address": url.PathEscape(pgtest.Password)} {
		assert.NotContains(t, dump, secret, name)
		assert.NotContains(t, string(export), secret, name)
	}
}

// dumpAll is every row of every table as text, and every body as it was.
func dumpAll(t *testing.T, s *postgres.Store, dsn string) string {
	t.Helper()
	var b strings.Builder
	for after := ""; ; {
		page, err := s.Records(context.Background(), after, 0)
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			for _, body := range r.Bodies {
				b.Write(body)
				b.WriteByte('\n')
			}
			after = r.Job.ID
		}
	}
	b.WriteString(server.Dump(t, dsn))
	return b.String()
}

// TestPollDoesNotWaitForWhatIsPutOff: files that are tried again for a day keep nobody.
func TestPollDoesNotWaitForWhatIsPutOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	st, err := store.Open(t.Context(), w.paths().History)
	require.NoError(t, err)
	now := time.Now()
	j := jobs.Job{ID: "01a201c2-7371-77a6-964d-0c330ec4b4a9", Profile: "sandbox", Format: "videos", State: jobs.Completed, Progress: 100, EndedAt: now,
		Draft:  client.Draft{Modality: client.Video, Model: "famI-omni", Prompt: "a kite"},
		Assets: []client.Asset{{Kind: client.AssetVideo, URL: "http://127.0.0.1:9/a.mp4"}},
		Files:  []jobs.File{{Kind: client.AssetVideo, State: jobs.FileWanted, Total: -1}},
		Note:   "not saved yet, tried again by itself for a day: connection refused"}
	require.NoError(t, st.Insert(t.Context(), []jobs.Change{{Job: j, Due: now.Add(time.Hour), Attempts: 20, Events: []jobs.Event{{Kind: jobs.EventPlanned, To: j.State}}}}))
	require.NoError(t, st.Close())
	w.ok("poll", "--until-idle")
	require.Contains(t, w.ok("jobs", "show", j.ID).out, "tried again by itself")
}
