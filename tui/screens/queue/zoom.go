package queue

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/gallery"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/widgets"
)

// zoom shows one result on the whole screen: a result of the job under the cursor, which it moves.
type zoom struct {
	gallery.Zoom
	*kit
	list    *listing
	film    *film
	seeking bool // looking on for a result in pages that are being read
	pages   int  // how many were read for it
}

const maxSeek = 10 // pages

func newZoom(l *listing, f *film, p *preview.Loader) *zoom {
	return &zoom{Zoom: gallery.NewZoom(p, "queue.zoom", album{&l.jobs}), kit: l.kit, list: l, film: f}
}

// close closes it, if it is open.
func (z *zoom) close() {
	if z.Close() {
		z.seeking = false
	}
}

// hide gives up what nobody waits for any more.
func (z *zoom) hide() {
	z.seeking = false
	z.Hide()
}

// follow switches to the job that is under the cursor now.
func (z *zoom) follow() {
	if z.At().ID != z.list.current {
		z.Show(gallery.Place{ID: z.list.current})
	}
}

// goTo shows a result of any job of the list.
func (z *zoom) goTo(to gallery.Place) {
	switch {
	case to.ID == z.list.current:
		z.Show(to)
	case z.list.seek(to.ID):
		z.list.settle()
		z.follow()
		z.SetFile(to.File)
	}
}

// step shows the next result, or the one before: first of the job, then of the jobs that the filter
// selects.
func (z *zoom) step(by int) tea.Cmd {
	to, ok := z.Step(by, z.list.table.Cursor())
	switch {
	case ok:
		z.goTo(to)
		return nil
	case by < 0:
		return screen.Toast(screen.Info, "this is the newest result")
	case !z.list.jobs.more():
		return screen.Toast(screen.Info, "this is the last result")
	}
	z.seeking, z.pages = true, 0 // the screen reads on
	return nil
}

// waits reports whether it is still looking for a result in the next page.
func (z *zoom) waits() bool { return z.seeking && z.list.jobs.more() && !z.list.jobs.loading }

// seekOn looks for the next result in a page that has just come.
func (z *zoom) seekOn() tea.Cmd {
	if !z.seeking || z.list.jobs.loading {
		return nil
	}
	pages := z.pages + 1
	z.seeking = false
	cmd := z.step(1)
	if z.pages = pages; z.seeking && pages >= maxSeek {
		z.seeking = false
		return screen.Toast(screen.Info, fmt.Sprintf("no further result among the next %d jobs", maxSeek*pageSize))
	}
	return cmd
}

// pan moves over a large picture, or goes to the result beside a small one.
func (z *zoom) pan(dx, dy int) tea.Cmd {
	if !z.Pan(dx, dy) && dx != 0 {
		return z.step(dx)
	}
	return nil
}

// flip switches to the other result: of two marked jobs, else the one that was looked at before.
func (z *zoom) flip() {
	to, _ := z.other()
	if two := z.list.jobs.pair(); two != nil && !z.On() {
		z.goTo(gallery.Place{ID: two[1]})
		to = gallery.Place{ID: two[0]}
	}
	z.Flip()
	z.goTo(to)
}

// other is what a flip shows, or why there is nothing.
func (z *zoom) other() (to gallery.Place, off string) {
	if two := z.list.jobs.pair(); two != nil && !z.On() {
		return gallery.Place{ID: two[0]}, ""
	}
	to, ok := z.Other()
	switch {
	case !ok:
		return to, "to flip, mark two jobs with results or look at two in turn"
	case len(z.list.job().Results()) == 0:
		return to, "this job has no result on the disk to flip with"
	}
	return to, ""
}

// plays reports whether the result is a video that plays, or pauses.
func (z *zoom) plays() bool {
	media, ok := z.Media()
	return ok && z.On() && z.film.Of(media.Path)
}

