package themes

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"darkroom/client/yamlfile"
)

// maxFile bounds a palette file, which is some 700 bytes.
const maxFile = 64 << 10

func limits() yamlfile.Limits {
	return yamlfile.Limits{Bytes: maxFile, Line: 4 << 10, Lines: 1000, Nodes: 2000}
}

// Mistake is what is wrong with a palette file, and where. Line and Column count from one.
type Mistake struct {
	Line, Column int
	Message      string
	// Contrast says that colours are too near to each other: such a theme can be used all the same.
	Contrast bool
}

// reader reads a palette file and collects all that is wrong with it.
type reader struct {
	theme Theme
	wrong []Mistake
	// places are those of the values, by key: "dark", "palette.text".
	places map[string][2]int
}

// Lint returns all mistakes in a palette file: those for which [Load] refuses it, or else the pairs
// of colours with too little contrast.
func Lint(name string, data []byte) []Mistake {
	r := read(name, data)
	if len(r.wrong) > 0 {
		return r.wrong
	}
	for _, p := range r.theme.problems() {
		at := r.places["palette."+p.name]
		r.wrong = append(r.wrong, Mistake{at[0], at[1], p.text, true})
	}
	return r.wrong
}

func read(name string, data []byte) *reader {
	r := &reader{places: map[string][2]int{}}
	if len(data) > maxFile {
		r.add(1, 1, "the file has %d bytes, at most %d are read", len(data), maxFile)
		return r
	}
	n, err := limits().Parse(data)
	if err != nil {
		e := yamlfile.Explain(err)
		r.add(e.Line, e.Column, "%s", e.Message)
		return r
	}
	if n != nil {
		r.mapping(n, "", r.keys())
	}
	r.check(name)
	return r
}

func (r *reader) add(line, column int, format string, args ...any) {
	r.wrong = append(r.wrong, Mistake{Line: max(line, 1), Column: max(column, 1), Message: fmt.Sprintf(format, args...)})
}

// at adds what is wrong with the value of a key.
func (r *reader) at(key, format string, args ...any) {
	place := r.places[key]
	if place == [2]int{} {
		place = r.places["palette"]
	}
	r.add(place[0], place[1], key+": "+format, args...)
}

// field is a key of a mapping: it takes its value, or says what is needed.
type field struct {
	name string
	take func(v any) string
}

func (r *reader) keys() []field {
	text := func(to *string) func(any) string {
		return func(v any) string {
			s, ok := v.(string)
			if *to = s; !ok {
				return "must be a text"
			}
			return ""
		}
	}
	truth := func(to *bool) func(any) string {
		return func(v any) string {
			b, ok := v.(bool)
			if *to = b; !ok {
				return "must be true or false"
			}
			return ""
		}
	}
	t := &r.theme
	return []field{
		{"name", text(&t.Name)}, {"title", text(&t.Title)}, {"dark", truth(&t.Dark)}, {"fill", truth(&t.Fill)},
		{"contrast", func(v any) string {
			n, _ := v.(json.Number)
			f, err := n.Float64()
			if t.Contrast = f; err != nil {
				return "must be a number from 1 to 21"
			}
			return ""
		}},
		{"palette", nil},
	}
}

// colors are the keys of a palette, as its fields are tagged.
func (r *reader) colors() (out []field) {
	v := reflect.ValueOf(&r.theme.Palette).Elem()
	for i := range v.NumField() {
		out = append(out, field{v.Type().Field(i).Tag.Get("yaml"), func(x any) string {
			if x == nil {
				return ""
			}
			s, ok := x.(string)
			if v.Field(i).SetString(s); !ok {
				return fmt.Sprintf(`is %v, must be a colour as "#rrggbb"`, x)
			}
			return ""
		}})
	}
	return out
}

// mapping reads the keys of a mapping; under is what their names begin with.
func (r *reader) mapping(n ast.Node, under string, fields []field) {
	all, err := yamlfile.Entries(n)
	if err != nil {
		e := yamlfile.Explain(err)
		r.add(e.Line, e.Column, "%s%s", under, e.Message)
		return
	}
	for _, e := range all {
		key := under + e.Key
		r.places[key] = [2]int{e.Line, e.Column}
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == e.Key })
		if i < 0 {
			r.add(e.Line, e.Column, "unknown field %q; there are %s", key, names(fields))
			continue
		}
		if fields[i].take == nil {
			r.mapping(e.Value, "palette.", r.colors())
			continue
		}
		v, err := yamlfile.Value(e.Value)
		if line, column := yamlfile.Place(e.Value); line > 0 && v != nil {
			r.places[key] = [2]int{line, column}
		}
		if bad, ok := errors.AsType[*yamlfile.Error](err); ok {
			r.add(bad.Line, bad.Column, "%s: %s", key, bad.Message)
		} else if why := fields[i].take(v); why != "" {
			r.at(key, "%s", why)
		}
	}
}

func names(fields []field) string {
	var out []string
	for _, f := range fields {
		out = append(out, f.name)
	}
	return strings.Join(out, ", ")
}

// check checks what was read as a whole, and fills in what may be left out.
func (r *reader) check(name string) {
	t := &r.theme
	seen := map[string]bool{}
	for _, m := range r.wrong {
		key, _, _ := strings.Cut(m.Message, ":")
		seen[key] = true
	}
	if t.Contrast == 0 {
		t.Contrast = defaultContrast
	}
	if t.Title == "" {
		t.Title = t.Name
	}
	if t.Name != name && !seen["name"] {
		r.at("name", "is %q, must be %q as the file is called", t.Name, name)
	}
	if t.Contrast < 1 || t.Contrast > 21 {
		r.at("contrast", "is %v, must be from 1 to 21", t.Contrast)
	}
	if _, ok := r.places["palette"]; !ok {
		r.add(1, 1, "palette: is missing; `darkroom themes show %s` prints a whole file", Dusk)
		return
	}
	for _, c := range t.Palette.tokens() {
		if _, err := parseHex(c.value); err != nil && !seen["palette."+c.name] {
			r.at("palette."+c.name, "%s", err)
		}
	}
}
