// Package thumbs are the small pictures of results in the rows of the list, and how high rows are for
// them.
package thumbs

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/gallery"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

// Most is how many lines a row takes at most.
const Most = 3

// Rooms in which rows have pictures.
const (
	leastWidth = 56  // cells of the table
	leastRows  = 4   // that are still in sight
	usualFrom  = 200 // columns of the screen from which there are pictures unless a person wants none
	usualHigh  = 50  // lines of it
)

// maxPixels is how many pictures in sight are shown as pixels: with more of them the loader would give
// up some for others.
const maxPixels = 60

// Width returns the cells of the picture in rows of that many lines: a film's shape, 16 to 9.
func Width(lines int) int {
	switch {
	case lines <= 1:
		return 0
	case lines == 2:
		return 7
	default:
		return 11
	}
}

// Rows are the pictures of the rows in sight. Make them with [New].
type Rows struct {
	// Chosen is how many lines a person wants rows to have; 0 leaves it to the room that there is.
	Chosen int
	// Off has no pictures, whatever was chosen.
	Off bool

	loader   *preview.Loader // nil shows none
	pictures preview.Several
	st       *themes.Styles
	lines    int // for which what follows was drawn
	blank    []string
	words    []string            // in place of a picture
	cards    map[string][]string // of files without a picture, by job: drawn once
	seen     map[string]bool     // asked about in one go
}

// New returns the pictures of no rows yet.
func New(l *preview.Loader) Rows {
	return Rows{loader: l, pictures: preview.NewSeveral(l, "queue.row:"), cards: map[string][]string{}, seen: map[string]bool{}}
}

// SetStyles says how signs are drawn.
func (r *Rows) SetStyles(st *themes.Styles) {
	r.st, r.lines = st, 0
	clear(r.cards)
}

// OffNow says why rows have no pictures here, "" where they can have some.
func (r *Rows) OffNow() string {
	switch {
	case r.loader == nil:
		return "there are no previews here"
	case r.Off:
		return "previews are off"
	case !r.loader.Mode(r.st).Coloured():
		return "pictures in rows are drawn in colours only"
	}
	return ""
}

// Lines returns how many lines a row takes on a screen, with a table of w x h cells on it.
func (r *Rows) Lines(screenW, screenH, w, h int) int {
	n := r.Chosen
	if n == 0 {
		n = usual(screenW, screenH)
	}
	if n > 1 && (r.OffNow() != "" || w < leastWidth) {
		return 1
	}
	for n > 1 && (h-1)/n < leastRows {
		n--
	}
	return n
}

// usual is how many lines a row takes as long as nobody has chosen.
func usual(w, h int) int {
	if w >= usualFrom && h >= usualHigh {
		return 2
	}
	return 1
}

// Choose has a person want that many lines. What there is without a choice is none.
func (r *Rows) Choose(lines, screenW, screenH int) {
	if r.Chosen = max(1, min(lines, Most)); r.Chosen == usual(screenW, screenH) {
		r.Chosen = 0
	}
}

// mode is how n pictures are drawn.
func (r *Rows) mode(n int) preview.Mode {
	m := r.loader.Mode(r.st).Moving()
	if n > maxPixels {
		m.Surface = preview.Surface{}
	}
	return m
}

// Load asks for the pictures of jobs, those in sight, in rows of that many lines, and gives up all
// others.
func (r *Rows) Load(sight []*jobs.Job, lines int) tea.Cmd {
	if lines <= 1 || r.loader == nil {
		r.Drop()
		return nil
	}
	clear(r.seen)
	var cmds []tea.Cmd
	mode := r.mode(len(sight))
	for _, j := range sight {
		f := j.Face()
		if f.Path == "" || r.seen[j.ID] {
			continue
		}
		r.seen[j.ID] = true
		cmd := r.pictures.Load(j.ID, preview.Request{
			Path: f.Path, Poster: f.Poster, Spare: f.Spare, Width: Width(lines), Height: lines, Mode: mode, Low: true,
		})
		if cmd != nil {
			delete(r.cards, j.ID)
			cmds = append(cmds, cmd)
		}
	}
	r.pictures.Keep(r.seen)
	if len(r.cards) > 2*len(r.seen) {
		clear(r.cards)
	}
	return tea.Batch(cmds...)
}

// Drop gives up all pictures: nobody sees them.
func (r *Rows) Drop() { r.pictures.Keep(nil) }

// Take takes in the picture of a row; it ignores others.
func (r *Rows) Take(msg preview.ReadyMsg) {
	if r.pictures.Take(msg) {
		clear(r.cards)
	}
}

// Loaded returns how many pictures there are, and how many were asked for.
func (r *Rows) Loaded() (got, wanted int) { return r.pictures.Loaded() }

// View returns what stands in the row of a job, each line exactly as wide as [Width] says: its picture,
// blanks while that is made, or a sign of what there is instead.
func (r *Rows) View(j *jobs.Job, lines int) []string {
	w := Width(lines)
	if w == 0 {
		return nil
	}
	if r.lines != lines {
		r.lines, r.blank = lines, gallery.Signed(widgets.Ink{}, "", w, lines)
		r.words = gallery.Signed(widgets.NewInk(r.st.Faint), "Aa", w, lines)
		clear(r.cards)
	}
	got, have := r.pictures.Got(j.ID)
	switch {
	case !have && j.Wordy():
		return r.words
	case !have:
		return r.blank
	case got.Lines != nil:
		return gallery.Small(r.st, got, true, w, lines)
	}
	if r.cards[j.ID] == nil {
		r.cards[j.ID] = gallery.Small(r.st, got, true, w, lines)
	}
	return r.cards[j.ID]
}

// Says is what the file of a job says of itself, "" as long as that is not known.
func (r *Rows) Says(j *jobs.Job) string {
	got, _ := r.pictures.Got(j.ID)
	var said []string
	if got.Info.Width > 0 && got.Info.Height > 0 {
		said = append(said, fmt.Sprintf("%d × %d", got.Info.Width, got.Info.Height))
	}
	if text := gallery.Plays(got.Info); text != "" {
		said = append(said, text)
	}
	return strings.Join(said, " · ")
}
