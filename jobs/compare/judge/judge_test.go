package judge_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/mediainfo"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/judge"
	"darkroom/jobs/compare/suite"
)

const text = `
name: kites
kind: video
prompts: [a kite]
models: [famA3]
tolerance: {duration: 0.2s}
expect: [duration is as asked, success >= 1/1, score sharpness > 0.5]
score: {name: sharpness, command: [sh, -c, 'echo "{\"score\": 0.7}"']}
`

func run(t *testing.T) *compare.Run {
	t.Helper()
	_, err := suite.Parse("kites.yaml", []byte(text))
	require.NoError(t, err)
	return &compare.Run{
		Name: "kites", Suite: text, SuiteHash: "h", Repeats: 1, Folder: t.TempDir(),
		Cells: []compare.Cell{{Number: 1, Model: "famA3", Prompt: compare.Prompt{Text: "a kite"}, Draft: client.Draft{Modality: client.Video, Values: client.Values{"duration": "5"}}}},
	}
}

func trial() *compare.Trial {
	return &compare.Trial{Slot: compare.Slot{Cell: 1, Repeat: 1}, Attempt: 1, Outcome: compare.Outcome{
		State: jobs.Completed, Files: []compare.File{{Path: "/mine.mp4", Here: true}, {Path: "/theirs.mp4"}},
	}}
}

func reader(opened *[]string) func(context.Context, string) (mediainfo.Info, error) {
	return func(_ context.Context, path string) (mediainfo.Info, error) {
		*opened = append(*opened, path)
		return mediainfo.Info{Kind: mediainfo.Video, Format: "MP4", Duration: 5300 * time.Millisecond}, nil
	}
}

func TestATrialIsMeasuredScoredAndChecked(t *testing.T) {
	var opened []string
	j := judge.New(judge.Options{Read: reader(&opened), MayScore: func(*compare.Run) bool { return true }})
	r, x := run(t), trial()
	j.Trial(t.Context(), r, x, nil, nil)
	assert.Equal(t, []string{"/mine.mp4"}, opened, "files of others are not opened")
	assert.Equal(t, []compare.Check{
		{Name: "sharpness", Verdict: compare.Pass, Score: 0.7, Scored: true},
		{Name: "duration is as asked", Verdict: compare.Fail, Text: "duration: asked for 5 s, got 5.3 s"},
		{Name: "score sharpness > 0.5", Verdict: compare.Pass, Text: "scored 0.7"},
	}, x.Checks, "in the suite's tolerance")
	r.Trials = []compare.Trial{*x}
	j.Run(t.Context(), r)
	assert.Equal(t, "1/1 succeeded", r.CellChecks[1][0].Text)

	again := trial()
	again.Checks = x.Checks
	j.Trial(t.Context(), r, again, nil, nil)
	assert.Len(t, again.Checks, 3, "judged anew, not twice")
}

func TestPicturesOfAResultAreNoResults(t *testing.T) {
	var opened []string
	x, r := trial(), run(t)
	r.Cells[0].Draft.Modality, r.Cells[0].Draft.Values = client.Image, client.Values{"n": "1"}
	x.Files = append(x.Files, compare.File{Kind: client.AssetCover, Path: "/cover.png", Here: true}, compare.File{Kind: client.AssetLastFrame, Path: "/last.png", Here: true})
	judge.New(judge.Options{Read: reader(&opened)}).Trial(t.Context(), r, x, nil, nil)
	assert.Equal(t, []string{"/mine.mp4"}, opened)
	i := slices.IndexFunc(x.Facts, func(p compare.Property) bool { return p.Field == "n" })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, "1", x.Facts[i].Delivered.Text)
}

func TestNoProgramIsStartedUnasked(t *testing.T) {
	var opened []string
	r := run(t)
	r.Suite = `{name: k, kind: video, prompts: [x], models: [famA3], score: {name: s, command: [touch, started]}}`
	x := trial()
	judge.New(judge.Options{Read: reader(&opened)}).Trial(t.Context(), r, x, nil, nil)
	assert.Equal(t, `not scored: nobody has allowed the suite to start "touch"; on the command line --allow-scorer does`, x.Checks[0].Text)
	assert.NoFileExists(t, r.Folder+"/started")
}

func TestWhatFailedIsNotMeasured(t *testing.T) {
	var opened []string
	x := trial()
	x.State = jobs.Failed
	judge.New(judge.Options{Read: reader(&opened)}).Trial(t.Context(), run(t), x, nil, nil)
	assert.Empty(t, opened)
	assert.Empty(t, x.Facts)
	assert.Equal(t, compare.Fail, x.Checks[0].Verdict)
}

func TestADamagedFileIsAnUnknownOne(t *testing.T) {
	x := trial()
	j := judge.New(judge.Options{Read: func(context.Context, string) (mediainfo.Info, error) { return mediainfo.Info{}, errors.New("damaged") }})
	j.Trial(t.Context(), run(t), x, nil, nil)
	assert.Equal(t, compare.Unknown, x.Facts[0].Verdict)
}
