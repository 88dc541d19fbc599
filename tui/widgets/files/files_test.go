package files_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/keys"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/files"
	"darkroom/tui/widgets/zone"
)

var png = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00")

// world is a folder with something of everything in it.
func world(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range map[string][]byte{
		"kite 10.png": png, "kite 9.png": png, "塩の平原 🪁.png": png, "מישור.png": png, "no picture.png": []byte("words"),
		"notes.txt": []byte("words"), ".hidden.png": png, "evil\x1b[2J\u202e\n.png": png, "clip.mp4": []byte("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2"),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), body, 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "zz folder"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join(dir, "zz folder"), filepath.Join(dir, "a link")))
	require.NoError(t, os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "broken")))
	require.NoError(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.png"), 0o600))
	return dir
}

// opened is the dialog over a folder, drawn once so that it knows its rows.
func opened(t *testing.T, dir string, accepts ...string) *files.Model {
	t.Helper()
	m := files.New("Images", dir, accepts, []string{"/recent/one", "/recent/two"})
	m.Many = true
	m.SetListing(files.List(dir))
	see(t, m)
	return m
}

// see draws the dialog, and looks at what shows.
func see(t *testing.T, m *files.Model) string {
	t.Helper()
	st := tuitest.Styles(t)
	m.View(st, 70, 24)
	m.SetFacts(files.Look(m.Wants()))
	frame, _ := zone.Scan(m.View(st, 70, 24))
	return ansi.Strip(frame)
}

func press(t *testing.T, m *files.Model, names ...string) (last files.Event) {
	t.Helper()
	for _, n := range names {
		msg, ok := keys.Parse(n)
		require.True(t, ok, n)
		last = m.Update(msg)
	}
	return last
}

func write(t *testing.T, m *files.Model, text string) {
	t.Helper()
	for _, r := range text {
		press(t, m, string(r))
	}
}

func TestListing(t *testing.T) {
	dir := world(t)
	l := files.List(dir)
	require.NoError(t, l.Err)
	var names []string
	by := map[string]files.Entry{}
	for _, e := range l.Entries {
		names = append(names, e.Name)
		by[e.Name] = e
	}
	assert.Equal(t, []string{"a link", "zz folder"}, names[:2], "folders first, and links to them")
	assert.Less(t, slices.Index(names, "kite 9.png"), slices.Index(names, "kite 10.png"), "numbers by their value")
	assert.True(t, by["broken"].Broken)
	assert.True(t, by["loop"].Broken)
	assert.True(t, by["pipe.png"].Odd)
	for _, bad := range []string{filepath.Join(dir, "notes.txt"), filepath.Join(dir, "none"), filepath.Join(dir, "pipe.png")} {
		assert.Error(t, files.List(bad).Err, bad)
	}
}