// stage is where a video plays on the whole screen.
func (z *zoom) stage() (s stage) {
	all := z.list.job().Results()
	s.w, s.h = z.FilmRoom()
	n := z.At().File
	if n < len(all) {
		s.path = all[n].Path
	}
	switch {
	case n >= len(all) || all[n].Kind != client.AssetVideo:
		s.off = "this is not a video; " + z.keys.Keys(actNext) + " goes to the next result"
	case s.h <= 0:
		s.off = "there is no room for the video"
	default:
		s.off = z.film.needsColours(z.kit)
	}
	return s
}

// view is the whole screen.
func (z *zoom) view() string {
	j := z.list.job()
	c := gallery.Caption{Title: z.title(j)}
	if j != nil {
		c.Card = func(w, h int) []string { return z.list.cards.card(j, w, h) }
	}
	if z.plays() {
		c.Film = z.film.Lines()
	}
	to, off := z.other()
	if c.Why = off; off == "" {
		c.Other = z.nameOf(to)
	}
	return z.View(c)
}

// titleLeast is the room that what is looked at keeps in the title.
const titleLeast = 20

// title says what is looked at, how closely, and where it stands among the others.
func (z *zoom) title(j *jobs.Job) string {
	w := z.screen
	if j == nil {
		return widgets.Line("", w)
	}
	right, text := z.list.countText()+" ", z.ScaleText()
	if z.plays() {
		text = z.film.Text()
	}
	if z.seeking {
		right = "reading … · " + right
	}
	// Where there is little room, the place among the others is worth more than how closely it shows.
	if text != "" && (z.plays() || widgets.Width(text+right) <= w-titleLeast) {
		right = text + " · " + right
	}
	right = z.ink.Muted.Text(widgets.Truncate(right, max(0, w-titleLeast)))
	head := " "
	if z.list.jobs.marked[j.ID] {
		head += z.ink.Marked.Text(gallery.MarkSign) + " "
	}
	if look := z.ink.Sign(j.State); rejected(j) {
		head += z.ink.Muted.Text(rejectSign+" "+rejectWord) + " "
	} else if j.State != jobs.Completed {
		head += look.Ink.Text(look.Text) + " "
	}
	if j.Starred() {
		head += z.ink.Warn.Text(starSign) + " "
	}
	room := max(0, w-widgets.Width(right)-1)
	prompt, about := promptOf(j, 2*w), " · "+z.aboutOf(z.At())
	if left := room - widgets.Width(head) - widgets.Width(about); left >= promptFrom {
		prompt = widgets.Truncate(prompt, left)
	}
	if text := gallery.Plays(z.Info()); text != "" && !z.plays() {
		about += " · " + text
	}
	head += z.ink.Accent.Text(prompt) + z.ink.Muted.Text(about)
	return widgets.Line(widgets.Spread(widgets.Truncate(head, room), right, w), w)
}

// promptFrom is the least room for a prompt, in cells: with less of it, it alone stands there.
const promptFrom = 16

// nameOf is a result as people know it: by its prompt.
func (z *zoom) nameOf(p gallery.Place) string {
	if prompt := promptOf(z.list.jobs.Get(p.ID), z.screen); prompt != "" {
		return widgets.Truncate(prompt, max(promptFrom, z.screen/2)) + " · " + z.aboutOf(p)
	}
	return z.aboutOf(p)
}

// aboutOf is who made a result, and which one of several it is.
func (z *zoom) aboutOf(p gallery.Place) string {
	j := z.list.jobs.Get(p.ID)
	if j == nil {
		return shortID(p.ID)
	}
	text := modelText(j)
	if n := len(j.Results()); p.File < n && n > 1 {
		text += fmt.Sprintf(" · result %d of %d", p.File+1, n)
	}
	return text
}

func promptOf(j *jobs.Job, n int) string {
	if j == nil {
		return ""
	}
	return inks.OneLine(j.Draft.Prompt, n)
}
