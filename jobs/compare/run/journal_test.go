package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// recorded is the journal of a run that was stopped and resumed.
func recorded(t *testing.T) []byte {
	t.Helper()
	var text []byte
	h := newHistory(func(cell string, n int) life {
		if cell == "2.1" && n == 1 {
			return life{running: time.Second, end: jobs.Failed}
		}
		return life{running: 2 * time.Second, saving: time.Second}
	})
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(3, 2, 1))
		require.NoError(t, err)
		pass(9 * time.Second)
		require.NoError(t, b.Stop(t.Context(), id))
		ended(t, b, id)
		require.NoError(t, b.Resume(t.Context(), id))
		ended(t, b, id)
		path := pathOf(b.o.Dir, id)
		text, err = os.ReadFile(path)
		require.NoError(t, err)
		for p, mode := range map[string]os.FileMode{path: 0o600, b.o.Dir: 0o700 | os.ModeDir} {
			st, err := os.Stat(p)
			require.NoError(t, err)
			if p == path {
				assert.Equal(t, mode, st.Mode())
			}
		}
	})
	return text
}

// TestAnyBeginningOfAJournalLoads: wherever a crash cuts it, behind the plan.
func TestAnyBeginningOfAJournalLoads(t *testing.T) {
	t.Parallel()
	text := recorded(t)
	planned := bytes.Index(text, []byte(`"kind":"planned"`))
	planned += bytes.IndexByte(text[planned:], '\n') + 1
	sent := 0
	var cuts []int
	for i, b := range text {
		if b == '\n' {
			cuts = append(cuts, i-30, i, i+1, i+2)
		}
	}
	for _, n := range cuts[:len(cuts)-1] {
		l, good, err := parse(text[:n])
		if n < planned {
			require.Error(t, err, "%d bytes", n)
			continue
		}
		require.NoError(t, err, "%d bytes", n)
		require.Equal(t, bytes.LastIndexByte(text[:n], '\n')+1, good)
		require.GreaterOrEqual(t, len(l.run.Trials), sent, "what was known stays known")
		sent = len(l.run.Trials)
		require.LessOrEqual(t, len(l.left()), 9)
	}
	assert.Equal(t, 10, sent)
}

func TestADamagedJournalIsRefused(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(string(recorded(t)), "\n")
	lines = lines[:len(lines)-1]
	at := func(kind string) int {
		for i, l := range lines {
			if strings.Contains(l, `"kind":"`+kind+`"`) {
				return i
			}
		}
		t.Fatal(kind)
		return 0
	}
	change := func(i int, old, fresh string) []string {
		out := append([]string(nil), lines...)
		require.Contains(t, out[i], old)
		out[i] = strings.Replace(out[i], old, fresh, 1)
		return out
	}
	n := len(lines)
	for name, c := range map[string]struct {
		lines []string
		line  int
		text  string
	}{
		"torn in the middle": {append(append(append([]string(nil), lines[:n-3]...), lines[n-3][:20]+"\n"), lines[n-2:]...), n - 2, "it is damaged"},
		"a line of nulls":    {append(append([]string(nil), lines[:n-1]...), strings.Repeat("\x00", 30)+"\n"), n, "it is damaged"},
		"another version":    {change(n-1, `"v":1`, `"v":2`), n, "of version 2"},
		"an unknown kind":    {change(n-1, `"kind":"tally"`, `"kind":"dance"`), n, "no record of the kind"},
		"a cell is missing":  {append(append([]string(nil), lines[:at("cell")]...), lines[at("cell")+1:]...), at("cell") + 1, "cell 1 is missing"},
		"no such cell":       {change(at("order"), `"1.1"`, `"9.1"`), at("order") + 1, "no cell 9"},
		"twice in the order": {change(at("order"), `"1.1"`, `"1.2"`), at("order") + 1, "1.2 is planned twice"},
		"an unplanned slot":  {change(at("send"), `"1.w1"`, `"1.w7"`), at("send") + 1, "1.w7 is not planned"},
		"a later attempt":    {change(at("send"), `"attempt":1`, `"attempt":3`), at("send") + 1, "has no attempt 3"},
		"no id":              {change(at("job"), `"job":"`, `"job":"../`), at("job") + 1, "not an id of a job"},
		"a plan in a plan":   {append(append([]string(nil), lines...), lines[0]), n + 1, "in the wrong place"},
		"begins late":        {lines[1:], 1, "in the wrong place"},
	} {
		_, _, err := parse([]byte(strings.Join(c.lines, "")))
		var bad *LineError
		require.ErrorAs(t, err, &bad, name)
		assert.Equal(t, c.line, bad.Line, name)
		assert.ErrorContains(t, err, fmt.Sprintf("line %d: ", c.line), name)
		assert.ErrorContains(t, err, c.text, name)
	}
}

