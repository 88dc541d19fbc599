package gallery

import (
	"image"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/preview"
)

func TestShapes(t *testing.T) {
	t.Parallel()
	seen := map[shape]bool{}
	g := NewGrid(nil, "")
	g.SetSize(200, 60)
	usual := g.shape()
	for g.CanResize(-1) {
		g.Resize(-1)
		seen[g.shape()] = true
	}
	assert.LessOrEqual(t, g.shape().cols*g.shape().rows, maxCells)
	for g.CanResize(1) {
		g.Resize(1)
		seen[g.shape()] = true
	}
	assert.Greater(t, len(seen), 4)
	assert.Greater(t, g.shape().w, 2*usual.w)
	for w := range 220 {
		for h := range 70 {
			s := shapeFor(w, h, usualCell)
			require.Positive(t, s.w*s.pict*s.cols*s.rows, "%dx%d", w, h)
			require.LessOrEqual(t, s.cols*s.rows, maxCells, "%dx%d", w, h)
			require.True(t, w < 8 || s.cols*(s.w+cellGutter)+barRoom <= w, "%dx%d: %+v", w, h, s)
		}
	}
}

func TestCellsAreBlocksWherePixelsWouldBeTooMany(t *testing.T) {
	s := shapeFor(400, 100, usualCell)
	sixel := preview.Mode{Surface: preview.Surface{Cell: image.Pt(10, 20), Exact: true}}
	assert.Equal(t, sixel, cellMode(sixel, s))
	sixel.Surface.Cell = image.Pt(20, 40)
	assert.Equal(t, preview.Mode{}, cellMode(sixel, s))
	sixel.Surface.Exact = false
	assert.Equal(t, sixel, cellMode(sixel, s), "what scales is given fewer pixels")
}

func TestAVideoIsSmallerWhereAllOfItCosts(t *testing.T) {
	cell := image.Pt(9, 18)
	for _, c := range []struct {
		w, h, wantW, wantH int
		s                  preview.Surface
	}{
		{200, 57, 167, 47, preview.Surface{}},
		{118, 31, 118, 31, preview.Surface{}},
		{200, 57, 200, 57, preview.Surface{Cell: cell}},
		{200, 57, 117, 33, preview.Surface{Cell: cell, Exact: true}},
		{80, 23, 80, 23, preview.Surface{Cell: cell, Exact: true}},
	} {
		w, h := filmRoom(c.w, c.h, c.s)
		assert.Equal(t, [2]int{c.wantW, c.wantH}, [2]int{w, h})
	}
}
