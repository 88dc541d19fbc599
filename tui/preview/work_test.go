package preview_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/preview"
)

// jpegOf puts segments between the beginning and the end of a JPEG.
func jpegOf(segments ...[]byte) []byte {
	return append(append([]byte{0xff, 0xd8}, bytes.Join(segments, nil)...), 0xff, 0xd9)
}

// segment is one of a JPEG, with its length.
func segment(marker byte, body ...byte) []byte {
	return append([]byte{0xff, marker, byte((len(body) + 2) >> 8), byte(len(body) + 2)}, body...)
}

// frame is the head of a JPEG's picture; each of the samples is how many a component has
// across and down.
func frame(marker byte, w, h int, samples ...byte) []byte {
	body := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(len(samples))}
	for i, s := range samples {
		body = append(body, byte(i+1), s, 0)
	}
	return segment(marker, body...)
}

// scans are tables, and scans of the first component that find nothing in 8 x 8 pixels.
func scans(n int) []byte {
	tables := append(segment(0xdb, make([]byte, 65)...), segment(0xc4, append([]byte{0x10, 1}, make([]byte, 16)...)...)...)
	return append(tables, bytes.Repeat(append(segment(0xda, 1, 1, 0, 1, 63, 0), 0x7f), n)...)
}

func decode(data []byte, lim preview.Limits) error {
	_, err := preview.Decode(context.Background(), bytes.NewReader(data), lim)
	return err
}

func TestAPictureOfManyScansIsRefused(t *testing.T) {
	t.Parallel()
	gray := frame(0xc2, 8, 8, 0x11)
	require.NoError(t, decode(jpegOf(gray, scans(100)), preview.DefaultLimits()))
	err := decode(jpegOf(gray, scans(101)), preview.DefaultLimits())
	require.ErrorIs(t, err, preview.ErrTooLarge)
	assert.EqualError(t, err, "preview: JPEG: picture is too large: it has more than 100 scans of 8 x 8 pixels")

	// The larger it is, the fewer.
	large := frame(0xc2, 64, 64, 0x11)
	lim := preview.Limits{Bytes: 1 << 20, Pixels: 2 * 64 * 64}
	require.NotErrorIs(t, decode(jpegOf(large, scans(40)), lim), preview.ErrTooLarge)
	require.ErrorContains(t, decode(jpegOf(large, scans(41)), lim), "more than 40 scans of 64 x 64 pixels")

	// What a scan's marker looks like in a note or behind the end is none.
	note := segment(0xe1, bytes.Repeat([]byte{0xff, 0xda, 0, 2}, 200)...)
	data := append(jpegOf(note, gray, scans(1)), scans(200)...)
	require.NoError(t, decode(data, preview.DefaultLimits()))
	// One behind bytes that fill up, or behind restarts, is one.
	for _, between := range [][]byte{{0xff, 0xff}, {0xff, 0xd3}, {0xff, 0}, {7}} {
		data := jpegOf(gray, scans(60), between, scans(41))
		require.ErrorIs(t, decode(data, preview.DefaultLimits()), preview.ErrTooLarge, "% x", between)
	}
}

