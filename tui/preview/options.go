package preview

import (
	"context"
	"image"
	"io"

	"darkroom/client/mediainfo"
)

// Canvas shows pictures as pixels: the terminal, where it can. It keeps the pictures that
// are to be as large as their cells ([Surface].Exact), and of others nothing of the image.
type Canvas interface {
	// Put takes a picture that is to fill cols x rows cells, and returns its number and
	// the lines of cells that show it.
	Put(img *image.RGBA, cols, rows int) (number int, lines []string, err error)
	// Replace puts other pixels under a picture's number; its lines stay. Where a picture is
	// to be as large as its cells, this one is too.
	Replace(number int, img *image.RGBA) error
	// Drop forgets a picture.
	Drop(number int)
}

// Tool gets out of media files what this package cannot: see [FFmpeg].
type Tool interface {
	// Poster is a picture of a video.
	Poster(ctx context.Context, path string, info mediainfo.Info, lim Limits) (image.Image, error)
	// Wave is the loudness of a sound over time, as in [mediainfo.Info].
	Wave(ctx context.Context, path string, info mediainfo.Info) ([]float64, error)
	// Frames writes the pictures of a video one after the other, each of Size pixels of
	// three bytes (red, green, blue).
	Frames(ctx context.Context, path string, info mediainfo.Info, s FrameSpec, out io.Writer) error
}

// FrameSpec says which pictures of a video are wanted, from its beginning on.
type FrameSpec struct {
	Size image.Point
	// Shape is how wide they show to how high; their pixels need not be square.
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
