// Package zoom shows a trial's result large, flips between two results in place, and shows two side by
// side. Two videos play in step: they begin at the same moment, and anew when the longer one is over.
// It knows files and no run.
package zoom

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/gallery"
	"darkroom/tui/preview"
)

// Media is a file to look at.
type Media struct {
	Path, Poster string
	Video        bool
}

// Model is the zoom. Make it with [New]; it belongs to one screen.
type Model struct {
	gallery.Zoom
	loader *preview.Loader
	media  func(id string) Media // zero for nothing to look at
	st     *themes.Styles
	w, h   int

	id, other string // what is looked at, and what it is compared with
	beside    bool
	halves    [2]preview.Awaited
	films     films
}

// New returns a closed one. slot tells its pictures from those of others that the loader works for.
func New(l *preview.Loader, slot string, now func() time.Time, media func(id string) Media) *Model {
	m := &Model{loader: l, media: media}
	m.Zoom = gallery.NewZoom(l, slot, album(media))
	m.films = newFilms(l, slot, now)
	return m
}

// album has what the zoom asks of one.
type album func(id string) Media

func (a album) Len() int      { return 0 }
func (a album) ID(int) string { return "" }
func (a album) Media(id string) []gallery.Media {
	m := a(id)
	if m.Path == "" && m.Poster == "" {
		return nil
	}
	return []gallery.Media{{Path: m.Path, Poster: m.Poster}}
}

// SetStyles says how it is drawn.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st = st
	m.Zoom.SetStyles(st)
}

// SetSize sets the room.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = w, h
	m.Zoom.SetSize(w, h)
}

// Open shows a result.
func (m *Model) Open(id string) {
	m.Look(id)
	m.Zoom.Open()
	m.beside = false
	m.pairUp()
}

// pairUp keeps the room that a flip needs, so that nothing moves at the first one.
func (m *Model) pairUp() {
	if m.On() && m.Other() != "" {
		m.Zoom.Flip()
	}
}

// Close closes it; false if it was not open.
func (m *Model) Close() bool {
	m.films.stop()
	m.beside = false
	return m.Zoom.Close()
}

// Look goes to another result. What was looked at before can be flipped to.
func (m *Model) Look(id string) {
	if id == m.id {
		return
	}
	if m.media(m.id).Path != "" {
		m.other = m.id
	}
	m.id = id
	m.Show(gallery.Place{ID: id})
	m.pairUp()
}

// ID is what is looked at, Other what it is compared with, "" for nothing.
func (m *Model) ID() string { return m.id }

// Other is what one flips to, "" for nothing.
func (m *Model) Other() string {
	if m.other == m.id || m.media(m.other).Path == "" {
		return ""
	}
	return m.other
}

// Flip changes places with the other result, at the same size and place, and reports whether there is
// one. A video goes on where the other one is.
func (m *Model) Flip() bool {
	other := m.Other()
	if other == "" {
		return false
	}
	m.Zoom.Flip()
	m.other, m.id = m.id, other
	m.Show(gallery.Place{ID: m.id})
	return true
}

// Beside shows both results side by side, or one again; false without another one.
func (m *Model) Beside() bool {
	if m.Other() == "" {
		return false
	}
	m.beside = !m.beside
	m.films.stop()
	return true
}

// IsBeside reports whether both show side by side.
func (m *Model) IsBeside() bool { return m.On() && m.beside && m.Other() != "" }

// Forget drops all that it knows: another run is looked at.
func (m *Model) Forget() {
	m.Close()
	m.id, m.other = "", ""
	m.Show(gallery.Place{})
	m.Show(gallery.Place{})
}

// pair are the files that play: the one looked at, and the other.
func (m *Model) pair() (ids [2]string) { return [2]string{m.id, m.Other()} }

// request asks for a picture of a result in one half of the room.
func (m *Model) request(i int) preview.Request {
	w, h := m.half()
	f := m.media(m.pair()[i])
	return preview.Request{Slot: m.slotOf(i), Path: f.Path, Poster: f.Poster, Width: w, Height: h, Mode: m.loader.Mode(m.st), Part: preview.Part{Whole: true}}
}

func (m *Model) slotOf(i int) string { return m.films.slot + []string{".left", ".right"}[i] }

// half is the room of each side; there is a line above with its name, and a blank column between.
func (m *Model) half() (w, h int) { return max(0, (m.w-1)/2), max(0, m.h-2) }

// Load asks for what is to be shown, if that is another picture than before.
func (m *Model) Load() tea.Cmd {
	switch {
	case !m.On() || m.loader == nil:
		return nil
	case m.film(m.id) != nil: // stills would take the room of moving pictures
		return m.films.fit(m.filmRequests())
	case !m.IsBeside():
		return tea.Batch(m.Zoom.Load(), m.films.fit(m.filmRequests()))
	}
	var cmds []tea.Cmd
	for i := range m.halves {
		if r := m.request(i); r.Width > 0 && r.Height > 0 {
			cmd, _ := m.halves[i].Load(m.loader, r)
			cmds = append(cmds, cmd)
		}
	}
	return tea.Batch(append(cmds, m.films.fit(m.filmRequests()))...)
}

// filmRequests are the places in which the two results play, the one looked at first; zero for what is
// no video.
func (m *Model) filmRequests() (out [2]preview.Request) {
	for i, id := range m.pair() {
		f := m.media(id)
		if !f.Video || m.loader == nil {
			continue
		}
		w, h := m.half()
		if !m.IsBeside() {
			w, h = m.FilmRoom()
		}
		if w > 0 && h > 0 {
			out[i] = preview.Request{Path: f.Path, Width: w, Height: h, Mode: m.loader.Mode(m.st)}
		}
	}
	return out
}

// OffPlay says why nothing plays here, "" when something can.
func (m *Model) OffPlay() string {
	switch r := m.filmRequests(); {
	case m.loader == nil:
		return "there are no previews here"
	case m.loader.Mode(m.st).Colors == preview.NoColor:
		return "videos play here in colours only"
	case r[0].Path == "" && r[1].Path == "":
		return "this is not a video"
	}
	return ""
}

// Play plays or pauses: both videos in step where there are two.
func (m *Model) Play() tea.Cmd { return m.films.toggle(m.filmRequests()) }

// Playing reports whether a video plays or pauses.
func (m *Model) Playing() bool { return m.films.on }

// Rest pauses while nobody looks; Wake goes on.
func (m *Model) Rest() { m.films.rest() }

// Wake goes on after Rest.
func (m *Model) Wake() tea.Cmd { return m.films.wake() }

// Film takes a message of a video that plays, and reports whether it is one, and whether there is
// something else to draw: the pixels of a terminal's picture change under cells that stay.
func (m *Model) Film(msg tea.Msg) (cmd tea.Cmd, mine, changed bool) {
	return m.films.handle(msg, m.filmRequests())
}

// Ready takes a picture; it ignores others.
func (m *Model) Ready(msg preview.ReadyMsg) {
	m.Take(msg)
	for i := range m.halves {
		m.halves[i].Take(msg)
	}
}

// Failed is why a video does not play, nil where it does; it is told once.
func (m *Model) Failed() error { return m.films.failed() }
