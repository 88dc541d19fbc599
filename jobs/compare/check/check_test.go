package check_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/check"
)

func parse(t *testing.T, lines ...string) []check.Expectation {
	t.Helper()
	var out []check.Expectation
	for _, l := range lines {
		e, err := check.Parse(l)
		require.NoError(t, err, l)
		out = append(out, e)
	}
	return out
}

func polled(least, most float64) compare.Interval {
	s := func(f float64) time.Duration { return time.Duration(f * float64(time.Second)) }
	return compare.Interval{Source: compare.Polled, Least: s(least), Most: s(most)}
}

func done(least, most float64) compare.Trial {
	return compare.Trial{Attempt: 1, Outcome: compare.Outcome{
		State: jobs.Completed, Latency: compare.Latency{Total: polled(least, most)},
		Files: []compare.File{{Bytes: 3_000_000}},
		Facts: []compare.Property{
			{Field: "width", Unit: "px", Asked: compare.Fact{Text: "1280", Number: 1280, Known: true}, Delivered: compare.Fact{Text: "640", Number: 640, Known: true}, Verdict: compare.Fail},
			{Field: "duration", Unit: "s", Asked: compare.Fact{Text: "5", Number: 5, Known: true}, Delivered: compare.Fact{Text: "5.1", Number: 5.1, Known: true}, Verdict: compare.Pass},
			{Field: "codec", Delivered: compare.Fact{Text: "avc1", Known: true}, Verdict: compare.Unknown},
		},
		Checks: []compare.Check{{Name: "sharpness", Scored: true, Score: 0.6}},
	}}
}

func failed(code string) compare.Trial {
	return compare.Trial{Attempt: 1, Outcome: compare.Outcome{State: jobs.Failed, Code: code}}
}

func unclear() compare.Trial {
	return compare.Trial{Attempt: 1, Outcome: compare.Outcome{State: jobs.Ambiguous}}
}

func timedOut() compare.Trial {
	t := compare.Trial{Attempt: 1, Outcome: compare.Outcome{State: jobs.Running, TimedOut: true}}
	t.Latency.Total = compare.Interval{Source: compare.Polled, Least: time.Minute, Open: true}
	return t
}

func TestExpectationsOfATrial(t *testing.T) {
	cell := compare.Cell{Number: 1, Model: "famA3"}
	for _, tc := range []struct {
		line  string
		trial compare.Trial
		want  compare.Verdict
		text  string
	}{
		{"status is completed", done(4, 5), compare.Pass, "it is completed"},
		{"status is completed", failed("X"), compare.Fail, "it is failed"},
		{"status is not running", timedOut(), compare.Pass, "it is timed out"},
		{"status is completed", compare.Trial{Outcome: compare.Outcome{State: jobs.Running}}, compare.Unknown, "not over yet"},
		{"error is out_of_credit", failed("OUT_OF_CREDIT"), compare.Pass, "the error is OUT_OF_CREDIT"},
		{"error is not X", done(4, 5), compare.Pass, "there was no error"},
		{"latency < 6s", done(4, 5), compare.Pass, "took 4.0–5.0 s"},
		{"latency < 4s", done(4, 5), compare.Fail, "took 4.0–5.0 s"},
		{"total < 4s", done(4, 5), compare.Fail, "took 4.0–5.0 s"},
		{"latency < 4.5s", done(4, 5), compare.Unknown, "took 4.0–5.0 s: that leaves it open"},
		{"latency < 30s", timedOut(), compare.Fail, "took over 1 m 00 s"},
		{"latency < 2m", timedOut(), compare.Unknown, "took over 1 m 00 s: that leaves it open"},
		{"latency < 2m", failed("X"), compare.Unknown, "not known: it did not complete"},
		{"queue < 1s", done(4, 5), compare.Unknown, "not known: it did not complete"},
		{"size < 20MB", done(4, 5), compare.Pass, "3.0 MB"},
		{"size >= 5 MB", done(4, 5), compare.Fail, "3.0 MB"},
		{"files is 1", done(4, 5), compare.Pass, "1 file"},
		{"files is 2", failed("X"), compare.Fail, "nothing was delivered"},
		{"width is 1280px", done(4, 5), compare.Fail, "it is 640 px"},
		{"width < 700", done(4, 5), compare.Pass, "it is 640 px"},
		{"duration is as asked", done(4, 5), compare.Pass, "duration: asked for 5 s, got 5.1 s"},
		{"delivered is as asked", done(4, 5), compare.Fail, "width: asked for 1280 px, got 640 px"},
		{"codec is avc1", done(4, 5), compare.Pass, "it is avc1"},
		{"codec is not avc1", done(4, 5), compare.Fail, "it is avc1"},
		{"fps is 24", done(4, 5), compare.Unknown, "the file does not tell"},
		{"score sharpness > 0.5", done(4, 5), compare.Pass, "scored 0.6"},
		{"score mood > 0.5", done(4, 5), compare.Unknown, "not scored"},
		{"famA*: latency < 4s", done(4, 5), compare.Fail, "took 4.0–5.0 s"},
	} {
		got := check.Trial(parse(t, tc.line), &cell, &tc.trial)
		assert.Equal(t, []compare.Check{{Name: tc.line, Verdict: tc.want, Text: tc.text}}, got, tc.line)
	}
	x := done(4, 5)
	assert.Empty(t, check.Trial(parse(t, "famB*: latency < 4s", "success >= 1/3"), &cell, &x), "other models, and cells")
}

