package main_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store"
)

// envKills is set by a person: how many times TestKilledBetweenJournalAndID kills, instead
// of kills times.
const envKills = "DARKROOM_TEST_KILLS"

const kills = 16

// TestKilledBetweenJournalAndID kills the program with SIGKILL many times: between the
// journal and the POST, between the POST and its answer, between the answer and the record
// of the id, and after it. A gateway in a process of its own counts the creates. Nothing is
// lost, nothing is sent twice, and what nobody can know is ambiguous.
func TestKilledBetweenJournalAndID(t *testing.T) {
	t.Parallel()
	k := newKilling(t)
	rounds := kills
	if s := os.Getenv(envKills); s != "" {
		var err error
		rounds, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	for i := 0; (k.killed < rounds || !k.everywhere()) && i < 2*rounds+50; i++ {
		k.round(i)
	}
	k.goOn()
	in := k.check()
	t.Logf("%d kills (%v) found jobs at %v; in the end %s", k.killed, k.victims, k.hits, in)
	require.GreaterOrEqual(t, k.killed, rounds, k.said)
	require.True(t, k.everywhere(), "every window and every kind of process")
}

// killing is a home whose program is killed again and again.
type killing struct {
	t       *testing.T
	h       *home
	gateway *terminal
	log     string // of the creates that the gateway counted
	tap     *tap
	history *store.SQLite

	rev     int64
	planned map[string]bool // jobs that wait to be sent
	kept    map[string]bool // jobs with a task's id
	unclear map[string]bool // jobs whose create was under way at a kill
	last    string          // what was killed last
	said    string          // by it
	warm    time.Duration   // from its start to its death

	killed  int
	victims map[string]int // kills by what was killed
	hits    map[stage]int  // jobs by where a kill found them
}

func newKilling(t *testing.T) *killing {
	t.Helper()
	const key = "sk-kill-7d01"
	dir := filepath.Join(t.TempDir(), "gateway")
	server := newHome(t, "DARKROOM_SANDBOX_KEY="+key)
	gateway := server.open(t, 120, 10, "sandbox", "--addr", "127.0.0.1:0", "--dir", dir, "--timing", "instant", "--log")
	gateway.shows("DARKROOM_BASE_URL=", "serving until interrupted")
	_, base, _ := strings.Cut(gateway.text(), "DARKROOM_BASE_URL=")
	base, _, _ = strings.Cut(base, "\n")

	k := &killing{t: t, h: newHome(t), gateway: gateway, log: filepath.Join(dir, "creates.log"), warm: 100 * time.Millisecond,
		planned: map[string]bool{}, kept: map[string]bool{}, unclear: map[string]bool{}, victims: map[string]int{}, hits: map[stage]int{}}
	path, errOut, code := k.h.run(t, "", "history", "path")
	require.Equal(t, 0, code, errOut)
	var err error
	k.history, err = store.Open(t.Context(), strings.TrimSpace(path))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, k.history.Close()) })
	k.tap = newTap(t, base, k.history)
	k.h.env = append(k.h.env, "DARKROOM_BASE_URL="+k.tap.URL, "DARKROOM_API_KEY="+key)
	config := filepath.Join(k.h.dir, ".config", "darkroom", "config.yaml")
	require.NoError(t, os.MkdirAll(filepath.Dir(config), 0o700))
	require.NoError(t, os.WriteFile(config, []byte("auto_download: false\n"), 0o600))
	return k
}

// everywhere reports whether kills found jobs in every window, and killed every kind of
// process that sends.
func (k *killing) everywhere() bool {
	for _, s := range []stage{atJournal, atSend, atCount, atAnswer, atKept} {
		if k.hits[s] == 0 {
			return false
		}
	}
	return k.victims["create"] > 0 && k.victims["poll"] > 0 && k.victims["console"] > 0
}

// round starts the program with something to send, has it killed at a stage, and looks what
// it left.
func (k *killing) round(i int) {
	s := []stage{atJournal, atSend, atCount, atAnswer, atKept, atAny}[i%6]
	what := "create"
	switch {
	case i%8 == 3:
		what = "console"
	case len(k.planned) > 0 && k.last != "poll": // it sends what was left unsent
		what = "poll"
	}
	if what != "create" && s == atJournal || what == "console" && s == atAny {
		s = atSend
	}
	n := 1 + rand.IntN(4) //nolint:gosec // any number will do
	if s == atJournal {
		n = 8
	}
	v := newVictim()
	nth := 1 + rand.IntN(n) //nolint:gosec // likewise
	switch {
	case what != "create":
		nth = 1
	case s == atKept:
		nth = n // so that some get through
	}
	k.tap.set(&ambush{stage: s, nth: nth, kill: v.kill})
	began := time.Now()
	k.start(v, what, fmt.Sprintf("round %d", i), n)
	switch s {
	case atJournal:
		go k.killPlanned(v)
	case atAny:
		defer time.AfterFunc(time.Duration(rand.Int64N(int64(2*k.warm))), v.kill).Stop() //nolint:gosec // any moment will do
	}
	select {
	case <-v.dead:
	case <-time.After(2 * patience):
		k.t.Fatalf("round %d: %s was not killed at the stage %q\n%s", i, what, s, v.out.String())
	}
	if s != atAny {
		k.warm = time.Since(began)
	}
	k.tap.set(nil)
	k.tap.settle(k.t)
	k.last, k.said = what, v.out.String()
	k.look(what, v.killed())
}

