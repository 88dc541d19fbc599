package compare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/plan"
	"darkroom/jobs/compare/run"
	"darkroom/jobs/compare/suite"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compare/internal/build"
	"darkroom/tui/tuitest"
)

func planOf(x *desk) *build.Model { return x.m.plan }

// startedModels are the models of the cells of a started run, by prompt and model.
func startedModels(r compare.Run) (able, cannot []string) {
	for _, c := range r.Cells {
		if c.Cannot == "" {
			able = append(able, c.Model)
		} else {
			cannot = append(cannot, c.Model)
		}
	}
	return able, cannot
}

func TestADraftIsRunAndItsGridShows(t *testing.T) {
	x := start(t, 120, 34)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.choose(t, "famA3")
	x.Key("ctrl+s")
	require.Len(t, x.b.started, 1)
	r := x.b.started[0]
	able, cannot := startedModels(r)
	assert.Equal(t, []string{"famA3", "famI-omni"}, able)
	assert.Empty(t, cannot)
	for _, c := range r.Cells {
		assert.Equal(t, aDraft().Prompt, c.Draft.Prompt)
		assert.Equal(t, client.Values{"duration": "6", "aspect_ratio": "16:9"}.Names(), c.Draft.Values.Names())
	}
	assert.NotEmpty(t, r.Suite, "it is kept as a suite")
	assert.Equal(t, resultsPage, x.m.at)
	assert.Contains(t, x.flat(), "of 2 trials")
	assert.Contains(t, x.flat(), "· not sent")
}

// TestNothingIsAlteredByItself: a model that cannot carry the draft runs only with settings that a person
// gave it, and the others keep theirs.
func TestNothingIsAlteredByItself(t *testing.T) {
	x := start(t, 160, 40)
	d := aDraft()
	d.Values["resolution"] = "480P"
	x.Send(screen.CompareDraft{Draft: d})
	x.seek(t, "famK-3.0")
	assert.Contains(t, x.flat(), "~ Resolution removed: always 720P")
	x.Key(" ")
	assert.Contains(t, x.toast(t), "famK-3.0 cannot take this as it is (Resolution removed: always 720P); w takes it with settings of its own")
	x.Key("ctrl+s")
	require.Len(t, x.b.started, 1)
	able, _ := startedModels(x.b.started[0])
	assert.Equal(t, []string{"famI-omni"}, able)

	x.Send(screen.CompareDraft{Draft: d})
	x.seek(t, "famK-3.0")
	x.Key("w")
	assert.Contains(t, x.flat(), "[x]~ famK-3.0 its own: Resolution")
	x.Key("ctrl+s")
	require.Len(t, x.b.started, 2)
	r := x.b.started[1]
	able, _ = startedModels(r)
	assert.Equal(t, []string{"famI-omni", "famK-3.0"}, able)
	assert.Equal(t, "480P", r.Cells[0].Draft.Values["resolution"])
	assert.NotContains(t, r.Cells[1].Draft.Values, "resolution")
	assert.Contains(t, r.Cells[1].Draft.Values, "duration")
}

func TestAModelThatCanNotIsNotChosen(t *testing.T) {
	x := start(t, 120, 34)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.seek(t, "famH-2.3")
	x.Key(" ")
	assert.Contains(t, x.toast(t), "cannot take this: only ")
	x.Key("w")
	assert.Contains(t, x.toast(t), "cannot take this: only ")
	x.Key("ctrl+s")
	require.Len(t, x.b.started, 1)
	assert.Len(t, x.b.started[0].Cells, 1)
}