func TestLooking(t *testing.T) {
	dir := world(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	got := files.Look([]string{at("kite 9.png"), at("no picture.png"), at("pipe.png"), at("none")})
	assert.Equal(t, files.Fact{Bytes: int64(len(png)), Type: "image/png"}, got[at("kite 9.png")])
	assert.Equal(t, files.Fact{Bytes: 5}, got[at("no picture.png")], "what it is called says nothing")
	assert.Equal(t, "not a file", got[at("pipe.png")].Err)
	assert.Equal(t, "no such file or directory", got[at("none")].Err)
}

func TestWhatIsSeen(t *testing.T) {
	dir := world(t)
	m := opened(t, dir, "image")
	view := see(t, m)
	for _, want := range []string{"zz folder/", "broken  ✗ broken link", "pipe.png  ✗ no file", "塩の平原 🪁.png", "מישור.png", "evil␛[2J<U+202E>", "PNG", "1 of 11 · 2 of other kinds"} {
		assert.Contains(t, view, want)
	}
	assert.NotContains(t, view, ".hidden.png")
	assert.NotContains(t, view, "notes.txt")
	assert.NotContains(t, view, "\x1b")
	assert.True(t, m.Fits(filepath.Join(dir, "kite 9.png")))
	assert.False(t, m.Fits(filepath.Join(dir, "no picture.png")), "its first bytes are no picture's")
	assert.False(t, m.Fits(filepath.Join(dir, "clip.mp4")), "a picture is wanted")
	assert.Equal(t, files.Moved, m.Do(files.Hidden))
	assert.Contains(t, see(t, m), ".hidden.png")
}

// Files whose names say that they cannot be what is wanted do not show, until they are asked for.
func TestFilesOfOtherKinds(t *testing.T) {
	names := func(accepts ...string) (out []string) {
		m := files.New("Files", "/x", accepts, nil)
		l := files.Listing{Dir: "/x"}
		for _, n := range []string{"kite.png", "kite.png.json", "KITE.JSON", "clip.mp4", "song.MP3", "README", "kite v1.2", "kite.2", "a.b c", "what?.png", ".png", "塩.txt"} {
			l.Entries = append(l.Entries, files.Entry{Name: n})
		}
		m.SetListing(l)
		m.Do(files.Hidden)
		for range l.Entries {
			path, _, ok := m.Current()
			require.True(t, ok)
			if out = append(out, filepath.Base(path)); len(out) > 1 && out[len(out)-1] == out[len(out)-2] {
				return out[:len(out)-1]
			}
			m.Update(tea.KeyMsg{Type: tea.KeyDown})
		}
		return out
	}
	assert.Equal(t, []string{"kite.png", "clip.mp4", "song.MP3", "README", "kite v1.2", "kite.2", "a.b c", "what?.png", ".png"}, names(), "any medium")
	assert.Equal(t, []string{"kite.png", "README", "kite v1.2", "kite.2", "a.b c", "what?.png", ".png"}, names("image"))
	assert.Equal(t, []string{"clip.mp4", "song.MP3", "README", "kite v1.2", "kite.2", "a.b c", ".png"}, names("video", "audio"))

	m := opened(t, world(t), "audio")
	m.AllKey = "alt+a"
	write(t, m, "notes")
	assert.Contains(t, see(t, m), "of other kinds only: 1 here with these words; alt+a shows")
	assert.Equal(t, files.None, press(t, m, "enter"))
	m.Do(files.All)
	assert.Contains(t, see(t, m), "▸ notes.txt")
	assert.NotContains(t, see(t, m), "of other kinds")
	assert.Equal(t, files.Picked, press(t, m, "enter"), "who asks for it is told why it is no medium")
}

func TestFindingAndTaking(t *testing.T) {
	dir := world(t)
	m := opened(t, dir)
	write(t, m, "KITE 10")
	assert.Contains(t, see(t, m), "1 of 1")
	assert.Equal(t, files.Picked, press(t, m, "enter"))
	assert.Equal(t, []string{filepath.Join(dir, "kite 10.png")}, m.Chosen())
	press(t, m, "ctrl+u")
	write(t, m, "nowhere")
	assert.Contains(t, see(t, m), "no name here has these words")
	assert.Equal(t, files.None, press(t, m, "enter"))
	press(t, m, "ctrl+u")
	write(t, m, ".hid")
	assert.Contains(t, see(t, m), ".hidden.png", "who types a dot means hidden ones")
	press(t, m, "ctrl+u")
	write(t, m, "/etc")
	assert.Equal(t, "/etc", m.Path())
	assert.Equal(t, files.Typed, press(t, m, "enter"))
	assert.Equal(t, files.Cancelled, press(t, m, "esc"))
}

func TestMarking(t *testing.T) {
	dir := world(t)
	m := opened(t, dir)
	write(t, m, "kite")
	assert.Equal(t, files.Moved, m.Do(files.Mark))
	m.Do(files.Mark)
	assert.Contains(t, see(t, m), "2 marked")
	press(t, m, "ctrl+u")
	write(t, m, "clip")
	assert.Equal(t, files.Picked, press(t, m, "enter"))
	assert.Equal(t, []string{filepath.Join(dir, "kite 9.png"), filepath.Join(dir, "kite 10.png")}, m.Chosen(), "the marked ones, as they were marked")
	m.Many = false
	assert.Contains(t, m.Off(files.Mark), "one file")
}

func TestGoingThroughFolders(t *testing.T) {
	dir := world(t)
	m := opened(t, dir)
	assert.Equal(t, files.Opening, press(t, m, "down", "enter"))
	assert.Equal(t, filepath.Join(dir, "zz folder"), m.Dir())
	assert.Contains(t, see(t, m), "reading …")
	m.SetListing(files.List(dir))
	assert.Contains(t, see(t, m), "reading …", "that is of another folder")
	m.SetListing(files.List(m.Dir()))
	assert.Contains(t, see(t, m), "the folder is empty")
	assert.Equal(t, files.Opening, press(t, m, "backspace"))
	m.SetListing(files.List(m.Dir()))
	path, isDir, ok := m.Current()
	assert.True(t, ok && isDir)
	assert.Equal(t, filepath.Join(dir, "zz folder"), path, "the cursor is on the folder that was left")
	m.Open("/")
	m.SetListing(files.Listing{Dir: "/"})
	assert.NotEmpty(t, m.Off(files.Up))
	assert.Equal(t, files.None, m.Do(files.Up))
	m.Do(files.Recent)
	assert.Contains(t, see(t, m), "/recent/two")
	assert.Equal(t, files.Opening, press(t, m, "down", "enter"))
	assert.Equal(t, "/recent/two", m.Dir())
	m.SetListing(files.List(m.Dir()))
	assert.Contains(t, see(t, m), "✗ the folder cannot be read")
}

func TestAFolderThatMayNotBeRead(t *testing.T) {
	m := files.New("Files", "/x", nil, nil)
	m.SetListing(files.Listing{Dir: "/x", Err: fmt.Errorf("open /x: %w\x1b[2J", os.ErrPermission)})
	view := see(t, m)
	assert.Contains(t, view, "permission denied")
	assert.NotContains(t, view, "\x1b")
	assert.Equal(t, files.Opening, m.Do(files.Up), "there is a way out")
}

func TestClicks(t *testing.T) {
	m := opened(t, world(t))
	assert.Equal(t, files.Moved, m.Click(zone.Click{Zone: "file:1"}))
	assert.Equal(t, files.Opening, m.Click(zone.Click{Zone: "file:1"}), "the second click takes")
	assert.Equal(t, files.None, m.Click(zone.Click{Zone: "file:99", Double: true}))
	assert.Equal(t, files.None, m.Click(zone.Click{Zone: "find:1", Double: true}))
}

func TestFramesOfAnySize(t *testing.T) {
	st := tuitest.Styles(t)
	dir := world(t)
	empty := files.New("Files", "/x", nil, nil)
	for w := 1; w < 100; w += 7 {
		for h := 1; h < 30; h += 3 {
			for _, m := range []*files.Model{opened(t, dir), empty} {
				m.Keys = "enter take"
				frame, _ := zone.Scan(m.View(st, w, h))
				tuitest.CheckFrame(t, frame, w, h)
			}
		}
	}
}

// many is a listing of a huge folder.
func many(n int) files.Listing {
	l := files.Listing{Dir: "/huge"}
	for i := range n {
		l.Entries = append(l.Entries, files.Entry{Name: fmt.Sprintf("picture %06d.png", i)})
	}
	return l
}

// Of a huge folder only what shows is looked at and drawn.
func TestAHugeFolder(t *testing.T) {
	m := files.New("Files", "/huge", nil, nil)
	m.SetListing(many(100_000))
	view := see(t, m)
	assert.Contains(t, view, "1 of 100 000")
	press(t, m, "end")
	m.View(tuitest.Styles(t), 70, 24)
	assert.LessOrEqual(t, len(m.Wants()), 24)
	path, _, _ := m.Current()
	assert.Equal(t, "/huge/picture 099999.png", path)
}

// BenchmarkHugeFolder is a key and a frame over a folder of 100,000 files.
func BenchmarkHugeFolder(b *testing.B) {
	dir := b.TempDir()
	for i := range 100_000 {
		require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("picture %06d.png", i)), nil, 0o600))
	}
	m := files.New("Files", dir, nil, nil)
	st := tuitest.Styles(b)
	k, _ := keys.Parse("9")
	back, _ := keys.Parse("backspace")
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			m.SetListing(files.List(dir))
		}
	})
	b.Run("two keys", func(b *testing.B) {
		for b.Loop() {
			m.Update(k)
			m.Update(back)
		}
	})
	b.Run("view", func(b *testing.B) {
		for b.Loop() {
			m.View(st, 100, 40)
		}
	})
}

