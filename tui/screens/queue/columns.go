package queue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/screens/queue/internal/brief"
	"darkroom/tui/screens/queue/internal/folds"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/screens/queue/internal/kin"
	"darkroom/tui/screens/queue/internal/thumbs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/table"
)

// column is one column of the table; its row in [columns] defines all of it.
type column struct {
	table.Column
	id   columnID
	cell func(*kit, *stands) table.Cell
	// width is the width of what the column shows of a job, for a column as wide as its widest text in
	// sight, from Min to most; nil for others.
	width       func(*kit, *stands) int
	least, most int
	// sorts is what a click on the title sorts by, as a filter names it; "" for nothing.
	sorts string
	// gone reports that the column has nothing to show; nil for never.
	gone func(*history) bool
}

type columnID string

const (
	signColumn   columnID = "sign"
	promptColumn columnID = "prompt"
	kindColumn   columnID = "kind"
	tookColumn   columnID = "took"
	modelColumn  columnID = "model"
	ageColumn    columnID = "age"
)

// columns are the columns of the table, in order. What moves while a job runs has a column of a fixed
// width, or stands at the right end of the prompt's: nothing jumps sideways.
func columns() []column {
	return []column{
		{id: signColumn, Column: table.Column{Min: signWidth, Tight: true}, cell: signCell},
		{id: promptColumn, Column: table.Column{Title: "Prompt", Min: 24, Weight: 6, End: "State", EndZone: columnZone + string(jobs.SortState)},
			sorts: "prompt", cell: promptCell},
		{id: modelColumn, Column: table.Column{Title: "Model", Min: 12, Drop: 4}, sorts: "model", least: len(folds.Several), most: 24,
			cell:  func(k *kit, s *stands) table.Cell { return table.Cell{Text: k.rowModel(s.Job)} },
			width: func(k *kit, s *stands) int { return widgets.Width(k.rowModel(s.Job)) }},
		{id: "profile", Column: table.Column{Title: "Profile", Min: 8, Drop: 5}, sorts: "profile", least: 7, most: 16,
			cell: func(k *kit, s *stands) table.Cell {
				return table.Cell{Text: client.CleanLine(s.Profile), Ink: k.ink.Muted}
			},
			width: func(_ *kit, s *stands) int { return widgets.Width(client.CleanLine(s.Profile)) },
			gone:  func(h *history) bool { return !h.Mixed() }},
		{id: kindColumn, Column: table.Column{Title: "Kind", Min: 6, Drop: 6}, sorts: "kind", cell: kindCell},
		{id: tookColumn, Column: table.Column{Title: "Took", Min: brief.TimeWidth, Right: true, Drop: 2}, sorts: "took", cell: tookCell},
		{id: ageColumn, Column: table.Column{Title: "Age", Min: 4, Right: true, Drop: 3}, sorts: sortAge,
			cell: func(k *kit, s *stands) table.Cell { return table.Cell{Text: human.Age(s.age), Ink: k.ink.Muted} }},
	}
}

// promptAt is the place of the prompt's column.
const promptAt = 1

// signWidth is the width of the signs of a job: its state, and its star.
const signWidth = 3

// signCell is the state in one cell, and the star. What is as it should be is quiet.
func signCell(k *kit, s *stands) table.Cell {
	sign := k.sign(s)
	switch {
	case s.Slow:
		sign.Ink = k.ink.Warn
	case s.State == jobs.Completed && !s.Pending && s.Failed == 0:
		sign.Ink = k.ink.Faint
	}
	c := table.Cell{Text: sign.Text, Ink: sign.Ink}
	if s.Starred() {
		c.Tail, c.TailInk = " "+starSign, k.ink.Warn
	}
	return c
}

// promptCell is the prompt with what tells it from its siblings, and at the right end how the job
// stands, unless it is done.
func promptCell(k *kit, s *stands) table.Cell {
	c := table.Cell{Text: inks.OneLine(s.Label(), 2*k.screen), TailInk: k.ink.Muted}
	if rejected(s.Job) {
		c.Ink = k.ink.Struck
	}
	if len(s.Warnings) > 0 {
		c.Text = warnSign + " " + c.Text
	}
	c.End, c.EndInk = k.words(s)
	switch {
	case k.tall && s.inBatch:
		c.Text = "  " + c.Text
		return c
	case k.tall: // the lines below have the rest
		return c
	case s.inBatch && s.differs != "" && k.room < roomyFrom: // the head of the batch has the prompt
		c.Text = "  · " + s.differs
	case s.inBatch:
		c.Text = "  " + c.Text
	}
	if s.differs != "" && (!s.inBatch || k.room >= roomyFrom) {
		c.Tail = " · " + s.differs
	}
	return c
}

