// Package pixels encodes pictures as terminals take them: for kitty, as sixels, and as iTerm2's
// inline images. It only makes bytes; the caller has to know what a terminal was sent.
package pixels

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"image"
	"slices"
	"strings"
)

const (
	// KittyChunk is the most bytes of data that the protocol allows in one sequence.
	KittyChunk = 4096

	// KittyAbort ends a picture that was sent in part.
	KittyAbort = "\x1b_Gm=0,q=2;\x1b\\"
)

// Squeezer compresses pixels. Making one costs more than compressing a frame of a video.
type Squeezer struct {
	z   *zlib.Writer
	out bytes.Buffer
	row []byte
}

// NewSqueezer makes one. It is for one goroutine at a time.
func NewSqueezer() *Squeezer {
	z, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		z = zlib.NewWriter(nil)
	}
	return &Squeezer{z: z}
}

// Squeeze returns the colours of an opaque picture for kitty, 3 bytes a pixel, compressed, in base64.
func (s *Squeezer) Squeeze(img *image.RGBA) string {
	s.out.Reset()
	s.z.Reset(&s.out)
	b := img.Bounds()
	s.row = slices.Grow(s.row[:0], 3*b.Dx())[:3*b.Dx()]
	for y := b.Min.Y; y < b.Max.Y; y++ {
		px := img.Pix[img.PixOffset(b.Min.X, y):]
		for x := range b.Dx() {
			copy(s.row[3*x:3*x+3], px[4*x:4*x+3])
		}
		_, _ = s.z.Write(s.row) // memory takes everything
	}
	_ = s.z.Close()
	return base64.StdEncoding.EncodeToString(s.out.Bytes())
}

// Kitty is a picture as it is sent to kitty, to be shown in placeholder cells. The terminal is told
// not to answer.
type Kitty struct {
	ID         int
	Size       image.Point
	Cols, Rows int
	Data       string // of [Squeezer.Squeeze]
}

// Chunks returns the parts of a picture from a byte of its data on, of most bytes or a little more,
// and where the next part begins. The first part describes the picture.
func (k Kitty) Chunks(from, most int) (seq string, next int) {
	var b strings.Builder
	for {
		end, more := min(from+KittyChunk, len(k.Data)), 1
		if end == len(k.Data) {
			more = 0
		}
		b.WriteString("\x1b_G")
		if from == 0 {
			fmt.Fprintf(&b, "a=T,U=1,i=%d,f=24,o=z,t=d,s=%d,v=%d,c=%d,r=%d,", k.ID, k.Size.X, k.Size.Y, k.Cols, k.Rows)
		}
		fmt.Fprintf(&b, "q=2,m=%d;%s\x1b\\", more, k.Data[from:end])
		from = end
		if more == 0 || b.Len() >= most {
			return b.String(), from
		}
	}
}

// KittyDelete returns what frees a picture and its data.
func KittyDelete(id int) string { return fmt.Sprintf("\x1b_Ga=d,d=I,q=2,i=%d\x1b\\", id) }

// KittyFree returns what frees all pictures whose ids lie between two, inclusive; kitty 0.33 and
// newer know it.
func KittyFree(from, to int) string {
	return fmt.Sprintf("\x1b_Ga=d,d=R,q=2,x=%d,y=%d\x1b\\", from, to)
}
