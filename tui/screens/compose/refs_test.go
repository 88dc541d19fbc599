package compose

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/dialogs/choose"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/files"
)

var pngHead = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00")

// pictures makes files of a picture each.
func pictures(t *testing.T, dir string, names ...string) (paths []string) {
	t.Helper()
	for _, n := range names {
		p := filepath.Join(dir, n)
		require.NoError(t, os.WriteFile(p, pngHead, 0o600))
		paths = append(paths, p)
	}
	return paths
}

// resultBench is a screen with finished jobs behind it: a picture, a video of famI-omni and a
// video of famF-video.
func resultBench(t *testing.T, w, h int, change ...func(*Deps)) (*bench, *reading) {
	b, r := pastBench(t, 0, w, h, change...)
	add := func(n int, kind client.AssetKind, d client.Draft) {
		r.all = append(r.all, jobs.Job{ID: fmt.Sprintf("0198c0de-%08d", n), State: jobs.Completed, TaskID: fmt.Sprint("task-", n), Draft: d, Format: "videos",
			Assets: []client.Asset{{Kind: kind, URL: fmt.Sprintf("https://media.invalid/%d.%s", n, kind)}}})
	}
	add(3, client.AssetVideo, client.Draft{Modality: client.Video, Model: "famF-video", ModelName: "famF-v3", Mode: "t2v", Prompt: "a boat 🪁 塩の平原", Values: client.Values{"duration": "5"}})
	add(2, client.AssetVideo, client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a kite"})
	add(1, client.AssetImage, client.Draft{Modality: client.Image, Model: "famL", Prompt: "a lighthouse, מישור המלח"})
	return b, r
}

const (
	pictureJob = "0198c0de-00000001"
	videoJob   = "0198c0de-00000002"
	famFJob    = "0198c0de-00000003"
)

func TestAResultBecomesAReference(t *testing.T) {
	b, _ := resultBench(t, 120, 34)
	b.Type("a bird")
	b.Send(screen.ComposeResult{JobID: pictureJob, As: "reference"})
	assert.Equal(t, "reference_images", b.m.sheet.Draft.Mode, "a mode that takes it")
	assert.Equal(t, []any{"https://media.invalid/1.image"}, b.m.sheet.Draft.Values["reference_images"])
	assert.Equal(t, "a bird", b.m.sheet.Draft.Prompt, "the form stays")
	assert.Contains(t, toast(t, b).Text, "is in References, the mode is now reference images")
	want := []client.Parent{{Job: pictureJob, As: "reference", Ref: "https://media.invalid/1.image"}}
	assert.Equal(t, want, b.m.sheet.Draft.Descent())
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, want, b.jobs.got[0][0].Draft.Parents, "the job remembers")
	b.m.sheet.Form.SetText("reference_images", "https://other.invalid/x.png")
	b.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{' '}})
	b.m.doc.Refresh()
	assert.Empty(t, b.m.sheet.Draft.Descent(), "what is not used any more is no parent")
}

func TestGoingOnFromAJob(t *testing.T) {
	b, _ := resultBench(t, 120, 34)
	b.Type("mine")
	b.Send(screen.ComposeResult{JobID: famFJob, As: "extend"})
	d := b.m.sheet.Draft
	assert.Equal(t, "famF-video", d.Model, "the model is kept")
	assert.Equal(t, "extend", d.Mode)
	assert.Equal(t, "task-3", d.Values["video_id"])
	assert.Equal(t, "5", sheet.Text(d.Values["duration"]))
	assert.Equal(t, "a boat 🪁 塩の平原", d.Prompt)
	assert.Contains(t, toast(t, b).Text, "brings back what was there")
	b.Key("alt+z")
	assert.Equal(t, "mine", b.m.sheet.Draft.Prompt)
	assert.Empty(t, b.m.sheet.Draft.Parents)
	b.Send(screen.ComposeResult{JobID: videoJob, As: "edit"})
	assert.Equal(t, "edit", b.m.sheet.Draft.Mode)
	assert.Equal(t, []any{"https://media.invalid/2.video"}, b.m.sheet.Draft.Values["videos"])
}