func kindCell(k *kit, s *stands) table.Cell {
	return table.Cell{Text: client.CleanLine(string(s.Draft.Modality)), Ink: k.ink.Muted}
}

// tookCell is what is left of a job, or how long it took.
func tookCell(k *kit, s *stands) table.Cell {
	if s.Told {
		return table.Cell{Text: brief.Left(s.Left), Ink: k.ink.Accent}
	}
	if s.Slow {
		return table.Cell{Text: slowMark, Ink: k.ink.Warn}
	}
	if d, ended := s.Took(); ended {
		return table.Cell{Text: brief.Took(d), Ink: k.ink.Muted}
	}
	return table.Cell{}
}

// jobTable is the table of the jobs. It shares its cursor with the gallery.
type jobTable struct {
	table.Model
	*kit
	jobs    *history
	columns []column
	fits    fits
	drawn   stands // of the row that is drawn: kept, since one a row would be allocated
	cells   []table.Cell
	kin     kin.Finder
	batches map[int]batch // by their first jobs; since the list last changed
	thumbs  *thumbs.Rows
}

// fits are what the widths of the columns depend on besides the size; the zero value until rows
// were seen.
type fits struct {
	widths [maxColumns]int // of the columns that are as wide as their text
	gone   [maxColumns]bool
	sort   jobs.Sort
}

const maxColumns = 8

// first is the weight of a column that grows before the prompt does, and the rank of one that goes
// before others.
const first = 1000

func newJobTable(k *kit, h *history, pictures *thumbs.Rows) jobTable {
	t := jobTable{kit: k, jobs: h, columns: columns(), thumbs: pictures}
	t.Model = table.New(t.plain())
	return t
}

func (t *jobTable) plain() []table.Column {
	out := make([]table.Column, len(t.columns))
	for i, c := range t.columns {
		out[i] = c.Column
		s := t.jobs.query.Sort
		if c.id == promptColumn && s.By == jobs.SortState {
			out[i].End += arrow(s.Down)
		}
		if c.sorts == "" {
			continue
		}
		out[i].Zone = columnZone + c.sorts
		if s != (jobs.Sort{}) && s.By == sortNamed(c.sorts) {
			out[i].Title += arrow(s.Down)
			out[i].Drop = min(out[i].Drop, 1) // what is sorted by is wanted
		}
	}
	return out
}

// refresh has the table ask for its rows again.
func (t *jobTable) refresh() {
	t.kin.Reset()
	t.batches = map[int]batch{}
	t.SetSource(table.Func{N: t.jobs.folds.Len(), At: t.row})
}

// Cursor is the job under the cursor, of a batch the first, by its place in the list; -1 for none.
func (t *jobTable) Cursor() int {
	if row := t.Model.Cursor(); row >= 0 {
		return t.jobs.folds.At(row).From
	}
	return -1
}

// SetCursor puts the cursor on the row of a job.
func (t *jobTable) SetCursor(job int) { t.Model.SetCursor(t.jobs.folds.Of(job, false)) }

// under is the row under the cursor.
func (t *jobTable) under() folds.Row { return t.jobs.folds.At(t.Model.Cursor()) }

// step moves the cursor by rows.
func (t *jobTable) step(by int) { t.Model.SetCursor(t.Model.Cursor() + by) }

func (t *jobTable) row(n int) table.Row {
	at := t.jobs.folds.At(n)
	j := t.jobs.At(at.From)
	if j == nil {
		return table.Row{}
	}
	t.drawn, t.room = t.stands(j), t.ColumnWidth(promptAt)
	if t.drawn.inBatch = at.In; at.Head {
		return t.headRow(at)
	}
	t.drawn.differs = t.kin.Differs(t.jobs.At, at.From, t.unshown())
	row := table.Row{Marked: t.jobs.marked[j.ID], Cells: t.blank()}
	for i := range t.columns {
		if t.ColumnWidth(i) > 0 {
			row.Cells[i] = t.columns[i].cell(t.kit, &t.drawn)
		}
	}
	if t.tall {
		t.below(&row, j, t.facts(&t.drawn))
	}
	return row
}

// raise has rows take that many lines, with a picture from two on.
func (t *jobTable) raise(lines int) {
	t.tall = lines > 1
	if !t.tall {
		t.SetTall(table.Tall{})
		return
	}
	t.SetTall(table.Tall{Lines: lines, Picture: thumbs.Width(lines), From: promptAt})
}

