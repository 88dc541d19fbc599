package batch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/client/text"
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/table"
)

// jobList is the list of the plan's jobs.
type jobList struct {
	table.Model
	all   []rules.Job
	names []string // the values set by the columns of the table, except the seed
	show  func(v any) string
	// promptAt is the column of prompts.
	promptAt int
}

// listJobs puts the jobs of the plan into the list.
func (d *Dialog) listJobs() { d.list.fill(&d.plan, d.o.Form.Draft.Model) }

// fill lists the jobs of a plan. Empty columns are left out, and so are the models where all are
// the form's.
func (l *jobList) fill(p *rules.Plan, model string) {
	jobs := p.Jobs
	l.all, l.names = jobs, placedFields(p)
	lines := slices.ContainsFunc(jobs, func(j rules.Job) bool { return j.Line > 0 })
	models := slices.ContainsFunc(jobs, func(j rules.Job) bool { return j.Draft.Model != model })
	seeds := slices.ContainsFunc(jobs, func(j rules.Job) bool { _, ok := j.Draft.Values.Text(expand.FieldSeed); return ok })
	cols := []table.Column{{Title: "N", Min: len(strconv.Itoa(len(jobs))) + 1, Right: true}}
	if lines {
		cols = append(cols, table.Column{Title: "Line", Min: 5, Right: true, Drop: 3})
	}
	if models {
		cols = append(cols, table.Column{Title: "Model", Min: 12, Max: 20, Weight: 1, Drop: 1})
	}
	if seeds {
		cols = append(cols, table.Column{Title: "Seed", Min: 11, Max: 22, Weight: 1})
	}
	l.promptAt = len(cols)
	cols = append(cols, table.Column{Title: "Prompt", Min: 16, Weight: 6})
	if len(l.names) > 0 {
		cols = append(cols, table.Column{Title: "Values", Min: 14, Max: 60, Weight: 3, Drop: 2})
	}
	l.SetColumns(cols)
	l.SetSource(table.Func{N: len(jobs), At: func(i int) table.Row {
		j := &jobs[i]
		cells := []table.Cell{{Text: strconv.Itoa(i + 1)}}
		if lines {
			cells = append(cells, table.Cell{Text: strconv.Itoa(j.Line)})
		}
		if models {
			cells = append(cells, table.Cell{Text: client.CleanLine(j.Draft.Model)})
		}
		if seeds {
			s, _ := j.Draft.Values.Text(expand.FieldSeed)
			cells = append(cells, table.Cell{Text: client.CleanLine(s)})
		}
		cells = append(cells, table.Cell{Text: client.CleanLine(text.Clip(j.Draft.Prompt, 400))})
		if len(l.names) > 0 {
			cells = append(cells, table.Cell{Text: l.valuesOf(j.Draft)})
		}
		return table.Row{Cells: cells}
	}})
}

// placedFields are the values set by the columns of a table, except the seed.
func placedFields(p *rules.Plan) []string {
	var out []string
	for _, c := range p.Peek.Columns {
		own := []string{client.FieldPrompt, client.FieldModel, expand.FieldSeed, passOver, ""}
		if !slices.Contains(own, c.Target) && !strings.HasPrefix(c.Target, "$") {
			out = append(out, c.Target)
		}
	}
	return out
}

func (l *jobList) valuesOf(x client.Draft) string {
	var parts []string
	for _, n := range l.names {
		v := l.show(x.Values[n])
		if n == client.FieldMode {
			v = x.Mode
		}
		if n == client.FieldModelName {
			v = x.ModelName
		}
		if v != "" {
			parts = append(parts, n+" "+text.Clip(v, 60))
		}
	}
	return client.CleanLine(strings.Join(parts, " · "))
}

// sampleCells is how many cells of a column are shown beside it.
const sampleCells = 4

// sample is the content of a column's first rows.
func sample(first [][]string, i int) string {
	var parts []string
	for _, row := range first {
		if s := strings.TrimSpace(row[i]); s != "" {
			parts = append(parts, client.CleanLine(text.Clip(s, 24)))
		}
		if len(parts) == sampleCells {
			break
		}
	}
	return strings.Join(parts, " · ")
}

// jobRows is the least height of the list beside a job shown in full, in lines.
const jobRows = 5

// wholeJob shows the selected job in full, in a third of the room or in the lines that the list
// leaves free, where there is room and some job of the list is cut; else it is empty.
func (l *jobList) wholeJob(st *themes.Styles, w, room int) []string {
	n := max(room/3, room-len(l.all)-1)
	if n < 3 || room-n < min(jobRows, len(l.all)+1) || !l.cut() {
		return nil
	}
	j := &l.all[min(max(l.Cursor(), 0), len(l.all)-1)]
	text := client.Clean(j.Draft.Prompt)
	if v := l.valuesOf(j.Draft); v != "" {
		text += "\n" + v
	}
	all := widgets.WrapLines(text, w, 0)
	if over := len(all) - (n - 1); over > 0 { // prompts of a template often differ at their ends
		half := (n - 2) / 2
		all = append(append(all[:half:half], widgets.Ellipsis), all[half+over+1:]...)
	}
	ink := widgets.NewInk(st.Dialog)
	head := fmt.Sprintf("─ %d ", l.Cursor()+1)
	out := []string{widgets.NewInk(st.Border).Text(head + strings.Repeat("─", max(0, w-widgets.Width(head))))}
	for _, l := range all {
		out = append(out, ink.Text(widgets.Truncate(l, w)))
	}
	for len(out) < n {
		out = append(out, "")
	}
	return out
}

// maxCut bounds how many jobs are checked for one that does not fit its line.
const maxCut = 200

// cut reports whether some job is cut in its line of the list.
func (l *jobList) cut() bool {
	w := l.ColumnWidth(l.promptAt)
	for i := range l.all[:min(len(l.all), maxCut)] {
		x := &l.all[i].Draft
		if strings.Contains(x.Prompt, "\n") || widgets.Width(text.Clip(x.Prompt, w+1)) > w ||
			len(l.names) > 0 && widgets.Width(l.valuesOf(*x)) > l.ColumnWidth(l.promptAt+1) {
			return true
		}
	}
	return false
}