// start starts what is to be killed.
func (k *killing) start(v *victim, what, prompt string, n int) {
	switch what {
	case "create":
		v.run(k.t, k.h, "create", "video", "--prompt", prompt, "--count", strconv.Itoa(n), "--wait")
	case "poll":
		v.run(k.t, k.h, "poll", "--no-downloads")
	case "console":
		x := k.h.open(k.t, 100, 30)
		v.cmd = x.cmd
		go v.follow(func() { <-x.gone })
		if len(k.planned) > 0 {
			return // it has something to send
		}
		x.shows("Prompt")
		x.keys(prompt)
		x.shows(prompt)
		x.keys(altS)
		x.shows("Submit 4 jobs")
		x.keys(ctrlS)
	}
}

// killPlanned kills as soon as the history has a job that is to be sent.
func (k *killing) killPlanned(v *victim) {
	look := time.NewTicker(200 * time.Microsecond)
	defer look.Stop()
	for {
		select {
		case <-v.dead:
			return
		case <-look.C:
		}
		works, _, err := k.history.Since(context.Background(), k.rev)
		if err != nil || len(works) > 0 {
			v.kill() // an error shows at the next look
			return
		}
	}
}

// look takes in what a kill left in the history, and counts where it found the jobs.
func (k *killing) look(what string, killed bool) {
	works, rev, err := k.history.Since(k.t.Context(), k.rev)
	require.NoError(k.t, err)
	k.rev = rev
	found := map[stage]int{}
	for _, w := range works {
		id := w.Job.ID
		delete(k.planned, id)
		switch trip := k.tap.trip(id); {
		case w.Job.State == jobs.Planned:
			k.planned[id] = true
			found[atJournal]++
		case w.Job.State == jobs.Submitting:
			k.unclear[id] = true
			found[cmp.Or(trip, atIntent)]++
		case w.Job.TaskID != "" && !k.kept[id]:
			k.kept[id] = true
			found[atKept]++
		}
	}
	if !killed {
		return // it ended before
	}
	k.killed++
	k.victims[what]++
	for s, n := range found {
		k.hits[s] += n
	}
}

// goOn starts the program for the last time, and lets it bring everything to its end.
func (k *killing) goOn() {
	v := newVictim()
	v.run(k.t, k.h, "poll", "--no-downloads", "--until-idle")
	select {
	case <-v.dead:
	case <-time.After(5 * patience):
		v.kill()
		k.t.Fatalf("the poller does not end\n%s", v.out.String())
	}
	require.Equal(k.t, 0, v.cmd.ProcessState.ExitCode(), v.out.String())
}

// check compares the history with what the gateway counted.
func (k *killing) check() string {
	t := k.t
	page, err := k.history.List(t.Context(), jobs.Query{Limit: 100_000})
	require.NoError(t, err)
	require.Empty(t, page.Next)
	counted := map[string]counted{}
	log := creates(t, k.log)
	for _, c := range log {
		_, twice := counted[c.ExternalID]
		assert.False(t, twice, "sent twice: %s", c.ExternalID)
		counted[c.ExternalID] = c
	}
	k.gateway.until("a line for each create", func(string) bool {
		return strings.Count(k.gateway.bytes(), `POST "/v1/videos" 200`) == len(log)
	})
	states, paid, taken := map[jobs.State]int{}, 0, 0
	for _, j := range page.Jobs {
		states[j.State]++
		c, sent := counted[j.ID]
		delete(counted, j.ID)
		if j.State == jobs.Ambiguous {
			assert.True(t, k.unclear[j.ID], "%s: only a create under way is unclear", j.ID)
			if sent {
				paid++
			}
		} else {
			assert.Equal(t, jobs.Completed, j.State, "job %s: %s", j.ID, j.Note)
			if k.unclear[j.ID] { // the next start took what the answer brought out of the spool
				assert.Equal(t, atAnswer, k.tap.trip(j.ID), "%s: nobody knew how its create ended", j.ID)
				taken++
			}
			assert.Equal(t, c.ID, j.TaskID)
		}
		d, err := k.history.Detail(t.Context(), j.ID)
		require.NoError(t, err)
		for i := 1; i < len(d.Events); i++ {
			assert.Equal(t, d.Events[i-1].To, d.Events[i].From, "the timeline has no gap")
		}
		delete(k.kept, j.ID)
		delete(k.unclear, j.ID)
		delete(k.planned, j.ID)
	}
	assert.Empty(t, counted, "counted by the gateway, and not in the history")
	assert.Empty(t, k.kept, "was in the history")
	assert.Empty(t, k.unclear, "was in the history")
	assert.Empty(t, k.planned, "was in the history")
	return fmt.Sprintf("%d jobs: %v; %d creates counted, of them %d of ambiguous jobs; %d ids taken out of the spool", len(page.Jobs), states, len(log), paid, taken)
}
