package compose

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	encode "image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// engine is a doer with a history, which tells changes by their number.
type engine struct {
	*reading
	seq    uint64
	tagged []string
	answer string

	rejected []string
}

func (e *engine) Reject(_ context.Context, ids []string, on bool) error {
	e.rejected = append(e.rejected, fmt.Sprintf("%s %t", ids[0], on))
	return nil
}

func (e *engine) Detail(context.Context, string) (jobs.Detail, error) {
	return jobs.Detail{Answer: []byte(e.answer), Text: e.answer}, nil
}

func (e *engine) Counts() jobs.Counts { return jobs.Counts{} }

func (e *engine) Changes(seq uint64) ([]jobs.Job, uint64) {
	var out []jobs.Job
	for _, j := range e.changed {
		if j.Seq > seq {
			out = append(out, j)
		}
	}
	return out, e.seq
}

func (e *engine) Tag(_ context.Context, id string, add, remove []string) error {
	e.tagged = append(e.tagged, id+" +"+firstOf(add)+" -"+firstOf(remove))
	return nil
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// change tells of a job, as the engine does.
func (e *engine) change(b *bench, j jobs.Job) {
	e.seq++
	j.Seq = e.seq
	e.changed = append(slices.DeleteFunc(e.changed, func(x jobs.Job) bool { return x.ID == j.ID }), j)
	b.Send(screen.JobsMsg{})
}

// pictureFile is a picture on the disk.
func pictureFile(t testing.TB) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 32, 18))
	for i := range 32 * 18 {
		img.Set(i%32, i/32, color.RGBA{uint8(8 * (i % 32)), uint8(14 * (i / 32)), 90, 255})
	}
	path := filepath.Join(t.TempDir(), "kite.png")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, encode.Encode(f, img))
	require.NoError(t, f.Close())
	return path
}

// made is a job of the form's kind: n is its place in time.
func made(n int, s jobs.State) jobs.Job {
	at := time.Unix(1_700_000_000-600+int64(n)*10, 0)
	j := jobs.Job{ID: "made-" + string(rune('a'+n)), State: s, Format: "videos", CreatedAt: at, SubmittedAt: at, AcceptedAt: at, Progress: -1,
		Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "kite number " + string(rune('0'+n)),
			Values: client.Values{"aspect_ratio": "16:9", "duration": "5", "seed": json.Number("47" + string(rune('0'+n)))}}}
	if s == jobs.Completed || s == jobs.Failed {
		j.EndedAt = at.Add(12 * time.Second)
	}
	return j
}

func withFile(j jobs.Job, path string, k client.AssetKind) jobs.Job {
	j.Files = []jobs.File{{Kind: k, State: jobs.FileSaved, Path: path, Bytes: 1000}}
	return j
}

// latestBench is a screen whose history has some jobs, with or without pictures.
func latestBench(t testing.TB, w, h int, all ...jobs.Job) (*bench, *engine) {
	t.Helper()
	var e *engine
	b := start(t, w, h, func(d *Deps) {
		e = &engine{reading: &reading{doer: d.Jobs.(*doer), all: all}}
		d.Jobs, d.Previews = e, preview.New(preview.Options{Workers: 1})
	})
	return b, e
}

// results are a running job, one with a picture, one that failed, and one that was asked for in another
// kind.
func results(t testing.TB) []jobs.Job {
	running := made(4, jobs.Running)
	running.Progress = 60
	failed := made(2, jobs.Failed)
	failed.Error = &client.TaskError{Code: "rate_limit", Message: "too many requests\x1b[31m at once"}
	other := made(3, jobs.Completed)
	other.Draft.Modality = client.Image
	done := made(1, jobs.Completed)
	done.Tags = []string{jobs.Star}
	return []jobs.Job{running, withFile(made(3, jobs.Completed), pictureFile(t), client.AssetImage), failed, other, done}
}

func TestLatestGoldens(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		name := sized(s)
		t.Run(name, func(t *testing.T) {
			b, _ := latestBench(t, s[0], s[1], results(t)...)
			b.Golden("latest-" + name)
			b.Key("alt+e", "right")
			b.Golden("latest-picture-" + name)
			b.Key("right")
			b.Golden("latest-failed-" + name)
		})
	}
}

