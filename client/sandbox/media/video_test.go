package media

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"testing"
	"time"

	"github.com/Eyevinn/mp4ff/avc"
	"github.com/Eyevinn/mp4ff/mp4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func make5s(t *testing.T, spec VideoSpec) *Video {
	t.Helper()
	if spec.Width == 0 {
		spec.Width, spec.Height = 320, 180
	}
	if spec.Duration == 0 {
		spec.Duration = 5 * time.Second
	}
	v, err := MakeVideo(t.Context(), spec)
	require.NoError(t, err)
	return v
}

func decodePNG(t *testing.T, b []byte) *image.RGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(b))
	require.NoError(t, err)
	out := image.NewRGBA(img.Bounds())
	cover(out, img)
	return out
}

// TestVideoFile checks what is in the file, without decoding it.
func TestVideoFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width, height, fps, frames int
		duration                   time.Duration
	}{
		{480, 270, 0, 40, 5 * time.Second}, {136, 240, 24, 24, time.Second}, {98, 50, 10, 4, 399 * time.Millisecond}, {16, 16, 8, 1, 0},
	} {
		v := make5s(t, VideoSpec{Prompt: "boat on the sea", Width: c.width, Height: c.height, FPS: c.fps, Duration: max(c.duration, 1)})
		if c.fps == 0 {
			c.fps = 8
		}
		require.Equal(t, c.frames, v.Frames)
		require.Equal(t, c.fps, v.FPS)
		require.Equal(t, time.Duration(c.frames)*time.Second/time.Duration(c.fps), v.Duration)

		file, err := mp4.DecodeFile(bytes.NewReader(v.MP4))
		require.NoError(t, err)
		var order []string
		for _, box := range file.Children {
			order = append(order, box.Type())
		}
		require.Equal(t, []string{"ftyp", "moov", "mdat"}, order, "the index comes before the data")
		trak := file.Moov.Trak
		assert.Equal(t, uint64(c.frames)*1000, file.Moov.Mvhd.Duration)
		assert.Equal(t, uint32(c.fps)*1000, file.Moov.Mvhd.Timescale)
		assert.Equal(t, uint32(c.frames), trak.GetNrSamples())
		entry := trak.Mdia.Minf.Stbl.Stsd.AvcX
		require.NotNil(t, entry)
		assert.Equal(t, "avc1", entry.Type())
		assert.Equal(t, [2]uint16{uint16(c.width), uint16(c.height)}, [2]uint16{entry.Width, entry.Height})
		sps, err := avc.ParseSPSNALUnit(entry.AvcC.SPSnalus[0], true)
		require.NoError(t, err)
		assert.Equal(t, [2]uint{uint(c.width), uint(c.height)}, [2]uint{sps.Width, sps.Height}, "cropped size")
		assert.Equal(t, uint32(66), sps.Profile)
		checkSamples(t, v, trak, c.fps)
	}
}

// checkSamples looks at every frame: one NAL unit, of the kind that the table
// of key frames says.
func checkSamples(t *testing.T, v *Video, trak *mp4.TrakBox, fps int) {
	t.Helper()
	stbl := trak.Mdia.Minf.Stbl
	at := int(stbl.Stco.ChunkOffset[0])
	keys := map[uint32]bool{}
	for _, k := range stbl.Stss.SampleNumber {
		keys[k] = true
	}
	for i, size := range stbl.Stsz.SampleSize {
		sample := v.MP4[at : at+int(size)]
		at += int(size)
		require.Equal(t, int(size)-4, int(sample[0])<<24|int(sample[1])<<16|int(sample[2])<<8|int(sample[3]))
		want := byte(1)
		if i%(2*fps) == 0 {
			want = 5
		}
		require.Equal(t, want, sample[4]&31, "frame %d", i)
		require.Equal(t, want == 5, keys[uint32(i+1)], "frame %d", i)
	}
	require.Equal(t, len(v.MP4), at)
}

// TestVideoMovesAndIsSmall checks a film from a prompt: something moves all
// the time, most stands still, and few bytes are spent.
func TestVideoMovesAndIsSmall(t *testing.T) {
	t.Parallel()
	v := make5s(t, VideoSpec{Prompt: "a red kite over a salt flat at dawn", Label: "famI-omni", Width: 480, Height: 270})
	assert.Less(t, len(v.MP4), 200_000)
	list := frames(t, v)
	require.Len(t, list, 40)
	for i := 1; i < len(list); i++ {
		changed := 0
		for k := 0; k < len(list[i].Pix); k += 4 {
			if absDiff(list[i].Pix[k], list[i-1].Pix[k]) > 24 {
				changed++
			}
		}
		assert.Greater(t, changed, 100, "frame %d shows what frame %d showed", i, i-1)
		assert.Less(t, changed, 480*270/8, "frame %d changes too much", i)
	}
	assert.Less(t, difference(t, list[0], decodePNG(t, v.Poster)), 4.0)
	assert.Less(t, difference(t, list[39], decodePNG(t, v.LastFrame)), 4.0)
}

