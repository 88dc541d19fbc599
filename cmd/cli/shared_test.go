package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/sandbox"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/postgres"
	"darkroom/jobs/store/postgres/pgtest"
	"darkroom/jobs/store/storetest"
)

// server is the tests' own PostgreSQL, which the first test that needs it starts.
var server pgtest.Server

func TestMain(m *testing.M) {
	time.Local = time.UTC // goldens show local times
	asChild()
	// These tests wait for answers more than they compute: more of them at once than processors.
	if err := flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	code := m.Run()
	server.Stop()
	os.Exit(code)
}

// sharing is a world with a profile "work" on a gateway and a shared history.
func sharing(t *testing.T, gateway *sandbox.Running, dsn string) *world {
	w := newWorld(t)
	w.file("config/config.yaml", "profile: work\nprofiles:\n  work:\n    base_url: "+gateway.URL+"\n    history: "+dsn+"\n")
	w.file("keys/work", gateway.Key)
	return w
}

func startGateway(t *testing.T) *sandbox.Running {
	t.Helper()
	k := kit.New(newWorld(t).stdio(nil, nil), version)
	cat, err := k.Catalog()
	require.NoError(t, err)
	r, err := sandbox.Start(t.Context(), sandbox.Options{Dir: t.TempDir(), Catalog: cat, Timing: sandbox.Instant}, "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// TestSharedHistory: what one machine submits a poller on another one brings to its end,
// and a third one sees and downloads it.
func TestSharedHistory(t *testing.T) {
	t.Parallel()
	gateway, dsn := startGateway(t), server.Database(t)
	a, b, c := sharing(t, gateway, dsn), sharing(t, gateway, dsn), sharing(t, gateway, dsn)
	r := a.ok("create", "video", "--prompt", "a shared kite", "-o", "json")
	id := text(t, r.object(t), "id")
	require.NoFileExists(t, a.paths().History)

	r = b.ok("poll", "--until-idle", "-o", "ndjson")
	var last struct {
		Job string
		To  jobs.State
	}
	for _, line := range strings.FieldsFunc(r.out, func(c rune) bool { return c == '\n' }) { // none where the first one was slow enough to see the end itself
		require.NoError(t, json.Unmarshal([]byte(line), &last), line)
		assert.Equal(t, id, last.Job)
	}
	assert.Contains(t, []jobs.State{jobs.Completed, ""}, last.To, r.out+r.err)
	assert.NotContains(t, r.out+r.err, gateway.Key)
	assert.NoDirExists(t, b.paths().Downloads, "a poller on a shared history saves nothing unasked")

	all := c.ok("jobs", "list", "-o", "json").array(t)
	require.Len(t, all, 1)
	assert.EqualValues(t, jobs.Completed, all[0].(map[string]any)["state"]) //nolint:forcetypeassert // else the test fails
	out := filepath.Join(c.dir, "mine")
	c.ok("jobs", "download", id, "--dir", out)
	files, err := os.ReadDir(out)
	require.NoError(t, err)
	assert.NotEmpty(t, files)
	c.ok("poll", "--once")
	assert.Contains(t, c.ok("config", "path").out, dsn[:strings.IndexByte(dsn, '?')])
}

// TestPollEnds: an interrupt ends a poller with the exit code 0 and gives its leases back.
func TestPollEnds(t *testing.T) {
	t.Parallel()
	gateway, dsn := startGateway(t), server.Database(t)
	w := sharing(t, gateway, dsn)
	s, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	j := storetest.NewJob("far")
	j.Profile, j.State, j.TaskID, j.QueryFormat = "work", jobs.Running, "nobody-knows-it", "videos"
	c := storetest.Plan(j)
	c.Due = time.Now().Add(time.Second)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{c}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan int, 1)
	var out, errOut bytes.Buffer
	go func() { ended <- run(ctx, w.stdio(&out, &errOut), []string{"poll"}) }()
	require.Eventually(t, func() bool {
		owners, err := s.Owners(t.Context())
		return err == nil && len(owners) == 1
	}, time.Minute, 10*time.Millisecond)
	cancel()
	assert.Zero(t, <-ended)
	owners, err := s.Owners(t.Context())
	require.NoError(t, err)
	assert.Empty(t, owners)
	assert.Contains(t, errOut.String(), "profile work in postgres://")
}

func TestPollRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fails(kit.ExitUsage, []string{"ndjson"}, "poll", "-o", "yaml")
	w.fails(kit.ExitUsage, nil, "poll", "--once", "--until-idle")
	w.fails(kit.ExitUsage, nil, "poll", "--downloads", "x", "--no-downloads")
	w.file("config/config.yaml", "profiles:\n  work:\n    base_url: https://g.example\n    history: postgres://u:hidden@h:x/db\n")
	r := w.fails(kit.ExitUsage, []string{"profiles.work.history", "PGPASSWORD"}, "poll", "--profile", "work")
	assert.NotContains(t, r.err, "hidden")
	w.file("config/config.yaml", "profiles:\n  work:\n    base_url: https://g.example\n    history: postgres://u:hidden@127.0.0.1:1/db\n")
	w.file("keys/work", "key")
	r = w.fails(kit.ExitFailed, []string{"postgres://u:xxxxx@127.0.0.1:1/db"}, "poll", "--profile", "work")
	assert.NotContains(t, r.err, "hidden")
	r = w.ok("config", "path", "--profile", "work")
	assert.NotContains(t, r.out, "hidden")
	assert.Contains(t, r.out, "postgres://u:xxxxx@127.0.0.1:1/db")
}

