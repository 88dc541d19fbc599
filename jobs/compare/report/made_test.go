package report_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/sandbox/media"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/baseline"
	"darkroom/jobs/compare/report"
	"darkroom/jobs/compare/stat"
	"darkroom/jobs/compare/vote"
)

// family is how the trials of one model come out.
type family struct {
	name, format string
	kind         client.AssetKind
	mean         time.Duration
	fails, slow  float64 // shares that fail, and that time out
	width        int     // of pictures and films; 0 for 160
	short        bool    // delivers less than was asked for
	cannot       string
}

// prompts of a made run.
var prompts = []compare.Prompt{
	{ID: "kite", Text: "A red kite over a grey sea, slow camera, late light"},
	{ID: "street", Text: "A rainy street at night, neon signs in the puddles"},
}

var day = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

// six are those of the report's picture.
func six() []family {
	return []family{
		{name: "famA3", mean: 4 * time.Second},
		{name: "famB-video", mean: 9 * time.Second},
		{name: "famC-1.5", mean: 9500 * time.Millisecond, fails: .5},
		{name: "famD-image", kind: client.AssetImage, mean: 3 * time.Second},
		{name: "famE-fast", mean: 5 * time.Second, short: true},
		{name: "famF-video", mean: 30 * time.Second, slow: .2},
		{name: "famG-still", cannot: "famG-still has no duration, which the suite sets to 8 s"},
	}
}

// made is a run of families x prompts x repeats; file returns that of a trial that completed, "" for none.
func made(families []family, prompts []compare.Prompt, repeats int, file func(family, compare.Slot) string) *compare.Run {
	r := rand.New(rand.NewPCG(7, 1))
	run := &compare.Run{
		ID: "019a9f00-0000-7000-8000-000000000001", Name: "Kites and streets", Profile: "staging", Host: "gateway.example", Suite: "name: Kites and streets\nrepeats: 3\n",
		Seed: 42, Repeats: repeats, Concurrency: 4, CreatedAt: day, EndedAt: day.Add(11 * time.Minute), Status: compare.Ended,
	}
	for _, p := range prompts {
		for _, f := range families {
			c := compare.Cell{
				Number: len(run.Cells) + 1, Prompt: p, Model: f.name, Format: cmp.Or(f.format, "common"), Cannot: f.cannot,
			}
			c.Hash = fmt.Sprintf("%s/%s/%s", p.ID, f.name, c.Format)
			c.Draft = client.Draft{Model: f.name, Prompt: p.Text, Values: client.Values{"duration": 8.0, "image": "file:///home/ana/secret plans/ref.png"}}
			run.Cells = append(run.Cells, c)
			if f.cannot != "" {
				continue
			}
			for rep := range repeats {
				slot := compare.Slot{Cell: c.Number, Repeat: rep + 1}
				run.Order = append(run.Order, slot)
				t := compare.Trial{Slot: slot, Attempt: 1, JobID: fmt.Sprintf("j%d", len(run.Trials)), Seed: fmt.Sprint(100 + rep)}
				t.Outcome = f.outcome(r)
				if t.OK() {
					t.Files = []compare.File{{Path: "/home/ana/gone.mp4", Kind: cmp.Or(f.kind, client.AssetVideo), Bytes: 90_000}}
					if path := file(f, slot); path != "" {
						t.Files[0].Path, t.Files[0].Here = path, true
					}
				}
				run.Trials = append(run.Trials, t)
			}
		}
	}
	return run
}

func (f family) outcome(r *rand.Rand) compare.Outcome {
	took := time.Duration(float64(f.mean) * math.Exp(r.NormFloat64()*.15))
	o := compare.Outcome{TaskID: fmt.Sprintf("task_%04x", r.IntN(1<<16)), SentAt: day, Polls: 5, Progress: 100, State: jobs.Completed}
	o.EndedAt = day.Add(took).Truncate(time.Millisecond)
	fixed := func(s compare.Source, d time.Duration) compare.Interval {
		return compare.Interval{Source: s, Least: d, Most: d}
	}
	polled := func(d time.Duration) compare.Interval {
		least := d.Truncate(500 * time.Millisecond)
		return compare.Interval{Source: compare.Polled, Least: least, Most: least + 500*time.Millisecond}
	}
	create := time.Duration(80+r.IntN(60)) * time.Millisecond
	o.Latency = compare.Latency{
		Create: fixed(compare.Measured, create), Queue: polled(took / 5), Run: polled(took * 4 / 5), Total: polled(took),
		Download: fixed(compare.Measured, 220*time.Millisecond), GatewayTotal: fixed(compare.Stamped, took.Round(time.Millisecond)),
	}
	switch x := r.Float64(); {
	case x < f.fails:
		o.State, o.Code, o.Message = jobs.Failed, "upstream_error", "The upstream model is overloaded; try again later."
		return o
	case x < f.fails+f.slow:
		o.State, o.TimedOut, o.Progress = jobs.Running, true, 60
		o.Latency.Total, o.Latency.GatewayTotal = compare.Interval{Source: compare.Polled, Least: time.Minute, Open: true}, compare.Interval{}
		return o
	}
	fact := func(s string, n float64) compare.Fact { return compare.Fact{Text: s, Number: n, Known: true} }
	if f.kind == "" {
		got := fact("8", 8)
		v := compare.Pass
		if f.short {
			got, v = fact("5.1", 5.1), compare.Fail
		}
		o.Facts = append(o.Facts,
			compare.Property{Field: "duration", Unit: "s", Asked: fact("8", 8), Claimed: fact("8", 8), Delivered: got, Tolerance: "±0.5 s", Verdict: v, ClaimVerdict: v},
			compare.Property{Field: "width", Unit: "px", Delivered: fact("320", 320), Verdict: compare.Unknown, ClaimVerdict: compare.Unknown})
		o.Checks = append(o.Checks, compare.Check{Name: "duration as asked", Verdict: v, Text: "it is " + got.Text + " s"})
	}
	late := compare.Check{Name: "latency < 30s", Verdict: compare.Pass, Text: "took " + o.Latency.Total.String()}
	if o.Latency.Total.Least > 30*time.Second {
		late.Verdict = compare.Fail
	}
	o.Checks = append(o.Checks, late)
	return o
}