func run(trials ...compare.Trial) *compare.Run {
	r := &compare.Run{Repeats: 3, Cells: []compare.Cell{{Number: 1, Model: "famA3"}, {Number: 2, Model: "famB", Cannot: "has no mode"}}}
	for i, t := range trials {
		if t.Slot.Repeat == 0 {
			t.Slot = compare.Slot{Cell: 1, Repeat: i + 1}
		}
		r.Trials = append(r.Trials, t)
	}
	return r
}

func TestExpectationsOverRepeats(t *testing.T) {
	again := done(1, 2)
	again.Slot, again.Attempt = compare.Slot{Cell: 1, Repeat: 2}, 2
	warm := failed("COLD")
	warm.Slot = compare.Slot{Cell: 1, Repeat: 1, Warmup: true}
	for _, tc := range []struct {
		line string
		run  *compare.Run
		want compare.Verdict
		text string
	}{
		{"success >= 3/3", run(done(4, 5), done(4, 5), done(4, 5)), compare.Pass, "3/3 succeeded"},
		{"success >= 3/3", run(done(4, 5), failed("X"), done(4, 5), again), compare.Fail, "2/3 succeeded"},
		{"success >= 60%", run(done(4, 5), failed("X"), done(4, 5), warm), compare.Pass, "2/3 succeeded"},
		{"success >= 2/3", run(done(4, 5), done(4, 5)), compare.Pass, "2/2 succeeded, 1 not over"},
		{"success >= 3/3", run(done(4, 5), done(4, 5)), compare.Unknown, "2/2 succeeded, 1 not over"},
		{"success >= 3/3", run(failed("X")), compare.Fail, "0/1 succeeded, 2 not over"},
		{"success >= 3/3", run(done(4, 5), unclear(), done(4, 5)), compare.Unknown, "2/2 succeeded, 1 unclear"},
		{"success >= 2/3", run(done(4, 5), unclear(), done(4, 5)), compare.Pass, "2/2 succeeded, 1 unclear"},
		{"median latency < 6s", run(done(4, 5), timedOut(), done(5, 5.5)), compare.Pass, "5.0–5.5 s of 3"},
		{"median latency < 6s", run(done(4, 5), timedOut(), timedOut()), compare.Fail, "over 1 m 00 s of 3"},
		{"median latency < 4.5s", run(done(4, 5), done(4, 5)), compare.Unknown, "4.0–5.0 s of 2"},
		{"p95 latency < 6s", run(done(4, 5)), compare.Unknown, "1 of the 20 that a p95 needs"},
		{"median score sharpness >= 0.6", run(done(4, 5)), compare.Pass, "0.6 of 1"},
		{"median size < 2MB", run(done(4, 5)), compare.Fail, "3.0 MB of 1"},
		{"median latency < 6s", run(failed("X")), compare.Unknown, "nothing is known"},
	} {
		check.Run(parse(t, tc.line, "overall "+tc.line), tc.run)
		assert.Equal(t, map[int][]compare.Check{1: {{Name: tc.line, Verdict: tc.want, Text: tc.text}}}, tc.run.CellChecks, tc.line)
		assert.Equal(t, []compare.Check{{Name: "overall " + tc.line, Verdict: tc.want, Text: tc.text}}, tc.run.Checks)
		n := 0
		if tc.want == compare.Fail {
			n = 2
		}
		assert.Equal(t, n, check.Failed(tc.run))
	}
}

func TestP95FromTwentyOn(t *testing.T) {
	r := &compare.Run{Repeats: 20, Cells: []compare.Cell{{Number: 1}}}
	for i := range 20 {
		x := done(float64(i+1), float64(i+1))
		x.Slot = compare.Slot{Cell: 1, Repeat: i + 1}
		r.Trials = append(r.Trials, x)
	}
	check.Run(parse(t, "p95 latency < 19.5s", "p95 latency < 19s"), r)
	assert.Equal(t, []compare.Check{
		{Name: "p95 latency < 19.5s", Verdict: compare.Pass, Text: "19.0 s of 20"}, {Name: "p95 latency < 19s", Verdict: compare.Fail, Text: "19.0 s of 20"},
	}, r.CellChecks[1])
}

