package compose

import (
	"fmt"
	"image"
	"image/color"
	pngs "image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// painted puts a picture of half light, half dark on the disk.
func painted(t *testing.T, path string) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 160, 90))
	for y := range 90 {
		for x := range 160 {
			img.Set(x, y, color.RGBA{uint8(x), uint8(2 * y), 200, 255})
			if (x/40+y/30)%2 == 0 {
				img.Set(x, y, color.RGBA{250, 240, 10, 255})
			}
		}
	}
	f, err := os.Create(filepath.Clean(path))
	require.NoError(t, err)
	require.NoError(t, pngs.Encode(f, img))
	require.NoError(t, f.Close())
	return path
}

// inColours is a screen of a terminal that has colours.
func inColours(t *testing.T, w, h int) *bench {
	t.Helper()
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	b := start(t, w, h, func(d *Deps) { d.Previews = preview.New(preview.Options{Workers: 2}) })
	b.m.SetStyles(themes.Make(th, r, false))
	return b
}

// withReferences fills the form with references: a picture of another host, and files.
func (b *bench) withReferences(files ...string) {
	refs := []any{"https://example.org/stranger.png"}
	for _, f := range files {
		refs = append(refs, client.FileURL(f))
	}
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a red kite",
		Values: client.Values{"reference_images": refs}}})
}

// below are the lines of pictures in the form.
func (b *bench) below() []string { return b.m.shots.Below("reference_images") }

func TestGoldenReferencesHaveTheirPictures(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}} {
		var frame string
		t.Run("draw", func(t *testing.T) {
			dir := t.TempDir()
			b := inColours(t, s[0], s[1])
			b.withReferences(painted(t, filepath.Join(dir, "a.png")), painted(t, filepath.Join(dir, "b.png")))
			frame = b.Frame()
			tuitest.CheckFrame(t, frame, s[0], s[1])
			if s[0] == 80 {
				assert.Empty(t, b.below(), "it would push the form")
			} else {
				assert.NotEmpty(t, b.below())
			}
			frame = strings.ReplaceAll(tuitest.Plain(frame), dir, strings.Repeat("d", len(dir)))
		})
		var form []string // beside it the lengths of paths show
		for l := range strings.SplitSeq(frame, "\n") {
			if strings.ContainsAny(l, "▀▄▌▐▖▗▘▝▙▛▜▟▚▞█") {
				form = append(form, strings.TrimRight(string([]rune(l)[:66]), " "))
			}
		}
		tuitest.Golden(t, fmt.Sprintf("references-%dx%d", s[0], s[1]), strings.Join(form, "\n"))
	}
}

// TestARowIsKeptForAPicture before it is there, and nothing is fetched from elsewhere.
func TestARowIsKeptForAPicture(t *testing.T) {
	dir := t.TempDir()
	b := inColours(t, 120, 34)
	m := b.m
	one, bad := painted(t, filepath.Join(dir, "a.png")), filepath.Join(dir, "bad.png")
	require.NoError(t, os.WriteFile(bad, append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 60)...), 0o600))

	_, cmd := m.Update(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a red kite",
		Values: client.Values{"reference_images": []any{"https://example.org/x.png", client.FileURL(one), client.FileURL(bad)}}}})
	assert.Empty(t, b.below(), "what the files are is not known yet")
	var asked []preview.ReadyMsg
	for _, msg := range ran(cmd) {
		_, next := m.Update(msg)
		for _, msg := range ran(next) {
			if r, ok := msg.(preview.ReadyMsg); ok {
				asked = append(asked, r)
			}
		}
	}
	require.Len(t, asked, 2, "files of this machine only")
	require.Len(t, b.below(), 2)
	assert.Empty(t, strings.TrimSpace(strings.Join(b.below(), "")), "blank until it comes")
	row := func(text string) int {
		for y, l := range strings.Split(b.View(), "\n") {
			if strings.Contains(l, text) {
				return y
			}
		}
		return -1
	}
	before := row("Copies")
	require.Positive(t, before)
	for _, msg := range asked {
		b.Send(msg)
	}
	assert.Contains(t, strings.Join(b.below(), "\n"), "\x1b[", "it is there")
	assert.Contains(t, strings.Join(b.below(), "\n"), "✗", "the other one is damaged")
	assert.Equal(t, before, row("Copies"), "nothing jumps")

	b.Send(screen.HiddenMsg{})
	b.Send(screen.ShownMsg{})
	assert.Contains(t, strings.Join(b.below(), "\n"), "\x1b[")
	b.Send(asked[0])
	b.withReferences()
	assert.Empty(t, b.below(), "it went with the file")
}

// ran are the messages of a command and of those that it holds.
func ran(cmd tea.Cmd) (out []tea.Msg) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			out = append(out, ran(c)...)
		}
	default:
		out = append(out, msg)
	}
	return out
}

func TestPicturesOfReferencesTakeColoursAndRoom(t *testing.T) {
	path := painted(t, filepath.Join(t.TempDir(), "a.png"))
	b := start(t, 200, 60, func(d *Deps) { d.Previews = preview.New(preview.Options{}) })
	b.withReferences(path)
	assert.Empty(t, b.below(), "without colours")

	b = inColours(t, 120, 34)
	var many []string
	for i := range 7 {
		many = append(many, painted(t, filepath.Join(t.TempDir(), fmt.Sprintf("%d.png", i))))
	}
	b.withReferences(many...)
	assert.Contains(t, tuitest.Plain(strings.Join(b.below(), "\n")), "+3", "as many as fit, and how many more")
	b.Resize(80, 24)
	b.Send(screen.TickMsg{})
	assert.Empty(t, b.below())
	b.Resize(200, 60)
	b.Send(screen.TickMsg{})
	assert.Len(t, b.below(), 4)
}