// sixteen is the beginning of a PNG with 16 bits a channel.
func sixteen(t *testing.T, w, h int, interlaced bool) []byte {
	t.Helper()
	var b bytes.Buffer
	img := image.NewNRGBA64(image.Rect(0, 0, 64, 64))
	img.Set(0, 0, color.NRGBA64{1, 2, 3, 4})
	require.NoError(t, png.Encode(&b, img))
	data := b.Bytes()
	binary.BigEndian.PutUint32(data[16:], uint32(w))
	binary.BigEndian.PutUint32(data[20:], uint32(h))
	if interlaced {
		data[28] = 1
	}
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// clearWebP is the beginning of a lossy WebP with transparency.
func clearWebP(w, h int) []byte {
	data := append([]byte("RIFF\x00\x01\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00"), make([]byte, 6)...)
	binary.LittleEndian.PutUint16(data[24:], uint16(w-1))
	binary.LittleEndian.PutUint16(data[27:], uint16(h-1))
	return data
}

// TestAPictureMayTakeSoMuchMemoryToDecode: of the usual kinds each up to the bound of pixels,
// though not each of them beside another.
func TestAPictureMayTakeSoMuchMemoryToDecode(t *testing.T) {
	t.Parallel()
	const side = 6320 // 39.9 million pixels
	full := []byte{0x11, 0x11, 0x11}
	for name, c := range map[string]struct {
		data    []byte
		large   bool
		refused string
	}{
		"all at once":              {data: jpegOf(frame(0xc0, side, side, full...), scans(1))},
		"24 MP, little by little":  {data: jpegOf(frame(0xc2, 6000, 4000, full...), scans(10)), large: true},
		"little by little":         {data: jpegOf(frame(0xc2, side, side, full...), scans(10)), large: true},
		"with less colour":         {data: jpegOf(frame(0xc2, side, side, 0x22, 0x11, 0x11), scans(10))},
		"small, little by little":  {data: jpegOf(frame(0xc2, 4000, 4000, full...), scans(10))},
		"too often":                {data: jpegOf(frame(0xc2, side, side, full...), scans(21)), large: true, refused: "more than 20 scans of 6320 x 6320 pixels"},
		"four colours":             {data: jpegOf(frame(0xc0, side, side, 0x11, 0x11, 0x11, 0x11), scans(1))},
		"four, little by little":   {data: jpegOf(frame(0xc2, side, side, 0x11, 0x11, 0x11, 0x11), scans(1)), large: true, refused: "bytes of memory, at most 640000000"},
		"16 bits":                  {data: sixteen(t, side, side, false)},
		"16 bits, interlaced":      {data: sixteen(t, side, side, true), large: true},
		"transparent, with losses": {data: clearWebP(side, side), large: true},
	} {
		large, err := preview.Judge(c.data, preview.DefaultLimits())
		assert.Equal(t, c.large, large, name)
		if c.refused == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorIs(t, err, preview.ErrTooLarge, name)
		require.ErrorContains(t, err, c.refused, name)
		require.ErrorIs(t, decode(c.data, preview.DefaultLimits()), preview.ErrTooLarge, name)
	}
}

// TestLargePicturesAreDecodedOneAtATime: the others wait, as long as somebody waits for them and
// for longer than one may take to decode; what is not large does not.
func TestLargePicturesAreDecodedOneAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lim := preview.DefaultLimits()
		lim.Pixels = 8 * 8
		large := jpegOf(frame(0xc2, 8, 8, 0x11, 0x11, 0x11), scans(1))
		turn := lim.Turn()
		turn <- struct{}{}
		require.NoError(t, decode(jpegOf(frame(0xc2, 8, 8, 0x11), scans(1)), lim), "it is not large")

		ctx, stop := context.WithCancel(t.Context())
		first, second := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := preview.Decode(ctx, bytes.NewReader(large), lim)
			first <- err
		}()
		go func() { second <- decode(large, lim) }()
		<-time.After(time.Hour) // of the bubble: all others are blocked
		assert.Empty(t, first)
		assert.Empty(t, second)
		stop()
		require.ErrorIs(t, <-first, context.Canceled)
		assert.Empty(t, second)
		<-turn
		require.NoError(t, <-second)
		require.NoError(t, decode(large, lim), "the turn was given back")
		assert.Empty(t, turn)
	})
}

// gone is a reader behind whose end nobody waits any more.
type gone struct {
	io.Reader
	stop func()
}

func (g gone) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	if err != nil {
		g.stop()
	}
	return n, err
}

func TestDecodingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for _, f := range []string{"png", "jpeg", "gif"} {
		ctx, stop := context.WithCancel(context.Background())
		_, err := preview.Decode(ctx, gone{bytes.NewReader(encode(t, f, noise(300, 300))), stop}, preview.DefaultLimits())
		require.ErrorIs(t, err, context.Canceled, f)
	}
}