// TestASuiteThatSendsFilesFromElsewhereAsksFirst: somebody else may have written it.
func TestASuiteThatSendsFilesFromElsewhereAsksFirst(t *testing.T) {
	d, x := deps(t)
	of := d.Plan
	d.Plan = func(ctx context.Context, s suite.Suite, path string) (compare.Run, plan.Forecast, error) {
		run, cast, err := of(ctx, s, path)
		cast.Outside = []string{"/home/ana/private.png"}
		return run, cast, err
	}
	x.open(t, d, 120, 34)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.Key("ctrl+s") // one job, which is not asked about otherwise
	assert.Empty(t, x.b.started)
	assert.Contains(t, x.flat(), "The suite sends files from outside its")
	assert.Contains(t, x.flat(), "/home/ana/private.png")
	x.Click("btn:yes")
	assert.Len(t, x.b.started, 1)
}

// TestFilesThatAreNotNamedAreCounted: nobody agrees to one that a list does not show.
func TestFilesThatAreNotNamedAreCounted(t *testing.T) {
	d, x := deps(t)
	of := d.Plan
	d.Plan = func(ctx context.Context, s suite.Suite, path string) (compare.Run, plan.Forecast, error) {
		run, cast, err := of(ctx, s, path)
		cast.Outside = []string{"/a", "/b", "/c", "/d", "/e", "/private", "/keys"}
		return run, cast, err
	}
	x.open(t, d, 120, 34)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.Key("ctrl+s")
	assert.Contains(t, x.flat(), "The suite sends 7 files from outside its")
	assert.Contains(t, x.flat(), "and 2 more")
}

func TestManyJobsAskFirst(t *testing.T) {
	x := start(t, 120, 34)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.choose(t, "famA3")
	x.Key("n", "n", "ctrl+s") // 2 models, 3 times
	assert.Empty(t, x.b.started)
	assert.Contains(t, x.flat(), "6 trials: 2 cells, each 3 times.")
	assert.True(t, x.m.Capturing())
	x.Key("enter") // the first answer loses nothing
	assert.Empty(t, x.b.started)
	x.Key("ctrl+s")
	x.Click("btn:yes")
	require.Len(t, x.b.started, 1)
	assert.Len(t, x.b.started[0].Order, 6)

	x.Send(screen.CompareDraft{Draft: aDraft()})
	for range 50 {
		x.Key("n")
	}
	assert.Contains(t, x.flat(), "6 trials", "after the most comes once")
	for range 47 {
		x.Key("n")
	}
	assert.Contains(t, x.flat(), "100 trials")
	x.Key("ctrl+s", "y", "enter")
	assert.Len(t, x.b.started, 1, "the number of many has to be typed")
	assert.Contains(t, x.flat(), "type 100, or leave it")
	x.Key("backspace")
	x.Type("100")
	x.Key("enter")
	require.Len(t, x.b.started, 2)
	assert.Len(t, x.b.started[1].Order, 100)
}

func TestTheHardCapHolds(t *testing.T) {
	x := start(t, 160, 40)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.Key("o")
	x.Type("limit = 3")
	x.Key("enter", "n", "n", "n", "ctrl+s")
	assert.Empty(t, x.b.started)
	assert.Contains(t, x.toast(t), "4 trials, warm-ups included; the suite allows 3")
	assert.Contains(t, x.flat(), "✗ 4 trials")
}

func TestPromptsAndKindAreTypedHere(t *testing.T) {
	x := start(t, 120, 34)
	assert.True(t, x.m.Capturing())
	x.Key("up", "right") // to the kind: image
	assert.False(t, x.m.Capturing())
	x.Key("down")
	x.Type("1 red {kite}?")
	x.Key("alt+enter")
	x.Type("a tram")
	assert.NotEmpty(t, x.m.Unsaved())
	x.Key("enter", "j", " ", "ctrl+s")
	require.Len(t, x.b.started, 1)
	r := x.b.started[0]
	require.Len(t, r.Cells, 2)
	assert.Equal(t, []string{"1 red {kite}?", "a tram"}, []string{r.Cells[0].Prompt.Text, r.Cells[1].Prompt.Text}, "braces are what they look like")
	assert.Equal(t, "famF-omni-image", r.Cells[0].Model)
	assert.Empty(t, x.m.Unsaved())
}

