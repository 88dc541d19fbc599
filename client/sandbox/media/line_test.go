package media

import (
	"image/color"
	"os"
	"path/filepath"
	"testing"
	"time"

	"darkroom/client/sandbox/media/fonts"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/goregular"
)

// machine is the fonts of this machine, of which make test installs those that it needs.
func machine() *fonts.Library { return fonts.New(fonts.System(os.Getenv)...) }

func titled(t *testing.T, library *fonts.Library, text string) *typeface {
	t.Helper()
	face, err := boldFace(40)
	require.NoError(t, err)
	face.set(library, text)
	return face
}

func TestOtherScriptsAreDrawnInTheirFonts(t *testing.T) {
	t.Parallel()
	library := machine()
	for _, text := range []string{"盐田", "東京の夜、雨", "서울의", "قمر", "שלום", "🦊❄️", "👨‍👩‍👧🇯🇵3️⃣"} {
		face := titled(t, library, text)
		require.NotNil(t, face.others, text)
		for _, p := range face.pieces([]rune(text)) {
			assert.NotNil(t, p.face, "%s: no font for %q", text, string([]rune(text)[p.from:p.to]))
			assert.NotEmpty(t, p.glyphs)
		}
		with, without := newCanvas(400, 80), newCanvas(400, 80)
		end := face.draw(with, 5, 60, text, color.NRGBA{255, 255, 255, 255})
		titled(t, nil, text).draw(without, 5, 60, text, color.NRGBA{255, 255, 255, 255})
		assert.InDelta(t, 5+face.width(text), end, 0.01)
		assert.NotEqual(t, without.img.Pix, with.img.Pix, text)
		assert.NotZero(t, difference(t, with.img, newCanvas(400, 80).img), text)
	}
}

// TestArabicIsJoinedAndRunsFromTheRight looks at where its letters stand, and that they take other
// forms beside each other.
func TestArabicIsJoinedAndRunsFromTheRight(t *testing.T) {
	t.Parallel()
	text := []rune("قمر Darkroom (بحر)")
	face := titled(t, machine(), string(text))
	assert.True(t, face.fromRight)
	var order []int
	forms := map[rune]uint32{}
	for _, p := range seen(face.pieces(text)) {
		for _, g := range p.glyphs {
			order = append(order, g.Rune)
			forms[text[g.Rune]] = g.ID
		}
		for i := p.from; p.face == nil && i < p.to; i++ {
			at := i
			if p.rightToLeft() {
				at = p.from + p.to - 1 - i
			}
			order = append(order, at)
		}
	}
	require.Len(t, order, len(text))
	assert.Equal(t, []int{17, 16, 15, 14, 13, 12}, order[:6], "the brackets and what is between them stand at the left")
	assert.Equal(t, []int{2, 1, 0}, order[len(order)-3:], "the first word stands at the right, its first letter outermost")
	assert.IsIncreasing(t, order[6:14], "Latin words in between run from the left")
	alone := titled(t, machine(), "م").pieces([]rune("م"))
	assert.NotEqual(t, alone[0].glyphs[0].ID, forms['م'], "a letter in a word has the form of one that stands alone")

	lines := face.wrap("قمر فوق البحر والسفن الكثيرة التي تمضي في الليل", 300, 3)
	require.Greater(t, len(lines), 1)
	c := newCanvas(600, 200)
	require.NoError(t, caption(c, machine(), "قمر", "", 0))
	blank := newCanvas(600, 200)
	require.NoError(t, caption(blank, machine(), "x", "", 0))
	assert.NotZero(t, brightness(c, 500, 600), "the title begins at the right")
	assert.Zero(t, brightness(c, 0, 100))
	assert.NotZero(t, brightness(blank, 0, 100))
}

// brightness sums what is lit in some columns.
func brightness(c *canvas, from, to int) int {
	sum := 0
	for y := range c.img.Rect.Dy() {
		for x := from; x < to; x++ {
			sum += int(c.img.RGBAAt(x, y).G) / 128
		}
	}
	return sum
}