func TestAModelThatCanGoOnIsChosen(t *testing.T) {
	b, _ := resultBench(t, 120, 34)
	b.Send(screen.ComposeResult{JobID: videoJob, As: "extend"})
	require.True(t, b.m.over.Has(choose.Scope), "famI-omni extends nothing")
	assert.Contains(t, b.View(), "famF-video")
	b.Key("enter")
	assert.Equal(t, "famF-video", b.m.sheet.Draft.Model)
	assert.Equal(t, "task-2", b.m.sheet.Draft.Values["video_id"])
	b.Send(screen.ComposeResult{JobID: pictureJob, As: "i2v"})
	require.True(t, b.m.over.Has(choose.Scope))
	b.Type("famk-3.0-480p")
	b.Key("enter")
	assert.Equal(t, "famK-3.0-480p", b.m.sheet.Draft.Model)
	assert.Equal(t, "https://media.invalid/1.image", b.m.sheet.Draft.Values["image"])
	b.Send(screen.ComposeResult{JobID: pictureJob, As: "i2v"})
	b.Key("esc")
	assert.False(t, b.m.over.Has(choose.Scope))
}

func TestADialogThatWasLeftOpenIsOverWithAnotherDraft(t *testing.T) {
	for _, key := range []string{"ctrl+g", "alt+l", "alt+s", "alt+o", "alt+r", "ctrl+r"} {
		b, _ := resultBench(t, 120, 34)
		plain := b.m.ShortHelp()
		b.Key(key)
		require.NotEqual(t, plain, b.m.ShortHelp(), key)
		b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "another"}})
		assert.Equal(t, plain, b.m.ShortHelp(), key)
		b.Type(" one")
		assert.Equal(t, "another one", b.m.sheet.Draft.Prompt, key)
	}
	b, _ := resultBench(t, 120, 34)
	b.Key("alt+l")
	b.Send(screen.ComposeResult{JobID: videoJob, As: "extend"})
	assert.False(t, b.m.over.Has(batch.Scope))
	require.True(t, b.m.over.Has(choose.Scope))
	assert.Equal(t, []string{"take", "back"}, []string{b.m.ShortHelp()[0].Help().Desc, b.m.ShortHelp()[1].Help().Desc}, "the line below says how to choose")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "another"}})
	assert.False(t, b.m.over.Has(choose.Scope))
}

func TestWhyAResultIsNotTaken(t *testing.T) {
	b, r := resultBench(t, 120, 34)
	for _, x := range []struct{ id, as, says string }{
		{videoJob, "i2v", "download it first"}, {pictureJob, "extend", "only a video can be extended"}, {"gone", "edit", "no such job"}, {videoJob, "remix", "not a use of a result"},
	} {
		b.Send(screen.ComposeResult{JobID: x.id, As: x.as})
		assert.Contains(t, toast(t, b).Text, x.says)
	}
	r.all[0].State = jobs.Failed
	b.Send(screen.ComposeResult{JobID: famFJob, As: "reference"})
	assert.Contains(t, toast(t, b).Text, "this one is failed")
	b = start(t, 120, 34)
	b.Send(screen.ComposeResult{JobID: famFJob, As: "reference"})
	assert.Contains(t, toast(t, b).Text, "no history")
}

// still takes last frames: of nothing, or with an error.
type still struct {
	path string
	err  error
}

func (s still) LastFrame(context.Context, string) (string, error) { return s.path, s.err }

func TestTheLastFrameOfAVideo(t *testing.T) {
	video, frame := pictures(t, t.TempDir(), "v.mp4")[0], pictures(t, t.TempDir(), "last.png")[0]
	begin := func(f chain.Frames) *bench {
		b, r := resultBench(t, 120, 34, func(d *Deps) { d.Frames = f })
		r.all[0].Draft.Model, r.all[0].Draft.ModelName = "famA3", ""
		r.all[0].Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileSaved, Path: video}}
		b.Send(screen.ComposeResult{JobID: famFJob, As: "i2v"})
		return b
	}
	assert.Contains(t, toast(t, begin(nil)).Text, "needs ffmpeg")
	assert.Contains(t, toast(t, begin(still{err: errors.New("no stream")})).Text, "no stream")
	b := begin(still{path: frame})
	assert.Equal(t, client.FileURL(frame), b.m.sheet.Draft.Values["image"])
	assert.Equal(t, "i2v", b.m.sheet.Draft.Mode)
}

func TestResultsAreFoundAndTaken(t *testing.T) {
	b, r := resultBench(t, 120, 34)
	r.all = append(r.all, jobs.Job{ID: "0198c0de-00000000", State: jobs.Completed, Draft: client.Draft{Modality: client.Chat, Prompt: "words only"}})
	b.Key("alt+r")
	require.True(t, b.m.over.Has(refs.ScopeResults))
	assert.Contains(t, b.View(), "1 of 3", "words are no reference")
	assert.Equal(t, []jobs.State{jobs.Completed}, r.asked[0].States)
	b.Type("light")
	assert.Contains(t, b.View(), "1 of 1 ")
	b.Key("alt+q")
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.ShowJob{JobID: pictureJob}, open.Payload)
	b.Key("enter")
	assert.Nil(t, b.m.over.Top())
	assert.Equal(t, []any{"https://media.invalid/1.image"}, b.m.sheet.Draft.Values["reference_images"])
	b.Key("alt+r")
	b.Type("nothing like it")
	assert.Contains(t, b.View(), "no result has these words")
	b.Key("esc")
	r.err = errors.New("the disk is gone")
	b.Key("alt+r")
	assert.Contains(t, b.View(), "the disk is gone")
}