func TestPromptsComeAndGo(t *testing.T) {
	x := start(t, 120, 34)
	x.Type("one")
	x.Key("alt+enter")
	x.Type("two")
	x.Key("alt+enter")
	assert.Contains(t, x.View(), "prompt 3 of 3")
	x.Key("backspace")
	assert.Contains(t, x.View(), "prompt 2 of 2")
	x.Key("up", "ctrl+x")
	assert.NotContains(t, x.View(), "prompt 1 of 2")
	assert.Contains(t, x.View(), "❯ two")
	x.Click("prompt:0")
	x.Key("ctrl+x")
	assert.NotContains(t, x.View(), "two", "the only one is emptied")
}

func TestWithoutAPromptNothingIsSent(t *testing.T) {
	x := start(t, 120, 34)
	x.Key("enter", " ", "ctrl+s")
	assert.Empty(t, x.b.started)
	assert.Equal(t, "type a prompt first", x.toast(t))
}

func TestLineEndsOfThePromptSurviveEditing(t *testing.T) {
	x := start(t, 80, 24)
	d := aDraft()
	d.Prompt = "one\ntwo"
	x.Send(screen.CompareDraft{Draft: d})
	x.Key("/")
	x.Type("!")
	x.Paste(" three\r\nfour\n")
	x.Key("ctrl+s")
	require.Len(t, x.b.started, 1)
	assert.Equal(t, "one\ntwo! three\nfour", x.b.started[0].Cells[0].Prompt.Text)
}

func TestARefusedRunLosesNothing(t *testing.T) {
	x := start(t, 120, 34)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.b.err = errors.New("disk\x1b[2J full")
	x.Key("ctrl+s")
	assert.Contains(t, x.toast(t), "nothing was sent: disk")
	assert.NotContains(t, x.toast(t), "\x1b")
	assert.Contains(t, x.View(), aDraft().Prompt)
	x.b.err = nil
	x.Key("ctrl+s")
	assert.Len(t, x.b.started, 1)
}

func TestASecondPressSendsNothingTwice(t *testing.T) {
	x := start(t, 120, 34)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	first, _ := x.m.plan.Do("compare.run")
	require.NotNil(t, first)
	second, _ := x.m.plan.Do("compare.run") // a toast that says why not
	x.Send(second())
	x.Send(first())
	assert.Len(t, x.b.started, 1)
	assert.Equal(t, "a run is being journalled", firstToast(t, x))
}

func firstToast(t *testing.T, x *desk) string {
	t.Helper()
	for _, m := range x.Sent {
		if msg, ok := m.(screen.ToastMsg); ok {
			return msg.Text
		}
	}
	t.Fatal("no toast")
	return ""
}

func TestReadOnly(t *testing.T) {
	d, x := deps(t)
	d.ReadOnly = "this gateway is only to be read"
	x.open(t, d, 120, 34)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.Key("ctrl+s")
	assert.Equal(t, d.ReadOnly, x.toast(t))
	x.shows(aRun(""))
	x.Key("r")
	assert.Equal(t, d.ReadOnly, x.toast(t))
	assert.Contains(t, x.View(), "harbour films", "runs are shown all the same")
}

