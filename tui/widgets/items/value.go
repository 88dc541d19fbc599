package items

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"darkroom/client"
)

// get follows a path. Where text stands in the place of an object, that text is found:
// a bare string instead of {url: …} shows as what it means. nested tells that it was not so.
func get(item map[string]any, path []string) (v any, has, nested bool) {
	var at any = item
	for i, k := range path {
		m, ok := at.(map[string]any)
		if !ok {
			return at, i > 0, false
		}
		if at, has = m[k]; !has {
			return nil, false, true
		}
	}
	return at, true, true
}

// set is the item with another value at a path; nil removes it, along with the objects that this
// leaves empty. The item itself is unchanged.
func set(item map[string]any, path []string, v any) map[string]any {
	out := maps.Clone(item)
	if out == nil {
		out = map[string]any{}
	}
	if len(path) == 0 {
		return out
	}
	k := path[0]
	if len(path) > 1 {
		inner, _ := out[k].(map[string]any)
		if v == nil && inner == nil {
			delete(out, k) // a bare value in the place of the object
			return out
		}
		next := set(inner, path[1:], v)
		if v == nil && len(next) == 0 {
			delete(out, k)
			return out
		}
		out[k] = next
		return out
	}
	if v == nil {
		delete(out, k)
	} else {
		out[k] = v
	}
	return out
}

// scalar is a value as a person types it; false for objects and lists.
func scalar(v any) (string, bool) {
	switch t := v.(type) {
	case nil:
		return "", true
	case string:
		return t, true
	case bool:
		return strconv.FormatBool(t), true
	case json.Number:
		return t.String(), true
	}
	return "", false
}

// compact is a value as one line of JSON; numbers keep their digits.
func compact(v any) string { return strings.TrimSpace(encode(v, "")) }

func encode(v any, indent string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return ""
	}
	return b.String()
}

// Format is a value as readable JSON over several lines: numbers keep their digits, and signs like
// & are not escaped.
func Format(v any) string { return strings.TrimSuffix(encode(v, "  "), "\n") }

// typed is the value that a text means: numbers keep their digits, or stay text where they were
// text, and any other text stays as typed.
func (p *Part) typed(text string, wasText bool) any {
	switch p.Kind {
	case Integer, Number, Boolean:
		s := strings.TrimSpace(text)
		if s == "" {
			return nil
		}
		if wasText && p.Kind != Boolean {
			return s
		}
		if v, err := client.ParseJSON(s); err == nil {
			switch v.(type) {
			case json.Number, bool:
				return v
			}
		}
		return s
	case Media:
		text = strings.TrimSpace(text)
	}
	if text == "" {
		return nil
	}
	if len(p.Options) > 0 {
		text = strings.TrimSpace(text)
	}
	return text
}

// EachReference calls f for each reference in a value, and returns the value with f's answers in
// their places; an unchanged value is returned as it is. References are found where the Spec says,
// including text in place of {url: …}.
func (s *Spec) EachReference(value any, f func(ref string, media []string) string) any {
	list, ok := value.([]any)
	if !ok {
		if item, ok := value.(map[string]any); ok && !s.List {
			return s.references(item, f)
		}
		return value
	}
	if !s.List {
		return value
	}
	var out []any
	for i, x := range list {
		item, ok := x.(map[string]any)
		if !ok {
			continue
		}
		next := s.references(item, f)
		if out == nil && !sameMap(next, item) {
			out = append([]any(nil), list...)
		}
		if out != nil {
			out[i] = next
		}
	}
	if out == nil {
		return value
	}
	return out
}

func (s *Spec) references(item map[string]any, f func(string, []string) string) map[string]any {
	for _, i := range s.parts(item) {
		p := &s.Parts[i]
		if p.Kind != Media {
			continue
		}
		v, _, nested := get(item, p.Path)
		ref, ok := v.(string)
		if !ok || !nested || ref == "" {
			continue
		}
		if next := f(ref, p.Media); next != ref {
			item = set(item, p.Path, next)
		}
	}
	return item
}

// sameMap reports whether two maps are one and the same.
func sameMap(a, b map[string]any) bool {
	return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
}
