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

func TestAPictureMayTakeSoMuchMemoryToDecode(t *testing.T) {
	t.Parallel()
	lim := preview.Limits{Bytes: 1 << 20, Pixels: 64 * 64}
	sixteen := func(interlaced bool) []byte {
		var b bytes.Buffer
		img := image.NewNRGBA64(image.Rect(0, 0, 64, 64))
		img.Set(0, 0, color.NRGBA64{1, 2, 3, 4})
		require.NoError(t, png.Encode(&b, img))
		if data := b.Bytes(); interlaced {
			data[28] = 1
			binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
		}
		return b.Bytes()
	}
	clear := append([]byte("RIFF\x00\x01\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00"), 63, 0, 0, 63, 0, 0)
	for _, c := range []struct {
		name    string
		data    []byte
		refused bool
	}{
		{"all at once", jpegOf(frame(0xc0, 64, 64, 0x11, 0x11, 0x11), scans(1)), false},
		{"little by little", jpegOf(frame(0xc2, 64, 64, 0x11, 0x11, 0x11), scans(1)), true},
		{"with less colour", jpegOf(frame(0xc2, 64, 64, 0x22, 0x11, 0x11), scans(1)), false},
		{"in four colours", jpegOf(frame(0xc2, 32, 64, 0x11, 0x11, 0x11, 0x11), scans(1)), true},
		{"16 bits", sixteen(false), false},
		{"interlaced", sixteen(true), true},
		{"with transparency", clear, true},
	} {
		if err := decode(c.data, lim); c.refused {
			require.ErrorIs(t, err, preview.ErrTooLarge, c.name)
			assert.ErrorContains(t, err, "bytes of memory, at most 32768", c.name)
		} else {
			assert.NotErrorIs(t, err, preview.ErrTooLarge, c.name)
		}
	}
	large := jpegOf(frame(0xc2, 6320, 6320, 0x11, 0x11, 0x11), scans(1))
	require.ErrorIs(t, decode(large, preview.DefaultLimits()), preview.ErrTooLarge, "half a gigabyte")
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
