package baseline_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/baseline"
	"darkroom/jobs/compare/stat"
)

// made is a run of models with so many repeats; each trial is what of says.
func made(id string, models []string, repeats int, of func(model string, repeat int) compare.Outcome) *compare.Run {
	r := &compare.Run{ID: id, Name: "kites", Repeats: repeats}
	for i, m := range models {
		r.Cells = append(r.Cells, compare.Cell{
			Number: i + 1, Hash: "hash of " + m, Model: m, Format: "common", Prompt: compare.Prompt{ID: "sea", Text: "a kite"},
			Draft: client.Draft{Modality: client.Video, Model: m, Prompt: "a kite"},
		})
		for rep := range repeats {
			s := compare.Slot{Cell: i + 1, Repeat: rep + 1}
			r.Order = append(r.Order, s)
			r.Trials = append(r.Trials, compare.Trial{Slot: s, Attempt: 1, JobID: "j", Outcome: of(m, rep+1)})
		}
	}
	return r
}

func took(seconds float64) compare.Outcome {
	d := time.Duration(seconds * float64(time.Second))
	return compare.Outcome{
		State: jobs.Completed, TaskID: "t", Files: []compare.File{{Path: "/home/ana/kite.mp4"}},
		Latency: compare.Latency{Total: compare.Interval{Source: compare.Polled, Least: d, Most: d + 100*time.Millisecond}},
		Checks:  []compare.Check{{Name: "latency < 30s", Verdict: compare.Pass}},
		Facts:   []compare.Property{{Field: "duration", Verdict: compare.Pass}},
	}
}

func failed() compare.Outcome { return compare.Outcome{State: jobs.Failed, Code: "X", Message: "no"} }

func bless(t *testing.T, r *compare.Run) *baseline.Baseline {
	t.Helper()
	b, err := baseline.Bless(r, time.Unix(0, 0).UTC(), "after the fix")
	require.NoError(t, err)
	var buf bytes.Buffer
	require.NoError(t, b.Encode(&buf))
	got, err := baseline.Decode(&buf)
	require.NoError(t, err)
	return &got
}

func fine(_ string, rep int) compare.Outcome { return took(4 + float64(rep)/10) }

func TestTheSameRunHasNoRegressions(t *testing.T) {
	r := made("one", []string{"a", "b"}, 6, fine)
	d := baseline.Compare(bless(t, r), r)
	assert.Equal(t, 2, d.Cells)
	assert.Empty(t, d.Regressions)
	assert.Empty(t, d.Improvements)
	assert.Empty(t, d.OnlyRun)
	assert.Empty(t, d.OnlyBaseline)
}

func TestRegressionsAreNamed(t *testing.T) {
	b := bless(t, made("one", []string{"a", "b", "gone"}, 6, fine))
	now := made("two", []string{"a", "b", "new"}, 6, func(m string, rep int) compare.Outcome {
		switch {
		case m == "a" && rep == 2:
			return failed()
		case m == "a":
			return took(9 + float64(rep)/10)
		case m == "b" && rep < 4:
			o := took(4 + float64(rep)/10)
			o.Checks[0].Verdict, o.Facts[0].Verdict = compare.Fail, compare.Fail
			return o
		}
		return fine(m, rep)
	})
	d := baseline.Compare(b, now)
	assert.Equal(t, 2, d.Cells)
	assert.Equal(t, []string{"sea · new"}, d.OnlyRun)
	assert.Equal(t, []string{"sea · gone"}, d.OnlyBaseline)
	var got []string
	for _, f := range d.Regressions {
		got = append(got, string(f.Kind)+" "+f.Label+": "+f.Text)
	}
	require.Len(t, got, 4)
	assert.Equal(t, []string{
		"success sea · a: 6/6 -> 5/6 completed (this may be chance)",
		"check sea · b: 6/6 -> 3/6 met latency < 30s (this may be chance)",
		"delivered sea · b: 6/6 -> 3/6 duration as asked (this may be chance)",
	}, got[:3])
	assert.Contains(t, got[3], "latency a: the baseline was faster than this run")
	assert.Empty(t, d.Improvements)

	back := baseline.Compare(bless(t, now), made("three", []string{"a", "b", "new"}, 6, fine))
	assert.Empty(t, back.Regressions)
	assert.Len(t, back.Improvements, 4, "the other way round the same is better")
}

func TestOnlyCellsOfEqualHashAreCompared(t *testing.T) {
	b := bless(t, made("one", []string{"a"}, 3, fine))
	now := made("two", []string{"a"}, 3, func(string, int) compare.Outcome { return failed() })
	now.Cells[0].Hash = "another prompt"
	d := baseline.Compare(b, now)
	assert.Zero(t, d.Cells)
	assert.Empty(t, d.Regressions)
	assert.Equal(t, []string{"sea · a"}, d.OnlyRun)
}