// TestFieldsAndFormatsVary: the axes and formats of a plan are cells of their own.
func TestFieldsAndFormatsVary(t *testing.T) {
	x := start(t, 160, 44)
	d := client.Draft{Modality: client.Video, Model: "famG-h3", Mode: "t2v", Prompt: "a kite", Values: client.Values{"duration": "6"}}
	x.Send(screen.CompareDraft{Draft: d, Format: "content"})
	assert.Contains(t, x.View(), "format content")
	x.Key("x")
	x.Type("durations = 4,6")
	x.Key("enter")
	assert.Contains(t, x.flat(), "durations is not a field of video")
	for range len("durations = 4,6") {
		x.Key("backspace")
	}
	x.Type("Duration = 6,8") // as the form calls it
	x.Key("enter")
	assert.Contains(t, x.flat(), "Duration: 6, 8")
	x.Key("f") // each model's own again
	x.Key("f") // all
	x.Key("ctrl+s", "y")
	require.Len(t, x.b.started, 1)
	formats, durations := map[string]int{}, map[string]int{}
	for _, c := range x.b.started[0].Cells {
		formats[c.Format]++
		require.Len(t, c.Settings, 1)
		durations[c.Settings[0].Value]++
	}
	assert.Greater(t, len(formats), 1, "%v", formats)
	assert.Contains(t, formats, "content")
	assert.Equal(t, durations["6"], durations["8"])
}

func TestOptionsAreChecked(t *testing.T) {
	x := start(t, 160, 44)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	for text, want := range map[string]string{"repeats = 51": "a number from 1 to 50", "seed = ever": "a seed is each, same, none, or a number", "timeout = 1": "a timeout is", "color = red": "is not an option", "seed": "write key = value"} {
		x.Key("o")
		x.Type(text)
		x.Key("enter")
		assert.Contains(t, x.flat(), want)
		x.Key("esc")
	}
	x.Key("o")
	x.Type("seed = same")
	x.Key("enter", "o")
	x.Type("name = kites")
	x.Key("enter", "ctrl+s")
	require.Len(t, x.b.started, 1)
	assert.Contains(t, x.b.started[0].Suite, "seed: same")
	assert.Equal(t, "kites", x.b.started[0].Name)
}

// TestASuiteIsSavedAndOpened: what was planned here is the same suite in its file.
func TestASuiteIsSavedAndOpened(t *testing.T) {
	x := start(t, 160, 44)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.choose(t, "famA3")
	x.Key("n")
	path := filepath.Join(t.TempDir(), "kites.yaml")
	x.Key("S", "ctrl+u", "home", "ctrl+k")
	for range 60 {
		x.Key("backspace")
	}
	x.Type(path)
	x.Key("enter")
	assert.Contains(t, x.toast(t), "the suite is in "+path)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	s, err := suite.Parse("kites.yaml", data)
	require.NoError(t, err)
	assert.Equal(t, 2, s.Repeats)
	x.Key("ctrl+s")
	require.Len(t, x.b.started, 1)

	y := start(t, 160, 44)
	y.Key("tab", "O")
	y.Type(path)
	y.Key("enter")
	assert.Contains(t, y.View(), s.Name)
	assert.Contains(t, y.flat(), "p1: "+aDraft().Prompt)
	assert.Contains(t, y.flat(), "Models famA3, famI-omni")
	y.Key(" ")
	assert.NotContains(t, y.View(), "[x]")
	y.Key("ctrl+s")
	require.Len(t, y.b.started, 1)
	assert.Equal(t, x.b.started[0].SuiteHash, y.b.started[0].SuiteHash)
	assert.Equal(t, x.b.started[0].Cells, y.b.started[0].Cells)

	y.Send(screen.ClickMsg{Zone: "tab:plan"})
	y.Key("E")
	edit, ok := tuitest.Last[screen.EditMsg](y.Driver)
	require.True(t, ok)
	assert.Equal(t, string(data), edit.Text)
	y.Send(screen.EditedMsg{Tag: edit.Tag, Text: "kind: [nonsense"})
	assert.Contains(t, y.toast(t), "the suite stays as it was")
	y.Send(screen.EditedMsg{Tag: edit.Tag, Text: strings.Replace(edit.Text, "repeats: 2", "repeats: 3", 1)})
	assert.Contains(t, y.flat(), "each 3 times")
	y.Key("esc")
	assert.Contains(t, y.View(), "Models")
}

