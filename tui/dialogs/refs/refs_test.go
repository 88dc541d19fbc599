package refs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

const pngHead = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00"

func picture(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(pngHead), 0o600))
	return path
}

func actions() keys.Map {
	return keys.New(screen.Rows(FileCommands()), screen.Rows(ResultCommands()))
}

func openFiles(t *testing.T, w, h int, o FileOptions) (*tuitest.Host, *Files) {
	t.Helper()
	o.Keys, o.Title = actions(), "Files"
	d := NewFiles(o)
	return tuitest.NewDialog(t, o.Keys, d, w, h), d
}

func toast(t *testing.T, h *tuitest.Host) screen.ToastMsg {
	t.Helper()
	msg, ok := tuitest.Last[screen.ToastMsg](h.Driver)
	require.True(t, ok, "no toast")
	return msg
}

func TestFilesAreChosen(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	a, b := picture(t, dir, "a.png"), picture(t, dir, "b 塩.png")
	h, _ := openFiles(t, 120, 34, FileOptions{Many: true})
	assert.Contains(t, h.View(), "b 塩.png")
	h.Key("tab", "tab", "enter")
	assert.Equal(t, []any{Chosen{[]string{a, b}}}, h.Answers)
	assert.Nil(t, h.Top())
}

func TestAPathIsTyped(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	path := picture(t, home, "a.png")
	picture(t, dir, "there.png")
	require.NoError(t, os.WriteFile(filepath.Join(home, "words.txt"), []byte("x"), 0o600))
	h, d := openFiles(t, 120, 34, FileOptions{Accepts: []string{"image"}})
	for typed, says := range map[string]string{dir + "/none": "no such file", "~/words.txt": "words.txt"} {
		h.Type(typed)
		h.Key("enter")
		assert.Contains(t, toast(t, h).Text, says)
		require.NotNil(t, h.Top(), "the dialog stays")
		h.Key("ctrl+u")
	}
	h.Type(dir)
	h.Key("enter")
	assert.Equal(t, dir, d.list.Dir())
	assert.Contains(t, h.View(), "there.png")
	h.Type("~/a.png")
	h.Key("enter")
	assert.Equal(t, []any{Chosen{[]string{path}}}, h.Answers)
}

// A folder that is gone by now is no place to begin.
func TestAFolderThatIsGoneIsPassedOver(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	gone := filepath.Join(dir, "gone")
	_, d := openFiles(t, 80, 24, FileOptions{Recent: []string{gone, dir}})
	assert.Equal(t, dir, d.list.Dir())
	_, d = openFiles(t, 80, 24, FileOptions{Recent: []string{gone}})
	assert.Equal(t, home, d.list.Dir())

	h, _ := openFiles(t, 80, 24, FileOptions{})
	d = NewFiles(FileOptions{Keys: actions(), Recent: []string{gone}})
	d.SetStyles(tuitest.Styles(t))
	late := d.listFirst()()
	d.list.Open("/")
	d.Update(late)
	assert.Equal(t, "/", d.list.Dir(), "who went on stays there")
	h.Send(late)
	assert.NotContains(t, h.View(), gone, "nor is it another dialog's")
}

// Whoever makes the window larger sees the file under the cursor at once.
func TestAPreviewThatHasRoomNow(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	picture(t, dir, "a.png")
	h, _ := openFiles(t, 80, 24, FileOptions{Previews: preview.New(preview.Options{})})
	require.Contains(t, h.View(), "a.png")
	assert.Contains(t, h.View(), "esc back")
	h.Resize(120, 34)
	assert.Contains(t, h.View(), "no file under the cursor")
	h.Send(screen.TickMsg{}) // which the shell sends after a new size
	assert.NotContains(t, h.View(), "no file under the cursor")
}

func TestActionsOfFiles(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	picture(t, home, ".hidden.png")
	h, d := openFiles(t, 120, 34, FileOptions{Many: true, History: results()})
	h.Do("files.hidden")
	assert.Contains(t, h.View(), ".hidden.png")
	h.Do("files.recent")
	assert.Contains(t, h.View(), "/saved/塩", "the folders of results")
	h.Key("alt+r")
	h.Send(screen.WheelMsg{Delta: 1})
	h.Do("files.up")
	assert.Equal(t, filepath.Dir(home), d.list.Dir())
	assert.Len(t, h.ShortHelp(), 7)
	h.Do("files.close")
	assert.Nil(t, h.Top())
	_, one := openFiles(t, 120, 34, FileOptions{})
	assert.Len(t, one.ShortHelp(), 6, "where one is taken none is marked")
}

// history is one of finished jobs, newest first.
type history struct {
	all   []jobs.Job
	asked []jobs.Query
	err   error
}

func (r *history) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	r.asked = append(r.asked, q)
	var p jobs.Page
	for _, j := range r.all {
		if strings.Contains(strings.ToLower(j.Draft.Prompt), strings.ToLower(q.Text)) {
			p.Jobs = append(p.Jobs, j)
		}
	}
	return p, r.err
}

