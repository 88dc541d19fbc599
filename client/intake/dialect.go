package intake

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
)

// plainPath translates a path from the gateway's words into the interface's.
func (r Reader) plainPath(path string) string {
	if path == "" {
		return ""
	}
	for _, f := range r.Formats {
		own := r.Dialect.Paths[f.Name()].Create
		if own == "" || !strings.HasSuffix(path, own) || r.CreatePaths[f.Name()] != "" {
			continue
		}
		for _, p := range r.paths(f) {
			if p != "" {
				return p
			}
		}
	}
	parts := strings.Split(path, "/")
	for i, p := range parts {
		for plain, word := range r.Dialect.Segments {
			if p == word {
				parts[i] = plain
			}
		}
		if before, after, ok := strings.Cut(p, ":"); ok {
			if ids := r.Dialect.CatalogModels(before); len(ids) > 0 {
				parts[i] = client.PathSegment(ids[0]) + ":" + after
			}
		}
	}
	return strings.Join(parts, "/")
}

// plainModels replaces the gateway's names by the catalog's in the values of a body that name
// models. Where several models share a name, the hint's is meant, else the first.
func (r Reader) plainModels(body map[string]any, h Hint, notes *[]string) {
	undo := func(member string, words map[string]string) {
		s, ok := body[member].(string)
		if !ok || words[s] != "" { // the catalog's own
			return
		}
		for _, plain := range slices.Sorted(maps.Keys(words)) {
			if words[plain] == s {
				body[member] = plain
				return
			}
		}
	}
	undo(client.FieldModelName, r.Dialect.ModelNames)
	undo(client.FieldEngine, r.Dialect.Engines)
	for _, names := range r.Dialect.WireNames {
		if w := names[client.FieldEngine]; w != "" {
			undo(w, r.Dialect.Engines)
		}
	}
	name, _ := body[client.FieldModel].(string)
	if r.Dialect.Models[name] != nil {
		return
	}
	switch ids := r.Dialect.CatalogModels(name); {
	case len(ids) == 0:
	case slices.Contains(ids, h.Model):
		body[client.FieldModel] = h.Model
	default:
		body[client.FieldModel] = ids[0]
		if len(ids) > 1 {
			*notes = append(*notes, fmt.Sprintf("%s is the gateway's name for several models: %s is taken, others are %s",
				client.CleanLine(name), ids[0], strings.Join(ids[1:], ", ")))
		}
	}
}

// plainNames replaces the gateway's names of fields by the format's own.
func (r Reader) plainNames(f client.Format, body map[string]any) map[string]any {
	own := r.Dialect.WireNames[f.Name()]
	if len(own) == 0 {
		return body
	}
	body, _ = clone(body).(map[string]any)
	for _, w := range f.Fields() {
		name := own[w.Canonical]
		if name == "" || name == w.Wire {
			continue
		}
		v, there := at(body, name)
		if _, taken := at(body, w.Wire); !there || taken {
			continue
		}
		takeAt(body, name)
		setAt(body, w.Wire, v)
	}
	return body
}

// takeAt removes the value at a dotted place, and the object that held it when nothing is left.
func takeAt(body map[string]any, place string) {
	head, inner, nested := strings.Cut(place, ".")
	if !nested {
		delete(body, head)
		return
	}
	obj := holder(body, head)
	delete(obj, inner)
	if len(obj) == 0 {
		dropHolder(body, head)
	}
}

// setAt sets the value at a place of at most two names; deeper places are left alone.
func setAt(body map[string]any, place string, v any) {
	head, inner, nested := strings.Cut(place, ".")
	if !nested {
		body[head] = v
		return
	}
	obj := holder(body, head)
	if obj == nil {
		obj = map[string]any{}
		body[head] = obj
	}
	obj[inner] = v
}
