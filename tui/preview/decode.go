package preview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"time"

	"golang.org/x/image/webp"

	"darkroom/client/mediainfo"
)

// Limits bound what is read of a picture.
type Limits struct {
	Bytes int64 // of the file
	// Pixels are width times height. Decoding may take sixteen bytes for each, and go over all of
	// them twenty times.
	Pixels int64
	// large has room for one token: of the pictures that take more than half of these bytes, copies
	// of the limits decode one at a time. If it is nil, nobody waits.
	large chan struct{}
}

// decodeTime bounds how long one picture is read, and how long it is decoded. Those within the
// limits take some seconds at most; this is for the unforeseen.
const decodeTime = 30 * time.Second

// maxPixels is for what is decoded here, and for a video's pictures.
const maxPixels = 40_000_000

// DefaultLimits are 64 MB and 40 million pixels.
func DefaultLimits() Limits {
	return Limits{Bytes: 64 << 20, Pixels: maxPixels, large: make(chan struct{}, 1)}
}

// ErrTooLarge is wrapped by errors about pictures beyond the limits, ErrNoPicture by
// those about what is not PNG, JPEG, GIF or WebP.
var (
	ErrTooLarge  = errors.New("picture is too large")
	ErrNoPicture = errors.New("not a picture that can be shown")
)

// Decode reads a PNG, JPEG, GIF (its first picture) or WebP. The size, and the work that the
// file makes, are taken from it and checked before any pixel is decoded. It ends with the
// context.
func Decode(ctx context.Context, r io.Reader, lim Limits) (image.Image, error) {
	data, err := lim.read(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	c := codecFor(data)
	if c.decode == nil {
		return nil, fmt.Errorf("preview: %w", ErrNoPicture)
	}
	img, err := c.picture(ctx, data, lim)
	if err != nil {
		return nil, fmt.Errorf("preview: %s: %w", c.name, err)
	}
	return img, nil
}

// timed bounds a context by decodeTime; the cause says what took too long.
func timed(ctx context.Context, what string) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, decodeTime, fmt.Errorf("%s it takes longer than %s", what, decodeTime))
}

// read reads a whole file, if that is within the limits.
func (l Limits) read(ctx context.Context, r io.Reader) ([]byte, error) {
	ctx, stop := timed(ctx, "reading")
	defer stop()
	data, err := io.ReadAll(io.LimitReader(&reader{ctx, r, math.MaxInt}, l.Bytes+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > l.Bytes {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, l.Bytes)
	}
	return data, nil
}

// picture decodes a file whose size is within the limits. Waiting for other pictures does not count
// as its time.
func (c codec) picture(ctx context.Context, data []byte, lim Limits) (image.Image, error) {
	w, err := c.judge(data, lim)
	if err != nil {
		return nil, err
	}
	done, err := lim.turn(ctx, w)
	if err != nil {
		return nil, err
	}
	defer done()
	ctx, stop := timed(ctx, "decoding")
	defer stop()
	img, err := c.decode(&reader{ctx, bytes.NewReader(data), atOnce})
	if ctx.Err() != nil { // others' decoders make a text of it
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	return orientation(mediainfo.Orientation(data)).turned(img), nil
}

// judge returns what it costs to decode a picture, or why that is beyond the limits, without
// decoding a pixel.
func (c codec) judge(data []byte, lim Limits) (w work, err error) {
	cfg, err := mediainfo.PictureConfig(c.name, bytes.NewReader(data))
	if err != nil {
		return w, err
	}
	if err := lim.check(cfg); err != nil {
		return w, err
	}
	if c.work != nil {
		w = c.work(data, cfg)
	}
	if orientation(mediainfo.Orientation(data)) != upright {
		w.bytes *= 2
	}
	return w, lim.checkWork(w, cfg)
}

func (l Limits) check(cfg image.Config) error {
	if cfg.Width <= 0 || cfg.Height <= 0 {
		return fmt.Errorf("%w: it has no size", ErrNoPicture)
	}
	if int64(cfg.Width)*int64(cfg.Height) > l.Pixels {
		return fmt.Errorf("%w: %d x %d, at most %d pixels", ErrTooLarge, cfg.Width, cfg.Height, l.Pixels)
	}
	return nil
}

// codec is one format of pictures. It is chosen here by the first bytes, not by what happens to be
// registered with the image package.
type codec struct {
	name   string
	decode func(io.Reader) (image.Image, error)
	work   func(data []byte, cfg image.Config) work // nil where it follows from the size
}

func codecFor(head []byte) codec {
	c := codec{name: mediainfo.PictureFormat(head)}
	switch c.name {
	case "PNG":
		c.decode, c.work = png.Decode, pngWork
	case "JPEG":
		c.decode, c.work = jpeg.Decode, jpegWork
	case "GIF":
		c.decode = gif.Decode
	case "WebP":
		c.decode, c.work = webp.Decode, webpWork
	}
	return c
}
