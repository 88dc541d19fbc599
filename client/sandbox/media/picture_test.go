package media

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPictureHasTheSizeAskedFor(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1, 1}, {1, 300}, {300, 1}, {7, 3}, {64, 64}, {512, 288}, {270, 480}} {
		img, err := Picture(t.Context(), PictureSpec{Prompt: "a kite over the sea", Label: "famL", Width: size[0], Height: size[1]})
		require.NoError(t, err)
		assert.Equal(t, image.Rect(0, 0, size[0], size[1]), img.Rect)
		assert.True(t, img.Opaque(), "%v has holes", size)
		b, err := PNG(img)
		require.NoError(t, err)
		back, err := png.Decode(bytes.NewReader(b))
		require.NoError(t, err)
		assert.Equal(t, img.Rect, back.Bounds())
	}
}

// TestEverySceneIsPaintedOver draws each ground, subject and hour.
func TestEverySceneIsPaintedOver(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, entry := range wordHints {
		for _, hour := range []string{"night", "day", "dawn", "dusk"} {
			img, err := Picture(t.Context(), PictureSpec{Prompt: entry.words + " " + hour, Title: " ", Width: 100, Height: 60})
			require.NoError(t, err)
			assert.True(t, img.Opaque(), "%s", entry.words)
			b, err := PNG(img)
			require.NoError(t, err)
			seen[string(b)] = true
		}
	}
	assert.Greater(t, len(seen), 2*len(wordHints), "the words make hardly any difference")
}

func TestPictureIsTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	encode := func(spec PictureSpec) []byte {
		spec.Width, spec.Height = 320, 200
		img, err := Picture(t.Context(), spec)
		require.NoError(t, err)
		b, err := PNG(img)
		require.NoError(t, err)
		return b
	}
	spec := PictureSpec{Prompt: "a red kite", Seed: 7}
	want := encode(spec)
	assert.Equal(t, want, encode(spec))
	for _, other := range []PictureSpec{
		{Prompt: "a red kite", Seed: 8}, {Prompt: "a red kite.", Seed: 7}, {Prompt: "a red kite", Seed: 7, Style: "vivid"},
		{Prompt: "a red kite", Seed: 7, Label: "famL"}, {Prompt: "a red kite", Seed: 7, Title: "Kite"},
	} {
		assert.NotEqual(t, want, encode(other), "%+v", other)
	}
}

func TestHints(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]hints{
		"":                                    {},
		"catch the season of suns":            {hour: day},
		"a red kite over a salt flat at dawn": {hour: dawn, ground: plain, subject: kite},
		"Cats, in the CITY; at Night":         {hour: night, ground: city, subject: cat},
		"海上的船，黄昏":                             {hour: dusk, ground: sea, subject: boat},
		"snowy house":                         {ground: plain, subject: house, snow: true},
	} {
		got := readHints(prompt)
		if prompt == "a red kite over a salt flat at dawn" {
			require.NotNil(t, got.accent)
			assert.Equal(t, uint8(222), got.accent.R)
		}
		got.accent = nil
		assert.Equal(t, want, got, prompt)
	}
}

func TestEditIsDerivedFromItsSource(t *testing.T) {
	t.Parallel()
	green, blue := solid(300, 100, color.NRGBA{20, 200, 40, 255}), solid(40, 40, color.NRGBA{0, 0, 255, 255})
	img, err := Picture(t.Context(), PictureSpec{Prompt: "make it night", Title: "x", Width: 256, Height: 256, Sources: []image.Image{green, blue}})
	require.NoError(t, err)
	var sum [3]float64
	for i := 0; i < len(img.Pix); i += 4 {
		for k := range sum {
			sum[k] += float64(img.Pix[i+k])
		}
	}
	assert.Greater(t, sum[1], 1.3*sum[0], "the source's green does not show")
	assert.Greater(t, sum[1], 1.3*sum[2])
	assert.Equal(t, color.RGBA{0, 0, 255, 255}, img.RGBAAt(256-8-25, 8+25), "the second source is inset")
	assert.NotZero(t, difference(t, img, solid(256, 256, color.NRGBA{20, 200, 40, 255})))
}

