package preview

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// Limits bound what is read of a picture.
type Limits struct {
	Bytes  int64 // of the file
	Pixels int64 // width times height
}

// DefaultLimits are 64 MB and 40 million pixels.
func DefaultLimits() Limits { return Limits{Bytes: 64 << 20, Pixels: 40_000_000} }

// ErrTooLarge is wrapped by errors about pictures beyond the limits, ErrNoPicture by
// those about what is not PNG, JPEG, GIF or WebP.
var (
	ErrTooLarge  = errors.New("picture is too large")
	ErrNoPicture = errors.New("not a picture that can be shown")
)

// Decode reads a PNG, JPEG, GIF (its first picture) or WebP. The size is taken from the
// head of the file and checked before any pixel is decoded.
func Decode(r io.Reader, lim Limits) (image.Image, error) {
	data, err := io.ReadAll(io.LimitReader(r, lim.Bytes+1))
	if err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	if int64(len(data)) > lim.Bytes {
		return nil, fmt.Errorf("preview: %w: more than %d bytes", ErrTooLarge, lim.Bytes)
	}
	c := codecFor(data)
	if c.decode == nil {
		return nil, fmt.Errorf("preview: %w", ErrNoPicture)
	}
	cfg, err := c.config(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("preview: %s: %w", c.name, err)
	}
	if err := lim.check(cfg); err != nil {
		return nil, err
	}
	img, err := c.decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("preview: %s: %w", c.name, err)
	}
	return img, nil
}

func (l Limits) check(cfg image.Config) error {
	if cfg.Width <= 0 || cfg.Height <= 0 {
		return fmt.Errorf("preview: %w: it has no size", ErrNoPicture)
	}
	if int64(cfg.Width)*int64(cfg.Height) > l.Pixels {
		return fmt.Errorf("preview: %w: %d x %d, at most %d pixels", ErrTooLarge, cfg.Width, cfg.Height, l.Pixels)
	}
	return nil
}

// codec is one format of pictures. They are chosen by the first bytes here, not by what
// happens to be registered with the image package.
type codec struct {
	name   string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

func codecFor(head []byte) codec {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return codec{"PNG", png.DecodeConfig, png.Decode}
	case bytes.HasPrefix(head, []byte{0xff, 0xd8, 0xff}):
		return codec{"JPEG", jpeg.DecodeConfig, jpeg.Decode}
	case bytes.HasPrefix(head, []byte("GIF8")):
		return codec{"GIF", gif.DecodeConfig, gif.Decode}
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return codec{"WebP", webp.DecodeConfig, webp.Decode}
	default:
		return codec{}
	}
}
