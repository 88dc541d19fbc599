package queue

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// shelf is a gallery of every kind of cell: pictures, jobs that run, failed, wait, speak,
// and texts that are hard to draw. Files are in the folder that the test works in.
func shelf(t *testing.T) []jobs.Job {
	t.Helper()
	t.Chdir(t.TempDir())
	image := func(n int, prompt string, files ...string) jobs.Job {
		j := job(n, jobs.Completed)
		j.Draft.Modality, j.Draft.Model, j.Draft.Prompt = client.Image, "famE-image", prompt
		for i, f := range files {
			require.NoError(t, writePNG(f))
			j.Files = append(j.Files, jobs.File{Index: i, Kind: client.AssetImage, State: jobs.FileSaved, Path: f, Bytes: 1234})
		}
		return j
	}
	cjk := image(12, "塩の平原の上を飛ぶ赤い凧、夜明け", "a.png")
	cjk.Draft.Model = "famB-画像"
	emoji := image(11, "harbour 🪁👩‍👩‍👧🇩🇪 at dusk", "b.png", "c.png")
	emoji.Tags, emoji.Remark = []string{"kept", jobs.Star}, "for the client"
	rtl := image(10, "עפיפון אדום מעל מישור מלח, طائرة ورقية", "d.png")
	rtl.Tags = []string{jobs.Star}
	broken := image(9, "a picture that is none", "e.png")
	broken.Files[0].Path = "none.png"
	chat := job(8, jobs.Completed)
	chat.Draft.Modality, chat.Assets, chat.Draft.Prompt = client.Chat, nil, "three kites"
	return append([]jobs.Job{cjk, emoji, rtl, broken, chat}, story()...)
}

// galleryOf is a screen that shows the shelf as a gallery, with all pictures drawn.
func galleryOf(t *testing.T, w, h int) *bench {
	t.Helper()
	f := newFake(shelf(t)...)
	f.event[jobID(8)] = jobs.Detail{Text: "A delta,\na box kite 箱凧, and\x1b[31m a sled."}
	b := openWith(t, f, w, h)
	b.Key("v")
	b.drawn(t)
	return b
}

// drawn waits until the cells in sight have what they asked for.
func (b *bench) drawn(t *testing.T) {
	t.Helper()
	b.Settle(20*time.Second, "the pictures", func() bool {
		got, wanted := b.m.list.grid.Loaded()
		return got == wanted && !b.m.list.cards.words.Asking()
	})
}

func TestGoldenGallery(t *testing.T) {
	for _, s := range sizes {
		w, h := s[0], s[1]
		at := func(name string) string { return fmt.Sprintf("gallery-%s%dx%d", name, w, h) }
		frames := map[string]string{}
		t.Run(at(""), func(t *testing.T) {
			b := galleryOf(t, w, h)
			keep := func(name string) { frames[at(name)] = b.Frame() }
			keep("")
			b.Key(" ", "right")
			b.Key("+")
			b.drawn(t)
			keep("large-")
			b.Key("-", "left", "w")
			b.zoomed(t)
			keep("zoom-")
			b.Key("z")
			b.zoomed(t)
			keep("actual-")
			b.Key("z", "pgdown", "pgdown", "f")
			b.zoomed(t)
			keep("flip-")
			b.Key("esc", "home", "enter")
			b.drawn(t)
			b.Settle(20*time.Second, "the picture of the detail", func() bool { return b.m.detail.pictureHeight(b.m.list.job()) == 0 || b.m.detail.picture.Have })
			keep("detail-")
		})
		for name, frame := range frames { // outside of the folder of the pictures
			tuitest.CheckFrame(t, frame, w, h)
			tuitest.Golden(t, name, frame)
		}
	}
}

// zoomed waits for the picture on the whole screen.
func (b *bench) zoomed(t *testing.T) {
	t.Helper()
	require.True(t, b.m.zoom.On())
	b.Settle(20*time.Second, "the picture", func() bool { return b.m.zoom.Loaded() })
}

func TestCellsSayWhatThereIs(t *testing.T) {
	b := galleryOf(t, 200, 60)
	view := b.View()
	for _, text := range []string{
		"┃塩の平原の上を飛ぶ赤…", "★ 59 m", "#kept", "✎ ★", "A delta, a box kite", "箱凧, and␛[31m a", // what a person and the answer say
		"✗ preview:", "running 42", "famA-video · 42 %", "✗ a red kite over", "The worker could", "was lost: connection",
	} {
		assert.Contains(t, view, text)
	}
	assert.NotContains(t, view, "preview …")
	assert.NotContains(t, view, jobs.ShortID(jobID(12)), "people know results by their prompts, not by ids")
	assert.NotContains(t, view, "upstream_error")
}

