package queue

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/screens/queue/internal/thumbs"
	"darkroom/tui/tuitest"
)

// coloured are styles of a terminal that has colours.
func coloured(t testing.TB) *themes.Styles {
	t.Helper()
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	return themes.Make(th, r, false)
}

// kinds has results of several kinds, in the test's folder, so that paths are the same everywhere.
func kinds(t *testing.T) []jobs.Job {
	t.Helper()
	t.Chdir(t.TempDir())
	require.NoError(t, writePNG("kite.png"))
	require.NoError(t, os.WriteFile("bad.png", []byte("\x89PNG\r\n\x1a\nbroken"), 0o600))
	var out []jobs.Job
	for i, path := range []string{"kite.png", "bad.png", "gone.png", "", "kite.png"} {
		j := job(i+1, jobs.Completed)
		j.Draft.Prompt = fmt.Sprintf("a paper boat number %d on a lake of 夜の港 at night with a lantern at its bow, seen from the pier in the rain, 35 mm film", i)
		if i == 4 {
			j.Draft.Prompt, j.Tags = "a fox", []string{"kept"}
		}
		if j.Assets = nil; path != "" {
			j.Draft.Modality, j.Assets = client.Image, []client.Asset{{Kind: client.AssetImage, URL: "https://cdn.example/p.png"}}
			j.Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: path, Bytes: 9}}
		}
		out = append(out, j)
	}
	return append(out, job(6, jobs.Running))
}

// openTall is a list in colours whose rows have pictures, as soon as those are there.
func openTall(t *testing.T, w, h int, js ...jobs.Job) *bench {
	t.Helper()
	b := open(t, w, h, js...)
	b.m.SetStyles(coloured(t))
	b.Send(screen.ShownMsg{})
	if b.m.list.rowLines() == 1 {
		b.Key("+")
	}
	require.Equal(t, 2, b.m.list.rowLines())
	return b
}

func (b *bench) pictured(t *testing.T) {
	t.Helper()
	b.Settle(10*time.Second, "the pictures", func() bool {
		got, wanted := b.m.list.thumbs.Loaded()
		return got == wanted
	})
}

func TestGoldenRowsWithPictures(t *testing.T) {
	for _, s := range sizes[:3] {
		w, h := s[0], s[1]
		var frames []string
		t.Run("draw", func(t *testing.T) {
			b := openTall(t, w, h, kinds(t)...)
			b.Key("p", "p")
			b.pictured(t)
			b.Settle(10*time.Second, "the picture", func() bool {
				return b.m.detail.picture.Have || !b.m.detailShows() || b.m.detail.pictureHeight(b.m.list.job()) == 0
			})
			frames = append(frames, b.Frame())
			b.Key("+")
			b.pictured(t)
			frames = append(frames, b.Frame())
			for _, f := range frames {
				tuitest.CheckFrame(t, f, w, h)
			}
		})
		require.Len(t, frames, 2)
		tuitest.Golden(t, fmt.Sprintf("rows-two-%dx%d", w, h), frames[0])
		tuitest.Golden(t, fmt.Sprintf("rows-three-%dx%d", w, h), frames[1])
	}
}

// TestNothingMovesWhenAPictureComes, nor does drawing read a file: that is for commands.
func TestNothingMovesWhenAPictureComes(t *testing.T) {
	js := kinds(t)
	m := New(deps(t, newFake(js...)))
	m.SetStyles(coloured(t))
	m.SetSize(120, 34)
	_, _ = m.Update(pageMsg{page: jobs.Page{Jobs: js}})
	_, cmd := m.Update(tuitest.KeyMsg(t, "+"))
	before := strings.Split(tuitest.Plain(m.View()), "\n")
	got, wanted := m.list.thumbs.Loaded()
	assert.Equal(t, 0, got)
	assert.Equal(t, 4, wanted, "those with a file")
	for _, msg := range answers(cmd) {
		_, _ = m.Update(msg)
	}
	got, _ = m.list.thumbs.Loaded()
	assert.Equal(t, 4, got)
	after := strings.Split(tuitest.Plain(m.View()), "\n")
	row := func(lines []string, text string) (int, int) {
		for y, l := range lines {
			if at := strings.Index(l, text); at >= 0 {
				return y, len([]rune(l[:at]))
			}
		}
		return -1, -1
	}
	for _, text := range []string{"a paper boat number 0", "a paper boat number 2", "a fox"} {
		y0, x0 := row(before, text)
		y1, x1 := row(after, text)
		assert.GreaterOrEqual(t, y0, 0, text)
		assert.Equal(t, [2]int{y0, x0}, [2]int{y1, x1}, text)
	}
	list := strings.Join(after, "\n")
	for _, sign := range []string{"✗", "gone", "Aa", "▀▀▛▀▜▀▀"} {
		assert.Contains(t, list, sign)
	}
}

