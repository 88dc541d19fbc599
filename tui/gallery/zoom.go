package gallery

import (
	"image"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/mediainfo"
	"darkroom/themes"
	"darkroom/tui/preview"
)

// Place is one file of an item of an [Album].
type Place struct {
	ID   string
	File int
}

// Album is what can be looked through, in order.
type Album interface {
	Len() int
	ID(i int) string
	Media(id string) []Media // none for what has nothing to look at, or is not there
}

// Zoom shows one file on the whole screen. Make it with [NewZoom], and give it styles and a size.
// [Zoom.Show] tells it what the cursor is on, whether it is open or not.
type Zoom struct {
	loader *preview.Loader // nil shows nothing
	slot   string
	album  Album
	st     *themes.Styles
	ink    inks
	w, h   int

	on   bool
	at   Place
	part preview.Part // how closely, and where

	wanted preview.Key
	got    preview.ReadyMsg
	have   bool

	before   Place // what was looked at before
	flipping bool  // the other file is kept at hand, and named
}

// NewZoom returns a closed one. slot tells its pictures from those of others that the loader works
// for.
func NewZoom(l *preview.Loader, slot string, a Album) Zoom {
	return Zoom{loader: l, slot: slot, album: a}
}

// SetStyles says how it is drawn.
func (z *Zoom) SetStyles(st *themes.Styles) { z.st, z.ink = st, newInks(st) }

// SetSize sets the size of the screen.
func (z *Zoom) SetSize(w, h int) { z.w, z.h = w, h }

// On reports whether it is open.
func (z *Zoom) On() bool { return z.on }

// At returns what is looked at.
func (z *Zoom) At() Place { return z.at }

// Media returns the file that is looked at; false if there is none.
func (z *Zoom) Media() (Media, bool) {
	all := z.album.Media(z.at.ID)
	if z.at.File >= len(all) {
		return Media{}, false
	}
	return all[z.at.File], true
}

// Open shows the first file of what the cursor is on.
func (z *Zoom) Open() {
	z.on, z.at.File, z.flipping = true, 0, false
	z.Whole()
	z.forget()
}

// Close closes it; false if it was not open.
func (z *Zoom) Close() bool {
	if !z.on {
		return false
	}
	z.on, z.flipping = false, false
	z.forget()
	if z.loader != nil {
		z.loader.Cancel(z.slot)
		z.loader.Cancel(z.otherSlot())
		z.loader.Rest()
	}
	return true
}

// Hide gives up what nobody waits for any more.
func (z *Zoom) Hide() {
	if z.loader != nil && !z.have {
		z.loader.Cancel(z.slot)
		z.wanted = preview.Key{}
	}
}

func (z *Zoom) otherSlot() string { return z.slot + ".other" }

func (z *Zoom) forget() { z.wanted, z.have, z.got = preview.Key{}, false, preview.ReadyMsg{} }

// Show says what the cursor is on now. One can flip to what was looked at before, if there was
// something.
func (z *Zoom) Show(to Place) {
	if len(z.album.Media(z.at.ID)) > 0 {
		z.before = z.at
	}
	z.at = to
	z.forget()
}

// SetFile goes to another file of the same item, without a way back.
func (z *Zoom) SetFile(n int) {
	z.at.File = n
	z.forget()
}

// Step returns the next file (1) or the one before (-1): of the same item, then of those beyond
// cursor in the album; false at the end. The picture is shown whole from then on.
func (z *Zoom) Step(by, cursor int) (Place, bool) {
	z.flipping = false
	z.Whole()
	if to := z.at.File + by; to >= 0 && to < len(z.album.Media(z.at.ID)) {
		return Place{z.at.ID, to}, true
	}
	for i := cursor + by; i >= 0 && i < z.album.Len(); i += by {
		to := Place{ID: z.album.ID(i)}
		n := len(z.album.Media(to.ID))
		if n == 0 {
			continue
		}
		if by < 0 {
			to.File = n - 1
		}
		return to, true
	}
	return Place{}, false
}

// Other returns what one can flip to, which is what was looked at before; false for nothing.
func (z *Zoom) Other() (Place, bool) {
	b := z.before
	return b, b != z.at && b.File < len(z.album.Media(b.ID))
}

// Flip prepares to change places with the other file, and opens the zoom if it is closed. How
// closely and where one looks stays.
func (z *Zoom) Flip() {
	if !z.on {
		z.Whole()
	}
	z.on, z.flipping = true, true
}

