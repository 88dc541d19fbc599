// Package kin says what differs between jobs with the same prompt that stand next to each other:
// without it, four variations look the same.
package kin

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screens/queue/internal/inks"
)

// Bounds of what is compared and said.
const (
	maxRun   = 48 // rows to either side
	maxSaid  = 3  // fields of a job
	maxValue = 16 // cells
)

// Fields that everybody knows by their values.
const (
	fieldSeed     = "seed"
	fieldDuration = "duration"
)

// Finder finds what differs. It keeps the run of jobs that it looked at last, since rows are drawn one
// after another. The zero value is ready.
type Finder struct {
	// Label is what the form calls a field; nil for its own name.
	Label func(m client.Modality, field string) string

	from, to int // of the run; to is exclusive
	fields   []string
	models   bool // also their models, or the variants of one
}

// Reset forgets the run: the list has changed.
func (f *Finder) Reset() { f.from, f.to = 0, 0 }

// Differs is what a row's job has other than its neighbours with the same prompt, "" for nothing. At
// returns the job of a row, nil for a row of something else; model says what the row does not show of
// a job's model, nil where it shows all.
func (f *Finder) Differs(at func(i int) *jobs.Job, i int, model func(*jobs.Job) string) string {
	j := at(i)
	if j == nil || j.Draft.Prompt == "" {
		return ""
	}
	if i < f.from || i >= f.to {
		f.look(at, i, j)
	}
	var said []string
	if model != nil && f.models {
		if text := model(j); text != "" {
			said = append(said, inks.OneLine(text, maxValue))
		}
	}
	for _, name := range f.fields {
		if text := f.text(j, name); text != "" && len(said) < maxSaid {
			said = append(said, text)
		}
	}
	return strings.Join(said, " · ")
}

// maxVaries is how many values of a field are written out.
const maxVaries = 2

// Varies says in what n jobs from a row on differ, as "4 seeds" or "16:9, 9:16"; "" for nothing.
func (f *Finder) Varies(at func(i int) *jobs.Job, from, n int) string {
	of := Finder{Label: f.Label}
	first := at(from)
	for i := from + 1; i < from+n; i++ {
		if j := at(i); j != nil {
			of.compare(first, j)
		}
	}
	of.order()
	var said []string
	for _, name := range of.fields {
		var values []string
		for i := from + n - 1; i >= from; i-- {
			if j := at(i); j != nil {
				if text := of.text(j, name); text != "" && !slices.Contains(values, text) {
					values = append(values, text)
				}
			}
		}
		switch {
		case len(said) == maxVaries:
			return strings.Join(said, " · ")
		case name == fieldSeed:
			said = append(said, fmt.Sprintf("%d seeds", len(values)))
		case len(values) <= maxVaries:
			said = append(said, strings.Join(values, ", "))
		default:
			said = append(said, fmt.Sprintf("%d × %s", len(values), of.label(first, name)))
		}
	}
	return strings.Join(said, " · ")
}

// look finds the run around a row, and the fields that differ within it.
func (f *Finder) look(at func(i int) *jobs.Job, i int, j *jobs.Job) {
	same := func(o *jobs.Job) bool {
		return o != nil && o.Draft.Prompt == j.Draft.Prompt && o.Draft.Modality == j.Draft.Modality
	}
	f.from, f.to, f.fields, f.models = i, i+1, f.fields[:0], false
	for f.from > i-maxRun && same(at(f.from-1)) {
		f.from--
	}
	for f.to < i+maxRun && same(at(f.to)) {
		f.to++
	}
	for n := f.from; n < f.to; n++ {
		f.compare(j, at(n))
	}
	f.order()
}

// order puts the fields in order.
func (f *Finder) order() {
	slices.SortFunc(f.fields, func(a, b string) int {
		if (a == fieldSeed) != (b == fieldSeed) { // what most often differs comes first
			if a == fieldSeed {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
}

// compare adds the fields in which two jobs differ.
func (f *Finder) compare(a, b *jobs.Job) {
	if a == b {
		return
	}
	f.models = f.models || a.Draft.Model != b.Draft.Model || a.Draft.ModelName != b.Draft.ModelName
	if a.Draft.Cut || b.Draft.Cut { // its values were not read
		return
	}
	add := func(name string) {
		if !slices.Contains(f.fields, name) {
			f.fields = append(f.fields, name)
		}
	}
	for name, v := range a.Draft.Values {
		if w, ok := b.Draft.Values[name]; !ok || !equal(v, w) {
			add(name)
		}
	}
	for name := range b.Draft.Values {
		if _, ok := a.Draft.Values[name]; !ok {
			add(name)
		}
	}
}

func equal(a, b any) bool {
	if s, ok := a.(string); ok {
		t, ok := b.(string)
		return ok && s == t
	}
	return reflect.DeepEqual(a, b)
}

// text is a field of a job for people.
func (f *Finder) text(j *jobs.Job, name string) string {
	v, set := j.Draft.Values[name]
	if !set {
		return ""
	}
	value, scalar := j.Draft.Values.Text(name)
	label := f.label(j, name)
	_, flag := v.(bool)
	switch {
	case strings.Contains(value, "://"):
		value, _, _ = strings.Cut(value, "?")
		return inks.OneLine(path.Base(value), maxValue)
	case !scalar || strings.HasPrefix(value, "data:"):
		return "other " + label
	case flag && value == "true":
		return label
	case flag:
		return "no " + label
	case name == fieldSeed:
		return fieldSeed + " " + inks.OneLine(value, maxValue)
	case name == fieldDuration:
		return inks.OneLine(strings.TrimSuffix(value, "s"), maxValue) + " s"
	case speaks(value):
		return inks.OneLine(value, maxValue)
	}
	return label + " " + inks.OneLine(value, maxValue)
}

// label is what a field is called.
func (f *Finder) label(j *jobs.Job, name string) string {
	if f.Label != nil {
		name = f.Label(j.Draft.Modality, name)
	}
	return strings.ToLower(client.CleanLine(name))
}

// speaks reports whether a value says by itself what it is of: a ratio, a size, a resolution.
func speaks(value string) bool {
	if value == "" || value[0] < '0' || value[0] > '9' {
		return false
	}
	return strings.ContainsAny(value, ":x×") || strings.HasSuffix(value, "p") || strings.HasSuffix(strings.ToLower(value), "k")
}
