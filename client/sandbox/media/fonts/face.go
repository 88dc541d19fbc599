package fonts

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"unicode"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// Face sets text in one font of a library. It is not safe for concurrent use.
type Face struct {
	// Bold reports whether its strokes are as thick as those of the program's own font.
	Bold bool

	library  *Library
	entry    *entry
	face     *font.Face
	shaper   *harfbuzz.Font
	em       float64
	pictures map[uint32]*Picture
}

// Glyph is a sign at its place in a line. Lengths are in ems, y goes up.
type Glyph struct {
	ID      uint32
	Rune    int     // the first character that it shows, in the text that was set
	Advance float64 // how far the line goes on
	X, Y    float64 // how far beside its place it is drawn
}

// Step is a part of an outline: a move (N = 0), a line (1), a quadratic (2) or a cubic curve (3) to
// its last point; y goes up.
type Step struct {
	N      int
	Points [3][2]float64
}

// Picture is a sign that is one: its pixels and where they go, y down from the line.
type Picture struct {
	Image         image.Image
	X, Y          float64
	Width, Height float64
}

// load reads the font of an entry, nil if it cannot be read.
func (e *entry) load() (loaded *font.Font) {
	defer func() {
		if recover() != nil {
			loaded = nil
		}
	}()
	f, loaders := open(e.path)
	if f == nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // it was read from
	if e.index >= len(loaders) {
		return nil
	}
	loaded, err := font.NewFont(loaders[e.index])
	if err != nil {
		return nil
	}
	return loaded
}

// open makes a face of an entry, nil if it cannot be read.
func (l *Library) open(e *entry) (f *Face) {
	loaded := l.font(e)
	if loaded == nil {
		return nil
	}
	defer l.rescue(e, func() { f = nil })
	face := font.NewFace(loaded)
	face.SetVariations([]font.Variation{{Tag: opentype.MustNewTag("wght"), Value: boldWeight}})
	f = &Face{Bold: e.bold, library: l, entry: e, face: face, shaper: harfbuzz.NewFont(face), em: float64(loaded.Upem()), pictures: map[uint32]*Picture{}}
	if f.em < 16 {
		return nil
	}
	return f
}

// rescue ends a panic over a font, which is not used any more.
func (l *Library) rescue(e *entry, undo func()) {
	if recover() != nil {
		l.drop(e)
		undo()
	}
}

// Has reports whether the font has a sign for a character.
func (f *Face) Has(r rune) bool { return f.entry.runes.has(r) }

// Shape sets text[from:to], which is written in one direction; the rest of the text is what
// letters are joined with. The glyphs are in the order in which they are seen, from the left. ok is
// false when the font has not all of it.
func (f *Face) Shape(text []rune, from, to int, rightToLeft bool) (glyphs []Glyph, ok bool) {
	defer f.library.rescue(f.entry, func() { glyphs, ok = nil, false })
	for at := from; at < to; {
		script, end := stretch(text, at, to)
		part, ok := f.shape(text, at, end, script, rightToLeft)
		if !ok {
			return nil, false
		}
		if rightToLeft {
			glyphs = append(part, glyphs...)
		} else {
			glyphs = append(glyphs, part...)
		}
		at = end
	}
	return glyphs, true
}

// stretch is how far text is in one script, from at on, and in which.
func stretch(text []rune, at, to int) (language.Script, int) {
	script := language.Common
	for i := at; i < to; i++ {
		switch s := language.LookupScript(text[i]); {
		case !s.Strong() || s == script:
		case script == language.Common:
			script = s
		default:
			return script, i
		}
	}
	return script, to
}

func (f *Face) shape(text []rune, from, to int, script language.Script, rightToLeft bool) ([]Glyph, bool) {
	b := harfbuzz.NewBuffer()
	b.AddRunes(text, from, to-from)
	b.Props = harfbuzz.SegmentProperties{Direction: harfbuzz.LeftToRight, Script: script, Language: tongue(text)}
	if rightToLeft {
		b.Props.Direction = harfbuzz.RightToLeft
	}
	b.Shape(f.shaper, nil)
	glyphs := make([]Glyph, 0, len(b.Info))
	for i, info := range b.Info {
		if info.Glyph == 0 {
			return nil, false
		}
		p := b.Pos[i]
		glyphs = append(glyphs, Glyph{ID: uint32(info.Glyph), Rune: min(max(info.Cluster, from), to-1),
			Advance: f.length(p.XAdvance), X: f.length(p.XOffset), Y: f.length(p.YOffset)})
	}
	return glyphs, true
}

// length is a length of the font in ems, within what one sign may have.
func (f *Face) length(units int32) float64 {
	return min(max(float64(units)/f.em, -4), 4)
}

// tongue is the language that signs shared by Chinese, Japanese and Korean are drawn for.
func tongue(text []rune) language.Language {
	tag := "zh-hans"
	for _, r := range text {
		if unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			tag = "ja"
			break
		}
		if unicode.Is(unicode.Hangul, r) {
			tag = "ko"
		}
	}
	return language.NewLanguage(tag)
}

// Outline is the outline of a sign; nil where there is nothing to be drawn.
func (f *Face) Outline(id uint32) (steps []Step) {
	defer f.library.rescue(f.entry, func() { steps = nil })
	outline, ok := f.face.GlyphDataOutline(font.GID(id))
	if !ok {
		return nil
	}
	for _, s := range outline.Segments {
		step := Step{N: int(s.Op)}
		for i, p := range s.ArgsSlice() {
			step.Points[i] = [2]float64{float64(p.X) / f.em, float64(p.Y) / f.em}
		}
		steps = append(steps, step)
	}
	return steps
}

const (
	mostPixels   = 1 << 20 // of one sign
	mostPictures = 32      // that are kept decoded
)

// Picture is the picture of a sign, nil if it is none.
func (f *Face) Picture(id uint32) (p *Picture) {
	if !f.entry.colour {
		return nil
	}
	if kept, ok := f.pictures[id]; ok {
		return kept
	}
	defer func() {
		if len(f.pictures) < mostPictures {
			f.pictures[id] = p
		}
	}()
	defer f.library.rescue(f.entry, func() { p = nil })
	if p := f.layers(id); p != nil {
		return p
	}
	data, ok := f.face.GlyphDataBitmap(font.GID(id))
	if !ok {
		return nil
	}
	img := pixels(data)
	e, ok := f.face.GlyphExtents(font.GID(id))
	if img == nil || !ok {
		return nil
	}
	p = &Picture{Image: img, X: float64(e.XBearing) / f.em, Y: -float64(e.YBearing) / f.em,
		Width: float64(e.Width) / f.em, Height: -float64(e.Height) / f.em}
	if !(p.Width > 0 && p.Width < 4 && p.Height > 0 && p.Height < 4 && p.X > -4 && p.X < 4 && p.Y > -4 && p.Y < 4) {
		return nil
	}
	return p
}

// pixels decodes a bitmap that is not too large.
func pixels(data font.GlyphBitmap) image.Image {
	config, decode := png.DecodeConfig, png.Decode
	switch data.Format {
	case font.PNG:
	case font.JPG:
		config, decode = jpeg.DecodeConfig, jpeg.Decode
	default:
		return nil
	}
	c, err := config(bytes.NewReader(data.Data))
	if err != nil || c.Width < 1 || c.Height < 1 || c.Width > mostPixels/c.Height {
		return nil
	}
	img, err := decode(bytes.NewReader(data.Data))
	if err != nil {
		return nil
	}
	return img
}
