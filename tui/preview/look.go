package preview

import (
	"bytes"
	"context"
	"errors"
	"image"
	"strings"
)

// look draws the picture that there is, and has the tool look into what has none.
func (l *Loader) look(ctx context.Context, r Request, e *entry) (err error) {
	// A decoder that panics on hostile bytes costs its picture, not the console.
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("preview: the picture is damaged")
		}
	}()
	if tool := l.o.Tool; e.info.Kind == Audio && tool != nil && len(e.info.Wave) == 0 {
		if wave, err := tool.Wave(ctx, r.Path, e.info); err == nil {
			e.info.Wave = wave
		}
	}
	cover := e.info.cover
	e.info.cover = nil // it is not kept: what is drawn of it is
	below := caption(e.info, r)
	r.Height -= len(below)
	file, read := r.Poster, l.decode
	switch tool := l.o.Tool; {
	case file != "":
	case e.info.Kind == Picture:
		file = r.Path
	case e.info.Kind == Video && tool != nil:
		file = r.Path
		read = func(ctx context.Context, path string) (image.Image, error) {
			return tool.Poster(ctx, path, e.info, l.limits)
		}
	case len(cover) > 0:
		file = r.Path
		read = func(ctx context.Context, _ string) (image.Image, error) {
			return Decode(ctx, bytes.NewReader(cover), l.limits)
		}
	default:
		return nil
	}
	f, err := l.fitted(ctx, file, r, read)
	if file == r.Path && e.info.Kind != Picture {
		err = nil // there is the card
	}
	if err != nil || f.px == nil {
		return err
	}
	e.size = f.size
	l.show(f, r, e)
	e.lines = append(e.lines, below...)
	return nil
}

// The lines of a waveform below the cover of a sound, and the least height that a preview
// has with them.
const (
	captionLines = 2
	captionFrom  = 9
)

// caption is what stands below a picture.
func caption(info Info, r Request) []string {
	w := min(r.Width-4, 60)
	if info.Kind != Audio || len(info.Wave) == 0 || r.Height < captionFrom || w < 8 {
		return nil
	}
	return append([]string{strings.Repeat(" ", r.Width)}, framed(bars(info.Wave, w, captionLines), w, r.Width, captionLines)...)
}

// show makes the lines of a picture: of the canvas, or in cells.
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
	f, _, err := openRegular(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return Decode(ctx, f, l.limits)
}