// TestTheStripOfResults has a blank between all marks, cuts no star, and ends without a sign of a cut.
func TestTheStripOfResults(t *testing.T) {
	for _, w := range []int{120, 160, 200} {
		b, _ := latestBench(t, w, 34, results(t)...)
		var strip string
		for _, l := range strings.Split(b.m.View(), "\n") {
			if strings.Contains(l, "▸ ▶") {
				strip = l
			}
		}
		require.NotEmpty(t, strip, "%d cells", w)
		assert.Contains(t, strip, "✓ 12 s ★", "%d cells", w)
		assert.NotContains(t, strip, "…", "%d cells", w)
	}
}

func TestWhatIsSubmittedShowsAndBecomesItsResult(t *testing.T) {
	b, e := latestBench(t, 120, 34)
	assert.NotContains(t, b.View(), "Latest", "there is nothing to give way to")
	b.Type("a kite")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	j := made(1, jobs.Running)
	j.ID, j.Draft.Prompt = "job-0001-0000", "a kite over the sea"
	e.change(b, j)
	assert.Contains(t, b.View(), "Latest")
	assert.Contains(t, b.View(), "is being made")
	assert.Contains(t, b.View(), "a kite over the sea")
	assert.True(t, b.m.Capturing(), "the prompt keeps the keys")
	e.change(b, withFile(made2(j), pictureFile(t), client.AssetImage))
	assert.NotContains(t, b.View(), "is being made")
	assert.Contains(t, b.View(), "12.0 s")
	_, said := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.False(t, said, "the results say what became of it")
}

func made2(j jobs.Job) jobs.Job {
	j.State, j.EndedAt = jobs.Completed, j.SubmittedAt.Add(12*time.Second)
	return j
}

