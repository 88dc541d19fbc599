package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/storetest"
)

// kept writes jobs with bodies, events, exchanges and tags.
func (w *world) kept(n int, state jobs.State) []string {
	w.t.Helper()
	st, err := store.Open(w.t.Context(), w.paths().History)
	require.NoError(w.t, err)
	defer func() { require.NoError(w.t, st.Close()) }()
	var ids []string
	var changes []jobs.Change
	for range n {
		j := storetest.NewJob("红色的风筝 <&>\x1b[31m")
		j.Profile, j.State, j.Tags, j.Remark = "sandbox", state, []string{"best"}, "look"
		c := jobs.Change{Job: j, Payloads: []jobs.Payload{{Kind: jobs.PayloadRequest, Body: []byte(`{"prompt":"x"}`)}},
			Events:    []jobs.Event{{At: storetest.Base, Kind: jobs.EventPlanned, To: state, PayloadSHA: jobs.PayloadSHA([]byte(`{"prompt":"x"}`))}},
			Exchanges: []jobs.Exchange{{At: storetest.Base, Kind: "create", HTTPStatus: 200}}}
		if state.Active() {
			c.Due = storetest.Base
		}
		changes, ids = append(changes, c), append(ids, j.ID)
	}
	require.NoError(w.t, st.Insert(w.t.Context(), changes))
	return ids
}

func TestHistoryOfNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []string{"export", "doctor", "backup"} {
		w.fails(kit.ExitNotFound, []string{"there is no history", w.paths().History}, "history", c)
	}
	require.NoFileExists(t, w.paths().History, "and none is made")
	require.Equal(t, w.paths().History+"\n", w.ok("history", "path").out)
	w.fails(kit.ExitNotFound, []string{"nowhere"}, "history", "import", "nowhere")
	w.fails(kit.ExitNotFound, []string{"nowhere"}, "history", "restore", filepath.Join(t.TempDir(), "nowhere"))
}

func TestExportImport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := append(w.kept(450, jobs.Completed), w.kept(2, jobs.Planned)...)
	file := filepath.Join(w.dir, "out.ndjson")
	r := w.ok("history", "export", file, "-o", "json")
	require.EqualValues(t, 452, r.object(t)["jobs"])
	st, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), st.Mode().Perm())
	require.EqualValues(t, st.Size(), r.object(t)["bytes"])
	w.fails(kit.ExitUsage, []string{file, "--force"}, "history", "export", file)
	w.ok("history", "export", file, "--force")
	entries, err := filepath.Glob(filepath.Join(w.dir, ".out*"))
	require.NoError(t, err)
	require.Empty(t, entries, "nothing is left over")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	out := w.ok("history", "export").out
	require.Equal(t, strings.SplitN(string(text), "\n", 2)[1], strings.SplitN(out, "\n", 2)[1], "the same to standard output")
	require.Equal(t, 454, strings.Count(out, "\n"))
	require.NotContains(t, out, "\x1b")

	require.EqualValues(t, 452, w.ok("history", "import", file, "-o", "json").object(t)["known"])
	other := newWorld(t)
	d := other.ok("history", "import", file, "--dry-run", "-o", "json").object(t)
	require.EqualValues(t, 452, d["added"])
	require.Empty(t, other.ok("jobs", "list", "-o", "ndjson").out, "only checked")
	other.in = out
	d = other.ok("history", "import", "-", "-o", "json").object(t)
	require.EqualValues(t, 452, d["added"])
	require.EqualValues(t, 2, d["doubt"])
	s, err := store.Open(t.Context(), other.paths().History)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	got, err := s.Detail(t.Context(), ids[0])
	require.NoError(t, err)
	assert.Equal(t, `{"prompt":"x"}`, string(got.Request))
	assert.Len(t, got.Exchanges, 1)
	assert.Equal(t, []string{"best"}, got.Job.Tags)
	assert.Equal(t, "红色的风筝 <&>\x1b[31m", got.Job.Draft.Prompt)
	work, err := s.Get(t.Context(), ids[451])
	require.NoError(t, err)
	assert.Equal(t, jobs.Ambiguous, work.Job.State, "it may have been sent since")
	assert.True(t, work.Due.IsZero())
}