func TestWrongExpectationsSayWhatIsAllowed(t *testing.T) {
	for line, says := range map[string]string{
		"[: latency < 3s":         "not a pattern",
		"":                        "an expectation is a line",
		"latency":                 "write a subject",
		"latency <30s":            "write a subject",
		"latency < soon":          "give one such as 1.5s",
		"latency < -1s":           "not a duration",
		"latency is 3s":           "is compared with <",
		"mood is good":            "there are create,",
		"status is great":         "there are planned,",
		"status < completed":      "",
		"success >= 4/3":          "not a share",
		"success >= most":         "not a share",
		"success is not 1/2":      "success is compared",
		"median success >= 1/2":   "share already",
		"median status is failed": "a median and p95 are of",
		"median width is 3":       "a median and p95 are of",
		"overall latency < 3s":    "overall needs",
		"overall < 3":             "not a subject",
		"score > 0.5":             "name the score",
		"score a b > 1":           "not a subject",
		"size < 20":               "not a size",
		"size is 20MB":            "is compared with <",
		"width < wide":            "not a number",
		"width is wide":           "not a number",
		"codec < avc1":            "is compared with is",
		"latency is as asked":     "as asked is said of",
		"delivered is good":       "delivered is as asked",
		"files is NaN":            "not a number",
		"error < X":               "is compared with is",
	} {
		_, err := check.Parse(line)
		if assert.Error(t, err, line) {
			assert.Contains(t, err.Error(), says, line)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"status is completed", "famA*: p95 latency < 3s", "overall success >= 90%", "score a is not 3", "[: width is 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		e, err := check.Parse(line)
		if err != nil {
			return
		}
		again, err := check.Parse(e.String())
		require.NoError(t, err)
		assert.Equal(t, e, again)
		r := run(done(4, 5), failed("X"), timedOut())
		check.Run([]check.Expectation{e}, r)
		for i := range r.Trials {
			check.Trial([]check.Expectation{e}, &r.Cells[0], &r.Trials[i])
		}
	})
}

// TestWhatIsLeftOpenIsListed: an expectation that nothing could be told of is not taken for one that is met.
func TestWhatIsLeftOpenIsListed(t *testing.T) {
	t.Parallel()
	said := func(name string, v compare.Verdict, text string) compare.Check {
		return compare.Check{Name: name, Verdict: v, Text: text}
	}
	trial := func(repeat int, state jobs.State, checks ...compare.Check) compare.Trial {
		return compare.Trial{Slot: compare.Slot{Cell: 1, Repeat: repeat}, Attempt: 1, Outcome: compare.Outcome{State: state, Checks: checks}}
	}
	r := &compare.Run{Cells: []compare.Cell{{Number: 1}}, Repeats: 3, Trials: []compare.Trial{
		trial(1, jobs.Completed, said("status is completed", compare.Pass, ""), said("latency < 4.5s", compare.Unknown, "took 4.0–5.0 s")),
		trial(2, jobs.Completed, said("status is completed", compare.Pass, ""), said("latency < 4.5s", compare.Pass, "")),
		trial(3, jobs.Failed, said("latency < 4.5s", compare.Unknown, "not known: it did not complete")),
	}, CellChecks: map[int][]compare.Check{1: {said("p95 latency < 9s", compare.Unknown, "2 of the 20 that a p95 needs")}}}
	assert.Equal(t, []check.Undecided{
		{Name: "latency < 4.5s", Open: 1, Of: 2, Text: "took 4.0–5.0 s"},
		{Name: "p95 latency < 9s", Open: 1, Of: 1, Text: "2 of the 20 that a p95 needs"},
	}, check.LeftOpen(r))
	assert.Empty(t, check.LeftOpen(&compare.Run{}))
}

func TestExpectationsThatDecideNothingAreSlips(t *testing.T) {
	t.Parallel()
	r := &compare.Run{Repeats: 10, Cells: []compare.Cell{{Number: 1, Model: "famA3"}, {Number: 2, Model: "famB-2"}, {Number: 3, Model: "famC", Cannot: "no"}}}
	for line, want := range map[string]string{
		"famA*: latency < 3s":         "",
		"famX*: latency < 3s":         "this expectation concerns no model of the suite",
		"famC: latency < 3s":          "this expectation concerns only cells that cannot run",
		"score sharpness > 0.5":       "",
		"score taste > 0.5":           "nothing scores taste: score: names the program that does",
		"p95 latency < 3s":            "a p95 needs 20 trials, and here are 10 trials",
		"overall p95 latency < 3s":    "",
		"famA*: overall p95 run < 3s": "a p95 needs 20 trials, and here are 10 trials",
	} {
		e, err := check.Parse(line)
		require.NoError(t, err, line)
		assert.Equal(t, want, check.Slip(e, r, "sharpness"), line)
	}
}
