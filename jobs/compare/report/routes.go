package report

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/measure"
	"darkroom/jobs/compare/stat"
)

// routeView is one model through each format.
type routeView struct {
	Model string
	Axis  []string
	Ways  []wayView

	Cannot, Notes, P95, Errors, Differs bool // any of the formats has some
}

// wayView is one format of a model.
type wayView struct {
	Format  string
	Carries string
	Cannot  []string // why cells cannot run, and how many
	Notes   []string
	Row     *groupRow // nil where nothing ran
	States  []string
	Differs []string // properties that were not as asked for or claimed, and how often
}

// way is what a run says of a model and a format.
type way struct {
	format  string
	fields  map[string]bool
	cannot  counts
	notes   counts
	states  counts
	differs counts
	cells   int
}

// counts counts texts, and keeps the order in which they came.
type counts struct {
	texts []string
	n     map[string]int
}

func (c *counts) add(s string) {
	if c.n == nil {
		c.n = map[string]int{}
	}
	if c.n[s]++; c.n[s] == 1 {
		c.texts = append(c.texts, s)
	}
}

// list writes them, up to so many.
func (c *counts) list(noun string, most int) []string {
	var out []string
	for i, s := range c.texts {
		if i == most {
			return append(out, fmt.Sprintf("and %d more", len(c.texts)-most))
		}
		out = append(out, line(s)+": "+human.Plural(c.n[s], noun))
	}
	return out
}

// routes are the models that more than one format was tried for, each with its formats side by side.
func (r *Report) routes() []routeView {
	if !r.formats {
		return nil
	}
	groups := map[string]stat.Group{}
	for _, g := range stat.Of(r.Run, stat.Options{By: stat.ByFormat}).Groups {
		groups[g.Name] = g
	}
	models, byModel := r.ways()
	var out []routeView
	for _, m := range models {
		ways := byModel[m.Group(false)]
		if len(ways) < 2 {
			continue
		}
		v := routeView{Model: line(m.Group(false))}
		var of []stat.Group
		for _, w := range ways {
			x := m
			x.Format = w.format
			of = append(of, groups[x.Group(true)])
		}
		rows, axis := groupRows(of)
		v.Axis = axis
		for i, w := range ways {
			fields := make([]string, 0, len(w.fields))
			for f := range w.fields {
				fields = append(fields, line(f))
			}
			slices.Sort(fields)
			view := wayView{
				Format: line(w.format), Carries: strings.Join(fields, ", "), Cannot: w.cannot.list("cell", 5), Notes: w.notes.list("cell", 5),
				States: w.states.list("trial", 8), Differs: w.differs.list("trial", 8),
			}
			if rows[i].N > 0 {
				view.Row = &rows[i]
			}
			v.Ways = append(v.Ways, view)
			v.Cannot, v.Notes, v.Differs = v.Cannot || len(view.Cannot) > 0, v.Notes || len(view.Notes) > 0, v.Differs || len(view.Differs) > 0
			v.P95, v.Errors = v.P95 || rows[i].P95 != "", v.Errors || rows[i].Errors != ""
		}
		out = append(out, v)
	}
	return out
}

// ways sorts cells and trials by model and format, in the order of the run.
func (r *Report) ways() (models []compare.Cell, byModel map[string][]*way) {
	byModel = map[string][]*way{}
	of := map[int]*way{}
	for i := range r.Run.Cells {
		c := &r.Run.Cells[i]
		short := compare.Cell{Model: c.Model, ModelName: c.ModelName}
		name := short.Group(false)
		if byModel[name] == nil {
			models = append(models, short)
		}
		at := slices.IndexFunc(byModel[name], func(w *way) bool { return w.format == c.Format })
		if at < 0 {
			at = len(byModel[name])
			byModel[name] = append(byModel[name], &way{format: c.Format, fields: map[string]bool{}})
		}
		w := byModel[name][at]
		of[c.Number] = w
		if c.Cannot != "" {
			w.cannot.add(c.Cannot)
			continue
		}
		w.cells++
		for f := range c.Draft.Values {
			w.fields[f] = true
		}
		for _, n := range c.Notes {
			w.notes.add(n)
		}
	}
	for _, t := range r.shown {
		w := of[t.Slot.Cell]
		if w == nil || t.Slot.Warmup {
			continue
		}
		w.states.add(state(t))
		for _, p := range measure.Differs(t.Facts) {
			w.differs.add(measure.Sentence(p))
		}
	}
	return models, byModel
}