// A path that is typed finds no name: it is said that enter goes there.
func TestAPathIsNoWord(t *testing.T) {
	for typed, path := range map[string]string{"shots/a.png": "/home/somebody/shots/a.png", "/etc": "/etc", "~/x": "~/x"} {
		m := files.New("Files", "/home/somebody", nil, nil) // a path that was typed before leads elsewhere
		m.SetListing(files.Listing{Dir: "/home/somebody"})
		write(t, m, typed)
		assert.NotContains(t, see(t, m), "has these words")
		assert.Contains(t, see(t, m), "enter goes to "+path)
		assert.Equal(t, path, m.Path())
		assert.Equal(t, files.Typed, press(t, m, "enter"))
	}
}

// A typed path filters the folder that it leads to, and tab completes it.
func TestAPathFiltersAndCompletes(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"short.png", "shots/kite.png", "shots/kite-2.png", "shots/塩.png", ".cache/a.png"} {
		path := filepath.Join(home, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	m := files.New("Files", "/srv", nil, nil)
	m.Home = home
	m.SetListing(files.Listing{Dir: "/srv"})
	follow := func(ev files.Event) files.Event {
		if ev == files.Opening {
			m.SetListing(files.List(m.Dir()))
		}
		return ev
	}
	typed := func(text string) {
		for _, r := range text {
			follow(m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
		}
	}
	typed("~/sho")
	assert.Equal(t, home, m.Dir())
	assert.Contains(t, see(t, m), "short.png")
	assert.NotContains(t, see(t, m), ".cache")
	assert.Equal(t, files.Moved, follow(m.Do(files.Mark)), "two names have no more in common")
	assert.Equal(t, "~/sho", m.Path())
	typed("ts")
	assert.Equal(t, files.Opening, follow(m.Do(files.Mark)))
	assert.Equal(t, "~/shots/", m.Path())
	assert.Contains(t, see(t, m), "塩.png")
	typed("k")
	assert.NotContains(t, see(t, m), "塩.png")
	follow(m.Do(files.Mark))
	assert.Equal(t, "~/shots/kite", m.Path())
	assert.Equal(t, files.Picked, m.Do(files.Take), "the one under the cursor")
	assert.Len(t, m.Chosen(), 1)
	press(t, m, "ctrl+u")
	typed("~/.")
	assert.Contains(t, see(t, m), ".cache", "who types a dot means hidden ones")
}