func TestTheGalleryNamesItsKeys(t *testing.T) {
	b := galleryOf(t, 120, 34)
	var words []string
	for _, k := range b.m.ShortHelp() {
		words = append(words, k.Help().Key+" "+k.Help().Desc)
	}
	line := strings.Join(words, ", ")
	for _, want := range []string{"w zoom", "s star", "+ - size", "c to compose", "v list"} {
		assert.Contains(t, line, want)
	}
	assert.NotContains(t, line, "flip", "there is nothing to flip to")
	b.Key(" ", " ")
	words = nil
	for _, k := range b.m.ShortHelp() {
		words = append(words, k.Help().Key+" "+k.Help().Desc)
	}
	assert.Contains(t, words, "f flip", "two are marked")
}

func TestTheGalleryKeepsCursorMarksAndFilter(t *testing.T) {
	b := open(t, 120, 34, many(300)...)
	b.Key("down", "down", " ", "v")
	require.Equal(t, jobID(297), b.row())
	assert.Contains(t, b.View(), "● ")
	b.Key("left")
	assert.Equal(t, jobID(298), b.row())
	b.Key("down")
	cols, _ := b.m.list.grid.Shape()
	assert.Equal(t, jobID(298-cols), b.row())
	b.Key("up", "right", "v")
	assert.Equal(t, jobID(297), b.row(), "the list has the cursor of the gallery")
	b.Key("v", "esc", "/")
	b.Paste("state:failed")
	b.Key("enter")
	b.Settle(10*time.Second, "the filter", func() bool { return b.m.list.jobs.shown.States != nil && !b.m.list.jobs.loading })
	assert.Contains(t, b.View(), "✗ safety filter")
	assert.NotContains(t, b.View(), "running")
	assert.True(t, b.m.gallery)
}

func TestMovingInTheGrid(t *testing.T) {
	b := open(t, 80, 24, many(100)...)
	b.Key("v")
	cols, rows := b.m.list.grid.Shape()
	require.Equal(t, 3, cols, "three beside each other on 80 columns")
	require.Equal(t, 2, rows)
	at := func() int { return b.m.list.table.Cursor() }
	b.Key("right", "right", "down", "down")
	assert.Equal(t, 8, at())
	assert.Equal(t, 1, b.topRow(), "as far as is needed")
	b.Key("k", "h")
	assert.Equal(t, 4, at())
	assert.Equal(t, 1, b.topRow())
	b.Key("pgdown")
	assert.Equal(t, 10, at())
	b.Key("end")
	assert.Equal(t, 99, at())
	b.Key("down")
	assert.Equal(t, 99, at())
	b.Key("up", "right", "down")
	assert.Equal(t, 99, at(), "the last row is short: its last job")
	b.Key("home", "up", "left")
	assert.Equal(t, 0, at())
}

func TestNewsDoNotScrollTheGallery(t *testing.T) {
	b := open(t, 80, 24, many(150)...)
	b.Key("v", "pgdown", "pgdown", "pgdown")
	row, line := b.row(), b.m.list.grid.Line(b.m.list.table.Cursor())
	for n := 151; n < 160; n++ {
		b.f.change(job(n, jobs.Queued))
	}
	b.Send(screen.JobsMsg{})
	assert.Equal(t, row, b.row())
	assert.Equal(t, line, b.m.list.grid.Line(b.m.list.table.Cursor()))
}

func TestTheMouseInTheGallery(t *testing.T) {
	b := open(t, 120, 34, many(100)...)
	b.Key("v")
	b.Click("cell:" + jobID(98))
	assert.Equal(t, jobID(98), b.row())
	assert.Equal(t, tablePane, b.m.focus)
	b.Wheel("", 1)
	b.Wheel("", 1)
	assert.Equal(t, 2, b.topRow())
	assert.Equal(t, 2, b.cursorRow(), "the cursor stays in sight")
	b.Wheel("", -1)
	b.Wheel("", -1)
	b.Wheel("", -1)
	assert.Equal(t, 0, b.topRow())
	b.DoubleClick("cell:" + jobID(99))
	assert.Equal(t, jobID(99), b.row())
	assert.Equal(t, detailPane, b.m.focus)
	assert.Contains(t, b.View(), "Facts", "beside the gallery, where there is room")
	b.Key("esc")
	assert.NotContains(t, b.View(), "Facts")
}

// topRow and cursorRow are the first row of cells that shows, and that of the cursor.
func (b *bench) topRow() int {
	first, _ := b.m.list.grid.Sight()
	cols, _ := b.m.list.grid.Shape()
	return first / cols
}

func (b *bench) cursorRow() int {
	cols, _ := b.m.list.grid.Shape()
	return b.m.list.table.Cursor() / cols
}

func TestCellSizes(t *testing.T) {
	b := open(t, 200, 60, many(100)...)
	b.Key("+")
	toast := b.toast(t)
	assert.Equal(t, screen.Warn, toast.Level)
	assert.Contains(t, toast.Text, "v shows it", "the list has no cells")
	b.Key("v")
	cols, _ := b.m.list.grid.Shape()
	require.Greater(t, cols, 6)
	for range 20 {
		b.Key("-")
	}
	assert.Contains(t, b.toast(t).Text, "smaller")
	for range 20 {
		b.Key("+")
	}
	assert.Contains(t, b.toast(t).Text, "larger")
	fewer, _ := b.m.list.grid.Shape()
	assert.Less(t, 2*fewer, cols)
}

