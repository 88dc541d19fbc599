package media

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// maxSourcePixels bounds the pixels of a picture that DecodePicture takes.
const maxSourcePixels = 40_000_000

// pictureFormat is a format that a source picture may have. They are listed
// here, and not looked up by package image, so that what else the program
// links in cannot widen what a request can reach.
type pictureFormat struct {
	name   string
	magic  string // of the file's first bytes; ? stands for any byte
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

func pictureFormats() []pictureFormat {
	return []pictureFormat{
		{"PNG", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode},
		{"JPEG", "\xff\xd8", jpeg.DecodeConfig, jpeg.Decode},
		{"GIF", "GIF8?a", gif.DecodeConfig, gif.Decode},
		{"WebP", "RIFF????WEBPVP8", webp.DecodeConfig, webp.Decode},
	}
}

func (f *pictureFormat) matches(b []byte) bool {
	if len(b) < len(f.magic) {
		return false
	}
	for i := range f.magic {
		if f.magic[i] != '?' && f.magic[i] != b[i] {
			return false
		}
	}
	return true
}

// DecodePicture decodes a PNG, JPEG, GIF (its first frame) or WebP picture. The size is checked
// before any pixel is decoded: a few bytes can claim a picture that fills the memory. A picture of
// another format or of more than maxSourcePixels gets an error that wraps errSpec.
func DecodePicture(b []byte) (image.Image, error) {
	for _, f := range pictureFormats() {
		if !f.matches(b) {
			continue
		}
		config, err := f.config(bytes.NewReader(b))
		if err != nil {
			return nil, fmt.Errorf("%s picture: %w", f.name, err)
		}
		if config.Width < 1 || config.Height < 1 || config.Width > maxSourcePixels/config.Height {
			return nil, fmt.Errorf("%w: a %s picture of %dx%d pixels is empty or too large", errSpec, f.name, config.Width, config.Height)
		}
		img, err := f.decode(bytes.NewReader(b))
		if err != nil {
			return nil, fmt.Errorf("%s picture: %w", f.name, err)
		}
		if img.Bounds().Empty() {
			return nil, fmt.Errorf("%w: an empty %s picture", errSpec, f.name)
		}
		return img, nil
	}
	return nil, fmt.Errorf("%w: not a PNG, JPEG, GIF or WebP picture", errSpec)
}