// Load asks for what is to be shown if that is another picture than the last, and for the one to
// flip to, so that it is there at once.
func (z *Zoom) Load() tea.Cmd {
	if !z.on {
		return nil
	}
	r, ok := z.request(z.at, z.slot)
	if !ok || r.Key() == z.wanted && !z.loader.Lost(r.Key()) {
		return nil
	}
	z.wanted = r.Key()
	if got, have := z.loader.Peek(r); have {
		z.got, z.have = got, true
	} else { // the part of the same file that is shown stays until the next one is there
		z.have = false
	}
	load := z.loader.Load(r)
	if to, ok := z.Other(); z.flipping && ok {
		if o, ok := z.request(to, z.otherSlot()); ok {
			return tea.Batch(load, z.loader.Load(o))
		}
	}
	return load
}

// request asks for a file in all of the room.
func (z *Zoom) request(p Place, slot string) (preview.Request, bool) {
	all := z.album.Media(p.ID)
	w, h := z.room()
	if z.loader == nil || p.File >= len(all) || w <= 0 || h <= 0 {
		return preview.Request{}, false
	}
	m := all[p.File]
	return preview.Request{
		Slot: slot, Path: m.Path, Poster: m.Poster, Spare: m.Spare, Width: w, Height: h,
		Mode: z.loader.Mode(z.st), Part: z.part,
	}, true
}

// Take takes in the picture that is wanted; it ignores others.
func (z *Zoom) Take(msg preview.ReadyMsg) {
	if msg.Key == z.wanted {
		z.got, z.have = msg, true
	}
}

// Loaded reports whether the wanted picture is there.
func (z *Zoom) Loaded() bool { return z.have }

// room returns the room for the picture: all but the line about it and, while flipping, the one
// about the other.
func (z *Zoom) room() (w, h int) {
	h = z.h - 1
	if z.flipping {
		h--
	}
	return z.w, max(0, h)
}

// box returns the room in pixels of the picture at its own size.
func (z *Zoom) box() image.Point {
	if z.loader == nil {
		return image.Point{}
	}
	w, h := z.room()
	return z.loader.Mode(z.st).Box(w, h)
}

// Size returns the size of the picture in pixels, zero while it is not known.
func (z *Zoom) Size() image.Point { return z.got.Size }

// Info is what the file says of itself, zero while that is not known.
func (z *Zoom) Info() mediainfo.Info { return z.got.Info }

// Part returns how closely the picture is looked at, and where.
func (z *Zoom) Part() preview.Part { return z.part }

// Scale returns how large the picture shows and at what size it fits, both in percent of its own
// size; 0 while that is not known.
func (z *Zoom) Scale() (now, fits int) {
	if z.got.Size.X == 0 {
		return 0, 0
	}
	fits = preview.Fits(z.got.Size, z.box())
	if z.part.Zoom > 0 {
		return z.part.Zoom, fits
	}
	return fits, fits
}

// steps returns the steps of zooming, in percent.
func steps() []int { return []int{12, 25, 50, 100, 200, 400, 800} }

// Closer goes to the next larger (1) or smaller (-1) step. The smallest is the size that fits, or
// the picture's own if that is smaller.
func (z *Zoom) Closer(by int) {
	now, fits := z.Scale()
	if by > 0 {
		if i := slices.IndexFunc(steps(), func(s int) bool { return s > now }); i >= 0 {
			z.to(steps()[i])
		}
		return
	}
	next := 0
	for _, s := range steps() {
		if s < now {
			next = s
		}
	}
	switch {
	case now > fits && next <= fits:
		z.Whole()
	case next >= min(100, fits):
		z.to(next)
	}
}

// Whole shows the picture as large as fits.
func (z *Zoom) Whole() { z.part = preview.Part{Whole: true} }

// to shows the picture at a size in percent, around the point in the middle; 0 shows it as large as
// fits.
func (z *Zoom) to(percent int) {
	if percent == 0 {
		z.Whole()
		return
	}
	if z.part.Zoom == 0 {
		z.part.X, z.part.Y = preview.Unit/2, preview.Unit/2
	}
	z.part.Zoom = percent
	z.part = z.part.Within(z.got.Size, z.box())
}

// Actual shows a pixel as a pixel or, if it does so already, the picture as large as fits.
func (z *Zoom) Actual() {
	if z.part.Zoom == 100 {
		z.Whole()
		return
	}
	z.to(100)
}

// Pan moves over a picture that is larger than the screen; false for one that is not.
func (z *Zoom) Pan(dx, dy int) bool {
	box := z.box()
	size := z.got.Size.Mul(z.part.Zoom).Div(100)
	if size.X <= box.X && size.Y <= box.Y {
		return false
	}
	const steps = 8 // for the width of the screen
	z.part.X += dx * preview.Unit * box.X / steps / max(1, size.X)
	z.part.Y += dy * preview.Unit * box.Y / steps / max(1, size.Y)
	z.part = z.part.Within(z.got.Size, box)
	return true
}
