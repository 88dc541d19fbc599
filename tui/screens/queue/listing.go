package queue

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/kept"
	"darkroom/jobs"
	"darkroom/jobs/order"
	"darkroom/tui/gallery"
	"darkroom/tui/screen"
	"darkroom/tui/screens/queue/internal/filterbar"
	"darkroom/tui/screens/queue/internal/firstwords"
	"darkroom/tui/screens/queue/internal/thumbs"
	"darkroom/tui/screens/queue/internal/views"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// listing is the pane of the jobs: a table or a gallery of the jobs that the filter selects, with a
// shared cursor.
type listing struct {
	*kit
	*room
	jobs    history
	current string // id of the job under the cursor
	head    bool   // the cursor is on the head of a batch, of which current is the first job
	filter  filterbar.Bar
	views   views.Row
	table   jobTable
	cards   cards
	grid    gallery.Grid
	thumbs  thumbs.Rows
	sighted []*jobs.Job // kept from key to key: those whose pictures show in the list
	// stays reports that the cursor stays on its job, although nobody sees the screen and a newer job
	// has come.
	stays func() bool
}

func newListing(k *kit, r *room, d Deps) *listing {
	l := &listing{kit: k, room: r, jobs: newHistory(d), filter: filterbar.New(k.now), grid: gallery.NewGrid(d.Previews, "queue.cell:"), thumbs: thumbs.New(d.Previews)}
	l.views = views.Row{Store: d.Views, Reader: d.Jobs, Query: l.queryOf}
	l.table = newJobTable(k, &l.jobs, &l.thumbs)
	l.table.kin.Label = labelOf(d.Catalog)
	l.cards = cards{kit: k, jobs: &l.jobs, words: firstwords.New(), kin: &l.table.kin}
	l.grid.SetSource(&l.cards)
	return l
}

func (l *listing) setStyles() {
	l.filter.SetStyles(l.st)
	l.grid.SetStyles(l.st)
	l.thumbs.SetStyles(l.st)
}

// resize takes over the room there is.
func (l *listing) resize() {
	w, h := l.tableRoom(l.headLines())
	l.table.raise(l.rowLines())
	l.table.resize(w, h)
	l.reveal()
}

// rowLines is how many lines a row of the table takes.
func (l *listing) rowLines() int {
	w, h := l.tableRoom(l.headLines())
	return l.thumbs.Lines(l.w, l.h, w, h)
}

// heighten makes rows higher or lower, and reports whether that is possible; with try it only reports.
func (l *listing) heighten(by int, try bool) bool {
	before, was := l.rowLines(), l.thumbs.Chosen
	l.thumbs.Choose(before+by, l.w, l.h)
	can := l.rowLines() != before
	if try || !can {
		l.thumbs.Chosen = was
	}
	return can
}

// job is the job under the cursor, nil when there is none.
func (l *listing) job() *jobs.Job { return l.jobs.Get(l.current) }

// look is how the jobs are looked at now.
func (l *listing) look() kept.Look {
	return kept.Look{Gallery: l.gallery, Cells: l.grid.Width(), Sort: order.Text(l.jobs.sort), Rows: l.thumbs.Chosen}
}

// usualLook is the look of a person who has chosen none.
func usualLook() kept.Look { return kept.Look{Cells: gallery.UsualWidth} }

// able are the picked jobs that an action can be done to.
func (l *listing) able(a jobs.Action) []string {
	return slices.DeleteFunc(l.picked(), func(id string) bool { return offOne(a, l.jobs.Get(id)) != "" })
}

// settle makes the job under the cursor the current one.
func (l *listing) settle() {
	j := l.jobs.At(l.table.Cursor())
	l.head = l.table.under().Head
	switch {
	case j == nil:
		l.current = ""
	case j.ID != l.current:
		l.current = j.ID
		if l.jobs.guest != "" && l.jobs.guest != l.current {
			l.jobs.dismiss("")
			l.refresh()
		}
	}
}