// Who is in a field of references means that one, also in its dialog.
func TestTheFocusedFieldGetsTheResult(t *testing.T) {
	b, _ := resultBench(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "reference_images", Prompt: "x"}})
	b.m.doc.GoTo("images")
	b.Key("alt+r", "down", "down", "enter")
	assert.Equal(t, []any{"https://media.invalid/1.image"}, b.m.sheet.Draft.Values["images"])
	b.m.doc.GoTo("content")
	b.Key("alt+i")
	require.True(t, b.m.over.Has(pieces.Scope))
	b.Key("alt+g", "enter")
	require.True(t, b.m.over.Has(pieces.Scope), "it stays open")
	list := b.m.sheet.Draft.Values["content"].([]any)
	require.Len(t, list, 1)
	assert.Equal(t, "video_url", list[0].(map[string]any)["type"])
	assert.Contains(t, b.View(), "① video_url", "and shows the new item")
	assert.Len(t, b.m.sheet.Draft.Descent(), 2)
}

func TestFilesAreChosen(t *testing.T) {
	dir := t.TempDir()
	paths := pictures(t, dir, "a.png", "b 塩.png")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "words.txt"), []byte("x"), 0o600))
	b := start(t, 120, 34)
	t.Setenv("HOME", dir)
	b.Key("alt+o")
	require.True(t, b.m.over.Has(refs.ScopeFiles))
	assert.Contains(t, b.View(), "b 塩.png")
	b.Key("tab", "tab", "enter")
	assert.Nil(t, b.m.over.Top())
	assert.Equal(t, "reference_images", b.m.sheet.Draft.Mode)
	assert.Equal(t, []any{client.FileURL(paths[0]), client.FileURL(paths[1])}, b.m.sheet.Draft.Values["reference_images"])
	b.Key("alt+o") // the list has the focus
	b.Type("words")
	assert.Contains(t, b.View(), "alt+a shows files of every kind")
	b.Key("alt+a", "enter")
	assert.Contains(t, toast(t, b).Text, "words.txt", "it is no medium")
	b.Key("alt+o")
	b.Type(dir + "/none")
	b.Key("enter")
	assert.Contains(t, toast(t, b).Text, "no such file")
	require.True(t, b.m.over.Has(refs.ScopeFiles), "the dialog stays")
	b.Key("ctrl+u")
	b.Type("~/a.png")
	b.Key("enter")
	assert.Nil(t, b.m.over.Top())
	assert.Len(t, b.m.sheet.Draft.Values["reference_images"], 3)
	b.Key("alt+o", "alt+r")
	assert.Contains(t, b.View(), dir, "the folder is among the recent ones")
	b.Key("esc", "esc")
	assert.Nil(t, b.m.over.Top())
}

func TestFoldersOfResultsAreOffered(t *testing.T) {
	b, r := resultBench(t, 120, 34)
	t.Setenv("HOME", t.TempDir())
	r.all[1].Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/saved/塩/v.mp4"}}
	b.Key("alt+o", "alt+r")
	assert.Contains(t, b.View(), "/saved/塩")
	b.Send(screen.ComposeResult{JobID: pictureJob, As: "reference"})
	assert.Nil(t, b.m.over.Top(), "who comes from elsewhere with a result is through with the files")
	assert.NotEmpty(t, b.m.sheet.Draft.Values)
}

