package preview_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/preview"
	"darkroom/tui/tuitest"
)

// paint makes a picture of a function of the place.
func paint(w, h int, f func(x, y int) color.Color) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, f(x, y))
		}
	}
	return img
}

var (
	red   = color.RGBA{255, 0, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
	white = color.RGBA{255, 255, 255, 255}
	black = color.RGBA{0, 0, 0, 255}
)

func noise(w, h int) *image.RGBA {
	r := rand.New(rand.NewPCG(1, 1))
	return paint(w, h, func(int, int) color.Color {
		return color.RGBA{uint8(r.UintN(256)), uint8(r.UintN(256)), uint8(r.UintN(256)), 255}
	})
}

func modes() []preview.Mode {
	var out []preview.Mode
	for _, b := range []preview.Blocks{preview.Quadrants, preview.HalfBlocks, preview.ASCII, preview.Sextants} {
		for _, c := range []preview.Colors{preview.TrueColor, preview.Color256, preview.Color16, preview.NoColor} {
			out = append(out, preview.Mode{Blocks: b, Colors: c})
		}
	}
	return out
}

func TestRenderHasTheSizeAsked(t *testing.T) {
	for _, m := range modes() {
		for _, pic := range [][2]int{{1, 1}, {3, 200}, {200, 3}, {64, 36}, {36, 64}} {
			img := noise(pic[0], pic[1])
			for _, size := range [][2]int{{1, 1}, {2, 1}, {7, 5}, {60, 17}, {5, 30}} {
				got := preview.Render(img, size[0], size[1], m)
				tuitest.CheckFrame(t, got, size[0], size[1])
				if m.Colors == preview.NoColor {
					assert.NotContains(t, got, "\x1b")
				}
			}
		}
	}
	assert.Empty(t, preview.Render(noise(2, 2), 0, 5, preview.Mode{}))
	tuitest.CheckFrame(t, preview.Render(image.NewRGBA(image.Rectangle{}), 4, 2, preview.Mode{}), 4, 2)
}

func TestProportionsAreKept(t *testing.T) {
	// 16:9 in 60x40 cells of 1:2: 60 wide, 17 high, in the middle.
	lines := strings.Split(preview.Render(noise(160, 90), 60, 40, preview.Mode{Colors: preview.NoColor}), "\n")
	first, last := -1, -1
	for i, l := range lines {
		if strings.TrimSpace(l) != "" {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	assert.Equal(t, 17, last-first+1)
	assert.Equal(t, 11, first)

	tall := ansi.Strip(strings.Split(preview.Render(noise(90, 160), 60, 20, preview.Mode{Colors: preview.NoColor}), "\n")[10])
	assert.Equal(t, 23, len(strings.TrimSpace(tall)), "9:16 in 20 lines is 22.5 cells wide")
}

func TestQuadrantsFitTwoColoursExactly(t *testing.T) {
	// Two colours in each cell can be drawn without an error, whichever quarters have them.
	glyphs := " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
	for mask, g := range []rune(glyphs) {
		img := paint(2, 2, func(x, y int) color.Color {
			if mask>>(x+2*y)&1 == 1 {
				return red
			}
			return blue
		})
		got := preview.Render(img, 1, 1, preview.Mode{})
		inverse := []rune(glyphs)[15&^mask]
		switch {
		case mask == 0:
			assert.Equal(t, "\x1b[48;2;0;0;255m \x1b[0m", got)
		case mask == 15:
			assert.Equal(t, "\x1b[48;2;255;0;0m \x1b[0m", got)
		case strings.ContainsRune(got, g):
			assert.Equal(t, "\x1b[38;2;255;0;0;48;2;0;0;255m"+string(g)+"\x1b[0m", got)
		default:
			assert.Equal(t, "\x1b[38;2;0;0;255;48;2;255;0;0m"+string(inverse)+"\x1b[0m", got)
		}
	}
}

// Unicode's names of sextants count their parts: 1 and 2 above, 3 and 4, 5 and 6 below.
func TestSextantsHaveTheirPartsWhereThePixelsAre(t *testing.T) {
	for name, want := range map[string]rune{
		"1": 0x1fb00, "2": 0x1fb01, "12": 0x1fb02, "3": 0x1fb03, "34": 0x1fb0b, "5": 0x1fb0f, "15": 0x1fb10, "35": 0x1fb13,
		"135": '▌', "245": 0x1fb18, "6": 0x1fb1e, "46": 0x1fb26, "246": '▐', "1246": 0x1fb28, "23456": 0x1fb3b,
	} {
		img := paint(2, 3, func(x, y int) color.Color {
			if strings.Contains(name, string(rune('1'+x+2*y))) {
				return red
			}
			return white
		})
		got := preview.Render(img, 1, 1, preview.Mode{Blocks: preview.Sextants})
		if strings.Contains(name, "6") { // the last part is always of the background: the rest is drawn
			rest := strings.Map(func(r rune) rune {
				if strings.ContainsRune(name, r) {
					return -1
				}
				return r
			}, "123456")
			assert.True(t, strings.HasPrefix(got, "\x1b[38;2;255;255;255;48;2;255;0;0m"), "%s: %q", name, got)
			name = rest
			want = map[string]rune{"12345": 0x1fb1d, "1235": 0x1fb15, "135": '▌', "35": 0x1fb13, "1": 0x1fb00}[rest]
		}
		assert.Contains(t, got, string(want), "%s", name)
	}
}

func TestColoursAreThoseOfTheTerminal(t *testing.T) {
	img := paint(2, 2, func(_, y int) color.Color {
		if y == 0 {
			return white
		}
		return red
	})
	for want, m := range map[string]preview.Mode{
		"\x1b[38;2;255;255;255;48;2;255;0;0m▀\x1b[0m": {Blocks: preview.HalfBlocks, Colors: preview.TrueColor},
		"\x1b[38;5;231;48;5;196m▀\x1b[0m":             {Blocks: preview.HalfBlocks, Colors: preview.Color256},
		"\x1b[97;101m▀\x1b[0m":                        {Blocks: preview.HalfBlocks, Colors: preview.Color16},
	} {
		assert.Equal(t, want, preview.Render(img, 1, 1, m))
	}
	grey := paint(2, 2, func(int, int) color.Color { return color.RGBA{128, 128, 128, 255} })
	assert.Equal(t, "\x1b[48;5;244m \x1b[0m", preview.Render(grey, 1, 1, preview.Mode{Colors: preview.Color256}))
	clear := image.NewRGBA(image.Rect(0, 0, 2, 2))
	assert.Equal(t, "\x1b[48;2;0;0;0m \x1b[0m", preview.Render(clear, 1, 1, preview.Mode{}), "what is transparent is black")
}

func TestThinLinesSurviveBeingMadeSmall(t *testing.T) {
	img := paint(1280, 720, func(x, _ int) color.Color {
		if x >= 640 && x < 652 {
			return white
		}
		return black
	})
	for y, l := range preview.Lines(img, 60, 17, preview.Mode{Colors: preview.NoColor}) {
		assert.NotEmpty(t, strings.TrimSpace(l), "the line is in row %d", y)
	}
}

func TestModes(t *testing.T) {
	assert.Equal(t, preview.Mode{Blocks: preview.Quadrants, Colors: preview.TrueColor}, preview.ModeFor(termenv.TrueColor))
	assert.Equal(t, preview.Mode{Blocks: preview.Quadrants, Colors: preview.Color256}, preview.ModeFor(termenv.ANSI256))
	assert.Equal(t, preview.NoColor, preview.ModeFor(termenv.Ascii).Colors)
	l := preview.New(preview.Options{})
	assert.Equal(t, preview.NoColor, l.Mode(tuitest.Styles(t)).Colors)
	assert.Equal(t, preview.NoColor, l.Mode(nil).Colors)
}

func encode(t testing.TB, format string, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	switch format {
	case "png":
		require.NoError(t, png.Encode(&b, img))
	case "jpeg":
		require.NoError(t, jpeg.Encode(&b, img, nil))
	case "gif":
		require.NoError(t, gif.Encode(&b, img, nil))
	}
	return b.Bytes()
}

// webp is a lossless WebP of 1 x 1 pixels.
var webp = []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00")

func TestDecode(t *testing.T) {
	for _, f := range []string{"png", "jpeg", "gif"} {
		img, err := preview.Decode(context.Background(), bytes.NewReader(encode(t, f, noise(12, 7))), preview.DefaultLimits())
		require.NoError(t, err, f)
		assert.Equal(t, image.Pt(12, 7), img.Bounds().Size(), f)
	}
	img, err := preview.Decode(context.Background(), bytes.NewReader(webp), preview.DefaultLimits())
	require.NoError(t, err)
	assert.Equal(t, image.Pt(1, 1), img.Bounds().Size())
}

func TestDecodeRefusesWhatIsTooLargeBeforeAnyPixel(t *testing.T) {
	data := encode(t, "png", noise(20, 20))
	_, err := preview.Decode(context.Background(), bytes.NewReader(data), preview.Limits{Bytes: 1 << 20, Pixels: 399})
	require.ErrorIs(t, err, preview.ErrTooLarge)
	_, err = preview.Decode(context.Background(), bytes.NewReader(data), preview.Limits{Bytes: 100, Pixels: 400})
	require.ErrorIs(t, err, preview.ErrTooLarge)
	_, err = preview.Decode(context.Background(), bytes.NewReader(data), preview.Limits{Bytes: int64(len(data)), Pixels: 400})
	require.NoError(t, err)

	// A head that claims 2^31-1 x 2^31-1 pixels must not be taken for a small number.
	bomb := bytes.Clone(data)
	copy(bomb[16:24], "\x7f\xff\xff\xff\x7f\xff\xff\xff")
	_, err = preview.Decode(context.Background(), bytes.NewReader(bomb), preview.DefaultLimits())
	require.Error(t, err)

	_, err = preview.Decode(context.Background(), strings.NewReader("<svg/>"), preview.DefaultLimits())
	require.ErrorIs(t, err, preview.ErrNoPicture)
	_, err = preview.Decode(context.Background(), bytes.NewReader(data[:60]), preview.DefaultLimits())
	require.Error(t, err)
}

func FuzzDecode(f *testing.F) {
	for _, x := range []string{"png", "jpeg", "gif"} {
		f.Add(encode(f, x, noise(8, 8)))
	}
	f.Add(webp)
	f.Add(jpegOf(frame(0xc2, 8, 8, 0x11), scans(101)))
	f.Add(jpegOf(frame(0xc2, 16, 16, 0x22, 0x11, 0x11), scans(3)))
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := preview.Decode(context.Background(), bytes.NewReader(data), preview.Limits{Bytes: 1 << 20, Pixels: 1 << 16})
		if err == nil {
			tuitest.CheckFrame(t, preview.Render(img, 9, 4, preview.Mode{}), 9, 4)
		}
	})
}

func BenchmarkRender(b *testing.B) {
	src := noise(1280, 720)
	ycc, err := preview.Decode(context.Background(), bytes.NewReader(encode(b, "jpeg", src)), preview.DefaultLimits())
	require.NoError(b, err)
	for name, img := range map[string]image.Image{"rgba": src, "ycbcr": ycc, "small": noise(120, 34)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				preview.Render(img, 60, 17, preview.Mode{})
			}
		})
	}
}
