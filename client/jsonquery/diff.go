package jsonquery

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/itchyny/gojq"
)

// maxChanges bounds what is told of a difference.
const maxChanges = 10_000

// Change is one value that differs between two bodies.
type Change struct {
	Path string `json:"path"` // as jq writes it
	// Was and Is are the values as compact JSON; nil where there is none.
	Was json.RawMessage `json:"was,omitempty"`
	Is  json.RawMessage `json:"is,omitempty"`
}

// Sign is "+" for a value that came, "-" for one that went, "~" for one that changed.
func (c Change) Sign() string {
	switch {
	case c.Was == nil:
		return "+"
	case c.Is == nil:
		return "-"
	default:
		return "~"
	}
}

// Diff tells what is different in b, as seen from a. What stands at the end of a list is compared
// with what stands at the end where only the middle differs. An error says that one is no JSON.
func Diff(a, b []byte) ([]Change, error) {
	was, err := decode(a)
	if err != nil {
		return nil, err
	}
	is, err := decode(b)
	if err != nil {
		return nil, err
	}
	d := differ{}
	d.value(Root, was, is)
	return d, nil
}

type differ []Change

func (d *differ) add(c Change) {
	if len(*d) < maxChanges {
		*d = append(*d, c)
	}
}

func (d *differ) value(path string, was, is any) {
	switch w := was.(type) {
	case map[string]any:
		if i, ok := is.(map[string]any); ok {
			d.object(path, w, i)
			return
		}
	case []any:
		if i, ok := is.([]any); ok {
			d.list(path, w, i)
			return
		}
	default:
		if was == is { // the scalars of JSON can be compared, and maps and slices are of other types
			return
		}
	}
	d.add(Change{Path: path, Was: compact(was), Is: compact(is)})
}

func (d *differ) object(path string, was, is map[string]any) {
	names := slices.Collect(maps.Keys(was))
	for n := range is {
		if _, both := was[n]; !both {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		w, before := was[n]
		i, after := is[n]
		switch at := Member(path, n); {
		case !before:
			d.add(Change{Path: at, Is: compact(i)})
		case !after:
			d.add(Change{Path: at, Was: compact(w)})
		default:
			d.value(at, w, i)
		}
	}
}

// list compares two lists item by item, the equal ones at both ends aside.
func (d *differ) list(path string, was, is []any) {
	from, behind := 0, 0
	short := min(len(was), len(is))
	for from < short && equal(was[from], is[from]) {
		from++
	}
	for behind < short-from && equal(was[len(was)-1-behind], is[len(is)-1-behind]) {
		behind++
	}
	for i := from; i < max(len(was), len(is))-behind; i++ {
		switch {
		case i >= len(was)-behind:
			d.add(Change{Path: Item(path, i), Is: compact(is[i])})
		case i >= len(is)-behind:
			d.add(Change{Path: Item(path, i), Was: compact(was[i])})
		default:
			d.value(Item(path, i), was[i], is[i])
		}
	}
}

func equal(a, b any) bool {
	var d differ
	d.value(Root, a, b)
	return len(d) == 0
}

// compact is a value that was decoded, as JSON again.
func compact(v any) json.RawMessage {
	b, err := gojq.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}
