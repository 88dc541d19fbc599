package preview

import (
	"context"
	"image"
	"io"

	"darkroom/client/mediainfo"
)

// Canvas shows pictures as pixels: the terminal, if it can. It keeps the images of pictures that
// must be as large as their cells ([Surface].Exact), and none of others.
type Canvas interface {
	// Put takes a picture that shall fill cols x rows cells, and returns its number and the lines
	// of cells that show it.
	Put(img *image.RGBA, cols, rows int) (number int, lines []string, err error)
	// Replace gives a picture's number other pixels; its lines stay. If pictures must be as large
	// as their cells, so must this one.
	Replace(number int, img *image.RGBA) error
	// Drop forgets a picture.
	Drop(number int)
}

// Tool gets from media files what this package cannot: see [FFmpeg].
type Tool interface {
	// Poster returns a picture of a video.
	Poster(ctx context.Context, path string, info mediainfo.Info, lim Limits) (image.Image, error)
	// Wave returns the loudness of a sound over time, as in [mediainfo.Info].
	Wave(ctx context.Context, path string, info mediainfo.Info) ([]float64, error)
	// Frames writes the pictures of a video one after another, each of Size pixels of three bytes
	// (red, green, blue).
	Frames(ctx context.Context, path string, info mediainfo.Info, s FrameSpec, out io.Writer) error
}

// FrameSpec says which pictures of a video are wanted, from its beginning on.
type FrameSpec struct {
	Size image.Point
	// Shape is the width to height at which they are shown; their pixels need not be square.
	Shape float64
	Rate  float64 // a second
	Most  int     // how many
}

// Options say how a loader works. All of them may be left out.
type Options struct {
	Workers int   // previews that are made at a time; 1
	Bytes   int64 // what is kept in memory; 8 MB
	ASCII   bool  // draw in ASCII whatever the terminal can
	// Sextants draws cells in sixths: the person says that the font has them.
	Sextants bool
	Canvas   Canvas // shows pixels, once [Loader.SetSurface] says that it can
	Disk     *Disk  // keeps pictures from one run to the next
	Tool     Tool
}