// TestAnOpenSuiteIsChangedByKeysAndSavedInItsFile; what somebody else wrote there meanwhile stays.
func TestAnOpenSuiteIsChangedByKeysAndSavedInItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kites.yaml")
	require.NoError(t, os.WriteFile(path, []byte("name: kites # of mine\nkind: video\nprompts: [a kite]\nmodels: [famA3]\n"), 0o600))
	x := start(t, 160, 44)
	x.Key("tab", "O")
	x.Type(path)
	x.Key("enter", "n", "x")
	x.Type("duration = 4,8")
	x.Key("enter")
	assert.Contains(t, x.flat(), "4 trials: 2 cells, each 2 times.")
	assert.Contains(t, x.flat(), "changed, S saves it")
	x.Key("S")
	assert.Contains(t, x.flat(), "This replaces the suite's file; its comments are lost.")
	x.Key("enter")
	assert.Equal(t, "the suite is in "+path, x.toast(t))
	assert.NotContains(t, x.flat(), "changed, S saves it")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	s, err := suite.Parse("kites.yaml", data)
	require.NoError(t, err)
	assert.Equal(t, 2, s.Repeats)
	assert.Len(t, s.Axes, 1)

	require.NoError(t, os.WriteFile(path, []byte("theirs"), 0o600))
	x.Key("n", "S", "enter")
	assert.Contains(t, x.toast(t), "is another one than was opened")
	data, err = os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "theirs", string(data))
}

// TestDraftsFromComposeAreComparedTogether: another draft takes the place of what was planned, and one key
// brings all together, as a suite.
func TestDraftsFromComposeAreComparedTogether(t *testing.T) {
	x := start(t, 160, 44)
	a, b := aDraft(), aDraft()
	b.Prompt, b.Model, b.Values = "a tram", "famA3", client.Values{"duration": "4"}
	a.Values = client.Values{"duration": "8"}
	x.Send(screen.CompareDraft{Draft: a})
	x.Key("n", "B")
	assert.Equal(t, "send a second draft here from Compose first", x.toast(t))
	x.Send(screen.CompareDraft{Draft: b})
	assert.Contains(t, x.flat(), "compares all of them together")
	x.Key("B")
	assert.Contains(t, x.toast(t), "together")
	for _, want := range []string{"p1: " + a.Prompt, "p2: a tram", "not saved yet", "Duration: 8, 4", "Repeats 2"} {
		assert.Contains(t, x.flat(), want)
	}
	x.Key("ctrl+s", "right", "enter")
	require.Len(t, x.b.started, 1)
	models := map[string]bool{}
	for _, c := range x.b.started[0].Cells {
		models[c.Model] = true
	}
	assert.Equal(t, map[string]bool{a.Model: true, "famA3": true}, models)
	assert.Len(t, x.b.started[0].Cells, 8, "prompts x models x durations")
	x.Send(screen.ClickMsg{Zone: "tab:plan"})
	x.Key("esc", "B")
	assert.Equal(t, "send a second draft here from Compose first", x.toast(t), "those were run")
}

// TestWhileAPromptIsTypedKeysAreNamedThatWork and no letters, which would be text.
func TestWhileAPromptIsTypedKeysAreNamedThatWork(t *testing.T) {
	x := start(t, 160, 44)
	assert.Contains(t, x.flat(), "^O opens a suite, alt+r lists past runs")
	x.Key("alt+r")
	assert.Contains(t, x.View(), "Runs")
	x.Key("esc", "tab")
	assert.Contains(t, x.flat(), "O opens a suite, R lists past runs")
}