// seek puts the cursor on a job, false for one that is not listed.
func (l *listing) seek(id string) bool {
	i, ok := l.jobs.Index(id)
	if ok {
		if l.jobs.folds.At(l.jobs.folds.Of(i, false)).Head { // it is meant, and not its batch
			l.jobs.folds.Unfold(l.jobs.At(i).Group, true)
			l.refresh()
		}
		l.head = false
		l.table.SetCursor(i)
	}
	return ok
}

// refresh has the table see the list as it is now. The cursor stays on its job, and the job
// on its line of the screen, unless the top of the list shows. On a screen that nobody
// sees the cursor on the first row stays there, on the newest job: whoever submits one
// elsewhere and comes here finds it.
func (l *listing) refresh() {
	l.jobs.folds.Off = l.gallery || l.jobs.shown.Sort.By != jobs.SortAge || l.jobs.shown.Group != ""
	l.jobs.sumUp()
	l.mixed = l.jobs.Mixed()
	top, at, line := l.table.Top(), l.table.Model.Cursor(), -1
	if l.gallery {
		line = l.grid.Line(at)
	}
	l.table.refresh()
	defer func() {
		if l.gallery {
			l.sizeGrid()
			l.grid.KeepLine(line, l.table.Cursor())
		}
	}()
	if l.hidden && at == 0 && !l.stays() {
		l.table.Model.SetCursor(0)
		l.settle()
		return
	}
	i, ok := l.jobs.Index(l.current)
	if !ok {
		return
	}
	row := l.jobs.folds.Of(i, l.head)
	l.table.Model.SetCursor(row)
	if top > 0 && row != at {
		l.table.SetTop(top + row - at)
	}
}

// reveal scrolls the gallery so that the cursor is in sight.
func (l *listing) reveal() {
	if l.gallery {
		l.sizeGrid()
		l.grid.Reveal(l.table.Cursor())
	}
}

func (l *listing) sizeGrid() { l.grid.SetSize(l.tableRoom(l.headLines())) }

// sight are the first job that shows in the list or the gallery, and how many there is
// room for.
func (l *listing) sight() (first, n int) {
	if l.gallery {
		return l.grid.Sight()
	}
	top := l.table.Top()
	last := l.jobs.folds.At(min(top+l.table.Visible(), l.jobs.folds.Len()) - 1)
	first = l.jobs.folds.At(top).From
	return first, max(l.table.Visible(), last.From+last.N-first)
}

// picked are the jobs that an action is about: the marked ones, those of the batch whose head the
// cursor is on, or else the current one.
func (l *listing) picked() []string {
	if len(l.jobs.marked) > 0 || !l.onHead() {
		return l.jobs.picked(l.current)
	}
	return l.batch()
}

// onHead reports whether keys are about a whole batch.
func (l *listing) onHead() bool { return l.head && l.focus == tablePane && !l.stays() }

// batch are the jobs of the batch under the cursor, in the order in which they were made.
func (l *listing) batch() []string {
	row := l.table.under()
	out := make([]string, 0, row.N)
	for i := row.From + row.N - 1; i >= row.From; i-- {
		if j := l.jobs.At(i); j != nil {
			out = append(out, j.ID)
		}
	}
	return out
}

// markBatch marks the jobs of a batch, or removes the marks where all have one.
func (l *listing) markBatch() {
	ids := l.batch()
	all := !slices.ContainsFunc(ids, func(id string) bool { return !l.jobs.marked[id] })
	for _, id := range ids {
		if delete(l.jobs.marked, id); !all {
			l.jobs.marked[id] = true
		}
	}
}

// fold folds the batch under the cursor, or unfolds it; false where there is none.
func (l *listing) fold(open bool) bool {
	row, j := l.table.under(), l.job()
	if j == nil || !row.Head && !row.In {
		return false
	}
	l.jobs.folds.Unfold(j.Group, open)
	l.head = true
	l.refresh()
	l.settle()
	return true
}

// foldKey does what an arrow means in a list with batches, as in a tree; false for no arrow, or where
// there is none.
func (l *listing) foldKey(name string) bool {
	row := l.table.under()
	switch name {
	case "right", "l":
		if !row.Head {
			return false
		}
		if row.Open {
			l.table.step(1)
			return true
		}
		return l.fold(true)
	case "left", "h":
		if row.Head {
			return l.fold(false)
		}
		if row.In {
			l.table.Model.SetCursor(l.jobs.folds.Of(row.From, true))
			return true
		}
	}
	return false
}