// TestOnlyRowsInSightHavePictures: those that are scrolled away are given up.
func TestOnlyRowsInSightHavePictures(t *testing.T) {
	b := openTall(t, 120, 34, pictures(t, 60)...)
	n := b.m.list.table.Visible()
	require.Less(t, n, 20)
	_, wanted := b.m.list.thumbs.Loaded()
	assert.Equal(t, n, wanted)

	_, cmd := b.m.Update(tuitest.KeyMsg(t, "ctrl+d"))
	_, cmd2 := b.m.Update(tuitest.KeyMsg(t, "G"))
	require.NotNil(t, cmd)
	for _, msg := range answers(cmd) {
		if r, ok := msg.(preview.ReadyMsg); ok {
			assert.NotContains(t, r.Slot, "queue.row:", "nobody waits for it any more")
		}
	}
	for _, msg := range answers(cmd2) {
		b.Send(msg)
	}
	b.pictured(t)
	_, wanted = b.m.list.thumbs.Loaded()
	assert.Equal(t, n, wanted)
	last := b.m.list.jobs.At(59)
	assert.Contains(t, b.m.list.thumbs.View(last, 2)[1], "\x1b[", "the last one is drawn")

	b.Key("k")
	_, cmd = b.m.Update(screen.TickMsg{})
	assert.Empty(t, flat(cmd), "each is asked for once")
	b.Send(screen.HiddenMsg{})
	_, wanted = b.m.list.thumbs.Loaded()
	assert.Zero(t, wanted, "nobody sees them")
}

// TestWhenRowsHavePictures: in colours, where there is room, and where a person wants them.
func TestWhenRowsHavePictures(t *testing.T) {
	lines := func(b *bench) int { return b.m.list.table.Tall().Lines }
	b := open(t, 200, 60, pictures(t, 3)...)
	assert.Zero(t, lines(b), "without colours")
	b.Key("+")
	assert.Contains(t, b.toast(t).Text, "in colours only")

	b.m.SetStyles(coloured(t))
	b.Send(screen.ShownMsg{})
	assert.Equal(t, 2, lines(b), "there is room")
	b.Key("-")
	assert.Zero(t, lines(b), "a person wants none")
	b.Key("-")
	assert.Equal(t, "the rows cannot be smaller", b.toast(t).Text)
	b.Key("+", "+")
	assert.Equal(t, 3, lines(b))
	b.Key("+")
	assert.Equal(t, "the rows cannot be larger", b.toast(t).Text)
	b.Key("p")
	assert.Zero(t, lines(b), "previews are off")
	b.Key("p", "-", "-", "+")
	assert.Zero(t, b.m.list.look().Rows, "what the room says is no choice")

	b.Resize(120, 34)
	b.Send(screen.TickMsg{})
	assert.Zero(t, lines(b), "on a smaller screen they have to be wanted")
	b.Resize(40, 12)
	b.Key("+")
	assert.Contains(t, b.toast(t).Text, "no room")
	assert.Zero(t, lines(b))
}

func TestTheHeightOfRowsIsKept(t *testing.T) {
	s := &lookShelf{}
	b := openLooks(t, s)
	b.m.SetStyles(coloured(t))
	b.Key("+", "+")
	assert.Equal(t, 3, s.look.Rows)

	again := openLooks(t, s)
	again.m.SetStyles(coloured(t))
	again.Send(screen.TickMsg{})
	assert.Equal(t, 3, again.m.list.table.Tall().Lines)
	s.look.Rows = 70
	assert.Equal(t, thumbs.Most, openLooks(t, s).m.list.thumbs.Chosen, "of another program")
}

// TestABatchShowsAPictureOfIts with the cursor on its head.
func TestABatchShowsAPictureOfIts(t *testing.T) {
	js := pictures(t, 3)
	for i := range js {
		js[i].Group, js[i].Draft.Prompt = "g", "a boat"
		js[i].Draft.Values = client.Values{"seed": fmt.Sprint(i)}
	}
	js[2].Files = nil // the newest one has none
	b := openTall(t, 120, 34, js...)
	b.pictured(t)
	require.Equal(t, 1, b.m.list.jobs.folds.Len())
	assert.Equal(t, js[1].ID, b.m.list.table.faceOf(0).ID)
	assert.Contains(t, b.View(), "3 seeds")
	b.Key("enter")
	b.pictured(t)
	_, wanted := b.m.list.thumbs.Loaded()
	assert.Equal(t, 2, wanted, "each file once")
}
