package queue

import (
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/table"
)

// The columns of the table.
const (
	colState = iota
	colModel
	colAge
	colProgress
	colKind
	colPrompt
)

const barWidth = 8

// Widths of the columns that fit what they show, in cells.
const (
	leastState, mostState = 8, 22
	leastModel, mostModel = 5, 24
	leastPrompt           = 12   // beside profiles
	first                 = 1000 // weight of what grows before the prompt does
)

func columns() []table.Column {
	return []table.Column{
		colState:    {Title: "State", Min: 14},
		colModel:    {Title: "Model", Min: 12, Drop: 1},
		colAge:      {Title: "Age", Min: 4, Right: true, Drop: 2},
		colProgress: {Title: "Progress", Min: barWidth, Drop: 4},
		colKind:     {Title: "Kind", Min: 5, Drop: 3},
		colPrompt:   {Title: "Prompt", Min: 20, Weight: 6},
	}
}

// fits are the widths that the rows in sight need.
type fits struct {
	state, model int
	mixed        bool // the model tells the profile too
	moving       bool // a job of the list has a progress
}

// sizeTable sets the size of the table. Which columns there are depends on the size, so that
// none comes and goes with the rows in sight; but for that of the progress, which is there
// while any job of the list has one.
func (m *Model) sizeTable(w, h int) {
	m.table.SetSize(w, h)
	m.setColumns()
}

// fitColumns gives State and Model the width of their widest text in sight, and the rest
// to the prompt.
func (m *Model) fitColumns() {
	f := fits{state: leastState, model: leastModel, mixed: m.jobs.mixed(), moving: m.moving}
	now := m.deps.Now()
	for i := m.table.Top(); i < min(m.jobs.len(), m.table.Top()+m.table.Visible()); i++ {
		j := m.jobs.at(i)
		_, width, _ := m.stateCell(j, now)
		f.state = max(f.state, widgets.Width(m.ink.sign(j.State).text)+1+width)
		f.model = max(f.model, widgets.Width(m.modelCell(j)))
	}
	f.state, f.model = min(f.state, mostState), min(f.model, mostModel)
	if f != m.fit {
		m.fit = f
		m.setColumns()
	}
}

// setColumns applies the fits to the columns that the size leaves.
func (m *Model) setColumns() {
	cols := columns()
	m.table.SetColumns(cols)
	if m.fit == (fits{}) {
		return
	}
	cols = columns()
	for i := range cols {
		if gone := m.table.ColumnWidth(i) == 0; gone && cols[i].Drop > 0 || i == colProgress && !m.fit.moving {
			cols[i].Min = max(m.w, 1) // goes, or goes again
		}
	}
	fit := func(c *table.Column, n int) { c.Min, c.Max, c.Weight = min(c.Min, n), n, first }
	fit(&cols[colState], m.fit.state)
	if m.table.ColumnWidth(colModel) > 0 {
		fit(&cols[colModel], m.fit.model)
	}
	if m.fit.mixed {
		cols[colPrompt].Min = leastPrompt
	}
	m.table.SetColumns(cols)
}
