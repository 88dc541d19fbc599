package paint

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	"image/png"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/paint/internal/pixels"
)

// inline draws a picture of iTerm2's protocol over cells from the cursor on, each pixel of
// the screen that of the picture in its place.
func (c *canvas) inline(body string) {
	args, data, ok := strings.Cut(body, ":")
	require.True(c.t, ok)
	arg := map[string]string{}
	for _, a := range strings.Split(args, ";") {
		k, v, _ := strings.Cut(a, "=")
		arg[k] = v
	}
	require.Equal(c.t, "1", arg["inline"])
	require.Equal(c.t, "0", arg["preserveAspectRatio"])
	raw, err := base64.StdEncoding.DecodeString(data)
	require.NoError(c.t, err)
	require.Equal(c.t, arg["size"], strconv.Itoa(len(raw)))
	img, _, err := image.Decode(bytes.NewReader(raw))
	require.NoError(c.t, err)
	cols, err := strconv.Atoi(arg["width"])
	require.NoError(c.t, err)
	rows, err := strconv.Atoi(arg["height"])
	require.NoError(c.t, err)
	require.Less(c.t, c.y+rows, c.h, "it would scroll")
	w, h, b := cols*c.cell.X, rows*c.cell.Y, img.Bounds()
	for y := range h {
		for x := range w {
			c.px[image.Pt(c.x*c.cell.X+x, c.y*c.cell.Y+y)] = img.At(b.Min.X+x*b.Dx()/w, b.Min.Y+y*b.Dy()/h)
		}
	}
}

func TestITerm2IsSentAFile(t *testing.T) {
	p, s := showing(InlinePictures)
	img := tiles(2, 1, image.Pt(4, 7), 1)
	_, lines, err := p.put(img, 2, 1)
	require.NoError(t, err)
	got := string(s.paint(nil, frame{lines: strings.Split("ab"+lines[0], "\n"), width: 9, height: 3}))
	var file bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, img))
	want := "\x1b[?2026h\x1b[m\x1b[H\x1b[2J\x1b[1Hab  \x1b[1;3H" +
		fmt.Sprintf("\x1b]1337;File=inline=1;size=%d;width=2;height=1;preserveAspectRatio=0;doNotMoveCursor=1:%s\a",
			file.Len(), base64.StdEncoding.EncodeToString(file.Bytes())) + "\x1b[?2026l"
	assert.Equal(t, want, got)

	// The part that a box leaves free comes back alone, cut out of the picture.
	p2, s2 := showing(InlinePictures)
	_, lines, err = p2.put(tiles(4, 2, image.Pt(4, 7), 2), 4, 2)
	require.NoError(t, err)
	f := frame{lines: strings.Split(strings.Join(lines, "\n"), "\n"), width: 9, height: 4}
	c := newCanvas(t, 9, 4, image.Pt(4, 7))
	c.write(string(s2.paint(nil, f)))
	whole := c.px
	over := f
	over.lines = append([]string{"##" + strings.TrimPrefix(f.lines[0], lines[0])}, f.lines[1:]...)
	c.write(string(s2.paint(nil, over)))
	assert.Len(t, c.px, 4*4*7)
	out := string(s2.paint(nil, f))
	assert.Contains(t, out, ";width=4;height=1;")
	c.write(out)
	assert.Equal(t, whole, c.px)
}

// plain is a picture of one colour.
func plain(w, h int, c color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(img.Pix); i += 4 {
		copy(img.Pix[i:], []byte{c.R, c.G, c.B, 255})
	}
	return img
}