// From a result it takes three presses to send the same with one change: back to the prompt, the
// change, submit.
func TestResubmitWithOneChange(t *testing.T) {
	b, _ := latestBench(t, 120, 34, results(t)...)
	b.Type("a kite")
	b.Key("alt+e")
	require.False(t, b.m.Capturing())
	b.Key("esc", "!", "ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, "a kite!", b.jobs.got[0][0].Draft.Prompt)

	b, _ = latestBench(t, 120, 34, results(t)...)
	b.Key("alt+e", "c", "!", "ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, "kite number 4!", b.jobs.got[0][0].Draft.Prompt, "with all that the result was asked for with")
	assert.Equal(t, json.Number("5"), b.jobs.got[0][0].Draft.Values["duration"])

	b, _ = latestBench(t, 120, 34)
	x := made(5, jobs.Completed)
	b.Send(screen.ComposeDraft{Draft: x.Draft, Format: x.Format, Job: x.ID}) // c in Queue
	b.Key("!", "ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, "kite number 5!", b.jobs.got[0][0].Draft.Prompt)
}

func TestKeysOfTheLatestResults(t *testing.T) {
	b, e := latestBench(t, 120, 34, results(t)...)
	b.Type("hmsuxw*g") // are letters in the prompt
	require.Equal(t, "hmsuxw*g", b.m.sheet.Draft.Prompt)
	b.Key("alt+e")
	require.False(t, b.m.Capturing())
	require.False(t, b.m.TakesLetters())
	b.Key("right", "*")
	assert.Equal(t, []string{"made-d +" + jobs.Star + " -"}, e.tagged)
	b.Key("s")
	assert.Equal(t, json.Number("473"), b.m.sheet.Draft.Values["seed"])
	assert.True(t, b.m.Capturing(), "the prompt is what changes next")
	b.Key("alt+e", "enter")
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Queue, Payload: screen.ShowJob{JobID: "made-d"}}, open)
	b.Key("esc")
	b.Sent = nil
	b.Key("alt+G")
	open, _ = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.Equal(t, screen.ShowJob{JobID: "made-d"}, open.Payload, "with alt from the prompt as well")
	assert.Equal(t, "hmsuxw*g", b.m.sheet.Draft.Prompt)
}

func TestTabGoesThroughTheLatestResults(t *testing.T) {
	b, _ := latestBench(t, 120, 34, results(t)...)
	for range 40 {
		if b.Key("tab"); b.m.latest.Focused() {
			break
		}
	}
	require.True(t, b.m.latest.Focused())
	b.Key("tab")
	assert.Equal(t, client.FieldPrompt, b.m.sheet.Form.Focused())
	assert.True(t, b.m.Capturing())
	b.Key("alt+e", "shift+tab")
	assert.Equal(t, "#do", b.m.sheet.Form.Focused())
	b.Key("alt+e")
	b.Paste("typed")
	assert.Contains(t, b.m.sheet.Draft.Prompt, "typed", "what is pasted goes into the prompt")
	assert.False(t, b.m.latest.Focused())
}

func TestTheRequestFoldsForTheResults(t *testing.T) {
	b, _ := latestBench(t, 120, 34, results(t)...)
	assert.NotContains(t, b.View(), `"prompt"`, "folded where there is little room")
	b.Key("f2")
	assert.Contains(t, b.View(), `"model"`)
	assert.Contains(t, b.View(), "Latest")
	b.Key("f2")
	assert.NotContains(t, b.View(), `"model"`)
	b.Key("alt+-")
	assert.Contains(t, b.View(), `"model"`)
	b, _ = latestBench(t, 200, 60, results(t)...)
	assert.Contains(t, b.View(), `"model"`, "there is room for both")
	b, _ = latestBench(t, 120, 34)
	assert.NotEmpty(t, b.m.doc.Side.OffFold())
}

// keptLook keeps the look in memory.
type keptLook struct {
	look  kept.ComposeLook
	saves int
}

func (k *keptLook) Load() (kept.ComposeLook, error) { return k.look, nil }

func (k *keptLook) Save(l kept.ComposeLook) error {
	k.look, k.saves = l, k.saves+1
	return nil
}

func TestTheFoldIsRemembered(t *testing.T) {
	k := &keptLook{}
	with := func(d *Deps) {
		d.Jobs, d.Looks = &engine{reading: &reading{doer: d.Jobs.(*doer), all: results(t)}}, k
	}
	b := start(t, 120, 34, with)
	b.Key("alt+-")
	assert.Equal(t, kept.ComposeLook{Request: "open"}, k.look)
	b.Type("a kite")
	assert.Equal(t, 1, k.saves)
	b = start(t, 120, 34, with)
	assert.Contains(t, b.View(), `"model"`)
	assert.Equal(t, 1, k.saves, "what was read is kept")
	b.Key("alt+-")
	assert.Equal(t, kept.ComposeLook{Request: "folded"}, k.look)
}

func TestTheSeedThatTheGatewayDrew(t *testing.T) {
	j := made(1, jobs.Completed)
	delete(j.Draft.Values, "seed")
	b, e := latestBench(t, 120, 34, j)
	b.Key("alt+e", "s")
	assert.Contains(t, toast(t, b).Text, "does not tell which seed")
	e.answer = `{"metadata": {"seed": 90210}}`
	b.Key("s")
	assert.Equal(t, json.Number("90210"), b.m.sheet.Draft.Values["seed"])
	e.change(b, made(2, jobs.Running))
	b.Key("alt+e", "left")
	b.turnTo(client.Image)
	assert.NotEmpty(t, b.m.offSeed(), "a form without a seed takes none")
}

func TestTheLatestResultOnTheWholeScreen(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}} {
		b, _ := latestBench(t, s[0], s[1], results(t)...)
		b.Key("alt+e")
		if s[0] > 100 {
			b.Key("w")
		}
		assert.NotContains(t, b.View(), "Ratio", sized(s))
		assert.Contains(t, b.View(), "is being made")
		b.Key("esc")
		if s[0] > 100 {
			assert.True(t, b.m.latest.Focused(), "one step back at a time")
			b.Key("esc")
		}
		assert.Contains(t, b.View(), "Ratio")
		assert.True(t, b.m.Capturing())
	}
}

