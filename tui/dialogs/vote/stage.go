package vote

import (
	"image"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/mediainfo"
	"darkroom/jobs/compare/vote/neutral"
	"darkroom/themes"
	"darkroom/tui/gallery"
	"darkroom/tui/preview"
)

// zoomMost is how often the size is doubled at most.
const zoomMost = 3

// stage shows the two sides of a pair, in rooms of one size. Neither shows before both are there, and
// two videos begin, and begin anew, together.
type stage struct {
	loader  *preview.Loader
	st      *themes.Styles
	w, h    int // of one side
	sides   [2]side
	full    bool // there is a pair
	begun   bool // its videos play, or have played
	resting bool

	zoom int         // how often doubled
	at   image.Point // the point in the middle, in units of preview.Unit
}

// side is one of them.
type side struct {
	file  neutral.File
	moves bool // it is played
	play  preview.Play
	still preview.Awaited
}

func slot(i int) string { return [2]string{"vote.a", "vote.b"}[i] }

// clear empties the stage.
func (s *stage) clear() {
	for i := range s.sides {
		x := &s.sides[i]
		x.play.Stop()
		if s.loader != nil {
			s.loader.Cancel(slot(i))
		}
		*x = side{play: preview.Play{Loader: s.loader}}
	}
	if s.loader != nil {
		s.loader.Rest()
	}
	s.full, s.begun, s.zoom = false, false, 0
	s.at = image.Pt(preview.Unit/2, preview.Unit/2)
}

// set puts a pair on the stage.
func (s *stage) set(files [2]neutral.File, st *themes.Styles) tea.Cmd {
	s.clear()
	s.st, s.full = st, true
	for i := range s.sides {
		s.sides[i].file = files[i]
	}
	return s.again()
}

// fit adapts to another size.
func (s *stage) fit(st *themes.Styles, w, h int) tea.Cmd {
	if s.w == w && s.h == h && s.st == st {
		return s.load()
	}
	s.w, s.h, s.st = w, h, st
	return s.again()
}

// request asks for a side.
func (s *stage) request(i int) preview.Request {
	x := &s.sides[i]
	r := preview.Request{Slot: slot(i), Path: x.file.Path, Width: s.w, Height: s.h, Mode: s.loader.Mode(s.st), Once: true}
	if x.moves { // two of them cost twice as much as one
		w, h := gallery.FilmRoom(2*s.w, s.h, r.Mode.Surface)
		r.Width, r.Height = max(1, w/2), h
		return r
	}
	if x.file.Kind == mediainfo.Picture {
		r.Part.Whole = true
	}
	if size := image.Pt(x.file.Width, x.file.Height); s.zoom > 0 && x.file.Kind == mediainfo.Picture {
		box := r.Mode.Box(s.w, s.h)
		r.Part = preview.Part{Zoom: preview.Fits(size, box) << s.zoom, X: s.at.X, Y: s.at.Y}.Within(size, box)
	}
	return r
}

// load asks for what is to be shown and is not there.
func (s *stage) load() tea.Cmd {
	if !s.full || s.w <= 0 || s.h <= 0 {
		return nil
	}
	var cmds []tea.Cmd
	for i := range s.sides {
		x, r := &s.sides[i], s.request(i)
		if x.moves && x.play.Err() != nil { // its card says what it is
			x.moves = false
			r = s.request(i)
		}
		switch {
		case !x.moves:
			cmd, _ := x.still.Load(s.loader, r)
			cmds = append(cmds, cmd)
		case !x.play.Active():
			cmds = append(cmds, x.play.Step(r, 0)) // its first picture, where it waits for the other one
		}
	}
	return tea.Batch(append(cmds, s.begin())...)
}

// begin plays both once both are there.
func (s *stage) begin() tea.Cmd {
	if s.begun || s.resting || !s.ready() {
		return nil
	}
	s.begun = true
	round := max(s.sides[0].play.Length(), s.sides[1].play.Length())
	var cmds []tea.Cmd
	for i := range s.sides {
		if x := &s.sides[i]; x.moves {
			x.play.Round = round
			cmds = append(cmds, x.play.Toggle(s.request(i)))
		}
	}
	return tea.Batch(cmds...)
}

// ready reports whether both sides can be looked at.
func (s *stage) ready() bool {
	return s.full && s.sides[0].ready() && s.sides[1].ready()
}

func (x *side) ready() bool {
	if x.moves {
		return x.play.Lines() != nil
	}
	return x.still.Have || x.still.Got.Lines != nil
}

// take takes what the loader has made.
func (s *stage) take(msg tea.Msg) tea.Cmd {
	if !s.full {
		return nil
	}
	var cmds []tea.Cmd
	for i := range s.sides {
		x := &s.sides[i]
		if ready, ok := msg.(preview.ReadyMsg); ok {
			if ready.Slot == slot(i) {
				x.still.Take(ready)
			}
			continue
		}
		cmd, _, _ := x.play.Handle(msg)
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// again shows both, videos from the start.
func (s *stage) again() tea.Cmd {
	if !s.full {
		return nil
	}
	for i := range s.sides {
		x := &s.sides[i]
		x.play.Stop()
		x.moves = x.file.Kind == mediainfo.Video && s.loader.Mode(s.st).Colors != preview.NoColor
	}
	s.begun = false
	return s.load()
}

// toggle pauses both, or lets both go on. Where one waits for the other to end, both begin anew: they
// would not be in step.
func (s *stage) toggle() tea.Cmd {
	playing := s.playing()
	if !playing && s.sides[0].play.Length() != s.sides[1].play.Length() {
		return s.again()
	}
	var cmds []tea.Cmd
	for i := range s.sides {
		if x := &s.sides[i]; x.moves && x.play.Playing() == playing {
			cmds = append(cmds, x.play.Toggle(s.request(i)))
		}
	}
	return tea.Batch(cmds...)
}

func (s *stage) playing() bool { return s.sides[0].play.Playing() || s.sides[1].play.Playing() }

// rest pauses while nobody looks.
func (s *stage) rest(on bool) tea.Cmd {
	s.resting = on
	var cmds []tea.Cmd
	for i := range s.sides {
		if on {
			s.sides[i].play.Rest()
		} else {
			cmds = append(cmds, s.sides[i].play.Wake())
		}
	}
	return tea.Batch(cmds...)
}

func (s *stage) offPlay() string {
	switch {
	case !s.full || s.sides[0].file.Kind != mediainfo.Video:
		return "these are not videos"
	case !s.sides[0].moves && !s.sides[1].moves:
		return "videos play here in colours and with ffmpeg only; the browser plays them"
	case !s.ready():
		return "the videos are not there yet"
	}
	return ""
}

func (s *stage) offZoom() string {
	if !s.full || s.sides[0].file.Kind != mediainfo.Picture {
		return "only pictures can be looked at more closely here; the browser shows videos so, too"
	}
	return ""
}

// closer doubles the size of both, and after the largest shows all of both again.
func (s *stage) closer() {
	if s.zoom++; s.zoom > zoomMost {
		s.zoom, s.at = 0, image.Pt(preview.Unit/2, preview.Unit/2)
	}
}

// pan moves over both.
func (s *stage) pan(dx, dy int) {
	step := preview.Unit / 4 >> s.zoom
	in := func(v int) int { return max(0, min(v, preview.Unit)) }
	s.at = image.Pt(in(s.at.X+dx*step), in(s.at.Y+dy*step))
}