func results() *history {
	job := func(id, prompt string, kind client.AssetKind) jobs.Job {
		return jobs.Job{ID: id, State: jobs.Completed, Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Prompt: prompt},
			Assets: []client.Asset{{Kind: kind, URL: "https://media.invalid/" + id}}}
	}
	r := &history{all: []jobs.Job{job("3", "a boat 🪁 塩の平原", client.AssetVideo), job("2", "", client.AssetVideo), job("1", "a lighthouse, מישור המלח", client.AssetImage)}}
	r.all[0].Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/saved/塩/v.mp4"}}
	r.all = append(r.all, jobs.Job{ID: "0", State: jobs.Completed, Draft: client.Draft{Modality: client.Chat, Prompt: "words only"}})
	return r
}

func openResults(t *testing.T, r *history, w, h int) *tuitest.Host {
	t.Helper()
	return tuitest.NewDialog(t, actions(), NewResults(ResultOptions{Keys: actions(), History: r}), w, h)
}

func TestAResultIsFound(t *testing.T) {
	r := results()
	h := openResults(t, r, 120, 34)
	assert.Contains(t, h.View(), "1 of 3", "words are no reference")
	assert.Contains(t, h.View(), "not saved  video  famI-omni")
	assert.Equal(t, []jobs.State{jobs.Completed}, r.asked[0].States)
	h.Type("light")
	assert.Contains(t, h.View(), "1 of 1 ")
	h.Key("alt+q")
	open, ok := tuitest.Last[screen.OpenMsg](h.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.ShowJob{JobID: "1"}, open.Payload)
	h.Key("enter")
	assert.Equal(t, []any{Found{"1"}}, h.Answers)
	assert.Nil(t, h.Top())
}

func TestResultsThatAreNotFound(t *testing.T) {
	r := results()
	h := openResults(t, r, 80, 24)
	h.Type("nothing like it")
	assert.Contains(t, h.View(), "no result has these words")
	h.Key("enter")
	require.NotNil(t, h.Top(), "there is nothing to take")
	h.Key("esc")
	assert.Nil(t, h.Top())
	r.err = errors.New("the disk is gone")
	assert.Contains(t, openResults(t, r, 80, 24).View(), "the disk is gone")
	assert.Empty(t, h.Answers)
}

// folders keeps folders in memory.
type folders struct {
	all []string
	err error
}

func (f *folders) Load() ([]string, error) { return slices.Clone(f.all), f.err }

func (f *folders) Used(dir string) ([]string, error) {
	f.all = slices.Insert(slices.DeleteFunc(f.all, func(d string) bool { return d == dir }), 0, dir)
	return slices.Clone(f.all), f.err
}

// What was used before the kept folders came stays in front of them.
func TestKeptFoldersComeBehind(t *testing.T) {
	kept := &folders{all: []string{"/before", "/now"}}
	r := NewRecent(kept)
	load := r.Load()()
	use := r.Use("/now")
	assert.Nil(t, r.Update(load))
	assert.Equal(t, []string{"/now", "/before"}, r.With())
	r.Update(use())
	assert.Equal(t, []string{"/now", "/before"}, kept.all)
	assert.Equal(t, []string{"/now", "/before", "/form"}, r.With("/now", "/form"))
	for _, dir := range strings.Split(strings.Repeat("/x", 2*maxRecent), "x") {
		r.Use(dir + "y")
	}
	assert.LessOrEqual(t, len(r.With("/more")), maxRecent)
	assert.Nil(t, NewRecent(nil).Use("/now"), "there is nothing to keep them")
}

func TestFoldersThatCannotBeKeptAreToldOnce(t *testing.T) {
	r := NewRecent(&folders{err: errors.New("folders.json: disk full\x1b[2J")})
	say := r.Update(r.Load()())
	require.NotNil(t, say)
	msg, ok := say().(screen.ToastMsg)
	require.True(t, ok)
	assert.Equal(t, screen.ToastMsg{Level: screen.Warn, Text: "the folders that were used are not kept: folders.json: disk full␛[2J"}, msg)
	assert.Nil(t, r.Update(r.Load()()))
	assert.Nil(t, r.Update(tea.KeyMsg{}))
}

// prober answers for URLs.
type prober struct{}

func (prober) Head(_ context.Context, u string) (client.Head, error) {
	if strings.Contains(u, "away") {
		return client.Head{}, errors.New("no route\x1b[2J")
	}
	return client.Head{StatusCode: 404, MediaType: "text/html", Bytes: 1500, Hops: []string{"https://elsewhere.invalid/x"}}, nil
}

func TestWhatServersSay(t *testing.T) {
	msg, ok := AskHeads(prober{}, []string{"https://x.invalid/a", "https://away.invalid/b"})().(HeadsMsg)
	require.True(t, ok)
	assert.Zero(t, msg.Good)
	assert.Equal(t, []string{"https://x.invalid/a", "  ✗ 404 Not Found · text/html · 1.5 kB · 0 s", "  → https://elsewhere.invalid/x", "https://away.invalid/b", "  ✗ no route␛[2J"}, msg.Lines)
}
