package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/yamlfile"
)

// Problem is a mistake in the settings, with its place in the file.
type Problem struct {
	Line, Column int
	Key          string // the place in the settings, as profiles.work.rate
	Err          error
}

// Error says where it is, and what is wrong there.
func (p *Problem) Error() string { return fmt.Sprintf("[%d:%d] %s", p.Line, p.Column, p.Message()) }

// Message is Error without the place in the file.
func (p *Problem) Message() string { return p.Key + ": " + p.Err.Error() }

// Unwrap returns what is wrong.
func (p *Problem) Unwrap() error { return p.Err }

// problems checks the text of a file by the table of settings: which keys there are, and their
// values. It says nothing of a text that is no YAML, of aliases, and of what the table has no rule
// for.
func problems(b []byte) []*Problem {
	w := walker{all: Settings()}
	if n, err := limits().Parse(b); err == nil && n != nil {
		w.walk(n, nil)
	}
	return w.found
}

type walker struct {
	all   []Setting
	found []*Problem
}

func (w *walker) add(line, column int, keys []string, err error) {
	w.found = append(w.found, &Problem{line, column, client.CleanLine(strings.Join(keys, ".")), err})
}

// walk checks a mapping at a place of keys.
func (w *walker) walk(n ast.Node, keys []string) {
	line, column := yamlfile.Place(n)
	switch n.(type) {
	case *ast.NullNode, *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
		return
	case ast.MapNode:
	default:
		if len(keys) > 0 {
			w.add(line, column, keys, fmt.Errorf("give keys and values: %s", strings.Join(w.names(keys), ", ")))
		}
		return
	}
	entries, err := yamlfile.Entries(n)
	if err != nil {
		return // the reader says it
	}
	for _, e := range entries {
		if e.Key != "<<" {
			w.entry(e, append(slices.Clone(keys), e.Key))
		}
	}
	for _, s := range w.all {
		if parts := strings.Split(s.Key, "."); s.Required && len(parts) == len(keys)+1 && matches(parts, keys) &&
			!slices.ContainsFunc(entries, func(e yamlfile.Entry) bool { return e.Key == parts[len(keys)] || e.Key == "<<" }) {
			w.add(line, column, append(slices.Clone(keys), parts[len(keys)]), s.Check(nil))
		}
	}
}

// entry checks one key and its value.
func (w *walker) entry(e yamlfile.Entry, keys []string) {
	s, within := find(w.all, keys)
	switch {
	case s == nil && within && e.Value == nil:
		return
	case s == nil && within:
		if len(keys) == 2 && keys[0] == "profiles" {
			if err := CheckName(keys[1]); err != nil {
				w.add(e.Line, e.Column, keys[:1], err)
				return
			}
		}
		w.walk(e.Value, keys)
		return
	case s == nil:
		w.add(e.Line, e.Column, keys, w.unknown(keys))
		return
	}
	switch e.Value.(type) {
	case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
		return
	}
	v, err := yamlfile.Value(e.Value)
	switch x := e.Value.(type) {
	case *ast.NanNode:
		v, err = json.Number("NaN"), nil
	case *ast.InfinityNode:
		v, err = json.Number(strconv.FormatFloat(x.Value, 'g', -1, 64)), nil
	}
	if err != nil {
		return // as an alias within a list
	}
	if err := s.Check(v); err != nil {
		line, column := yamlfile.Place(e.Value)
		if line == 0 {
			line, column = e.Line, e.Column
		}
		w.add(line, column, keys, err)
	}
}

// unknown says that there is no such key, and which there are.
func (w *walker) unknown(keys []string) error {
	last := len(keys) - 1
	names := w.names(keys[:last])
	near := catalog.Nearest(keys[last], names, 3)
	if len(near) > 0 {
		return fmt.Errorf("there is no such setting; near it: %s", strings.Join(near, ", "))
	}
	return fmt.Errorf("there is no such setting; allowed are %s", strings.Join(names, ", "))
}

// names are the keys that may stand at a place.
func (w *walker) names(keys []string) []string { return namesAt(w.all, keys) }

func namesAt(all []Setting, keys []string) (names []string) {
	for _, s := range all {
		parts := strings.Split(s.Key, ".")
		if len(parts) > len(keys) && matches(parts, keys) {
			name := parts[len(keys)]
			if name == "*" {
				name = "NAME"
			}
			names = append(names, name)
		}
	}
	return slices.Compact(names)
}

// matches reports whether a place begins like a key of the table.
func matches(parts, keys []string) bool {
	for i, k := range keys {
		if i >= len(parts) || parts[i] != "*" && parts[i] != k {
			return false
		}
	}
	return true
}