func TestBelowTheResultsSizeALineSaysHowTheNewestIs(t *testing.T) {
	b, e := latestBench(t, 80, 24, results(t)...)
	assert.Contains(t, b.View(), "▶ 60 %")
	assert.Contains(t, b.View(), "alt+e")
	j := made(5, jobs.Failed)
	e.change(b, j)
	assert.Contains(t, b.View(), "✗ failed")
	b.Click("compose/#kind/o2")
	assert.NotContains(t, b.View(), "✗ failed", "another kind has other results")
}

// Asked once, with the key that takes it back.
func TestRejectAndBack(t *testing.T) {
	b, e := latestBench(t, 120, 34, results(t)...)
	b.Type("a kite")
	b.Key("alt+e", "x")
	assert.Contains(t, toast(t, b).Text, "has not ended", "what is under way cannot be rejected")
	b.Key("right", "x")
	assert.Contains(t, b.View(), "Reject this result?")
	b.Key("n", "x", "y")
	require.Equal(t, []string{"made-d true"}, e.rejected)
	assert.Contains(t, toast(t, b).Text, "rejected; alt+z takes it back")
	gone := made(3, jobs.Completed)
	gone.Rejected = time.Unix(1_700_000_000, 0)
	e.change(b, gone)
	assert.Equal(t, "made-c", b.m.latest.Job().ID, "the next one takes its place")
	b.Key("x")
	assert.Equal(t, []string{"made-d true", "made-c true"}, e.rejected, "and is not asked about again")
	b.Key("alt+z", "alt+z")
	assert.Equal(t, []string{"made-c false", "made-d false"}, e.rejected[2:])
	e.change(b, made(3, jobs.Completed))
	assert.Contains(t, b.View(), "of 4")
	assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt)

	b.Key("x")
	b.Key("esc", "ctrl+x", "alt+z")
	assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt, "the form was cleared last")
}

func TestAnAnswerInWordsShowsAsWords(t *testing.T) {
	j := made(1, jobs.Completed)
	j.Draft.Modality = client.Chat
	b, e := latestBench(t, 120, 34, j)
	e.answer = "A salt flat is a plain.\nIt is white.\x1b[31m"
	b.turnTo(client.Chat)
	assert.Contains(t, b.View(), "A salt flat is a plain.")
	assert.Contains(t, b.View(), "It is white.")
	assert.NotContains(t, b.View(), "\x1b[31m")
}

func TestTheLatestResultBecomesAReference(t *testing.T) {
	b, _ := latestBench(t, 120, 34, results(t)...)
	b.Type("a kite")
	b.pick("famI-omni")
	b.Key("alt+e", "right", "u")
	assert.Contains(t, fmt.Sprint(b.m.sheet.Draft.Values), "kite.png")
	assert.False(t, b.m.latest.Focused(), "the form has the keys")
	assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt)
}

// A kind has its own results; those of comparisons and of others are none of them.
func TestWhoseResultsShow(t *testing.T) {
	watched, compared := made(5, jobs.Completed), made(6, jobs.Completed)
	watched.Observed, compared.Run = true, "run"
	b, _ := latestBench(t, 120, 34, append(results(t), watched, compared)...)
	assert.Contains(t, b.View(), "1 of 4")
	assert.Contains(t, b.View(), "kite number 4")
	b.Click("compose/#kind/o1")
	assert.Contains(t, b.View(), "kite number 3")
	assert.NotContains(t, b.View(), "1 of ")
	b.Click("compose/#kind/o3")
	assert.NotContains(t, b.View(), "Latest")
}

// Who looks at a result goes on looking at it when a newer one comes.
func TestTheResultThatIsLookedAtStays(t *testing.T) {
	b, e := latestBench(t, 120, 34, results(t)...)
	b.Key("alt+e")
	e.change(b, made(7, jobs.Running))
	assert.Equal(t, "made-e", b.m.latest.Job().ID)
	b.Key("left")
	assert.Equal(t, "made-h", b.m.latest.Job().ID)
	b.Key("esc")
	e.change(b, made(8, jobs.Running))
	assert.Equal(t, "made-i", b.m.latest.Job().ID, "otherwise the newest shows")
}
