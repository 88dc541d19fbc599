package preview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"strings"

	"darkroom/client/mediainfo"
)

// look draws the picture that there is, and has the tool look into a file that has none. If there
// is none at all, what the file tells of itself stands for it. The tool is not asked about a
// damaged file: it would search the file for the rest to its end.
func (l *Loader) look(ctx context.Context, r Request, e *entry) error {
	if tool := l.o.Tool; e.info.Kind == mediainfo.Audio && tool != nil && len(e.info.Wave) == 0 && e.err == nil {
		if wave, err := tool.Wave(ctx, r.Path, e.info); err == nil {
			e.info.Wave = wave
		}
	}
	sights := l.sights(r, e.info)
	e.info.Cover = nil // not kept, unlike what is drawn of it
	below := caption(e.info, r)
	r.Height -= len(below)
	var wrong error
	for _, s := range sights {
		f, err := l.sight(ctx, s, r)
		switch {
		case ctx.Err() != nil:
			return err
		case err == nil && f.px != nil:
			e.size = f.size
			l.show(f, r, e)
			e.lines = append(e.lines, below...)
			return nil
		case wrong == nil:
			wrong = err
		}
	}
	if r.Path != "" && e.info.Kind != mediainfo.Picture {
		return nil // there is the card, or else what is wrong with the file
	}
	return wrong
}

// sight is a picture of what a request is about: a file, and how it is read.
type sight struct {
	file string
	read func(context.Context, string) (image.Image, error)
}

// sights returns what there is to show, the best first.
func (l *Loader) sights(r Request, info mediainfo.Info) (out []sight) {
	for _, file := range []string{r.Poster, r.Spare} {
		if file != "" {
			out = append(out, sight{file, l.decode})
		}
	}
	switch tool := l.o.Tool; {
	case info.Kind == mediainfo.Picture && r.Path != r.Poster:
		out = append(out, sight{r.Path, l.decode})
	case info.Kind == mediainfo.Video && tool != nil && info.Width > 0:
		out = append(out, sight{r.Path, func(ctx context.Context, path string) (image.Image, error) {
			return tool.Poster(ctx, path, info, l.limits)
		}})
	case len(info.Cover) > 0:
		out = append(out, sight{r.Path, func(ctx context.Context, _ string) (image.Image, error) {
			return Decode(ctx, bytes.NewReader(info.Cover), l.limits)
		}})
	}
	return out
}

// sight reads one of them. A decoder that panics on hostile bytes costs its picture, not the
// console.
func (l *Loader) sight(ctx context.Context, s sight, r Request) (f fitted, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("preview: the picture is damaged")
		}
	}()
	return l.fitted(ctx, s.file, r, s.read)
}

// The lines of a waveform below the cover of a sound, and the least height that a preview
// has with them.
const (
	captionLines = 2
	captionFrom  = 9
)

// caption returns what stands below a picture.
func caption(info mediainfo.Info, r Request) []string {
	w := min(r.Width-4, 60)
	if info.Kind != mediainfo.Audio || len(info.Wave) == 0 || r.Height < captionFrom || w < 8 {
		return nil
	}
	return append([]string{strings.Repeat(" ", r.Width)}, framed(bars(info.Wave, w, captionLines), w, r.Width, captionLines)...)
}

// show makes the lines of a picture: those of the canvas, or lines of cells.
func (l *Loader) show(f fitted, r Request, e *entry) {
	m := r.Mode.drawn()
	if m.Surface != (Surface{}) && l.o.Canvas != nil {
		if number, lines, err := l.o.Canvas.Put(f.px, f.cols, f.rows); err == nil {
			e.number, e.pixels = number, int64(len(f.px.Pix))
			e.lines = framed(lines, f.cols, r.Width, r.Height)
			return
		}
		sx, sy := subcells(m.Blocks)
		f.px = scale(f.px, f.cols*sx, f.rows*sy)
	}
	e.lines = framed(cells(f.px, m), f.cols, r.Width, r.Height)
}

func (l *Loader) decode(ctx context.Context, file string) (image.Image, error) {
	f, _, err := mediainfo.Open(file)
	if err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	defer func() { _ = f.Close() }()
	return Decode(ctx, f, l.limits)
}