// TestPollOnFile works on the history of this machine, too.
func TestPollOnFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ok("poll", "--until-idle")
	w.ok("poll", "--once", "-o", "ndjson")
}

func TestHistoryMove(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	w := newWorld(t)
	w.fails(kit.ExitUsage, []string{"where to?"}, "history", "move")
	w.fails(kit.ExitUsage, []string{"password"}, "history", "move", "--to", "postgres://u:hidden@h/db")
	w.fails(kit.ExitUsage, []string{"--to"}, "history", "move", "--to", "sqlite")
	w.fails(kit.ExitNotFound, nil, "history", "move", "--to", dsn)
	from, err := store.Open(t.Context(), w.paths().History)
	require.NoError(t, err)
	var changes []jobs.Change
	for i := range 450 {
		j := storetest.NewJob("a kite")
		j.State = jobs.Completed
		c := storetest.Plan(j)
		c.Due = time.Time{}
		if i == 7 { // about to be sent
			c.Job.State, c.Due = jobs.Planned, time.Now()
		}
		c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte(j.ID)}, {Kind: jobs.PayloadRequest, Body: []byte("{}")}}
		c.Exchanges = []jobs.Exchange{{At: storetest.Base, Kind: "poll"}}
		changes = append(changes, c)
	}
	changes[8].Due, changes[8].Take, changes[8].Owner, changes[8].Until = time.Now(), true, "somebody else", time.Now().Add(time.Minute)
	require.NoError(t, from.Insert(t.Context(), changes))
	w.fails(kit.ExitUsage, []string{"somebody else", "1 jobs"}, "history", "move", "--to", dsn)
	require.NoError(t, from.Release(t.Context(), "somebody else"))
	require.NoError(t, from.Close())

	m := w.ok("history", "move", "--to", dsn, "-o", "json").object(t)
	assert.EqualValues(t, 450, m["added"])
	assert.EqualValues(t, 1, m["doubt"])
	again := w.ok("history", "move", "--to", dsn)
	assert.Contains(t, again.out, "450 jobs read, 0 added")
	to, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	require.NoError(t, err)
	defer func() { assert.NoError(t, to.Close()) }()
	n, err := to.Count(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 450, n)
	got, err := to.Get(t.Context(), changes[7].Job.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Ambiguous, got.Job.State)
	b, err := to.Payload(t.Context(), changes[3].Job.ID, jobs.PayloadAnswer)
	require.NoError(t, err)
	assert.Equal(t, changes[3].Job.ID, string(b))
	require.FileExists(t, w.paths().History)
}

// TestSharedUpkeep: what of the history is whose business, where it is shared.
func TestSharedUpkeep(t *testing.T) {
	t.Parallel()
	gateway, dsn := startGateway(t), server.Database(t)
	w := sharing(t, gateway, withPassword(t, dsn, pgtest.Password))
	w.fails(kit.ExitUsage, []string{"pg_dump -Fc -n darkroom", "DARKROOM_HISTORY=sqlite"}, "history", "backup")
	w.fails(kit.ExitUsage, []string{"pg_restore", "SHARED-HISTORY.md"}, "history", "restore", "x.db")
	assert.Contains(t, w.ok("history", "path").err, "the profile's jobs are in postgres://")
	w.ok("create", "video", "--prompt", "a kite", "--wait")
	r := w.ok("history", "doctor")
	for _, says := range []string{"postgres://secret:xxxxx@", "PostgreSQL", "do NOT wait", "by an index", "1, 0 of them active", "pg_dump", "all is well"} {
		assert.Contains(t, r.out, says)
	}
	assert.NotContains(t, r.out+r.err, pgtest.Password)
	server.Exec(t, dsn, "INSERT INTO darkroom.payloads VALUES ('nobodys', '', 9, 'a body...')")
	r = w.run("history", "doctor", "-o", "json")
	assert.Equal(t, kit.ExitFailed, r.code)
	assert.Contains(t, r.out, "orphaned_bodies")
	assert.Contains(t, w.ok("history", "doctor", "--fix").out, "fixed")
	assert.Contains(t, w.ok("history", "doctor").out, "all is well")

	w.env["DARKROOM_HISTORY"] = "sqlite"
	w.fails(kit.ExitNotFound, []string{"there is no history"}, "history", "backup")
}
