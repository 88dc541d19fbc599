package paint

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
	kittyChunk = 4096     // bytes of base64 a sequence, as the protocol has it
	kittyPiece = 16 << 10 // bytes that are sent between two looks for a new frame

	// kittyAbort ends a picture that was sent in part.
	kittyAbort = "\x1b_Gm=0,q=2;\x1b\\"
)

// squeezer makes pixels small. Making one costs more than the pixels of a video's frame.
type squeezer struct {
	z   *zlib.Writer
	out bytes.Buffer
	row []byte
}

func newSqueezer() *squeezer {
	z, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		z = zlib.NewWriter(nil)
	}
	return &squeezer{z: z}
}

// kittyPixels are the colours of an opaque picture, 3 bytes a pixel, compressed, in base64.
func (s *squeezer) kittyPixels(img *image.RGBA) string {
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

// chunk is the next part of a picture. The first one says what it is, and that it shows
// in placeholder cells. The terminal is not to answer.
func (pic *picture) chunk(id int) string {
	head := ""
	if pic.next == 0 {
		head = fmt.Sprintf("a=T,U=1,i=%d,f=24,o=z,t=d,s=%d,v=%d,c=%d,r=%d,", id, pic.size.X, pic.size.Y, pic.cols, pic.rows)
	}
	end, more := min(pic.next+kittyChunk, len(pic.kitty)), 1
	if end == len(pic.kitty) {
		more = 0
	}
	data := pic.kitty[pic.next:end]
	pic.next = end
	return fmt.Sprintf("\x1b_G%sq=2,m=%d;%s\x1b\\", head, more, data)
}

// chunks are the next parts of a picture, of so many bytes or a little more.
func (pic *picture) chunks(id, most int) string {
	var b strings.Builder
	for {
		b.WriteString(pic.chunk(id))
		if pic.next == len(pic.kitty) || b.Len() >= most {
			return b.String()
		}
	}
}

// kittyDelete frees a picture and its data.
func kittyDelete(id int) string { return fmt.Sprintf("\x1b_Ga=d,d=I,q=2,i=%d\x1b\\", id) }

// free is what frees every picture of this console, whichever it has: kitty 0.33 and
// newer know it.
func (p *pictures) free(tmux bool) string {
	seq := fmt.Sprintf("\x1b_Ga=d,d=R,q=2,x=%d,y=%d\x1b\\", p.id(1), p.id(MaxPictures))
	if tmux {
		seq = passthrough(seq)
	}
	return seq
}

// passthrough has tmux hand a sequence on to the terminal that it runs in.
func passthrough(seq string) string {
	return "\x1bPtmux;" + strings.ReplaceAll(seq, "\x1b", "\x1b\x1b") + "\x1b\\"
}