// TestImportOfAnotherProfile: jobs that nobody works on here are told, with what changes that.
func TestImportOfAnotherProfile(t *testing.T) {
	t.Parallel()
	from := newWorld(t)
	from.kept(2, jobs.Completed)
	from.kept(1, jobs.Running)
	export := from.ok("history", "export").out
	of := func(profile string) string {
		return strings.ReplaceAll(export, `"profile":"sandbox"`, `"profile":"`+profile+`"`)
	}
	for profile, says := range map[string]string{
		"work":                "`darkroom auth login --profile work --base-url URL` makes it",
		"env:gateway.example": "set DARKROOM_BASE_URL and DARKROOM_API_KEY as they were there",
		"a b; rm x":           "no profile can have this name",
	} {
		w := newWorld(t)
		w.in = of(profile)
		r := w.ok("history", "import", "-", "--dry-run", "-o", "json").object(t)
		require.Equal(t, []any{map[string]any{"profile": profile, "jobs": 3.0, "unended": 1.0, "next": says}}, r["unconfigured"])
		w.in = of(profile)
		said := w.ok("history", "import", "-").err
		assert.Contains(t, said, "3 jobs of the profile "+profile+", which is not configured here: kept")
		assert.Contains(t, said, "not asked for before there is such a profile: 1; "+says)
		assert.Empty(t, w.ok("jobs", "list", "-o", "ndjson").out)
		assert.Equal(t, 3, strings.Count(w.ok("jobs", "list", "--all-profiles", "-o", "ndjson").out, "\n"))
	}
	for _, profile := range []string{"sandbox", "work"} {
		w := newWorld(t)
		w.file("config/config.yaml", "profiles:\n  work:\n    base_url: https://gateway.example\n")
		w.in = of(profile)
		r := w.ok("history", "import", "-")
		assert.Empty(t, r.err)
		assert.Contains(t, r.out, "3 jobs read, 3 added")
	}
	w := newWorld(t)
	w.in = strings.SplitAfterN(of("work"), "\n", 4)[0] + strings.SplitAfterN(of("work"), "\n", 4)[1] + "rubbish\n"
	r := w.fails(kit.ExitUsage, []string{"line 3", "1 jobs before it were added", "1 job of the profile work"}, "history", "import", "-")
	assert.Empty(t, r.out)
}

func TestImportRefuses(t *testing.T) {
	t.Parallel()
	from := newWorld(t)
	from.kept(3, jobs.Completed)
	lines := strings.SplitAfter(strings.TrimSuffix(from.ok("history", "export").out, "\n"), "\n")
	require.Len(t, lines, 5)
	head, one, two, three, end := lines[0], lines[1], lines[2], lines[3], lines[4]
	for name, tc := range map[string]struct {
		in    string
		says  string
		added int
	}{
		"empty":         {"", "empty", 0},
		"no header":     {one + two, "line 1", 0},
		"no export":     {"{}\n" + one, "line 1: not the header of an export: darkroom_history is missing", 0},
		"newer":         {`{"darkroom_history":2}` + "\n", "version 2, this program knows up to version 1", 0},
		"no JSON":       {head + one + "rubbish\n" + two, "line 3", 1},
		"breaks off":    {head + one + two[:40], "line 3: the JSON breaks off", 1},
		"unknown key":   {head + strings.Replace(one, `{"job":`, `{"jib":1,"job":`, 1), `line 2: json: unknown field "jib"`, 0},
		"two values":    {head + strings.TrimSpace(one) + one, "line 2: something follows the JSON", 0},
		"wrong body":    {head + one + strings.Replace(two, `":"eyJ`, `":"AAA`, 1), "line 3", 1},
		"wrong state":   {head + strings.Replace(one, `"state":"completed"`, `"state":"\u001b[31m"`, 1), `line 2: job`, 0},
		"no end":        {head + one + two, "without its end line", 2},
		"some missing":  {head + one + three + end, "3 jobs were written and 2 are here", 2},
		"after the end": {head + one + two + three + end + "\nx", "line 6: something follows the end", 3},
	} {
		w := newWorld(t)
		w.in = tc.in
		r := w.fails(kit.ExitUsage, []string{tc.says}, "history", "import", "-")
		require.Empty(t, r.out, name)
		require.NotContains(t, r.err, "\x1b", name)
		require.Equal(t, tc.added, strings.Count(w.ok("jobs", "list", "-o", "ndjson").out, "\n"), name)
		w.in = strings.Join(lines, "")
		require.EqualValues(t, 3-tc.added, w.ok("history", "import", "-", "-o", "json").object(t)["added"], "%s: and again", name)
	}
}

