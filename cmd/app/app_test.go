package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/sandbox"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/storetest"
)

func testConfig(t *testing.T) config.Config {
	t.Helper()
	d := t.TempDir()
	return config.Config{
		Paths: config.Paths{Catalog: filepath.Join(d, "catalog.yaml"), History: filepath.Join(d, "data", "history.db"),
			Sandbox: filepath.Join(d, "sandbox"), Runs: filepath.Join(d, "runs"), Drafts: filepath.Join(d, "drafts"), Spool: filepath.Join(d, "spool")},
		Profile:   config.Profile{Name: config.Sandbox, Embedded: true},
		Downloads: filepath.Join(d, "downloads"),
	}
}

func openGateway(t *testing.T, cfg config.Config, timing sandbox.Timing) *Gateway {
	t.Helper()
	g, err := OpenGateway(t.Context(), GatewayOptions{Config: cfg, Version: "test", Timing: timing})
	require.NoError(t, err)
	t.Cleanup(g.Close)
	return g
}

func draft(prompt string) jobs.Submission {
	return jobs.Submission{Draft: client.Draft{Modality: client.Image, Model: "famL-2", Prompt: prompt}}
}

func TestDesk(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	g := openGateway(t, cfg, sandbox.Instant)
	d, err := OpenDesk(t.Context(), g, DeskOptions{AutoDownload: true})
	require.NoError(t, err)
	ids, err := d.Engine.Submit(t.Context(), []jobs.Submission{draft("a gate")})
	require.NoError(t, err)
	all, err := d.Engine.Wait(t.Context(), ids)
	require.NoError(t, err)
	require.Equal(t, jobs.Completed, all[0].State)
	require.Equal(t, cfg.Downloads, filepath.Dir(filepath.Dir(all[0].Files[0].Path)), "a folder a day")
	require.NoError(t, d.Err())
	require.NoError(t, d.Close())
	select {
	case <-d.Ended():
	default:
		t.Fatal("a closed desk has ended")
	}
	require.NoError(t, d.Err(), "which is no failure")

	r, done, err := OpenReader(t.Context(), cfg, nil)
	require.NoError(t, err)
	defer done()
	j, err := r.Get(t.Context(), ids[0])
	require.NoError(t, err)
	require.Equal(t, "a gate", j.Draft.Prompt)
}

// TestClosingWaitsForTheAnswer: the context that opened everything ends while a create is
// under way; closing gives it its answer.
func TestClosingWaitsForTheAnswer(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	ctx, cancel := context.WithCancel(t.Context())
	g, err := OpenGateway(ctx, GatewayOptions{Config: cfg, Timing: sandbox.Fast})
	require.NoError(t, err)
	defer g.Close()
	d, err := OpenDesk(ctx, g, DeskOptions{})
	require.NoError(t, err)
	ids, err := d.Engine.Submit(ctx, []jobs.Submission{draft("slow")})
	require.NoError(t, err)
	for seq := uint64(0); ; {
		var changed []jobs.Job
		changed, seq = d.Engine.Changes(seq)
		if len(changed) > 0 && changed[len(changed)-1].State == jobs.Submitting {
			break
		}
		<-d.Engine.Dirty()
	}
	cancel()
	require.NoError(t, d.Close())
	st, err := store.Open(t.Context(), cfg.Paths.History)
	require.NoError(t, err)
	defer func() { require.NoError(t, st.Close()) }()
	w, err := st.Get(t.Context(), ids[0])
	require.NoError(t, err)
	require.Equal(t, jobs.Completed, w.Job.State)
	require.EqualValues(t, 1, g.Sandbox.Server.Creates())
}

// noMarks is a history that cannot be read when the engine starts.
type noMarks struct{ jobs.Store }

var errMarks = errors.New("disk I/O error")

func (noMarks) Marks(context.Context, string) ([]jobs.Mark, int64, error) { return nil, 0, errMarks }

// dead is a desk whose engine ended by itself.
func dead() *Desk {
	d := newDesk(&Gateway{}, noMarks{storetest.NewMem()}, jobs.Options{}, nil)
	d.start(context.Background())
	<-d.Ended()
	return d
}

func TestEngineThatEndsByItself(t *testing.T) {
	t.Parallel()
	d := dead()
	require.ErrorIs(t, d.Err(), errMarks)
	l := newLazyJobs()
	l.set(d, nil)
	l.forward(t.Context()) // returns by itself
	<-l.news
	require.ErrorIs(t, l.failure(), errMarks)
	require.Contains(t, l.trouble(), "disk I/O error")
	_, err := l.Submit(t.Context(), []jobs.Submission{draft("x")})
	require.ErrorIs(t, err, errMarks, "nothing is journalled that nobody would send")
	require.ErrorIs(t, l.close(), errMarks)
}

func TestClosingIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := make(chan time.Time, 2)
		d := newDesk(&Gateway{}, storetest.NewMem(), jobs.Options{}, func() { slow <- time.Now() })
		d.cancel = func() {}
		start := time.Now()
		require.ErrorContains(t, d.Close(), "did not end within 15s")
		require.Equal(t, closeLimit, time.Since(start))
		require.Equal(t, start.Add(slowClose), <-slow, "somebody is told")
	})
}