// TestWhatCannotRunAnyMoreIsARegression: that it was not sent must not hide it.
func TestWhatCannotRunAnyMoreIsARegression(t *testing.T) {
	b := bless(t, made("one", []string{"a", "b"}, 3, func(m string, rep int) compare.Outcome {
		if m == "b" {
			return failed()
		}
		return fine(m, rep)
	}))
	now := made("two", []string{"a", "b"}, 3, fine)
	now.Trials, now.Order = nil, nil
	now.Cells[0].Cannot, now.Cells[1].Cannot = "a is gone from the catalog", "b, too"
	d := baseline.Compare(b, now)
	assert.Zero(t, d.Cells)
	assert.Empty(t, d.OnlyBaseline)
	assert.Equal(t, []baseline.Finding{{Kind: baseline.Success, Cell: 1, Label: "sea · a", Text: "3/3 -> cannot run: a is gone from the catalog", Shown: true}}, d.Regressions)
}

func TestCellsThatAskForTheSameAreComparedEach(t *testing.T) {
	r := made("one", []string{"a", "b", "c"}, 3, fine)
	r.Cells[0].Hash, r.Cells[1].Hash = "same", "same"
	d := baseline.Compare(bless(t, r), r)
	assert.Equal(t, 3, d.Cells)
	assert.Empty(t, d.OnlyRun)
	assert.Empty(t, d.OnlyBaseline)
	assert.Empty(t, d.Regressions)

	fewer := made("two", []string{"a", "c"}, 3, fine)
	fewer.Cells[0].Hash = "same"
	d = baseline.Compare(bless(t, r), fewer)
	assert.Equal(t, []string{"sea · b"}, d.OnlyBaseline)
}

func TestWhatNobodyKnowsIsNoRegression(t *testing.T) {
	for _, s := range []jobs.State{jobs.Ambiguous, jobs.Dropped} {
		now := made("two", []string{"a"}, 3, func(m string, rep int) compare.Outcome {
			if rep == 2 {
				return compare.Outcome{State: s}
			}
			return fine(m, rep)
		})
		assert.Empty(t, baseline.Compare(bless(t, made("one", []string{"a"}, 3, fine)), now).Regressions, s)
	}
}

func TestManyGroupsAreNotBlamedByChance(t *testing.T) {
	// One group of twenty is a little slower, as one of twenty is by chance.
	var models []string
	for i := range 20 {
		models = append(models, "m"+string(rune('a'+i)))
	}
	b := bless(t, made("one", models, 4, fine))
	now := made("two", models, 4, func(m string, rep int) compare.Outcome {
		if m == "mc" {
			return took(5 + float64(rep)/10)
		}
		return fine(m, rep)
	})
	d := baseline.Compare(b, now)
	assert.Empty(t, d.Regressions, "p = 0.029 alone, 0.57 over twenty groups")
	var totals int
	for _, c := range d.Groups {
		if c.Metric == stat.Total {
			totals++
		}
	}
	assert.Equal(t, 20, totals)
}

func TestBlessKeepsNothingPrivateAndNothingOpen(t *testing.T) {
	r := made("one", []string{"a"}, 3, fine)
	b, err := baseline.Bless(r, time.Unix(0, 0), "x\x1b[2J")
	require.NoError(t, err)
	var buf bytes.Buffer
	require.NoError(t, b.Encode(&buf))
	assert.NotContains(t, buf.String(), "/home/ana")
	assert.NotContains(t, buf.String(), `"task_id"`)
	assert.NotContains(t, buf.String(), "\x1b")
	assert.Equal(t, "/home/ana/kite.mp4", r.Trials[0].Files[0].Path, "the run itself is left alone")
	r.Trials = r.Trials[:2]
	_, err = baseline.Bless(r, time.Unix(0, 0), "")
	assert.ErrorContains(t, err, "1 of 3 trials are still to come")
}

func TestWhatIsNoBaselineIsRefused(t *testing.T) {
	for text, says := range map[string]string{
		`{"version": 1, "run": {"cells": [` + strings.Repeat("{},", 10_000) + `{}]}}`:                 "10001 cells: at most 10000",
		`{"version": 1, "run": {"cells": [{}], "trials": [` + strings.Repeat("{},", 50_000) + `{}]}}`: "50001 trials: at most 50000",
		``: "not a baseline", `[]`: "not a baseline", `{}`: "it has no cells", `{"version": 9, "run": {"cells": [{}]}}`: "version 9",
	} {
		_, err := baseline.Decode(strings.NewReader(text))
		assert.ErrorContains(t, err, says, text)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":1,"run":{"cells":[{"cell":7,"hash":"h","model":"\u202ea"}],"trials":[{"slot":{"cell":9,"repeat":-1},"attempt":1}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := baseline.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		baseline.Compare(&b, &b.Run)
		baseline.Compare(&b, made("x", []string{"a"}, 2, fine))
	})
}
