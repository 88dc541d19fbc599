package preview

import (
	"context"
	"image"
)

// Canvas shows pictures as pixels: the terminal, where it can.
type Canvas interface {
	// Put takes a picture that is to fill cols x rows cells, and returns its number and
	// the lines of cells that show it.
	Put(img *image.RGBA, cols, rows int) (number int, lines []string, err error)
	// Drop forgets a picture.
	Drop(number int)
}

// Tool gets out of media files what this package can not: see [FFmpeg].
type Tool interface {
	// Poster is a picture of a video.
	Poster(ctx context.Context, path string, info Info, lim Limits) (image.Image, error)
	// Wave is the loudness of a sound over time, as in [Info].
	Wave(ctx context.Context, path string, info Info) ([]float64, error)
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