// TestNewsFillTheGrid as the bench tells them, of this run alone.
func TestNewsFillTheGrid(t *testing.T) {
	x := start(t, 160, 40)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.Key("n", "ctrl+s")
	require.Len(t, x.b.started, 1)
	id := x.b.started[0].ID
	other := run.News{Run: "another", Live: true, Trials: []compare.Trial{{Slot: compare.Slot{Cell: 1, Repeat: 1}, Attempt: 1, Outcome: compare.Outcome{State: jobs.Failed}}}}
	x.b.tell(other)
	x.Send(screen.JobsMsg{})
	assert.NotContains(t, x.View(), "✗")
	t1 := compare.Trial{Slot: compare.Slot{Cell: 1, Repeat: 1}, Attempt: 1, JobID: "j", Outcome: compare.Outcome{State: jobs.Running, Progress: 42, SentAt: now.Add(-9 * time.Second)}}
	x.b.tell(run.News{Run: id, Status: compare.Open, Live: true, Trials: []compare.Trial{t1}, Trouble: "the gateway asked for a pause"})
	x.Send(screen.JobsMsg{})
	assert.Contains(t, x.View(), "42 %")
	assert.Contains(t, x.View(), "⚠ the gateway asked for a pause")
	assert.Equal(t, time.Second, x.m.NextTick())
	t1.State, t1.Code = jobs.Failed, "rate_limit"
	x.b.tell(run.News{Run: id, Status: compare.Ended, Trials: []compare.Trial{t1}})
	x.Send(screen.JobsMsg{})
	assert.Contains(t, x.View(), "✗ rate_limit")
	assert.NotContains(t, x.View(), "pause")
	assert.Zero(t, x.m.NextTick())
	x.Send(screen.HiddenMsg{})
	assert.Zero(t, x.m.NextTick())
}

func TestRunsReopenAndAreActedOn(t *testing.T) {
	x := start(t, 120, 34)
	r := aRun("")
	r.Status = compare.Open
	x.b.runs[r.ID] = r
	x.Key("tab", "R")
	assert.Contains(t, x.flat(), "harbour films")
	x.Key("enter")
	assert.Equal(t, resultsPage, x.m.at)
	assert.Contains(t, x.flat(), "content_policy")
	x.Key("R", "s")
	x.Key("r", "y")
	x.Key("x")
	assert.Contains(t, x.flat(), "in Queue.")
	x.Key("y")
	assert.Equal(t, []string{"stop 1", "resume 1", "remove 1"}, x.b.done)
	x.Key("esc")
	assert.NotContains(t, x.View(), "harbour films", "it shows no more")
}

// TestAnOpenRunGoesOn: what is missing is asked about; where nothing is, the run is looked through and
// ended. One that is over and complete has nothing to resume.
func TestAnOpenRunGoesOn(t *testing.T) {
	x := start(t, 120, 34)
	r := aRun("")
	r.Status = compare.Open
	x.shows(r)
	x.Key("r")
	assert.Contains(t, x.flat(), "It sends 1 missing trial and 1 that")
	x.Key("y")
	assert.Equal(t, []string{"resume 1"}, x.b.done)
	for i, s := range r.Order {
		tr := trial(0, s, "")
		tr.JobID = fmt.Sprint("job-", i)
		if i < len(r.Trials) {
			r.Trials[i] = tr
		} else {
			r.Trials = append(r.Trials, tr)
		}
	}
	x.Key("f5", "r")
	assert.Equal(t, []string{"resume 1", "resume 1"}, x.b.done, "nothing is sent: nobody is asked")
	r.Status = compare.Ended
	x.Key("f5", "r")
	assert.Equal(t, "nothing is missing, and nothing failed", x.toast(t))
	assert.Len(t, x.b.done, 2)
}

