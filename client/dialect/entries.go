package dialect

import (
	"maps"
	"slices"
	"strings"
)

// Entry is one word of a dialect, for people: its part, the word here, and the word at the gateway.
type Entry struct{ Part, Here, There string }

// Entries returns all words of a dialect, in the order of its keys.
func (f File) Entries() (out []Entry) {
	add := func(part string, m map[string]string) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			out = append(out, Entry{part, k, m[k]})
		}
	}
	add("segment", f.Segments)
	for _, format := range slices.Sorted(maps.Keys(f.Paths)) {
		p := f.Paths[format]
		for _, x := range [][2]string{{"create", p.Create}, {"query", p.Query}, {"content", p.Content}} {
			if x[1] != "" {
				out = append(out, Entry{"path", format + " " + x[0], x[1]})
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(f.Models)) {
		out = append(out, Entry{"model", id, strings.Join(f.Models[id], ", ")})
	}
	add("model_name", f.ModelNames)
	add("engine", f.Engines)
	for _, format := range slices.Sorted(maps.Keys(f.WireNames)) {
		add("field of "+format, f.WireNames[format])
	}
	for _, name := range f.Omit {
		out = append(out, Entry{"omitted", name, "-"})
	}
	return out
}
