package cli

import (
	"maps"
	"slices"
	"strings"

	"darkroom/client/catalog"
	"darkroom/client/dialect"
	"darkroom/cmd/config"
)

// dialectInUse is a dialect as `config` shows it.
type dialectInUse struct {
	Name string `json:"name"`
	From string `json:"from"`
	dialect.File
}

// dialectOf is the dialect of a profile, nil for none.
func dialectOf(p config.Profile, cat *catalog.Catalog) (*dialectInUse, error) {
	if p.Dialect.Name == "" {
		return nil, nil
	}
	_, err := p.Dialect.Client(cat)
	return &dialectInUse{Name: p.Dialect.Name, From: p.Dialect.From, File: p.Dialect.File}, err
}

// String is the dialect in a line.
func (d *dialectInUse) String() string {
	if d == nil {
		return "none: the interface's own words (`dialect:` of a profile names one)"
	}
	return d.Name + " (" + d.From + ")"
}

// cells are what a dialect says, one line a word: what it is about, here, at the gateway.
func (d *dialectInUse) cells() [][]string { return dialectCells(d.File) }

func dialectCells(f dialect.File) (out [][]string) {
	add := func(part string, m map[string]string) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			out = append(out, []string{part, k, m[k]})
		}
	}
	add("segment", f.Segments)
	for _, format := range slices.Sorted(maps.Keys(f.Paths)) {
		p := f.Paths[format]
		for _, x := range [][2]string{{"create", p.Create}, {"query", p.Query}, {"content", p.Content}} {
			if x[1] != "" {
				out = append(out, []string{"path", format + " " + x[0], x[1]})
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(f.Models)) {
		out = append(out, []string{"model", id, strings.Join(f.Models[id], ", ")})
	}
	add("model_name", f.ModelNames)
	add("engine", f.Engines)
	for _, format := range slices.Sorted(maps.Keys(f.WireNames)) {
		add("field of "+format, f.WireNames[format])
	}
	for _, name := range f.Omit {
		out = append(out, []string{"omitted", name, "-"})
	}
	return out
}