func TestEmojiAreInColour(t *testing.T) {
	t.Parallel()
	c := newCanvas(80, 80)
	titled(t, machine(), "🦊").draw(c, 5, 60, "🦊", color.NRGBA{255, 255, 255, 255})
	orange := 0
	for i := 0; i < len(c.img.Pix); i += 4 {
		if p := c.img.Pix[i:]; p[0] > 180 && p[2] < 100 {
			orange++
		}
	}
	assert.Greater(t, orange, 200, "a fox is orange")
	dark := newCanvas(80, 80)
	titled(t, machine(), "🦊").draw(dark, 5, 60, "🦊", shadow())
	assert.Equal(t, newCanvas(80, 80).img.Pix, dark.img.Pix, "the picture would lie twice, a little beside itself")
}

func TestLinesOfOtherScriptsEndWhereTheyMay(t *testing.T) {
	t.Parallel()
	family := "👨‍👩‍👧‍👦"
	face := titled(t, machine(), "雪"+family)
	lines := face.wrap("雪山の夜、雪山の夜、雪山の夜", 4.4*face.size, 9)
	require.Greater(t, len(lines), 2)
	for _, l := range lines {
		assert.LessOrEqual(t, face.width(l), 4.4*face.size)
		assert.NotEqual(t, '、', []rune(l)[0], "a comma does not begin a line: %q", lines)
	}
	for _, l := range face.wrap(family+family+family, 1.5*face.size, 9) {
		assert.Equal(t, family, l)
	}
	cut := face.wrap(family+" "+family+" "+family, 3*face.size, 1)
	require.Len(t, cut, 1)
	assert.Equal(t, family+"…", cut[0])
	assert.LessOrEqual(t, face.width(cut[0]), 3*face.size)
}

// TestLatinTextsLookForNoFonts adds a font to a folder between a text in Latin letters and one that
// is not: the folder is read for the second one.
func TestLatinTextsLookForNoFonts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	library := fonts.New(dir)
	spec := PictureSpec{Prompt: "a red kite, é Я", Seed: 3, Width: 200, Height: 120}
	want, err := Picture(t.Context(), spec)
	require.NoError(t, err)
	spec.Fonts = library
	got, err := Picture(t.Context(), spec)
	require.NoError(t, err)
	assert.Equal(t, want.Pix, got.Pix)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "late.ttf"), goregular.TTF, 0o600))
	assert.Empty(t, library.Lacks("abc"))
}

// TestWithoutAFontTheCodeIsShown checks that the folders without a font change nothing.
func TestWithoutAFontTheCodeIsShown(t *testing.T) {
	t.Parallel()
	none := fonts.New(t.TempDir())
	for _, text := range []string{"雪 in snow", "🦊❄️", "a 👨‍👩‍👧"} {
		a, b := newCanvas(600, 80), newCanvas(600, 80)
		titled(t, nil, text).draw(a, 5, 60, clean(text), color.NRGBA{255, 255, 255, 255})
		titled(t, none, text).draw(b, 5, 60, text, color.NRGBA{255, 255, 255, 255})
		assert.Equal(t, a.img.Pix, b.img.Pix, text)
	}
}

func TestFilmsHaveTheirTitlesInSuchFonts(t *testing.T) {
	t.Parallel()
	spec := VideoSpec{Prompt: "東京の夜", Width: 320, Height: 180, Duration: time.Second / 4}
	codes, err := MakeVideo(t.Context(), spec)
	require.NoError(t, err)
	spec.Fonts = machine()
	v, err := MakeVideo(t.Context(), spec)
	require.NoError(t, err)
	assert.NotEqual(t, codes.Poster, v.Poster)
	again, err := MakeVideo(t.Context(), spec)
	require.NoError(t, err)
	assert.Equal(t, v.MP4, again.MP4, "the same fonts make the same film")
}