func TestAPictureMovesUnderItsCells(t *testing.T) {
	cell := image.Pt(4, 7)
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	for _, protocol := range []Protocol{SixelPictures, InlinePictures} {
		p, s := showing(protocol)
		number, lines, err := p.put(plain(3*4, 2*7, red), 3, 2)
		require.NoError(t, err)
		c := newCanvas(t, 12, 5, cell)
		f := frame{lines: strings.Split("x\n "+lines[0]+"|\n [box]"+strings.Repeat(" ", 3), "\n"), width: 12, height: 5, cursor: cursor{x: 2, y: 4, shown: true}}
		c.write(string(s.paint(nil, f)))
		require.Empty(t, s.renew(nil))
		require.NoError(t, p.replace(number, plain(3*4, 2*7, blue)))
		require.True(t, p.pending())
		out := string(s.renew(nil))
		require.False(t, p.pending())
		assert.True(t, strings.HasPrefix(out, syncBegin+"\x1b[2;2H"), "%.40q", out)
		assert.True(t, strings.HasSuffix(out, "\x1b[5;3H"+syncEnd), "the cursor is back")
		assert.NotContains(t, out, " ", "no cell is touched, or it would flicker")
		c.write(out)
		require.Len(t, c.px, 3*4*7, "a box over it keeps its cells")
		for _, v := range c.px {
			r, g, b, _ := v.RGBA()
			require.Less(t, r+g, b/10)
		}
		require.ErrorIs(t, p.replace(number, plain(3, 2, blue)), ErrNoPictures, "it would not fill its cells")
		p.drop(number)
		require.ErrorIs(t, p.replace(number, plain(3*4, 2*7, blue)), ErrNoPictures)
		require.ErrorIs(t, p.replace(0, plain(3*4, 2*7, blue)), ErrNoPictures)
	}
}

func TestAPictureThatMovesIsWholeWhateverItsSize(t *testing.T) {
	for n := pixels.KittyChunk - 300; n < 5*pixels.KittyChunk+300; n += 7 {
		pic := &picture{kitty: strings.Repeat("A", n)}
		sent := pic.whole(9)
		require.Equal(t, n, strings.Count(sent, "A"), "all of %d bytes", n)
		require.Equal(t, 1, strings.Count(sent, "m=0;"), "%d bytes", n)
	}
}

func TestKittyGetsAPictureThatMovesAtOnce(t *testing.T) {
	for _, tmux := range []bool{false, true} {
		p := newPictures(7)
		p.set(&surface{want: KittyPictures, tmux: tmux})
		s := &screen{pics: p}
		number, lines, err := p.put(noisy(300, 90), 3, 1)
		require.NoError(t, err)
		require.NoError(t, p.replace(number, noisy(200, 100)))
		require.False(t, p.pending(), "nobody sees it yet")
		f := frame{lines: strings.Split(lines[0], "\n"), width: 9, height: 2}
		s.paint(nil, f)
		piece, _ := p.piece(nil, true)
		sent := string(piece)
		require.NotEmpty(t, s.renew(nil), "kitty drew its cells before it had the picture")
		require.False(t, p.pending(), "it comes in one piece: a half of it would show")
		if tmux {
			require.Equal(t, 1, strings.Count(sent, "\x1bPtmux;"), "tmux writes something of its own between two")
			require.True(t, strings.HasPrefix(sent, "\x1bPtmux;\x1b"+syncBegin), "%.40q", sent)
			require.True(t, strings.HasSuffix(sent, "\x1b"+syncEnd+"\x1b\\"))
			continue
		}
		assert.True(t, strings.HasPrefix(sent, syncBegin+"\x1b_Ga=T,U=1,"), "%.40q", sent)
		assert.True(t, strings.HasSuffix(sent, "\x1b\\"+syncEnd))
		assert.Len(t, pixelsOf(t, sent), 3*200*100)

		require.NoError(t, p.replace(number, noisy(100, 100)))
		require.NoError(t, p.replace(number, noisy(120, 100)))
		again := sendAll(p)
		assert.Equal(t, 1, strings.Count(again, "a=T"), "of two only the newest is sent")
		assert.Contains(t, again, fmt.Sprintf("i=%d,f=24,o=z,t=d,s=120,v=100,", p.id(uint8(number))))
		assert.Empty(t, s.renew(nil), "its cells stay as they are")
		assert.Equal(t, pixels.KittyDelete(p.id(uint8(number))), p.leave())
	}
}