func absDiff(a, b uint8) int { return int(max(a, b)) - int(min(a, b)) }

func TestVideoIsTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	spec := VideoSpec{Prompt: "birds", Seed: 4, Duration: time.Second}
	want := make5s(t, spec)
	again := make5s(t, spec)
	assert.Equal(t, want, again)
	spec.Seed = 5
	assert.NotEqual(t, want.MP4, make5s(t, spec).MP4)
}

// TestVideoStartsAndEndsAtItsPictures decodes films made from pictures.
func TestVideoStartsAndEndsAtItsPictures(t *testing.T) {
	t.Parallel()
	draw := func(prompt string, w, h int) *image.RGBA {
		img, err := Picture(t.Context(), PictureSpec{Prompt: prompt, Width: w, Height: h})
		require.NoError(t, err)
		return img
	}
	first, last := draw("boat on the sea at sunset", 240, 240), draw("night city", 300, 120)
	covered := func(src image.Image) *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, 162, 90))
		cover(img, src)
		return img
	}
	for what, c := range map[string]struct {
		spec        VideoSpec
		first, last image.Image
	}{
		"from a picture":       {VideoSpec{Prompt: "a kite flies by", First: first, Label: "famI"}, first, nil},
		"from one to another":  {VideoSpec{Prompt: "x", First: first, Last: last}, first, last},
		"to a picture":         {VideoSpec{Prompt: "x", Last: last, References: []image.Image{first}}, nil, last},
		"extended":             {VideoSpec{Prompt: "x", Continue: last}, last, nil},
		"first before extends": {VideoSpec{Prompt: "x", First: first, Continue: last}, first, nil},
		"one frame":            {VideoSpec{Prompt: "x", First: first, Duration: 1}, first, nil},
		"one last frame":       {VideoSpec{Prompt: "x", Last: last, Duration: 1}, nil, last},
	} {
		c.spec.Width, c.spec.Height = 162, 90
		if c.spec.Duration == 0 {
			c.spec.Duration = 2 * time.Second
		}
		v := make5s(t, c.spec)
		list := frames(t, v)
		require.Len(t, list, v.Frames, what)
		if c.first != nil {
			assert.Less(t, difference(t, list[0], covered(c.first)), 4.0, what)
			assert.Equal(t, covered(c.first).Pix, decodePNG(t, v.Poster).Pix, "%s: frame 0 is the picture and nothing else", what)
		}
		if c.last != nil {
			assert.Less(t, difference(t, list[len(list)-1], covered(c.last)), 6.0, what)
			assert.Equal(t, covered(c.last).Pix, decodePNG(t, v.LastFrame).Pix, "%s: the last frame is the picture and nothing else", what)
		}
		if v.Frames > 1 {
			assert.Greater(t, difference(t, list[0], list[len(list)/2]), 1.0, "%s: nothing moves", what)
		}
	}
}

func TestReferencesAreInset(t *testing.T) {
	t.Parallel()
	spec := VideoSpec{Prompt: "hills by day", Duration: time.Second}
	spec.References = []image.Image{solid(50, 50, color.NRGBA{255, 0, 255, 255})}
	v := make5s(t, spec)
	assert.Equal(t, color.RGBA{255, 0, 255, 255}, decodePNG(t, v.Poster).RGBAAt(320-5-18, 5+18))
}

func TestVideoRefuses(t *testing.T) {
	t.Parallel()
	for _, spec := range []VideoSpec{
		{Width: 0, Height: 16}, {Width: 33, Height: 32}, {Width: 32, Height: 32, FPS: -1}, {Width: 32, Height: 32, FPS: 500},
		{Width: 32, Height: 32, Duration: -1}, {Width: 32, Height: 32, Duration: 1 << 62}, {Width: 20000, Height: 32},
	} {
		_, err := MakeVideo(t.Context(), spec)
		assert.ErrorIs(t, err, errSpec, "%+v", spec)
	}
	for _, n := range []int{0, 1, 5} {
		ctx := &endsAfter{Context: t.Context(), n: n}
		_, err := MakeVideo(ctx, VideoSpec{Width: 32, Height: 32, Duration: 2 * time.Second})
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, -1, ctx.n, "it went on after the end")
	}
}

func TestQualityFollowsTheBudget(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 24, nextQP(22, 1000, 1000))
	assert.Equal(t, 23, nextQP(22, 700, 1000))
	assert.Equal(t, 30, nextQP(30, 400, 1000))
	assert.Equal(t, 29, nextQP(30, 0, 1000))
	assert.Equal(t, bestQP, nextQP(bestQP, -1e6, 1000))
	assert.Equal(t, worstQP, nextQP(worstQP, 1e9, 1000))
}

func BenchmarkVideoFrame(b *testing.B) {
	for b.Loop() {
		v, err := MakeVideo(b.Context(), VideoSpec{Prompt: "a red kite over a salt flat at dawn", Width: 480, Height: 270, Duration: 5 * time.Second})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(v.MP4)), "bytes/film")
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/40, "µs/frame")
}