// stuck is a history whose disk does not answer any more.
type stuck struct {
	*storetest.Mem
	never chan struct{}
}

func (s stuck) Close() error { <-s.never; return nil }

func TestClosingAHistoryThatHangsIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := stuck{storetest.NewMem(), make(chan struct{})}
		defer close(s.never)
		d := newDesk(&Gateway{}, s, jobs.Options{}, nil)
		d.start(context.Background())
		start := time.Now()
		require.ErrorIs(t, d.Close(), errNotClosed)
		require.Equal(t, closeLimit, time.Since(start))
	})
}

func TestLazyJobs(t *testing.T) {
	t.Parallel()
	l := newLazyJobs()
	require.Zero(t, l.Counts())
	require.Zero(t, l.busy())
	require.Empty(t, l.trouble(), "not known is no trouble")
	all, seq := l.Changes(7)
	require.Empty(t, all)
	require.EqualValues(t, 7, seq)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := l.List(ctx, jobs.Query{})
	require.ErrorIs(t, err, context.Canceled, "who asks waits, and may give up")

	cfg := testConfig(t)
	g := openGateway(t, cfg, sandbox.Instant)
	asked := make(chan error, 1)
	go func() {
		_, err := l.Submit(t.Context(), []jobs.Submission{draft("early")})
		asked <- err
	}()
	l.set(OpenDesk(t.Context(), g, DeskOptions{}))
	require.NoError(t, <-asked, "what was asked before is answered")
	<-l.news
	forwarding, stop := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() { defer close(over); l.forward(forwarding) }()
	<-l.news
	page, err := l.List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	require.Len(t, page.Jobs, 1)
	id := page.Jobs[0].ID
	_, err = l.Get(t.Context(), id)
	require.NoError(t, err)
	_, err = l.Detail(t.Context(), id)
	require.NoError(t, err)
	require.Error(t, l.Adopt(t.Context(), id, "x"))
	_, err = l.Resend(t.Context(), id)
	require.Error(t, err)
	stop()
	<-over
	require.NoError(t, l.close())
}

func TestHistoryThatDoesNotOpen(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(cfg.Paths.History), 0o700))
	require.NoError(t, os.WriteFile(cfg.Paths.History, []byte(strings.Repeat("no database ", 400)), 0o600))
	g := openGateway(t, cfg, sandbox.Instant)
	l := newLazyJobs()
	l.set(OpenDesk(t.Context(), g, DeskOptions{}))
	l.set(nil, errors.New("too late"))
	require.Contains(t, l.trouble(), "the history cannot be used")
	require.Contains(t, l.trouble(), "Nothing can be submitted")
	require.NotContains(t, l.trouble(), "too late")
	_, err := l.Submit(t.Context(), []jobs.Submission{draft("x")})
	require.Error(t, err)
	l.forward(t.Context())
	require.ErrorContains(t, l.close(), "the history cannot be used")
	b, err := os.ReadFile(cfg.Paths.History)
	require.NoError(t, err)
	require.Contains(t, string(b), "no database", "what is no history is left alone")
}

func TestQuitBeforeTheHistoryIsOpen(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := newLazyJobs()
	cfg := testConfig(t)
	l.set(OpenDesk(ctx, openGateway(t, cfg, sandbox.Instant), DeskOptions{}))
	require.NoError(t, l.close())
}

func TestKeyIsAskedForOnceAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		err := error(nil)
		k := newKeeper(func() (string, error) { asked++; return "sk-x", err })
		for range 3 {
			key, err := k.get()
			require.NoError(t, err)
			require.Equal(t, "sk-x", key)
		}
		require.Equal(t, 1, asked)
		<-time.After(keepKey)
		err = config.ErrNoKey
		for range 2 {
			_, got := k.get()
			require.ErrorIs(t, got, config.ErrNoKey)
		}
		require.Equal(t, 3, asked, "a failure is not remembered")
	})
}

func TestEditor(t *testing.T) {
	t.Parallel()
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	require.Equal(t, []string{"code", "-w"}, editor(env(map[string]string{"VISUAL": " code -w ", "EDITOR": "ed"})))
	require.Equal(t, []string{"ed"}, editor(env(map[string]string{"VISUAL": " ", "EDITOR": "ed"})))
	require.Error(t, openFile("relative.png"))
}

func TestScreensSeeThePreferredFormat(t *testing.T) {
	t.Parallel()
	g := openGateway(t, testConfig(t), sandbox.Instant)
	s := screenGateway{g.Client, g, nil}
	d := draft("x").Draft
	p, err := s.Preview(d, "")
	require.NoError(t, err)
	require.Equal(t, g.FormatFor(d), p.Format)
	c, err := s.Curl(d, "")
	require.NoError(t, err)
	require.Contains(t, c, "$DARKROOM_API_KEY")
	require.NotContains(t, c, g.Sandbox.Key)
	d.Model = "famZ"
	_, err = s.Preview(d, "")
	require.ErrorContains(t, err, "famZ")
	_, err = s.Curl(d, "")
	require.ErrorContains(t, err, "famZ")
}
