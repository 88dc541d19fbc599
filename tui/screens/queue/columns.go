package queue

import (
	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/screens/queue/internal/inks"
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
	// beside is the least width while the model also shows the profile; 0 for Min.
	beside int
}

type columnID string

const ageColumn columnID = "age"

// columns are the columns of the table, in order.
func columns() []column {
	return []column{
		{id: "state", Column: table.Column{Title: "State", Min: 14}, sorts: "state", cell: stateCell, least: 8, most: 22,
			width: func(k *kit, s *stands) int {
				_, w := k.state(s)
				return widgets.Width(k.ink.Sign(s.State).Text) + 1 + w
			}},
		{id: "model", Column: table.Column{Title: "Model", Min: 12, Drop: 2}, sorts: "model", least: 5, most: 24,
			cell:  func(k *kit, s *stands) table.Cell { return table.Cell{Text: k.model(s.Job)} },
			width: func(k *kit, s *stands) int { return widgets.Width(k.model(s.Job)) }},
		{id: ageColumn, Column: table.Column{Title: "Age", Min: 4, Right: true, Drop: 3}, sorts: sortAge,
			cell: func(k *kit, s *stands) table.Cell { return table.Cell{Text: human.Age(s.age), Ink: k.ink.Muted} }},
		{id: "progress", Column: table.Column{Title: "Progress", Min: inks.BarWidth, Drop: 5}, sorts: "progress", cell: progressCell,
			gone: func(h *history) bool { return !h.moving }},
		{id: "kind", Column: table.Column{Title: "Kind", Min: 5, Drop: 4}, sorts: "kind", cell: kindCell},
		{id: "prompt", Column: table.Column{Title: "Prompt", Min: 20, Weight: 6}, sorts: "prompt", beside: 12,
			cell: func(k *kit, s *stands) table.Cell {
				return table.Cell{Text: signed(s.Job, inks.OneLine(s.Label(), 2*k.screen))}
			}},
		{id: "took", Column: table.Column{Title: "Took", Min: 8, Right: true, Drop: 6}, sorts: "took", cell: tookCell,
			gone: func(h *history) bool { return h.query.Sort.By != jobs.SortTook }},
	}
}

func stateCell(k *kit, s *stands) table.Cell {
	sign := k.sign(s)
	if s.Slow {
		sign.Ink = k.ink.Warn
	}
	text, _ := k.state(s)
	return table.Cell{Text: sign.Text + " " + text, Ink: sign.Ink}
}

func kindCell(k *kit, s *stands) table.Cell {
	return table.Cell{Text: client.CleanLine(string(s.Draft.Modality)), Ink: k.ink.Muted}
}

func tookCell(k *kit, s *stands) table.Cell {
	if d, ended := s.Took(); ended {
		return table.Cell{Text: human.Dur(d), Ink: k.ink.Muted}
	}
	return table.Cell{}
}

func progressCell(k *kit, s *stands) table.Cell {
	if !s.Moving {
		return table.Cell{}
	}
	return table.Cell{Text: k.ink.Bar(s.Share), Ink: k.ink.Accent}
}

// jobTable is the table of the jobs. It shares its cursor with the gallery.
type jobTable struct {
	table.Model
	*kit
	jobs    *history
	columns []column
	fits    fits
	drawn   stands // of the row that is drawn: kept, since one a row would be allocated
}

// fits are what the widths of the columns depend on besides the size; the zero value until rows
// were seen.
type fits struct {
	widths [maxColumns]int // of the columns that are as wide as their text
	gone   [maxColumns]bool
	mixed  bool
	sort   jobs.Sort
}

const maxColumns = 8

// first is the weight of a column that grows before the prompt does.
const first = 1000

func newJobTable(k *kit, h *history) jobTable {
	t := jobTable{kit: k, jobs: h, columns: columns()}
	t.Model = table.New(t.plain())
	return t
}

func (t *jobTable) plain() []table.Column {
	out := make([]table.Column, len(t.columns))
	for i, c := range t.columns {
		out[i] = c.Column
		if c.sorts == "" {
			continue
		}
		out[i].Zone = columnZone + c.sorts
		if s := t.jobs.query.Sort; s != (jobs.Sort{}) && s.By == sortNamed(c.sorts) {
			out[i].Title += arrow(s.Down)
			out[i].Drop = min(out[i].Drop, 1) // what is sorted by is wanted
		}
	}
	return out
}

// refresh has the table ask for its rows again.
func (t *jobTable) refresh() {
	t.SetSource(table.Func{N: t.jobs.Len(), At: func(i int) table.Row { return t.row(t.jobs.At(i)) }})
}

func (t *jobTable) row(j *jobs.Job) table.Row {
	t.drawn = t.stands(j)
	row := table.Row{Marked: t.jobs.marked[j.ID], Cells: make([]table.Cell, len(t.columns))}
	for i := range t.columns {
		if t.ColumnWidth(i) > 0 {
			row.Cells[i] = t.columns[i].cell(t.kit, &t.drawn)
		}
	}
	return row
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
	t.SetSize(w, h)
	t.apply()
}

// fit gives columns the width of their widest text in sight, and the rest to the prompt.
func (t *jobTable) fit() {
	f := fits{mixed: t.mixed, sort: t.jobs.query.Sort}
	for i, c := range t.columns {
		f.widths[i], f.gone[i] = c.least, c.gone != nil && c.gone(t.jobs)
	}
	for n := t.Top(); n < min(t.jobs.Len(), t.Top()+t.Visible()); n++ {
		t.drawn = t.stands(t.jobs.At(n))
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
	t.SetColumns(t.plain())
	if t.fits == (fits{}) {
		return
	}
	cols := t.plain()
	for i := range cols {
		c, gone := &cols[i], t.ColumnWidth(i) == 0
		switch n := t.fits.widths[i]; {
		case gone && c.Drop > 0 || t.fits.gone[i]:
			c.Min = max(t.screen, 1) // goes, or goes again
		case n > 0:
			c.Min, c.Max, c.Weight = min(c.Min, n), n, first
		case t.fits.mixed && t.columns[i].beside > 0:
			c.Min = t.columns[i].beside
		}
	}
	t.SetColumns(cols)
}