// readAround reads the page that it is time for.
func (l *listing) readAround() tea.Cmd {
	_, visible := l.sight()
	return l.jobs.readAround(l.current, l.table.Cursor(), visible)
}

// load loads the pictures and the texts in sight, or without pictures the texts alone.
func (l *listing) load(pictures bool) tea.Cmd {
	var cmd tea.Cmd
	if pictures {
		cmd = l.grid.Load()
	} else {
		l.grid.Drop()
	}
	l.thumbs.Drop()
	first, n := l.sight()
	var sight []*jobs.Job
	for i := first; i < min(l.jobs.Len(), first+n); i++ {
		sight = append(sight, l.jobs.At(i))
	}
	return tea.Batch(cmd, l.cards.words.Ask(l.jobs.from, sight))
}

// loadRows loads the pictures of the rows in sight.
func (l *listing) loadRows() tea.Cmd {
	if n := l.rowLines(); n != max(1, l.table.Tall().Lines) { // the terminal told what it can, or the settings changed
		l.resize()
	}
	l.sighted = l.sighted[:0]
	if l.table.Tall().Lines > 1 {
		top := l.table.Top()
		for n := top; n < min(l.jobs.folds.Len(), top+l.table.Visible()); n++ {
			if j := l.table.faceOf(n); j != nil {
				l.sighted = append(l.sighted, j)
			}
		}
	}
	return l.thumbs.Load(l.sighted, l.table.Tall().Lines)
}

// leave gives up what nobody sees any more.
func (l *listing) leave() {
	l.leaveGallery()
	l.thumbs.Drop()
}

func (l *listing) leaveGallery() {
	l.grid.Drop()
	l.cards.words.Again()
}

// choose puts the cursor on the job of a zone, false for other zones.
func (l *listing) choose(c zone.Click) bool {
	if id, ok := gallery.Hit(c.Zone); ok && l.gallery {
		return l.seek(id)
	}
	return l.table.Click(c)
}

func (l *listing) wheel(delta int) {
	if l.gallery {
		l.table.SetCursor(l.grid.Wheel(delta, l.table.Cursor()))
		return
	}
	l.table.Wheel(delta)
}

func (l *listing) nextAge() time.Duration {
	if l.hidden || !l.tableShows() || !l.gallery && !l.table.shows(ageColumn) {
		return 0
	}
	now := l.now()
	var soonest time.Duration
	first, n := l.sight()
	for i := first; i < min(l.jobs.Len(), first+n); i++ {
		if d := human.NextChange(now.Sub(l.jobs.At(i).CreatedAt)); soonest == 0 || d < soonest {
			soonest = d
		}
	}
	if l.scene.Flow.Until.After(now) && (soonest == 0 || soonest > time.Second) {
		soonest = time.Second
	}
	return soonest
}

// nextForecast is how long the shown times left stay true, 0 for always.
func (l *listing) nextForecast() (soonest time.Duration) {
	if l.hidden || !l.tableShows() {
		return 0
	}
	first, n := l.sight()
	for i := first; i < min(l.jobs.Len(), first+n); i++ {
		soonest = sooner(soonest, l.lasts(l.jobs.At(i)))
	}
	return soonest
}

// headLines are the lines above the table: the filter, and what is wrong.
func (l *listing) headLines() int {
	n := 1
	if l.notice() != "" || l.hints() {
		n++
	}
	if l.tabs() {
		n++
	}
	return n
}

// hints reports whether a line is kept for what may be typed: a small screen has none to spare.
func (l *listing) hints() bool { return l.filter.Typing() && l.h >= hintsFrom }

// hintsFrom is the number of lines from which there is a line of hints.
const hintsFrom = 16