func TestBackupRestoreDoctor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.kept(2, jobs.Completed)
	b := w.ok("history", "backup", "-o", "json").object(t)
	require.EqualValues(t, 2, b["jobs"])
	require.Contains(t, w.ok("history", "path").out, text(t, b, "path"))
	require.Contains(t, w.ok("history", "doctor").out, "all is well")

	path := w.paths().History
	require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("junk"), 4096), 0o600))
	for _, ext := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + ext)
	}
	r := w.fails(kit.ExitFailed, []string{"something is wrong with the history"}, "history", "doctor")
	require.Contains(t, r.out, "--fix")
	r = w.ok("jobs", "list", "-o", "ndjson")
	require.Equal(t, 2, strings.Count(r.out, "\n"))
	require.Contains(t, r.err, "set aside as "+path+".aside-")
	require.Contains(t, r.err, "may be missing")
	require.Empty(t, w.ok("jobs", "show", ids[0]).err, "said once")

	h := w.ok("history", "doctor", "--fix", "-o", "json").object(t)
	require.Empty(t, h["findings"])
	require.NotEmpty(t, h["aside"])
	got := w.ok("history", "restore", text(t, b, "path"), "-o", "json").object(t)
	require.EqualValues(t, 2, got["jobs"])
	w.fails(kit.ExitUsage, []string{"is not good"}, "history", "restore", w.file("x.db", "no database"))
}

func TestJobsPrune(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now()
	w.history(10, func(i int, j *jobs.Job) {
		j.EndedAt, j.UpdatedAt = now.AddDate(0, 0, -20*i), now
		switch i {
		case 6:
			j.State = jobs.Failed
		case 7:
			j.Tags = []string{"best"}
		case 8:
			j.Profile = "work"
		case 9:
			j.State = jobs.Running
		}
	})
	count := func(args ...string) float64 {
		n, _ := w.ok(append([]string{"jobs", "prune", "-o", "json"}, args...)...).object(t)["jobs"].(float64)
		return n
	}
	require.EqualValues(t, 5, count("--older", "50d", "--dry-run"))
	require.EqualValues(t, 4, count("--older", "50d", "--dry-run", "--keep", "best"))
	require.EqualValues(t, 4, count("--older", "50d", "--dry-run", "--keep-tagged"))
	require.EqualValues(t, 6, count("--older", "50d", "--dry-run", "--all-profiles"))
	require.EqualValues(t, 1, count("--state", "failed", "--dry-run"))
	require.EqualValues(t, 6, count("--newest", "2", "--dry-run"))
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "--older"}, {[]string{"--older", "soon"}, `"soon"`}, {[]string{"--older", "-5h"}, "-5h"}, {[]string{"--older", "40000d"}, "36500"},
		{[]string{"--state", "running"}, "completed, failed"}, {[]string{"--newest", "-1"}, "-1"}, {[]string{"--older", "1d", "--keep", "a b"}, "a b"},
		{[]string{"--older", "1d"}, "--yes"},
	} {
		w.fails(kit.ExitUsage, []string{c.says}, append([]string{"jobs", "prune"}, c.args...)...)
	}
	require.EqualValues(t, 1, count("--state", "failed", "--yes"))
	require.EqualValues(t, 3, count("--older", "1200h", "--keep", "best", "--yes"))
	require.EqualValues(t, 0, count("--older", "2w", "--keep", "best", "--newest", "3"), "nothing to ask about")
	require.Contains(t, w.ok("jobs", "prune", "--older", "0d", "--yes").out, "removed")
	left := w.ok("jobs", "list", "-a", "-o", "ndjson").out
	require.Equal(t, 2, strings.Count(left, "\n"), left)
}
