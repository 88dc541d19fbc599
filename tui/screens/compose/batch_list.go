package compose

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/media"
	"darkroom/tui/widgets/table"
)

// listJobs puts the jobs of the plan into the list. Columns in which no job has anything
// are left out.
func (m *Model) listJobs() {
	d := m.batch.dialog
	jobs := d.plan.jobs
	lines := slices.ContainsFunc(jobs, func(j plannedJob) bool { return j.line > 0 })
	models := slices.ContainsFunc(jobs, func(j plannedJob) bool { return j.draft.Model != m.draft.Model })
	seeds := slices.ContainsFunc(jobs, func(j plannedJob) bool { _, ok := j.draft.Values.Text(expand.FieldSeed); return ok })
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
			cells = append(cells, table.Cell{Text: strconv.Itoa(j.line)})
		}
		if models {
			cells = append(cells, table.Cell{Text: client.CleanLine(j.draft.Model)})
		}
		if seeds {
			s, _ := j.draft.Values.Text(expand.FieldSeed)
			cells = append(cells, table.Cell{Text: client.CleanLine(s)})
		}
		cells = append(cells, table.Cell{Text: client.CleanLine(clipped(j.draft.Prompt, 400))})
		if len(names) > 0 {
			cells = append(cells, table.Cell{Text: valuesOf(j.draft, names)})
		}
		return table.Row{Cells: cells}
	}})
}

// placedFields are the values that the columns of the table set, but for the seed.
func (d *batchDialog) placedFields() []string {
	var out []string
	for _, c := range d.plan.peek.Columns {
		own := []string{client.FieldPrompt, client.FieldModel, expand.FieldSeed, passOver, ""}
		if !slices.Contains(own, c.Target) && !strings.HasPrefix(c.Target, "$") {
			out = append(out, c.Target)
		}
	}
	return out
}

func valuesOf(d client.Draft, names []string) string {
	var parts []string
	for _, n := range names {
		v := text(d.Values[n])
		if n == client.FieldMode {
			v = d.Mode
		}
		if n == client.FieldModelName {
			v = d.ModelName
		}
		if v != "" {
			parts = append(parts, n+" "+clipped(media.Readable(v), 60))
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
			parts = append(parts, client.CleanLine(clipped(s, 24)))
		}
		if len(parts) == sampleCells {
			break
		}
	}
	return strings.Join(parts, " · ")
}

// clipped is a text of at most so many characters.
func clipped(s string, most int) string {
	n, cut := 0, 0 // where the last character that stays ends; the text may be very long
	for i := range s {
		if n == most-1 {
			cut = i
		}
		if n++; n > most {
			return s[:cut] + "…"
		}
	}
	return s
}