// TestNothingLeftToShowSaysWhy, and which key shows all.
func TestNothingLeftToShowSaysWhy(t *testing.T) {
	x := start(t, 120, 34)
	r := aRun("")
	r.Trials = slices.DeleteFunc(r.Trials, func(t compare.Trial) bool { return t.State != jobs.Completed })
	r.Cells[5].Cannot = ""
	for i := range r.Trials {
		t := &r.Trials[i]
		t.Facts, t.Checks = nil, nil
		t.Latency = compare.Latency{Total: compare.Interval{Source: compare.Measured, Least: time.Second, Most: time.Second}}
	}
	x.shows(r)
	assert.Contains(t, x.View(), "median ")
	assert.NotContains(t, x.View(), "by polls", "all were measured here")
	for _, c := range []struct{ key, said string }{
		{"F", "No trial failed. F shows all."},
		{"D", "No trial is left. esc shows all."},
		{"F", "All came as it was asked for, and the models do not differ. D shows all."},
	} {
		x.Key(c.key)
		assert.Contains(t, strings.Join(strings.Fields(strings.ReplaceAll(x.View(), "│", " ")), " "), c.said)
		assert.NotContains(t, x.View(), "no such cell")
		tuitest.CheckFrame(t, x.Frame(), 120, 34)
	}
	x.Key("D")
	assert.Contains(t, x.View(), "famI-omni")
}

func TestAnotherRunIsNotMixedIn(t *testing.T) {
	x := start(t, 120, 34)
	x.shows(aRun(""))
	second := aRun("")
	second.ID, second.Name, second.Trials = "019515a0-0000-7000-8000-000000000002", "second", nil
	x.b.runs[second.ID] = second
	cmd := x.m.results.Show(second.ID)
	x.Key("F")
	x.Send(cmd())
	assert.Contains(t, x.View(), "second")
	assert.NotContains(t, x.View(), "failed only")
	assert.NotContains(t, x.View(), "content_policy")
}

func TestACellLeadsOn(t *testing.T) {
	x := start(t, 120, 34)
	file := picture(t)
	x.shows(aRun(file))
	x.Key("g", "home")
	opened := func() screen.OpenMsg { m, _ := tuitest.Last[screen.OpenMsg](x.Driver); return m }
	x.Key("i")
	assert.Equal(t, screen.OpenMsg{Screen: screen.Inspect, Payload: screen.InspectID{ID: "task-0"}}, opened())
	x.Key("Q")
	assert.Equal(t, screen.OpenMsg{Screen: screen.Queue, Payload: screen.ShowJob{JobID: "job-0"}}, opened())
	x.Key("c")
	d, ok := opened().Payload.(screen.ComposeDraft)
	require.True(t, ok)
	assert.Equal(t, "famA3", d.Draft.Model)
	assert.Equal(t, "1001", d.Draft.Values["seed"])
	assert.Equal(t, "job-0", d.Job)
	x.Key("u")
	assert.Equal(t, screen.ComposeResult{JobID: "job-0", As: "reference"}, opened().Payload)
	x.Key("y")
	copied, ok := tuitest.Last[screen.CopyMsg](x.Driver)
	require.True(t, ok)
	assert.Equal(t, file, copied.Text)
	x.Key("s")
	assert.Equal(t, "★ starred", x.toast(t))
	assert.Contains(t, x.flat(), "completed ★")
	x.Key("s")
	assert.Equal(t, "the star is gone", x.toast(t))
	x.Key("end", "u")
	assert.Equal(t, "only a completed job has a result", x.toast(t))
	x.Key("G", "end", "i")
	assert.Equal(t, "this one was not sent", x.toast(t))
	x.Key("enter")
	assert.Contains(t, x.flat(), "✗ cannot run: famK-3.0 has no mode")
}

// TestFilesOfOthersAreNotOpened: a path in a run that this installation did not save is a text.
func TestFilesOfOthersAreNotOpened(t *testing.T) {
	x := start(t, 120, 34)
	r := aRun("/etc/passwd")
	for i := range r.Trials {
		for k := range r.Trials[i].Files {
			r.Trials[i].Files[k].Here = false
		}
	}
	x.shows(r)
	for _, key := range []string{"y", "o", " "} {
		x.Key(key)
		assert.Equal(t, "it has no file on this machine", x.toast(t), key)
	}
}