func TestOneFileForAFieldOfOne(t *testing.T) {
	dir := t.TempDir()
	paths := pictures(t, dir, "a.png", "b.png")
	t.Setenv("HOME", dir)
	b := start(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v", Values: client.Values{"image": "https://x.invalid/1"}}})
	b.m.doc.GoTo("image")
	b.Key("alt+o", "tab", "down", "enter")
	assert.Equal(t, client.FileURL(paths[1]), b.m.sheet.Draft.Values["image"], "it takes the place of the other")
}

func TestDroppedFiles(t *testing.T) {
	dir := t.TempDir()
	paths := pictures(t, dir, "a b.png", "c.png")
	dropped := fmt.Sprintf("'%s' %s", paths[0], paths[1])
	b := start(t, 120, 34)
	b.Paste(dropped)
	require.True(t, b.m.over.Has(askDropped), "in the prompt it is asked")
	assert.Contains(t, b.View(), "a b.png (image)")
	b.Key("t")
	assert.Equal(t, dropped, b.m.sheet.Form.Text(client.FieldPrompt))
	b.Key("ctrl+u")
	b.Paste(dropped)
	b.Key("esc")
	assert.Empty(t, b.m.sheet.Form.Text(client.FieldPrompt))
	b.Paste(dropped)
	b.Key("r")
	want := []any{client.FileURL(paths[0]), client.FileURL(paths[1])}
	assert.Equal(t, want, b.m.sheet.Draft.Values["reference_images"])
	b.m.doc.GoTo("images")
	b.m.sheet.Form.SetText("images", "")
	b.Paste("file://" + strings.ReplaceAll(paths[0], " ", "%20") + "\r\n" + paths[1] + "\r\n")
	assert.False(t, b.m.over.Has(askDropped), "in a field of references it is not")
	if b.m.sheet.Effective().Mode == "reference_images" {
		assert.Equal(t, want, b.m.sheet.Draft.Values["images"])
	}
	b.m.doc.GoTo(client.FieldPrompt)
	b.Paste("/no/such/file.png")
	assert.Contains(t, b.m.sheet.Form.Text(client.FieldPrompt), "/no/such/file.png", "what is no file is text")
}

func TestReferencesHaveAnOrderAndNames(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "fly",
		Values: client.Values{"reference_images": []any{"https://x.invalid/kite.png?sig=1", "file:///塩 flat.jpg", "https://x.invalid/c"},
			"content": []any{map[string]any{"type": "image_url", "image_url": map[string]any{"url": "https://x.invalid/z"}, "name": "hero\x1b[2J", "role": "reference_image"}}}}})
	b.m.doc.GoTo("reference_images")
	assert.Contains(t, b.View(), "① ")
	at := func(i int) any { return b.m.sheet.Draft.Values["reference_images"].([]any)[i] }
	last := at(2) // where the cursor is
	b.Key("alt+K")
	assert.Equal(t, last, at(1))
	b.Key("alt+K", "alt+K")
	assert.Equal(t, last, at(0))
	assert.Contains(t, toast(t, b).Text, "it is the first one")
	b.Key("alt+J", "alt+J", "alt+J")
	assert.Equal(t, last, at(2))
	assert.Contains(t, toast(t, b).Text, "it is the last one")
	b.Key("alt+K", "ctrl+_")
	assert.Equal(t, last, at(2), "undo takes it back")

	b.Key("alt+n")
	require.True(t, b.m.over.Has(choose.Scope))
	b.Type("kite")
	b.Key("enter")
	assert.Equal(t, "fly kite", b.m.sheet.Draft.Prompt)
	assert.Contains(t, toast(t, b).Text, "shows no way for a text to refer")
	b.Key("alt+n")
	b.Type("hero")
	b.Key("enter")
	assert.NotContains(t, b.m.sheet.Draft.Prompt, "\x1b")
	assert.Contains(t, b.m.sheet.Draft.Prompt, "hero")
	assert.Contains(t, toast(t, b).Text, "its own name")
	b.m.doc.GoTo(client.FieldPrompt)
	b.Key("alt+K")
	assert.Contains(t, toast(t, b).Text, "no list of references")
}

func TestTheOriginIsKnownAfterARestart(t *testing.T) {
	b, r := pastBench(t, 4, 120, 34)
	j := r.all[1]
	b.Send(screen.ComposeDraft{Draft: j.Draft.Clone(), Format: j.Format, Job: j.ID})
	b.m.sheet.Form.SetText("duration", "8")
	b.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("!")})
	require.Len(t, b.m.sheet.Differ, 2)
	b.Send(screen.HiddenMsg{})
	require.Equal(t, j.ID, b.drafts.kept[client.Video].Job)

	m, _, _ := newModel(t, keeping(b.drafts), behind(r))
	d := tuitest.NewScreen(t, m, 120, 34)
	d.Send(screen.ShownMsg{})
	require.NotNil(t, m.sheet.Origin)
	assert.Equal(t, j.ID, m.sheet.Origin.Job)
	assert.Len(t, m.sheet.Differ, 2)
	assert.Contains(t, d.View(), "2 changes from job")
	_, was := m.sheet.Was("duration")
	assert.True(t, was)

	m, _, _ = newModel(t, keeping(b.drafts), behind(r))
	m.sheet.Form.SetText(client.FieldPrompt, "typed before anything was read")
	m.doc.Saver.Changed()
	require.NoError(t, m.Flush())
	require.Equal(t, j.ID, b.drafts.kept[client.Video].Job, "who leaves at once loses nothing")
	late := m.findOrigin()
	require.NotNil(t, late)
	m.sheet.Fill(client.Draft{Modality: client.Video, Prompt: "another"}, "")
	m.Update(late())
	assert.Nil(t, m.sheet.Origin, "the form is another one by now")

	r.all = nil // the job is gone
	m, _, _ = newModel(t, keeping(b.drafts), behind(r))
	tuitest.NewScreen(t, m, 120, 34)
	assert.Nil(t, m.sheet.Origin)
	assert.Empty(t, m.sheet.OriginJob())
}