// none has no files.
func none(family, compare.Slot) string { return "" }

// generated writes real media for each model and repeat: a picture, a film, a tune.
func generated(t testing.TB) func(family, compare.Slot) string {
	t.Helper()
	dir, made := t.TempDir(), map[string]string{}
	return func(f family, s compare.Slot) string {
		name := fmt.Sprintf("%s-%s", f.name, s)
		if made[name] != "" {
			return made[name]
		}
		text := prompts[0].Text
		if s.Cell > 7 {
			text = prompts[1].Text
		}
		var body []byte
		ext := ".mp4"
		seed, width := int64(len(made)+1), cmp.Or(f.width, 160)
		switch f.kind {
		case client.AssetImage:
			img, err := media.Picture(context.Background(), media.PictureSpec{Prompt: text, Label: f.name, Seed: seed, Width: width, Height: width * 9 / 16})
			require.NoError(t, err)
			body, err = media.PNG(img)
			require.NoError(t, err)
			ext = ".png"
		case client.AssetAudio:
			tune, err := media.MakeTune(context.Background(), media.TuneSpec{Prompt: text, Seed: seed, Duration: time.Second, SampleRate: 8000})
			require.NoError(t, err)
			body, ext = tune.WAV, ".wav"
		default:
			film, err := media.MakeVideo(context.Background(), media.VideoSpec{Prompt: text, Label: f.name, Seed: seed, Width: width, Height: width * 9 / 16, Duration: time.Second})
			require.NoError(t, err)
			body = film.MP4
		}
		path := filepath.Join(dir, fmt.Sprintf("%d%s", len(made), ext))
		require.NoError(t, os.WriteFile(path, body, 0o600))
		made[name] = path
		return path
	}
}

// voted is what two judges said of the groups of a run.
func voted(t testing.TB, groups ...string) *vote.Result {
	t.Helper()
	var all []stat.Pairing
	r := rand.New(rand.NewPCG(3, 3))
	for k := range 60 {
		i := r.IntN(len(groups))
		j := (i + 1 + r.IntN(len(groups)-1)) % len(groups)
		score := 0.0
		switch x := r.Float64() * float64(i+j+2); {
		case x < .1:
			score = .5
		case x < float64(j+1):
			score = 1
		}
		all = append(all, stat.Pairing{A: groups[i], B: groups[j], Score: score, Judge: []string{"ana", "ben"}[k%2]})
	}
	ranking, err := stat.BradleyTerry(all, 1)
	require.NoError(t, err)
	return &vote.Result{Run: "r", Ranking: ranking, SideA: stat.Wilson(31, 55), Remarks: []vote.Remark{{Judge: "ana", Group: groups[0], Text: "the horizon holds still"}}, Ratings: []vote.Rating{{Group: groups[0], N: 4, Mean: 4.25}}}
}

// full is a report with all that one can hold.
func full(t testing.TB, file func(family, compare.Slot) string) report.Report {
	t.Helper()
	b, err := baseline.Bless(made(six(), prompts, 3, none), day, "")
	require.NoError(t, err)
	run := made(six(), prompts, 3, file)
	run.Trials[0].State, run.Trials[0].Code, run.Trials[0].Files, run.Trials[0].Facts = jobs.Failed, "no_capacity", nil, nil
	again := run.Trials[7] // which failed, and was sent again
	again.Attempt, again.JobID = 2, "again"
	again.Outcome = six()[1].outcome(rand.New(rand.NewPCG(1, 1)))
	warm := run.Trials[3]
	warm.Slot = compare.Slot{Cell: 2, Repeat: 1, Warmup: true}
	warm.JobID = "warm"
	run.Trials = append(run.Trials, again, warm)
	run.Warmups = 1
	d := baseline.Compare(&b, run)
	return report.Make(run, report.Options{Now: day, Baseline: &d, Votes: voted(t, "famA3", "famB-video", "famE-fast", "famF-video")})
}

// fileURL is the address of a file.
func fileURL(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }
