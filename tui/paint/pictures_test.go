package paint

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/paint/internal/pixels"
)

// noisy is a picture whose pixels do not compress.
func noisy(w, h int) *image.RGBA {
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a reproducible test
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = byte(r.Uint32())
	}
	return img
}

// showing are pictures under a protocol, with a screen that paints them.
func showing(protocol Protocol) (*pictures, *screen) {
	p := newPictures(7)
	p.set(&surface{want: protocol, cell: image.Pt(4, 7)})
	return p, &screen{pics: p}
}

// sendAll is everything that is to be sent behind a frame.
// next is what is sent next, without the cells that are written again after it.
func next(p *pictures) []byte {
	b, _ := p.piece(nil, true)
	p.takeMoved()
	return b
}

func sendAll(p *pictures) string {
	var b []byte
	for p.pending() {
		b = append(b, next(p)...)
	}
	return string(b)
}

// pixelsOf are the pixels in a transmission, which must be one picture's.
func pixelsOf(t *testing.T, sent string) []byte {
	t.Helper()
	var data strings.Builder
	parts := regexp.MustCompile(`\x1b_G([^;]*);([^\x1b]*)\x1b\\`).FindAllStringSubmatch(sent, -1)
	for i, m := range parts {
		assert.LessOrEqual(t, len(m[2]), 4096)
		assert.Equal(t, i < len(parts)-1, strings.HasSuffix(m[1], "m=1"), m[1])
		data.WriteString(m[2])
	}
	packed, err := base64.StdEncoding.DecodeString(data.String())
	require.NoError(t, err)
	z, err := zlib.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	px, err := io.ReadAll(z)
	require.NoError(t, err)
	return px
}

func TestCellsOfAPictureAreText(t *testing.T) {
	p, _ := showing(KittyPictures)
	number, lines, err := p.put(noisy(30, 20), 40, 3)
	require.NoError(t, err)
	require.Len(t, lines, 3)
	for y, l := range lines {
		assert.Equal(t, 40, ansi.StringWidth(l))
		parsed := parseLine(nil, l, 80)
		require.Len(t, parsed.cells, 40)
		assert.False(t, parsed.odd)
		for x, c := range parsed.cells {
			got, ok := p.partOf(c)
			assert.True(t, ok)
			assert.Equal(t, part{uint8(number), x, y}, got)
		}
	}
	for _, foreign := range []cell{
		{text: placeholder + "\u0305\u0305\u0305", pen: pen{fg: "38;2;1;2;3"}},
		{text: placeholder, pen: pen{fg: "38;5;1"}},
		{text: placeholder + "\u0305\u0305\u0305", pen: pen{fg: "38;5;1"}}, // of another console
		{text: placeholder + "abc", pen: pen{fg: "38;5;1"}},
	} {
		_, ok := p.partOf(foreign)
		assert.False(t, ok, "%q", foreign)
	}
}

func TestKittyGetsAPictureOnceAndGivesItBack(t *testing.T) {
	p, s := showing(KittyPictures)
	img := noisy(80, 50)
	number, lines, err := p.put(img, 8, 2)
	require.NoError(t, err)
	assert.False(t, p.pending(), "nobody sees it yet")
	f := frame{lines: strings.Split("top\n"+strings.Join(lines, "\n"), "\n"), width: 30, height: 5}
	s.paint(nil, f)
	sent := sendAll(p)
	assert.True(t, strings.HasPrefix(sent, fmt.Sprintf("\x1b_Ga=T,U=1,i=%d,f=24,o=z,t=d,s=80,v=50,c=8,r=2,q=2,m=1;", p.id(uint8(number)))), "%.90q", sent)
	px := pixelsOf(t, sent)
	require.Len(t, px, 3*80*50)
	assert.Equal(t, img.Pix[4*81:4*81+3], px[3*81:3*81+3])

	f.lines = append([]string{""}, f.lines...)
	s.paint(nil, f)
	s.invalidate()
	s.paint(nil, f)
	assert.False(t, p.pending(), "it is there already")
	p.resend()
	s.invalidate()
	s.paint(nil, f)
	assert.Equal(t, sent, sendAll(p), "after a repaint that a person asked for")
	p.resend() // while it does not show

	assert.Equal(t, pixels.KittyDelete(p.id(uint8(number))), p.leave())
	assert.Empty(t, p.leave())
	s.invalidate()
	s.paint(nil, f)
	assert.Equal(t, sent, sendAll(p), "back from the editor")

	p.drop(number)
	p.drop(number)
	assert.Equal(t, pixels.KittyDelete(p.id(uint8(number))), sendAll(p))
	s.invalidate()
	s.paint(nil, f)
	assert.Empty(t, sendAll(p))
}

func TestAPictureThatWasSentInPartIsEnded(t *testing.T) {
	p, s := showing(KittyPictures)
	number, lines, err := p.put(noisy(300, 100), 3, 1)
	require.NoError(t, err)
	f := frame{lines: strings.Split(lines[0], "\n"), width: 30, height: 5}
	s.paint(nil, f)
	first := next(p)
	assert.Less(t, len(first), 20<<10, "a frame need not wait long")
	require.True(t, p.pending())
	assert.Equal(t, pixels.KittyAbort+pixels.KittyDelete(p.id(uint8(number))), p.leave())

	s.invalidate()
	s.paint(nil, f)
	next(p)
	p.resend() // what was on its way got lost
	s.invalidate()
	s.paint(nil, f)
	again := sendAll(p)
	assert.True(t, strings.HasPrefix(again, pixels.KittyAbort+"\x1b_Ga=T"), "%.50q", again)
	assert.Len(t, pixelsOf(t, strings.TrimPrefix(again, pixels.KittyAbort)), 3*300*100)

	p.resend()
	s.invalidate()
	s.paint(nil, f)
	next(p)
	p.drop(number)
	assert.Equal(t, pixels.KittyAbort+pixels.KittyDelete(p.id(uint8(number))), sendAll(p))
}

func TestPicturesAreBounded(t *testing.T) {
	p, _ := showing(KittyPictures)
	img := noisy(1, 1)
	seen := map[int]bool{}
	for range maxPictures {
		n, _, err := p.put(img, 1, 1)
		require.NoError(t, err)
		require.False(t, seen[n])
		seen[n] = true
	}
	_, _, err := p.put(img, 1, 1)
	require.ErrorIs(t, err, ErrTooManyPictures)
	p.drop(9)
	n, _, err := p.put(img, 1, 1)
	require.NoError(t, err)
	assert.Equal(t, 9, n)
	_, _, err = p.put(img, maxCells+1, 1)
	require.ErrorIs(t, err, ErrNoPictures)
	none, _ := showing(NoPictures)
	_, _, err = none.put(img, 1, 1)
	require.ErrorIs(t, err, ErrNoPictures)
}

func TestTmuxHandsOn(t *testing.T) {
	p := newPictures(7)
	p.set(&surface{want: KittyPictures, tmux: true})
	n, lines, err := p.put(noisy(2, 2), 1, 1)
	require.NoError(t, err)
	s := &screen{pics: p}
	assert.NotContains(t, string(s.paint(nil, frame{lines: strings.Split(lines[0], "\n"), width: 9, height: 2})), "tmux", "cells are text for tmux")
	sent := sendAll(p)
	assert.True(t, strings.HasPrefix(sent, "\x1bPtmux;\x1b\x1b_Ga=T"), "%q", sent)
	assert.True(t, strings.HasSuffix(sent, "\x1b\x1b\\\x1b\\"), "%q", sent)
	assert.Equal(t, passthrough(pixels.KittyDelete(p.id(uint8(n)))), p.leave())
}

func TestCellsAreWrittenAgainOnceKittyHasThePicture(t *testing.T) {
	p, s := showing(KittyPictures)
	_, lines, err := p.put(noisy(4, 4), 2, 1)
	require.NoError(t, err)
	f := frame{lines: strings.Split("ab"+lines[0]+"cd\nmore", "\n"), width: 9, height: 2}
	s.paint(nil, f)
	require.Empty(t, s.renew(nil), "it is not there yet")
	p.piece(nil, true)
	require.True(t, p.pending())
	again := string(s.renew(nil))
	assert.Equal(t, syncBegin+"\x1b[1;3H"+strings.TrimSuffix(lines[0], "\x1b[0m")+"\x1b[m"+syncEnd, again)
	require.False(t, p.pending())
	require.Empty(t, s.renew(nil))
}