func TestZoomFlipsInPlaceAndShowsFacts(t *testing.T) {
	x := start(t, 160, 40)
	x.shows(aRun(picture(t)))
	x.Key("f")
	assert.Contains(t, x.toast(t), "mark the result to compare with first")
	x.Key(" ", "l", "enter")
	assert.True(t, x.m.results.Zoomed())
	assert.Contains(t, x.flat(), "famI-omni · p1 · 1 of 2")
	assert.Contains(t, x.flat(), "Duration, s 6 6 5.0 ✗")
	assert.Contains(t, x.flat(), "✗ latency < 4s: took 4.1–4.6 s")
	x.Key("f")
	assert.Contains(t, x.flat(), "⇄ famI-omni · p1 · 1 of 2", "the other one is named")
	assert.Contains(t, x.flat(), "Duration, s 6 6 6.0 ✓")
	x.Key("f", "b")
	assert.Contains(t, x.flat(), "famI-omni · p1 · 1 of 2 famA3 · p1 · 1 of 2", "side by side")
	x.Key("b", "pgdown", "esc")
	assert.False(t, x.m.results.Zoomed())
	assert.Contains(t, x.flat(), "• famA3 · p1 · 1 of 2", "the mark stays")
}

func TestAReportIsWritten(t *testing.T) {
	d, x := deps(t)
	var got []string
	d.Export = func(_ context.Context, r compare.Run, f Format, path string) error {
		got = append(got, r.Name, string(f), path)
		return nil
	}
	x.open(t, d, 120, 34)
	x.shows(aRun(""))
	x.Key("X")
	assert.Contains(t, x.View(), "harbour-films.html")
	for range 5 {
		x.Key("backspace")
	}
	x.Key("enter")
	assert.Empty(t, got)
	assert.Contains(t, x.flat(), "end the name with .html, .md, .csv or .json")
	x.Type(".csv")
	x.Key("enter")
	assert.Equal(t, []string{"harbour films", "csv", "harbour-films.csv"}, got)
	assert.Contains(t, x.toast(t), "the report is in harbour-films.csv")
}

func TestWhatTheRunShows(t *testing.T) {
	x := start(t, 160, 44)
	x.shows(aRun(""))
	x.Key("tab")
	assert.Contains(t, x.flat(), "What the run shows")
	assert.Contains(t, x.flat(), "Too few trials to compare famA3 with famI-omni")
}

// TestThePanelGivesWay: without it the grid has the room for more columns.
func TestThePanelGivesWay(t *testing.T) {
	x := start(t, 120, 34)
	x.shows(aRun(""))
	x.Key("p")
	assert.NotContains(t, x.View(), "tab verdicts")
	x.Key("tab")
	assert.Contains(t, x.View(), "What the run shows", "asked for, it is there")
	x.Key("tab", "p", "p")
	assert.Contains(t, x.View(), "tab verdicts")
}

func TestClicks(t *testing.T) {
	x := start(t, 120, 34)
	x.Send(screen.CompareDraft{Draft: aDraft()})
	x.Key("g")
	x.Click("row:0")
	assert.Contains(t, x.View(), "2 in ·")
	x.Send(screen.ClickMsg{Zone: "row:1", X: 20})
	assert.Contains(t, x.View(), "2 in ·", "a click on the name only moves the cursor")
	x.Key("a", "a")
	assert.Contains(t, x.View(), "0 in ·")
	x.Click("kind:music")
	assert.Contains(t, x.View(), "‹music›")
	x.shows(aRun(picture(t)))
	z, ok := x.Zones().Find("grid")
	require.True(t, ok)
	x.Send(screen.ClickMsg{Zone: "grid", X: z.Rect.W / 2, Y: 3, Double: true})
	assert.True(t, x.m.results.Zoomed())
	x.Key("esc")
	x.Click("tab:plan")
	assert.Equal(t, planPage, x.m.at)
}