// below puts the picture of a job into a row, and what does not fit into its first line into those
// below.
func (t *jobTable) below(row *table.Row, face *jobs.Job, facts thumbs.Facts) {
	tall, c := t.Tall(), &row.Cells[promptAt]
	if face != nil {
		row.Picture = t.thumbs.View(face, tall.Lines)
	}
	room := t.room
	if c.End != "" {
		room -= min(widgets.Width(c.End), room/2) + 2
	}
	rest := ""
	indent := len(c.Text) - len(strings.TrimLeft(c.Text, " "))
	c.Text, rest = thumbs.Split(c.Text[indent:], room-indent)
	pad := "  "[:min(indent, 2)]
	c.Text = pad + c.Text
	texts, tails := thumbs.Below(rest, facts, tall.Lines-1, t.BelowWidth()-indent)
	for y, text := range texts {
		row.Below = append(row.Below, table.Cell{Text: pad + text, Tail: tails[y], TailInk: t.ink.Muted})
	}
}

// facts are what a row of several lines says of a job besides its columns.
func (t *jobTable) facts(s *stands) (f thumbs.Facts) {
	if !t.shows(modelColumn) {
		f.All = append(f.All, t.rowModel(s.Job))
	}
	if s.differs != "" {
		f.All = append(f.All, s.differs)
	}
	f.Must = len(f.All)
	for _, tag := range s.PlainTags() {
		f.All = append(f.All, "#"+client.CleanLine(tag))
	}
	if text := t.thumbs.Says(s.Job); text != "" { // comes late, and moves nothing
		f.All = append(f.All, text)
	}
	return f
}

// faceOf is the job whose picture a row shows, nil for none: of a batch the newest one that has one.
func (t *jobTable) faceOf(n int) *jobs.Job {
	at := t.jobs.folds.At(n)
	if at.Head {
		return t.jobs.Get(t.batchOf(at).Face)
	}
	return t.jobs.At(at.From)
}

// unshown is what the columns do not show of a job's model.
func (t *jobTable) unshown() func(*jobs.Job) string {
	switch {
	case !t.shows(modelColumn) && t.tall: // the line below has it
		return nil
	case !t.shows(modelColumn):
		return modelText
	case t.screen < variantsFrom:
		return func(j *jobs.Job) string { return client.CleanLine(j.Draft.ModelName) }
	}
	return nil
}

// blank are the cells of the row that is drawn, kept from row to row as it is.
func (t *jobTable) blank() []table.Cell {
	if t.cells == nil {
		t.cells = make([]table.Cell, len(t.columns))
	}
	clear(t.cells)
	return t.cells
}

// shows reports whether there is room for a column.
func (t *jobTable) shows(id columnID) bool {
	for i := range t.columns {
		if t.columns[i].id == id {
			return t.ColumnWidth(i) > 0
		}
	}
	return false
}

// resize sets the size of the table. The size alone decides which columns there are, so that none
// comes and goes with the rows in sight; the exception is a column with nothing to show.
func (t *jobTable) resize(w, h int) {
	clear(t.batches) // a narrow screen says less of a model
	t.SetSize(w, h)
	t.apply()
}

// fit gives columns the width of their widest text that was in sight, and the rest to the prompt. They
// do not get narrower while one scrolls.
func (t *jobTable) fit() {
	f := fits{widths: t.fits.widths, sort: t.jobs.query.Sort}
	for i, c := range t.columns {
		f.widths[i], f.gone[i] = max(f.widths[i], c.least), c.gone != nil && c.gone(t.jobs)
	}
	for n := t.Top(); n < min(t.jobs.folds.Len(), t.Top()+t.Visible()); n++ {
		j := t.jobs.At(t.jobs.folds.At(n).From)
		if j == nil {
			continue
		}
		t.drawn = t.stands(j)
		for i, c := range t.columns {
			if c.width != nil {
				f.widths[i] = max(f.widths[i], c.width(t.kit, &t.drawn))
			}
		}
	}
	for i, c := range t.columns {
		f.widths[i] = min(f.widths[i], c.most)
	}
	if f != t.fits {
		t.fits = f
		t.apply()
	}
}

// apply applies the fits to the columns that the size leaves.
func (t *jobTable) apply() {
	cols := t.plain()
	for i := range cols {
		if t.fits.gone[i] {
			cols[i].Min, cols[i].Drop = max(t.screen, 1), first // goes before all others
		}
	}
	t.SetColumns(slices.Clone(cols))
	if t.fits == (fits{}) {
		return
	}
	for i := range cols {
		c, gone := &cols[i], t.ColumnWidth(i) == 0
		switch n := t.fits.widths[i]; {
		case gone && c.Drop > 0:
			c.Min, c.Drop = max(t.screen, 1), first // and goes again
		case n > 0:
			c.Min, c.Max, c.Weight = min(c.Min, n), n, first
		}
	}
	t.SetColumns(cols)
}