// notice is what is wrong with the filter or with reading on, "" for nothing.
func (l *listing) notice() string {
	switch {
	case l.filter.Wrong() != "":
		return l.filter.Wrong()
	case l.jobs.err != nil && l.jobs.Len() > 0:
		return l.keys.Keys(actReload) + " tries again; the history cannot be read: " + client.CleanLine(l.jobs.err.Error())
	default:
		return ""
	}
}

// view is the filter and the table, or why there is no table.
func (l *listing) view() string {
	w := l.tableWidth()
	iw, _ := widgets.Inner(w, l.h)
	right := ""
	switch marks := l.jobs.marks(); {
	case marks != "":
		right = marks
	case l.jobs.awaited():
		right = "reading …"
	default:
		right = l.flowText()
	}
	footer := ""
	if l.jobs.Len() > 0 {
		footer = l.countText()
		if text := l.sortText(); text != "" {
			footer = text + " · " + footer
		}
		if text := savingText(l.jobs.saving); text != "" {
			footer = "↓ " + text + " · " + footer
		}
	}
	body := ""
	if l.tabs() {
		body = l.views.View(l.st, l.filter.Text(), iw) + "\n"
	}
	body += l.filter.View(&l.ink, l.keys.Keys(actBack), l.keys.Keys(actFilter), iw) + "\n"
	if text := l.notice(); text != "" {
		body += l.ink.Bad.Text(widgets.Line("✗ "+text, iw)) + "\n"
	} else if l.hints() {
		body += l.ink.Muted.Text(widgets.Line(widgets.Truncate("  "+l.filter.Hint(), iw), iw)) + "\n"
	}
	focus := l.focus == tablePane
	switch {
	case l.jobs.Len() > 0 && l.gallery:
		l.sizeGrid()
		body += l.grid.View(l.table.Cursor(), focus && !l.filter.Typing())
	case l.jobs.Len() > 0:
		l.table.fit()
		body += l.table.View(l.st, focus && !l.filter.Typing())
	default:
		body += l.emptyText(iw)
	}
	return widgets.BoxFooter(l.st, title(l.kit, l.room, l.heading(), tablePane), right, footer, body, w, l.h, focus)
}

// countText is the position of the cursor among the jobs.
func (l *listing) countText() string {
	more, at, n := "", l.table.Cursor(), l.jobs.Len()
	if l.jobs.next != "" || l.jobs.early {
		more = "+"
	}
	switch {
	case l.jobs.prev != "" && at == n-1:
		return "the last"
	case l.jobs.prev != "": // how many there are nobody has counted
		return human.Count(n-1-at) + " before the last"
	}
	return fmt.Sprintf("%s of %s%s", human.Count(l.table.Cursor()+1), human.Count(l.jobs.Len()), more)
}

// emptyText says why there are no jobs, and what to do about it.
func (l *listing) emptyText(w int) string {
	k := l.keys
	var lines []string
	add := func(ink widgets.Ink, text string) {
		for _, l := range widgets.WrapLines(text, w, 6) {
			lines = append(lines, ink.Text(l))
		}
	}
	lines = append(lines, "")
	switch {
	case l.jobs.err != nil:
		add(l.ink.Bad, "✗ the history cannot be read")
		add(l.ink.Text, client.Clean(l.jobs.err.Error()))
		lines = append(lines, "")
		add(l.ink.Muted, k.Keys(actReload)+" tries again")
	case l.jobs.loading || !l.jobs.loaded:
		add(l.ink.Muted, "reading the history …")
	case !l.jobs.unfiltered():
		add(l.ink.Text, "No job matches the filter.")
		add(l.ink.Muted, k.Keys(actBack)+" clears it.")
	default:
		if l.jobs.profile == "" {
			add(l.ink.Text, "Nothing submitted yet.")
		} else {
			add(l.ink.Text, "Nothing submitted yet in the profile "+client.CleanLine(l.jobs.profile)+".")
			add(l.ink.Muted, "The filter profile:"+allProfiles+" shows the jobs of every profile.")
		}
		lines = append(lines, "")
		add(l.ink.Muted, "Go to Compose ("+k.Keys(screen.GoToCompose)+"), write a prompt, and submit it with "+k.Keys(screen.SubmitDraft)+".")
	}
	return strings.Join(lines, "\n")
}
