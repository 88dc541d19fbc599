package preview

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"runtime/debug"
)

// How often a decoder goes over a JPEG at most: over a small one, and over one with the most pixels
// allowed. Encoders make some ten scans of a progressive one; an empty scan costs few bytes of a
// file, but all of the work.
const (
	maxScans   = 100
	largeScans = 20
)

// How many bytes a pixel may take in a picture with the most pixels allowed. Four channels of 16
// bits take usualBytes. A progressive JPEG takes 15 without a coarser colour, an interlaced PNG 12:
// such a picture near the bound is decoded alone.
const (
	usualBytes = 8
	mostBytes  = 16
)

// work is what a picture costs to decode if its size alone does not tell.
type work struct {
	scans int   // over the whole picture; those above maxScans are not counted
	bytes int64 // of memory
}

func (l Limits) checkWork(w work, cfg image.Config) error {
	if most := min(maxScans, largeScans*l.Pixels/pixelsOf(cfg)); int64(w.scans) > most {
		return fmt.Errorf("%w: it has more than %d scans of %d x %d pixels", ErrTooLarge, most, cfg.Width, cfg.Height)
	}
	if most := mostBytes * l.Pixels; w.bytes > most {
		return fmt.Errorf("%w: decoding it takes %d bytes of memory, at most %d", ErrTooLarge, w.bytes, most)
	}
	return nil
}

func (l Limits) isLarge(w work) bool { return w.bytes > usualBytes*l.Pixels }

// turn waits, if a picture is large, until no other large one is being decoded; done ends its turn.
func (l Limits) turn(ctx context.Context, w work) (done func(), err error) {
	if !l.isLarge(w) || l.large == nil {
		return func() {}, nil
	}
	if !take(ctx, l.large) {
		return nil, context.Cause(ctx)
	}
	return func() {
		debug.FreeOSMemory() // else the next one's comes on top of what this one has left
		<-l.large
	}, nil
}

func pixelsOf(cfg image.Config) int64 { return int64(cfg.Width) * int64(cfg.Height) }

// pngWork returns the work of a PNG: an interlaced one is decoded in passes, each a picture of its
// own, the last half of the whole.
func pngWork(data []byte, cfg image.Config) work {
	const interlace = 28
	each := int64(4)
	if m := cfg.ColorModel; m == color.RGBA64Model || m == color.NRGBA64Model || m == color.Gray16Model {
		each = 8 // grey becomes colour where one of its shades is transparent
	}
	if len(data) > interlace && data[interlace] != 0 {
		each += each / 2
	}
	return work{bytes: each * pixelsOf(cfg)}
}

// webpWork returns the work of a WebP: the transparency of a lossy one is a picture of its own, in
// four channels that may be decoded from an index of colours.
func webpWork(_ []byte, cfg image.Config) work {
	if cfg.ColorModel == color.NYCbCrAModel {
		return work{bytes: 11 * pixelsOf(cfg)}
	}
	return work{}
}

// jpegWork returns the work of a JPEG: it walks over the markers as the decoder does, and counts
// the scans.
func jpegWork(data []byte, cfg image.Config) (w work) {
	for at := 2; ; {
		n := bytes.IndexByte(data[at:], 0xff)
		if n < 0 || at+n+4 > len(data) {
			return w
		}
		at += n
		switch marker := data[at+1]; {
		case marker == 0xff: // fills up
			at++
			continue
		case marker == 0 || marker >= 0xd0 && marker <= 0xd7: // a byte of a scan, a restart in it
			at += 2
			continue
		case marker == 0xd9: // the end
			return w
		case marker == 0xda:
			if w.scans++; w.scans > maxScans {
				return w
			}
		case marker >= 0xc0 && marker <= 0xc2 && w.bytes == 0:
			w.bytes = jpegBytes(data[at+4:], cfg, marker == 0xc2)
		}
		at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
		if at > len(data) {
			return w
		}
	}
}

// jpegBytes returns the bytes that the picture of a frame takes: one a sample, and four more a
// sample to gather a progressive one.
func jpegBytes(frame []byte, cfg image.Config, progressive bool) int64 {
	const head, component = 6, 3 // bytes
	if len(frame) < head {
		return 0
	}
	n := int(frame[5])
	if n == 0 || len(frame) < head+n*component {
		return 0
	}
	wide, high, samples := int64(1), int64(1), int64(0)
	for i := range n {
		h, v := int64(frame[head+i*component+1]>>4), int64(frame[head+i*component+1]&15)
		if n == 1 {
			h, v = 1, 1
		}
		if i == 0 {
			wide, high = max(1, h), max(1, v)
		}
		samples += 64 * h * v
	}
	units := func(size int, n int64) int64 { return (int64(size) + 8*n - 1) / (8 * n) }
	samples *= units(cfg.Width, wide) * units(cfg.Height, high)
	if progressive {
		samples *= 5
	}
	if n == 4 {
		samples += 4 * pixelsOf(cfg) // another order of its colours
	}
	return samples
}