// batch is what the head of a batch says, as long as no job changes.
type batch struct {
	folds.Sum
	varies string
}

// batchOf sums up the jobs of a batch.
func (t *jobTable) batchOf(r folds.Row) batch {
	b, ok := t.batches[r.From]
	if !ok {
		b.Sum = r.Sum(t.jobs.At, t.rowModel, func(j *jobs.Job) string { return inks.OneLine(j.Draft.Prompt, 2*t.screen) })
		if b.Alike {
			b.varies = t.kin.Varies(t.jobs.At, r.From, r.N)
		}
		t.batches[r.From] = b
	}
	return b
}

// sign is the state that a person wants to know of first, and tally how many jobs are in which, ""
// where all are done.
func (b *batch) sign(k *kit) (of jobs.State, tally string, ink widgets.Ink) {
	of = b.First()
	if of == jobs.Completed {
		return of, "", k.ink.Faint
	}
	for _, n := range b.In {
		tally += " " + k.ink.Sign(n.State).Text
		if k.room >= roomyFrom {
			tally += " "
		}
		tally += strconv.Itoa(n.Jobs)
	}
	return of, tally[1:], k.ink.Sign(of).Ink
}

// Signs of a batch.
const (
	foldedSign   = "▹"
	unfoldedSign = "▿"
)

// maxLeft bounds the jobs of a batch whose time left is asked for at each drawing.
const maxLeft = 64

// headRow is the head of a batch. The job that was drawn is the first one.
func (t *jobTable) headRow(r folds.Row) table.Row {
	b := t.batchOf(r)
	marked, left := t.within(r, &b)
	row := table.Row{Marked: marked, Cells: t.blank()}
	for i := range t.columns {
		if t.ColumnWidth(i) > 0 {
			row.Cells[i] = t.headCell(&t.columns[i], r, &b, left)
		}
	}
	if t.tall {
		var facts thumbs.Facts
		if !t.shows(modelColumn) {
			facts.All = append(facts.All, b.Model)
		}
		if b.varies != "" {
			facts.All = append(facts.All, b.varies)
		}
		facts.Must = len(facts.All)
		t.below(&row, t.jobs.Get(b.Face), facts)
	}
	return row
}

// within goes through the jobs of a batch: whether all are marked, and how long the last one may take.
func (t *jobTable) within(r folds.Row, b *batch) (marked bool, left time.Duration) {
	marked = true
	for i := r.From; i < r.From+r.N; i++ {
		j := t.jobs.At(i)
		if j == nil {
			continue
		}
		marked = marked && t.jobs.marked[j.ID]
		if i < r.From+maxLeft && b.UnderWay {
			if f := t.scene.Forecast(j, t.now()); f.Told {
				left = max(left, f.Left)
			}
		}
	}
	return marked, left
}

// headCell is what a column shows of a batch.
func (t *jobTable) headCell(c *column, r folds.Row, b *batch, left time.Duration) table.Cell {
	state, tally, ink := b.sign(t.kit)
	switch c.id {
	case signColumn:
		cell := table.Cell{Text: t.ink.Sign(state).Text, Ink: ink, TailInk: t.ink.Warn}
		if b.Starred {
			cell.Tail = " " + starSign
		}
		return cell
	case promptColumn:
		sign, more := foldedSign, ""
		if r.Open {
			sign = unfoldedSign
		}
		if r.From+r.N == t.jobs.Len() && t.jobs.next != "" || r.From == 0 && t.jobs.prev != "" {
			more = "+" // the rest is on a page that is not read yet
		}
		cell := table.Cell{Text: fmt.Sprintf("%s %d%s · %s", sign, r.N, more, b.Prompt), End: tally, EndInk: ink, TailInk: t.ink.Muted}
		if b.varies != "" && !t.tall && t.room >= roomyFrom {
			cell.Tail = " · " + b.varies
		}
		return cell
	case modelColumn:
		return table.Cell{Text: b.Model}
	case kindColumn:
		return table.Cell{Text: client.CleanLine(b.Kind), Ink: t.ink.Muted}
	case tookColumn:
		switch {
		case left > 0:
			return table.Cell{Text: brief.Left(left), Ink: t.ink.Accent}
		case b.Took > 0:
			return table.Cell{Text: brief.Took(b.Took), Ink: t.ink.Muted}
		}
		return table.Cell{}
	default:
		return c.cell(t.kit, &t.drawn)
	}
}