func TestActionsOfReferences(t *testing.T) {
	b, _ := resultBench(t, 120, 34)
	t.Setenv("HOME", t.TempDir())
	for _, id := range []string{"compose.pick-file", "files.hidden", "files.recent", "files.up", "files.close", "compose.from-results", "results.close",
		"compose.ref-up", "compose.ref-down", "compose.ref-name", "compose.check-url", "files.take", "results.take"} {
		b.Send(screen.ActionMsg{ID: id})
	}
	assert.Nil(t, b.m.over.Top())
	b.Send(screen.ActionMsg{ID: "compose.from-results"})
	b.Click("find:2")
	b.Send(screen.WheelMsg{Delta: -1})
	b.Send(screen.ActionMsg{ID: "results.take"})
	assert.Equal(t, []any{"https://media.invalid/2.video"}, b.m.sheet.Draft.Values["videos"])
}

// twoURLs is a gateway that can be asked for two URLs.
type twoURLs struct{}

func (twoURLs) Head(_ context.Context, u string) (client.Head, error) {
	if strings.Contains(u, "away") {
		return client.Head{}, errors.New("no route to host")
	}
	return client.Head{StatusCode: 200, MediaType: "image/png", Bytes: 1500, Hops: []string{"https://cdn.invalid/塩"}}, nil
}

// manyFiles is a dialog over a folder with names of all sorts.
type manyFiles struct{ screen.Base }

func (d *manyFiles) Update(tea.Msg) tea.Cmd { return nil }

func (d *manyFiles) View() string {
	m := files.New("Images", "/home/creator/a long way/to the/pictures/塩の平原", []string{"image"}, nil)
	m.Many, m.Keys = true, "enter take · tab mark"
	l := files.Listing{Dir: m.Dir(), Entries: []files.Entry{{Name: "מישור", Dir: true}, {Name: "kite 🪁.png"}, {Name: "evil\x1b[2J\u202egnp.png"},
		{Name: "塩の平原.jpg"}, {Name: "clip.mp4"}, {Name: "gone.png", Link: true, Broken: true}, {Name: "pipe", Odd: true}, {Name: "words.txt"},
		{Name: strings.Repeat("a very long name ", 9) + "01.png"}}}
	m.SetListing(l)
	m.SetFacts(map[string]files.Fact{m.Dir() + "/kite 🪁.png": {Bytes: 188_000, Type: "image/png"}, m.Dir() + "/塩の平原.jpg": {Bytes: 2_100_000, Type: "image/jpeg"},
		m.Dir() + "/clip.mp4": {Bytes: 41_000_000, Type: "video/mp4"}, m.Dir() + "/words.txt": {Err: "permission denied"}})
	m.Wheel(1)
	m.Do(files.Mark)
	return m.View(d.Styles, min(d.W, 96), min(d.H, 40))
}

func TestGoldensOfReferences(t *testing.T) {
	dropped := pictures(t, t.TempDir(), "kite 塩の平原 🪁.png", "מישור.png")
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		name := fmt.Sprintf("-%dx%d", s[0], s[1])
		b, _ := resultBench(t, s[0], s[1])
		b.Key("alt+r", "down")
		b.Golden("results" + name)
		b.Key("esc")
		b.Send(screen.ComposeResult{JobID: videoJob, As: "extend"})
		b.Golden("target" + name)
		b.Key("esc")
		b.Paste(strings.Join(dropped, "\n"))
		b.Golden("dropped" + name)
		b.Key("esc")
		b.m.heads.Awaited = true
		b.Send(refs.AskHeads(twoURLs{}, []string{"https://x.invalid/kite.png", "https://away.invalid/b"})())
		b.Golden("heads" + name)
		b.Key("esc")
		b.m.over.Open(&manyFiles{})
		b.Golden("files" + name)
	}
}
