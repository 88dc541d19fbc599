package gallery

import (
	"image"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/preview"
)

// Place is a file of something that an [Album] has.
type Place struct {
	ID   string
	File int
}

// Album is what can be looked through, in an order.
type Album interface {
	Len() int
	ID(i int) string
	Media(id string) []Media // none for what has nothing to look at, or is not there
}

// Zoom shows one file on the whole screen. Make it with [NewZoom], and give it styles and a
// size. It is told by [Zoom.Show] what the cursor is on, whether it is open or not.
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
	flipping bool  // the other one is kept at hand, and named
}

// NewZoom is closed. Slot tells its pictures apart from those of others that the loader works
// for.
func NewZoom(l *preview.Loader, slot string, a Album) Zoom {
	return Zoom{loader: l, slot: slot, album: a}
}

// SetStyles says how it is drawn.
func (z *Zoom) SetStyles(st *themes.Styles) { z.st, z.ink = st, newInks(st) }

// SetSize is that of the screen.
func (z *Zoom) SetSize(w, h int) { z.w, z.h = w, h }

// On reports whether it is open.
func (z *Zoom) On() bool { return z.on }

// At is what is looked at.
func (z *Zoom) At() Place { return z.at }

// Media is the file that is looked at; false where there is none.
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

// Close ends it; false when it was not open.
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

// Show is told what the cursor is on now. What was looked at before can be flipped to, where
// there was something.
func (z *Zoom) Show(to Place) {
	if len(z.album.Media(z.at.ID)) > 0 {
		z.before = z.at
	}
	z.at = to
	z.forget()
}

// SetFile goes to another file of the same, without a way back.
func (z *Zoom) SetFile(n int) {
	z.at.File = n
	z.forget()
}

// Step is the next file (1) or the one before (-1), of the same and then of the album, whose
// cursor is at a place; false at the end. From then on it is looked at as a whole.
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

// Other is what can be flipped to: what was looked at before; false for nothing.
func (z *Zoom) Other() (Place, bool) {
	b := z.before
	return b, b != z.at && b.File < len(z.album.Media(b.ID))
}

// Flip opens it, if it is not, to change places with another file. It keeps the place and how
// closely it is looked at.
func (z *Zoom) Flip() {
	if !z.on {
		z.Whole()
	}
	z.on, z.flipping = true, true
}

// Load asks for what shows, when that is another picture than the last; and for the one
// to flip to, so that it is there at once.
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
	} else { // the part of the same file that shows stays until the next one is there
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

// request is for a file in all of the room.
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

// Take takes over the picture that shows; others are none of its own.
func (z *Zoom) Take(msg preview.ReadyMsg) {
	if msg.Key == z.wanted {
		z.got, z.have = msg, true
	}
}

// Loaded reports whether what is wanted is there.
func (z *Zoom) Loaded() bool { return z.have }

// room is that for the picture: all but the line about it, and while two are flipped the one
// about the other.
func (z *Zoom) room() (w, h int) {
	h = z.h - 1
	if z.flipping {
		h--
	}
	return z.w, max(0, h)
}

// box is the room in pixels of the picture at its own size.
func (z *Zoom) box() image.Point {
	if z.loader == nil {
		return image.Point{}
	}
	w, h := z.room()
	return z.loader.Mode(z.st).Box(w, h)
}

// Size is that of the picture in pixels, a zero one while it is not known.
func (z *Zoom) Size() image.Point { return z.got.Size }

// Part is how closely it is looked at, and where.
func (z *Zoom) Part() preview.Part { return z.part }

// Scale is how large the picture shows, in percent of its own size, and that at which it
// fits; 0 while its size is not known.
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

// steps are those of zooming, in percent.
func steps() []int { return []int{12, 25, 50, 100, 200, 400, 800} }

// Closer goes to the next larger (1) or smaller (-1) step. The least is the size that fits, or
// that of the picture itself where that is smaller.
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

// Whole shows it as large as fits.
func (z *Zoom) Whole() { z.part = preview.Part{Whole: true} }

// to shows the picture at a size in percent, around the point in the middle; 0 is as large as
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

// Actual shows a pixel as a pixel, or where it does that as large as fits.
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
