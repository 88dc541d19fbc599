package media

import (
	"bytes"
	"encoding/base64"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// samples are small pictures in every format that is understood.
func samples(tb testing.TB) map[string][]byte {
	img := solid(12, 9, color.NRGBA{200, 30, 40, 255})
	asPNG, err := PNG(img)
	require.NoError(tb, err)
	var asJPEG, asGIF bytes.Buffer
	require.NoError(tb, jpeg.Encode(&asJPEG, img, nil))
	paletted := image.NewPaletted(img.Rect, palette.WebSafe)
	require.NoError(tb, gif.Encode(&asGIF, paletted, nil))
	asWebP, err := base64.StdEncoding.DecodeString("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=")
	require.NoError(tb, err)
	return map[string][]byte{"PNG": asPNG, "JPEG": asJPEG.Bytes(), "GIF": asGIF.Bytes(), "WebP": asWebP}
}

func TestDecodePicture(t *testing.T) {
	t.Parallel()
	for format, b := range samples(t) {
		img, err := DecodePicture(b)
		require.NoError(t, err, format)
		want := image.Pt(12, 9)
		if format == "WebP" {
			want = image.Pt(1, 1)
		}
		assert.Equal(t, want, img.Bounds().Size(), format)
		_, err = DecodePicture(b[:len(b)/2])
		require.Error(t, err, format)
	}
}

// claim changes the size that a PNG claims to have.
func claim(b []byte, width, height uint32) []byte {
	b = bytes.Clone(b)
	for i := range 4 {
		b[16+i], b[20+i] = byte(width>>(24-8*i)), byte(height>>(24-8*i))
	}
	sum := crc32.ChecksumIEEE(b[12:29])
	for i := range 4 {
		b[29+i] = byte(sum >> (24 - 8*i))
	}
	return b
}

func TestDecodePictureRefuses(t *testing.T) {
	t.Parallel()
	small := samples(t)["PNG"]
	for what, b := range map[string][]byte{
		"nothing": nil, "text": []byte("hello"), "SVG": []byte("<svg/>"), "BMP": []byte("BM\x00\x00"),
		"a large claim": claim(small, 60000, 60000), "a wide claim": claim(small, maxSourcePixels+1, 1), "an empty claim": claim(small, 0, 5),
	} {
		_, err := DecodePicture(b)
		require.Error(t, err, what)
	}
	_, err := DecodePicture(claim(small, 60000, 60000))
	require.ErrorIs(t, err, errSpec)
}

func FuzzDecodePicture(f *testing.F) {
	for _, b := range samples(f) {
		f.Add(b)
		f.Add(b[:len(b)*2/3])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		img, err := DecodePicture(b)
		if err != nil {
			return
		}
		size := img.Bounds().Size()
		require.LessOrEqual(t, size.X*size.Y, maxSourcePixels)
		if size.X*size.Y < 1<<16 {
			cover(image.NewRGBA(image.Rect(0, 0, 16, 16)), img)
		}
	})
}