func got(m *Model) int    { n, _ := m.list.grid.Loaded(); return n }
func wanted(m *Model) int { _, n := m.list.grid.Loaded(); return n }

// Only cells in sight are asked for, and those that leave it are given up.
func TestCellsInSightAloneAreLoaded(t *testing.T) {
	js := pictures(t, 24)
	m := New(deps(t, newFake(js...)))
	m.SetSize(80, 24)
	_, _ = m.Update(pageMsg{page: jobs.Page{Jobs: js}})
	_, first := m.Update(screen.ActionMsg{ID: "queue.gallery"})
	require.Equal(t, 6, wanted(m))
	_, second := m.Update(tea.KeyMsg{Type: tea.KeyEnd})
	assert.Empty(t, answers(first), "out of sight: cancelled")
	require.Equal(t, 6, wanted(m))
	made := answers(second)
	require.Len(t, made, 6)
	for _, msg := range made {
		_, again := m.Update(msg)
		assert.Empty(t, answers(again))
	}
	assert.Equal(t, 6, got(m))
	_, again := m.Update(screen.TickMsg{})
	assert.Empty(t, answers(again), "they are made once")
	_, _ = m.Update(screen.HiddenMsg{})
	assert.Zero(t, wanted(m))
	_, shown := m.Update(screen.ShownMsg{})
	assert.Equal(t, 6, got(m), "what was made is kept")
	assert.Len(t, answers(shown), 6, "and asked for again, should a file have changed")
}

// answers are the messages of a command, and of those that it is a batch of.
func answers(cmd tea.Cmd) (out []tea.Msg) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			out = append(out, answers(c)...)
		}
	default:
		out = append(out, msg)
	}
	return out
}

func TestTheGalleryReadsOn(t *testing.T) {
	b := open(t, 200, 60, many(1000)...)
	b.Limit = 20 * time.Second
	b.f.took()
	b.Key("v")
	for range 4 {
		b.Key("pgdown")
	}
	require.NotEmpty(t, b.f.lists)
	assert.Equal(t, jobID(801), b.f.lists[0].Before, "the next page, by the last id of the first")
	assert.Greater(t, b.m.list.jobs.Len(), 200)
	b.Key("G")
	assert.Equal(t, jobID(1), b.row())
}

// A sound shows its duration and its loudness.
func TestASoundInTheGallery(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.wav")
	require.NoError(t, writeWAV(path, 3))
	j := job(1, jobs.Completed)
	j.Draft.Modality = client.Music
	j.Files = []jobs.File{{Kind: client.AssetAudio, State: jobs.FileSaved, Path: path, Bytes: 100}}
	b := open(t, 80, 24, j)
	b.Key("v")
	b.drawn(t)
	assert.Contains(t, b.View(), "♪ 3.0 s")
	assert.Positive(t, strings.Count(b.View(), "█"))
}

// A key costs what shows, however many jobs there are.
func TestAGalleryKeyIsAsCheapWithManyJobs(t *testing.T) {
	cost := func(n int) float64 {
		m := New(deps(t, newFake()))
		m.SetSize(200, 60)
		js := many(n)
		slices.Reverse(js)
		_, _ = m.Update(pageMsg{page: jobs.Page{Jobs: js}})
		_, _ = m.Update(screen.ActionMsg{ID: "queue.gallery"})
		m.list.table.SetCursor(n / 2)
		keys := []tea.KeyMsg{{Type: tea.KeyDown}, {Type: tea.KeyRight}, {Type: tea.KeyPgUp}, {Type: tea.KeyPgDown}}
		i := 0
		return testing.AllocsPerRun(40, func() {
			_, _ = m.Update(keys[i%len(keys)])
			_ = m.View()
			i++
		})
	}
	few, most := cost(500), cost(20_000)
	assert.Less(t, most, 1.2*few+100)
}

// TestCellsWithoutPicturesTellWhatIsSaved: with `preview: none`, and with previews switched off.
func TestCellsWithoutPicturesTellWhatIsSaved(t *testing.T) {
	j := saved(job(3, jobs.Completed))
	none := job(1, jobs.Completed)
	f := newFake(j, none)
	d := deps(t, f)
	d.Previews = nil
	b := openDeps(t, d, f, 120, 34)
	b.Key("v")
	tells := func(of *bench) {
		t.Helper()
		assert.Contains(t, of.View(), "saved, 1.0 kB")
		assert.Equal(t, 1, strings.Count(of.View(), "not saved yet; d fetches"))
	}
	tells(b)
	off := openWith(t, newFake(j, none), 120, 34)
	off.Key("v", "p")
	tells(off)
}