// TestATornLineIsCutOff: a run whose last line is not whole goes on behind the last whole one.
func TestATornLineIsCutOff(t *testing.T) {
	t.Parallel()
	h := newHistory(always(life{running: time.Second}))
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(2, 2, 0))
		require.NoError(t, err)
		pass(100 * time.Millisecond)
		b.Close()
		f, err := os.OpenFile(pathOf(b.o.Dir, id), os.O_WRONLY|os.O_APPEND, 0)
		require.NoError(t, err)
		_, err = f.WriteString(`{"v":1,"kind":"trial","slot":"1.1","att`)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		again := New(b.o)
		defer again.Close()
		list, err := again.List(t.Context())
		require.NoError(t, err)
		assert.Equal(t, compare.Open, list[0].Status)
		assert.False(t, list[0].Live)
		require.NoError(t, again.Resume(t.Context(), id))
		r := ended(t, again, id)
		assert.Equal(t, 4, r.Tally().Done)
		assert.Len(t, h.sent(), 4)
	})
}

// TestAStrangersJournal: its texts are clean, its paths are not opened.
func TestAStrangersJournal(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]0;x\x07\u202e"
	r := planOf(1, 1, 0)
	r.ID, r.Name, r.Host = uuid.Must(uuid.NewV7()).String(), evil, evil
	r.Cells[0].Model, r.Cells[0].Prompt.Text, r.Cells[0].Notes, r.Cells[0].Settings = evil, evil, []string{evil}, []compare.Setting{{Field: evil, Value: evil}}
	job := uuid.Must(uuid.NewV7()).String()
	o := compare.Outcome{
		State: jobs.Completed, TaskID: evil, Code: evil, Message: strings.Repeat(evil, 10_000), Warnings: []string{evil},
		Files:  []compare.File{{Path: "/etc/passwd", MediaType: evil}, {Path: "/home/me/mine"}},
		Facts:  []compare.Property{{Field: evil, Unit: evil, Asked: compare.Fact{Text: evil}, Tolerance: evil, Verdict: evil}},
		Checks: []compare.Check{{Name: evil, Text: evil, Verdict: evil}},
	}
	records := append(planRecords(&r, nil),
		record{Kind: kindTrial, Slot: "1.1", Attempt: 1, Job: job, Outcome: &o, Saved: []saved{{0, jobs.ProofBefore}, {1, "forged"}}},
		record{Kind: kindFact, Fact: &o.Facts[0]}, record{Kind: kindJudged, Slot: "1.1", Attempt: 1, Facts: []int{1}, Checks: o.Checks},
		record{Kind: kindEnd, Status: compare.Ended, Checks: []compare.Check{{Name: evil}}, CellChecks: map[int][]compare.Check{1: {{Text: evil}}}})
	text, err := encode(records)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(pathOf(dir, r.ID), text, 0o600))
	b := New(Options{Dir: dir, Jobs: newHistory(nil)})
	defer b.Close()
	got, err := b.Load(t.Context(), r.ID)
	require.NoError(t, err)
	assert.Equal(t, r.Cells[0].Draft, got.Cells[0].Draft)
	for i := range got.Trials[0].Files {
		assert.False(t, got.Trials[0].Files[i].Here)
	}
	got.Cells = append([]compare.Cell(nil), got.Cells...)
	got.Cells[0].Draft = client.Draft{}
	assert.NotContains(t, fmt.Sprintf("%#v", got), `\x1b`)
	assert.NotContains(t, fmt.Sprintf("%#v", got), `\u202e`)
	assert.LessOrEqual(t, len(got.Trials[0].Message), maxText+len("…"))
	list, err := b.List(t.Context())
	require.NoError(t, err)
	assert.NotContains(t, list[0].Name+list[0].Host, "\x1b")
}

