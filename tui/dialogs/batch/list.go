package batch

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/tui/widgets/table"
)

// listJobs puts the jobs of the plan into the list. Columns in which no job has anything
// are left out.
func (d *Dialog) listJobs() {
	jobs := d.plan.Jobs
	lines := slices.ContainsFunc(jobs, func(j rules.Job) bool { return j.Line > 0 })
	models := slices.ContainsFunc(jobs, func(j rules.Job) bool { return j.Draft.Model != d.o.Form.Draft.Model })
	seeds := slices.ContainsFunc(jobs, func(j rules.Job) bool { _, ok := j.Draft.Values.Text(expand.FieldSeed); return ok })
	names := d.placedFields()
	cols := []table.Column{{Title: "N", Min: len(strconv.Itoa(len(jobs))) + 1, Right: true}}
	if lines {
		cols = append(cols, table.Column{Title: "LINE", Min: 5, Right: true, Drop: 3})
	}
	if models {
		cols = append(cols, table.Column{Title: "MODEL", Min: 12, Max: 20, Weight: 1, Drop: 1})
	}
	if seeds {
		cols = append(cols, table.Column{Title: "SEED", Min: 11, Max: 22, Weight: 1})
	}
	d.promptAt = len(cols)
	cols = append(cols, table.Column{Title: "PROMPT", Min: 16, Weight: 6})
	if len(names) > 0 {
		cols = append(cols, table.Column{Title: "VALUES", Min: 14, Max: 60, Weight: 3, Drop: 2})
	}
	d.list.SetColumns(cols)
	d.list.SetSource(table.Func{N: len(jobs), At: func(i int) table.Row {
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
		cells = append(cells, table.Cell{Text: client.CleanLine(client.Clip(j.Draft.Prompt, 400))})
		if len(names) > 0 {
			cells = append(cells, table.Cell{Text: d.valuesOf(j.Draft, names)})
		}
		return table.Row{Cells: cells}
	}})
}

// placedFields are the values that the columns of the table set, but for the seed.
func (d *Dialog) placedFields() []string {
	var out []string
	for _, c := range d.plan.Peek.Columns {
		own := []string{client.FieldPrompt, client.FieldModel, expand.FieldSeed, passOver, ""}
		if !slices.Contains(own, c.Target) && !strings.HasPrefix(c.Target, "$") {
			out = append(out, c.Target)
		}
	}
	return out
}

func (d *Dialog) valuesOf(x client.Draft, names []string) string {
	var parts []string
	for _, n := range names {
		v := d.o.Show(x.Values[n])
		if n == client.FieldMode {
			v = x.Mode
		}
		if n == client.FieldModelName {
			v = x.ModelName
		}
		if v != "" {
			parts = append(parts, n+" "+client.Clip(v, 60))
		}
	}
	return client.CleanLine(strings.Join(parts, " · "))
}

// sampleCells is how many cells of a column show beside it.
const sampleCells = 4

// sample is what stands in the first rows of a column.
func sample(first [][]string, i int) string {
	var parts []string
	for _, row := range first {
		if s := strings.TrimSpace(row[i]); s != "" {
			parts = append(parts, client.CleanLine(client.Clip(s, 24)))
		}
		if len(parts) == sampleCells {
			break
		}
	}
	return strings.Join(parts, " · ")
}