func TestCoverKeepsTheMiddle(t *testing.T) {
	t.Parallel()
	assert.Equal(t, image.Rect(25, 0, 75, 50), coverRect(image.Rect(0, 0, 100, 50), 10, 10))
	assert.Equal(t, image.Rect(5, 30, 55, 80), coverRect(image.Rect(5, 5, 55, 105), 10, 10))
	assert.Equal(t, image.Rect(0, 0, 1, 1), coverRect(image.Rect(0, 0, 1, 1), 480, 270))
	half := image.NewNRGBA(image.Rect(0, 0, 4, 4)) // what lets light through gets white behind it
	dst := image.NewRGBA(image.Rect(0, 0, 8, 8))
	cover(dst, half)
	assert.Equal(t, color.RGBA{255, 255, 255, 255}, dst.RGBAAt(3, 3))
}

func TestPictureRefuses(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{0, 10}, {10, -1}, {maxPicturePixels, 2}, {math.MaxInt, math.MaxInt}} {
		_, err := Picture(t.Context(), PictureSpec{Width: size[0], Height: size[1]})
		assert.ErrorIs(t, err, errSpec, "%v", size)
	}
	for n := range 3 {
		_, err := Picture(&endsAfter{Context: t.Context(), n: n}, PictureSpec{Width: 8, Height: 8})
		assert.ErrorIs(t, err, context.Canceled)
	}
}

func TestTitleIsWrittenAndFits(t *testing.T) {
	t.Parallel()
	face, err := boldFace(20)
	require.NoError(t, err)
	assert.Equal(t, []string{"two words"}, face.wrap(" two\n\twords\u200d ", 500, 3))
	lines := face.wrap("many words that do not fit on one line of this width, nor on two of them", 200, 2)
	require.Len(t, lines, 2)
	assert.Equal(t, '…', []rune(lines[1])[len([]rune(lines[1]))-1])
	for _, l := range append(lines, face.wrap("onelongwordwithoutanyspacesinit一二三四五六七八九十", 100, 3)...) {
		assert.LessOrEqual(t, face.width(l), 200.0)
	}
	assert.Empty(t, face.wrap(" \x00\u200b", 100, 3))
	assert.Len(t, face.wrap("abc", 0.1, 3), 3, "a line has one character at least")

	c := newCanvas(800, 400)
	require.NoError(t, caption(c, nil, "Title", "", 0.7))
	white := 0
	for i := 0; i < len(c.img.Pix); i += 4 {
		if c.img.Pix[i] > 200 {
			white++
		}
	}
	assert.Greater(t, white, 300, "no title to be seen")
}

// TestMissingGlyphsAreShownAsCodes checks that characters without a glyph
// leave different marks, not one and the same box.
func TestMissingGlyphsAreShownAsCodes(t *testing.T) {
	t.Parallel()
	face, err := boldFace(40)
	require.NoError(t, err)
	seen := map[string]rune{}
	for _, r := range []rune{'雪', '山', '🚀', '🚁', 'é', 'Я'} {
		c := newCanvas(80, 60)
		end := face.draw(c, 5, 45, string(r), color.NRGBA{255, 255, 255, 255})
		assert.Greater(t, end, 15.0)
		key := string(c.img.Pix)
		assert.Empty(t, seen[key], "%c looks like %c", r, seen[key])
		seen[key] = r
		assert.Equal(t, r == 'é' || r == 'Я', face.has(r), "%c", r)
	}
}

func BenchmarkPicture1024(b *testing.B) {
	for b.Loop() {
		img, err := Picture(b.Context(), PictureSpec{Prompt: "a city at night", Label: "famL", Width: 1024, Height: 1024})
		if err != nil {
			b.Fatal(err)
		}
		if _, err = PNG(img); err != nil {
			b.Fatal(err)
		}
	}
}
