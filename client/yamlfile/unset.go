package yamlfile

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
)

// Unset returns the text of a file without the value at a place of keys, and without the mappings
// that would be left empty by that, with all else as it stands. A key that is not there changes nothing.
// The error is that of Parse for a file that cannot be read, or [ErrInPlace]; then nothing was changed.
func (l Limits) Unset(data []byte, keys []string) ([]byte, error) {
	root, err := l.Parse(data)
	if err != nil {
		return nil, Explain(err)
	}
	was, err := Value(root)
	if err != nil {
		return nil, ErrInPlace
	}
	want, cut := without(was, keys)
	if cut == 0 {
		return data, nil
	}
	e := editor{lines: strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")}
	if !e.remove(root, keys[:cut]) {
		return nil, ErrInPlace
	}
	text := []byte(strings.Join(e.lines, "\n") + "\n")
	if len(e.lines) == 0 {
		text = nil
	}
	root, err = l.Parse(text)
	if err != nil {
		return nil, ErrInPlace
	}
	if got, err := Value(root); err != nil || !reflect.DeepEqual(got, want) {
		return nil, ErrInPlace
	}
	return text, nil
}

// without is a value without what is at a place, nil where nothing is left of it; cut is how many of the
// keys lead to what is to be taken out, 0 for nothing.
func without(in any, keys []string) (out any, cut int) {
	m, ok := in.(map[string]any)
	if !ok || len(keys) == 0 {
		return in, 0
	}
	below, there := m[keys[0]]
	if !there {
		return in, 0
	}
	rest := any(nil)
	if len(keys) > 1 {
		if rest, cut = without(below, keys[1:]); cut == 0 {
			return in, 0
		}
		cut++
	}
	if rest != nil {
		m = maps.Clone(m)
		m[keys[0]] = rest
		return m, cut
	}
	if len(m) == 1 {
		return nil, 1
	}
	m = maps.Clone(m)
	delete(m, keys[0])
	return m, 1
}

// remove takes a key with its value out of the lines, and reports whether it knew how.
func (e *editor) remove(n ast.Node, keys []string) bool {
	all, err := Entries(n)
	i := slices.IndexFunc(all, func(at Entry) bool { return at.Key == keys[0] })
	m, _ := n.(*ast.MappingNode)
	switch {
	case err != nil || i < 0:
		return false
	case len(keys) > 1:
		return e.remove(all[i].Value, keys[1:])
	case m != nil && m.IsFlowStyle:
		return e.removeWithin(all, i)
	default:
		return e.removeLines(all[i])
	}
}

// removeLines takes the lines of a key out that begins one.
func (e *editor) removeLines(at Entry) bool {
	if at.Line == 0 || at.Line > len(e.lines) || strings.TrimSpace(e.lines[at.Line-1][:byteAt(e.lines[at.Line-1], at.Column)]) != "" {
		return false
	}
	end := e.end(at.Line-1, at.Column-1)
	e.lines = append(e.lines[:at.Line-1:at.Line-1], e.lines[end:]...)
	return true
}

// removeWithin takes a key out of a mapping in braces that stands in one line.
func (e *editor) removeWithin(all []Entry, i int) bool {
	at := all[i]
	if at.Line == 0 || at.Line > len(e.lines) {
		return false
	}
	s := e.lines[at.Line-1]
	from, to := byteAt(s, at.Column), 0
	switch {
	case i+1 < len(all) && all[i+1].Line == at.Line:
		to = byteAt(s, all[i+1].Column)
	case i+1 < len(all):
		return false
	default: // the last one goes with the comma before it
		to = strings.LastIndexByte(s, '}')
		if end := valueEnd(s, from); end >= 0 {
			to = end
		}
		if i > 0 {
			comma := strings.LastIndexByte(s[:from], ',')
			if comma < 0 {
				return false
			}
			from = comma
		}
	}
	if to < from || !utf8.ValidString(s[:from]+s[to:]) {
		return false
	}
	e.lines[at.Line-1] = s[:from] + s[to:]
	return true
}

// valueEnd is where the value of a key within braces ends, -1 where that is not in the line.
func valueEnd(s string, from int) int {
	end := scalarEnd(s, from, ":")
	if end > len(s) {
		return -1
	}
	colon := strings.IndexByte(s[end:], ':')
	if colon < 0 {
		return -1
	}
	value := end + colon + 1
	value += len(s[value:]) - len(strings.TrimLeft(s[value:], " "))
	if stop := scalarEnd(s, value, ",}]"); stop <= len(s) {
		return stop
	}
	return -1
}