// TestAStrangersRepeatsAreBounded: reports and JUnit go through them, sent or not.
func TestAStrangersRepeatsAreBounded(t *testing.T) {
	t.Parallel()
	for repeats, ok := range map[int]bool{-1: false, 2: true, maxSlots / 2: true, maxSlots/2 + 1: false, 1 << 62: false} {
		r := planOf(2, 2, 0)
		r.ID, r.Repeats = uuid.Must(uuid.NewV7()).String(), repeats
		text, err := encode(planRecords(&r, nil))
		require.NoError(t, err)
		if _, _, err = parse(text); ok {
			require.NoError(t, err, "%d", repeats)
		} else {
			require.ErrorIs(t, err, errMuch, "%d", repeats)
		}
	}
}

func TestListsTellWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := recorded(t)
	var x record
	require.NoError(t, json.Unmarshal(text[:bytes.IndexByte(text, '\n')], &x))
	good, bad := x.Run.ID, uuid.Must(uuid.NewV7()).String()
	require.NoError(t, os.WriteFile(pathOf(dir, good), text, 0o600))
	require.NoError(t, os.WriteFile(pathOf(dir, bad), []byte("hello\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "note.txt"), nil, 0o600))
	require.NoError(t, os.Symlink("/etc/passwd", pathOf(dir, uuid.Must(uuid.NewV7()).String())))
	b := New(Options{Dir: dir, Jobs: newHistory(nil)})
	defer b.Close()
	list, err := b.List(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 3)
	byID := map[string]Head{}
	for _, h := range list {
		byID[h.ID] = h
	}
	l, _, err := parse(text)
	require.NoError(t, err)
	assert.Equal(t, l.run.Tally(), byID[good].Tally)
	assert.Equal(t, "night", byID[good].Name)
	assert.Equal(t, compare.Ended, byID[good].Status)
	assert.Equal(t, l.run.EndedAt, byID[good].EndedAt)
	assert.Contains(t, byID[bad].Error, "it is damaged")
	votes := filepath.Join(dir, bad+".votes")
	require.NoError(t, os.Mkdir(votes, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(votes, "ann.ndjson"), nil, 0o600))
	require.NoError(t, b.Remove(t.Context(), bad), "what cannot be read can be removed")
	require.NoDirExists(t, votes, "nothing of a run stays")
	require.FileExists(t, pathOf(dir, good))
	_, err = b.Load(t.Context(), bad)
	require.ErrorIs(t, err, ErrUnknown)

	// A journal of one run under the name of another one is none.
	require.NoError(t, os.WriteFile(pathOf(dir, bad), text, 0o600))
	_, err = b.Load(t.Context(), bad)
	require.ErrorContains(t, err, "it is the journal of the run "+good)
}

// FuzzParse: whatever a file has, it is refused or makes a run that holds together, and that can be written
// and read again.
func FuzzParse(f *testing.F) {
	r := planOf(2, 2, 1)
	r.ID = "01890000-0000-7000-8000-000000000001"
	for _, more := range [][]record{nil, {
		{Kind: kindSend, Slot: "1.w1", Attempt: 1, Seed: "7"}, {Kind: kindJob, Slot: "1.w1", Attempt: 1, Job: r.ID},
		{Kind: kindTrial, Slot: "1.w1", Attempt: 1, Job: r.ID, Outcome: &compare.Outcome{State: jobs.Failed}},
		{Kind: kindFact, Fact: &compare.Property{Field: "width"}}, {Kind: kindJudged, Slot: "1.w1", Attempt: 1, Facts: []int{1, 1}},
		{Kind: kindStop}, {Kind: kindResume}, {Kind: kindEnd, Status: compare.Ended},
	}} {
		text, err := encode(append(planRecords(&r, []planned{{Path: "/a", SHA256: "x"}}), more...))
		require.NoError(f, err)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, good, err := parse(text)
		if err != nil {
			return
		}
		require.LessOrEqual(t, good, len(text))
		require.Len(t, l.more, len(l.run.Trials))
		for i := range l.run.Trials {
			x := &l.run.Trials[i]
			require.NotNil(t, l.run.Cell(x.Slot.Cell))
			require.Equal(t, i, l.at[key{x.Slot, x.Attempt}])
		}
		for _, w := range l.left() {
			require.True(t, l.slots[w.slot])
		}
		l.run.Tally()
		again, err := encode(planRecords(&l.run, nil))
		require.NoError(t, err)
		_, _, err = parse(again)
		require.NoError(t, err)
	})
}

// large is the journal of a run of so many cells and repeats, wholly judged.
func large(tb testing.TB, cells, repeats int) (string, string) {
	tb.Helper()
	r := planOf(cells, repeats, 0)
	r.ID = uuid.Must(uuid.NewV7()).String()
	for i := range r.Cells {
		r.Cells[i].Draft.Prompt = strings.Repeat("a red kite above the sea ", 8)
		r.Cells[i].Prompt.Text = r.Cells[i].Draft.Prompt
		r.Cells[i].Draft.Values = client.Values{"duration": json.Number("8"), "size": "1280x720", "generate_audio": true}
	}
	records, l := planRecords(&r, nil), newLedger()
	fact := func(f string) compare.Property {
		v := compare.Fact{Text: "1280", Number: 1280, Known: true}
		return compare.Property{Field: f, Unit: "px", Asked: v, Claimed: v, Delivered: v, Tolerance: "exact", Verdict: compare.Pass, ClaimVerdict: compare.Pass}
	}
	var facts []compare.Property
	for _, f := range []string{"duration", "width", "height", "fps", "codec", "sample_rate", "channels", "container", "audio"} {
		facts = append(facts, fact(f))
	}
	for _, s := range r.Order {
		id := uuid.Must(uuid.NewV7()).String()
		took := compare.Interval{Source: compare.Polled, Least: time.Duration(rand.Int64N(1e10)), Most: 1e10} //nolint:gosec // any will do
		o := compare.Outcome{
			State: jobs.Completed, TaskID: "task_" + id, Progress: 100, SentAt: time.Now(), EndedAt: time.Now(), Polls: 12,
			Latency: compare.Latency{Create: took, Queue: took, Run: took, Total: took, Download: took},
			Files:   []compare.File{{Path: "/home/me/Downloads/darkroom/2026-11-23/" + id + ".mp4", Kind: client.AssetVideo, MediaType: "video/mp4", Bytes: 1e6, SHA256: strings.Repeat("ab", 32)}},
		}
		x := compare.Trial{Slot: s, Attempt: 1, JobID: id}
		proof := []saved{{0, strings.Repeat("cd", 32)}}
		records = append(records, record{Kind: kindSend, Slot: s.String(), Attempt: 1, Seed: "1234567", At: time.Now()},
			record{Kind: kindJob, Slot: s.String(), Attempt: 1, Job: id}, trialRecord(&x, &o, proof))
		o.Facts = slices.Clone(facts)
		o.Facts[0].Delivered.Number = rand.Float64() //nolint:gosec // any will do: no two are alike
		o.Checks = []compare.Check{{Name: "latency < 30s", Verdict: compare.Pass, Text: "took 4.1 to 4.6 s"}}
		more := l.judgedRecords(&x, &o)
		for i := range more {
			if more[i].Kind == kindFact {
				l.facts = append(l.facts, *more[i].Fact)
				l.factAt[*more[i].Fact] = len(l.facts)
			}
		}
		records = append(records, more...)
	}
	r.Status = compare.Ended
	text, err := encode(append(records, record{Kind: kindEnd, Status: compare.Ended, At: time.Now()}, tallyRecord(&r)))
	require.NoError(tb, err)
	dir := tb.TempDir()
	require.NoError(tb, os.WriteFile(pathOf(dir, r.ID), text, 0o600))
	return dir, r.ID
}

// BenchmarkLoad is of ten thousand cells and three repeats.
func BenchmarkLoad(b *testing.B) {
	dir, id := large(b, 10_000, 3)
	st, err := os.Stat(pathOf(dir, id))
	require.NoError(b, err)
	b.SetBytes(st.Size())
	b.ResetTimer()
	for range b.N {
		l, err := load(dir, id)
		require.NoError(b, err)
		require.Len(b, l.run.Trials, 30_000)
	}
}

// BenchmarkList is of a hundred such runs.
func BenchmarkList(b *testing.B) {
	dir, id := large(b, 10_000, 3)
	for range 99 {
		require.NoError(b, os.Link(pathOf(dir, id), pathOf(dir, uuid.Must(uuid.NewV7()).String())))
	}
	bench := New(Options{Dir: dir, Jobs: newHistory(nil)})
	defer bench.Close()
	b.ResetTimer()
	for range b.N {
		list, err := bench.List(b.Context())
		require.NoError(b, err)
		require.Len(b, list, 100)
	}
}
