// Package shots are the small pictures of the references in the form: of files on this machine, never
// of what is elsewhere.
package shots

import (
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/gallery"
	"darkroom/tui/preview"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/widgets"
)

// Room that a form needs for them, in cells.
const (
	leastWidth = 56
	leastHigh  = 26 // lines
	middleHigh = 34 // from which they are larger
	largeHigh  = 44
	beside     = 26 // what the labels take at most
)

// maxShots bounds how many pictures a field shows.
const maxShots = 8

// Shots are the pictures below the fields of a form. Make them with [New].
type Shots struct {
	loader   *preview.Loader // nil shows none
	pictures preview.Several
	st       *themes.Styles
	hidden   bool
	version  int // of everything that is drawn, besides which files
	strips   map[string]strip
}

// strip is what stands below a field.
type strip struct {
	paths   []string
	version int
	lines   []string
}

// size is that of a picture, and how many stand beside each other; zero for none.
type size struct{ w, h, n int }

// New returns the pictures of no form yet.
func New(l *preview.Loader, st *themes.Styles) Shots {
	return Shots{loader: l, pictures: preview.NewSeveral(l, "compose.ref:"), st: st, strips: map[string]strip{}}
}

// SetStyles says how signs are drawn.
func (s *Shots) SetStyles(st *themes.Styles) {
	s.st = st
	s.version++
}

// Hide says whether anybody sees the form.
func (s *Shots) Hide(on bool) { s.hidden = on }

// Below returns the lines below a field: as many as its pictures will take, from when a file is known
// to have one.
func (s *Shots) Below(field string) []string { return s.strips[field].lines }

// size is that of the pictures in a form of w x h cells.
func (s *Shots) size(w, h int) size {
	if s.loader == nil || w < leastWidth || h < leastHigh || !s.loader.Mode(s.st).Coloured() {
		return size{}
	}
	z := size{w: 7, h: 2} // a film's shape, 16 to 9
	switch {
	case h >= largeHigh:
		z = size{w: 14, h: 4}
	case h >= middleHigh:
		z = size{w: 11, h: 3}
	}
	z.n = min(maxShots, (w-beside+1)/(z.w+1))
	return z
}

// Follow asks for the pictures of the references in a form of w x h cells, gives up those of others,
// and reports whether what is drawn has changed.
func (s *Shots) Follow(fields []references.Field, known *references.Known, w, h int) (cmd tea.Cmd, changed bool) {
	z := s.size(w, h)
	var cmds []tea.Cmd
	seen, names := map[string]bool{}, map[string]bool{}
	for i := range fields {
		f := &fields[i]
		paths := s.paths(f, known, z)
		if len(paths) == 0 {
			continue
		}
		names[f.Name] = true
		for _, path := range paths[:min(z.n, len(paths))] {
			if s.hidden || seen[path] {
				continue
			}
			seen[path] = true
			if c := s.pictures.Load(path, preview.Request{Path: path, Width: z.w, Height: z.h, Mode: s.loader.Mode(s.st).Moving(), Low: true}); c != nil {
				cmds = append(cmds, c)
				s.version++
			}
		}
		changed = s.draw(f.Name, paths, z) || changed
	}
	for name := range s.strips {
		if !names[name] {
			delete(s.strips, name)
			changed = true
		}
	}
	s.pictures.Keep(seen)
	return tea.Batch(cmds...), changed
}

// paths are the files of a field that have a picture.
func (s *Shots) paths(f *references.Field, known *references.Known, z size) (out []string) {
	if z.n <= 0 {
		return nil
	}
	for ref := range f.All() {
		if ref = strings.TrimSpace(ref); !known.Pictured(ref) {
			continue
		}
		if path, ok := client.FilePath(ref); ok {
			out = append(out, path)
		}
	}
	return out
}

// Take takes in a picture, and reports whether it shows.
func (s *Shots) Take(msg preview.ReadyMsg) bool {
	if !s.pictures.Take(msg) {
		return false
	}
	s.version++
	return true
}

// draw draws what stands below a field, and reports whether that has changed.
func (s *Shots) draw(field string, paths []string, z size) bool {
	was, ok := s.strips[field]
	if ok && was.version == s.version && slices.Equal(was.paths, paths) && len(was.lines) == z.h {
		return false
	}
	lines := make([]string, z.h)
	shown := min(z.n, len(paths))
	for _, path := range paths[:shown] {
		got, have := s.pictures.Got(path)
		for y, l := range toTheLeft(gallery.Small(s.st, got, have, z.w, z.h)) {
			lines[y] += l + " "
		}
	}
	if more := len(paths) - shown; more > 0 {
		lines[z.h/2] += widgets.NewInk(s.st.Faint).Text("+" + strconv.Itoa(more))
	}
	s.strips[field] = strip{paths, s.version, lines}
	return !slices.Equal(was.lines, lines)
}

// toTheLeft moves a picture that is narrower than its place to the left of that.
func toTheLeft(lines []string) []string {
	blanks := 1 << 10
	for _, l := range lines {
		if n := len(l) - len(strings.TrimLeft(l, " ")); n < len(l) {
			blanks = min(blanks, n)
		}
	}
	if blanks == 0 || blanks == 1<<10 {
		return lines
	}
	out := make([]string, len(lines))
	for y, l := range lines {
		out[y] = l[min(blanks, len(l)):] + strings.Repeat(" ", min(blanks, len(l)))
	}
	return out
}
