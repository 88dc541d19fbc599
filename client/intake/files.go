package intake

import (
	"encoding/json"
	"slices"

	"darkroom/client"
)

// Files are the files on this machine that the request names, each once, in order of their
// names: they would be read and sent with it. Who pasted it may not know that it names any, so a
// person is to be asked first.
func (r Result) Files() []string {
	var out []string
	var walk func(v any)
	walk = func(v any) {
		switch t := v.(type) {
		case string:
			if path, ok := client.FilePath(t); ok {
				out = append(out, path)
			}
		case []any:
			for _, x := range t {
				walk(x)
			}
		case map[string]any:
			for _, x := range t {
				walk(x)
			}
		}
	}
	for _, part := range []any{r.Draft.Values, r.Draft.Extra} {
		var plain any
		if b, err := json.Marshal(part); err == nil && json.Unmarshal(b, &plain) == nil {
			walk(plain)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// LeaveOut returns the request without the given files, named as by Files. An item of a list that
// contains one is removed whole, since the rest of it is about that file.
func (r Result) LeaveOut(files []string) Result {
	r.Draft = r.Draft.Clone()
	gone := func(s string) bool {
		path, ok := client.FilePath(s)
		return ok && slices.Contains(files, path)
	}
	for name, v := range r.Draft.Values {
		if kept, _, ok := without(v, gone); ok {
			r.Draft.Values[name] = kept
		} else {
			delete(r.Draft.Values, name)
		}
	}
	for key, raw := range r.Draft.Extra {
		v, err := client.ParseJSON(string(raw))
		if err != nil {
			continue // it is checked where it is read
		}
		kept, cut, ok := without(v, gone)
		if !ok {
			delete(r.Draft.Extra, key)
		} else if cut {
			if b, err := json.Marshal(kept); err == nil { // what was parsed can be written
				r.Draft.Extra[key] = b
			}
		}
	}
	return r
}

// without removes texts from a value, at any depth; cut says whether any were removed, ok whether
// something is left.
func without(v any, gone func(string) bool) (kept any, cut, ok bool) {
	switch t := v.(type) {
	case string:
		cut = gone(t)
		return t, cut, !cut
	case []any:
		list := make([]any, 0, len(t))
		for _, x := range t {
			if _, in, _ := without(x, gone); in {
				cut = true
				continue
			}
			list = append(list, x)
		}
		return list, cut, !cut || len(list) > 0
	case map[string]any:
		obj := make(map[string]any, len(t))
		for k, x := range t {
			x, in, left := without(x, gone)
			cut = cut || in
			if left {
				obj[k] = x
			}
		}
		return obj, cut, !cut || len(obj) > 0
	}
	return v, false, true
}
