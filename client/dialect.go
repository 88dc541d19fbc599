package client

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"darkroom/client/places"
)

// A Dialect is how one gateway words what the interface leaves open: the vendor words of path
// segments, models and the like. It is plain data. The client applies it in one place on the way
// out, after the codec has encoded, and in one on the way back: everything above it uses the
// catalog's names. The zero Dialect changes nothing.
type Dialect struct {
	// Name is for people; "" for none.
	Name string
	// Segments replace whole segments of the formats' own paths, as the gateway's word for famN.
	Segments map[string]string
	// Paths replace all paths of a format, keyed by its name.
	Paths map[string]DialectPaths
	// Models are the gateway's names for a model, keyed by the catalog's identifier. The first is
	// sent, all are understood in answers and lists. [NamePlaceholder] stands for the draft's
	// model_name, in the gateway's word for it.
	Models map[string][]string
	// ModelNames and Engines are the gateway's words for values of model_name and
	// upstream_model.
	ModelNames, Engines map[string]string
	// WireNames are the names of fields in requests: format, canonical, wire. They take precedence
	// over those of a model.
	WireNames map[string]map[string]string
	// Omit are canonical fields that this gateway does not take: they are never sent, and are
	// reported as dropped.
	Omit []string
}

// DialectPaths are whole paths, "" for the format's own. Query and Content hold
// [IDPlaceholder] once.
type DialectPaths struct{ Create, Query, Content string }

// IDPlaceholder stands for a task's id in a path of a [Dialect].
const IDPlaceholder = "{id}"

// NamePlaceholder stands, as a name of a model, for the draft's model_name, where a gateway has no
// base models.
const NamePlaceholder = "{model_name}"

// CatalogModels are the catalog's identifiers for a gateway's name, sorted: none for a name that
// the dialect does not have, several for one that several models share.
func (d Dialect) CatalogModels(name string) []string {
	var ids []string
	for id, names := range d.Models {
		if slices.Contains(names, name) || slices.Contains(names, NamePlaceholder) && d.namesModel(name) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// namesModel reports whether a name is the gateway's word for a model_name.
func (d Dialect) namesModel(name string) bool {
	for _, w := range d.ModelNames {
		if w == name {
			return true
		}
	}
	return false
}

// catalogModel is the catalog's identifier for the model that an answer names. sent is the model
// that was asked for, "" where that is not known: it decides where several models share the name. A
// name that does not belong to exactly one model is returned unchanged.
func (d Dialect) catalogModel(name, sent string) string {
	ids := d.CatalogModels(name)
	switch {
	case slices.Contains(ids, sent):
		return sent
	case len(ids) == 1:
		return ids[0]
	default:
		return name
	}
}

// omit removes from a draft the fields that the gateway does not take.
func (d Dialect) omit(draft Draft) (Draft, []Dropped) {
	var dropped []Dropped
	for _, name := range d.Omit {
		if _, set := draft.Values[name]; !set {
			continue
		}
		if len(dropped) == 0 {
			draft.Values = maps.Clone(draft.Values)
		}
		delete(draft.Values, name)
		dropped = append(dropped, Dropped{Field: name, Reason: "this gateway does not take it, says " + d.title()})
	}
	return draft, dropped
}

func (d Dialect) title() string {
	if d.Name == "" {
		return "its dialect"
	}
	return "the dialect " + d.Name
}

// wireNames are a model's names in a format, overridden by the dialect's.
func (d Dialect) wireNames(format string, usual map[string]string) map[string]string {
	own := d.WireNames[format]
	if len(own) == 0 {
		return usual
	}
	out := maps.Clone(own)
	for canonical, wire := range usual {
		if _, set := out[canonical]; !set {
			out[canonical] = wire
		}
	}
	return out
}

// body replaces the catalog's words by the gateway's in the values that name models. Raw additions
// of the person are sent unchanged.
func (d Dialect) body(f Format, draft Draft, raw []byte) ([]byte, error) {
	words := map[string]map[string]string{FieldModelName: d.ModelNames, FieldEngine: d.Engines}
	if len(d.Models) > 0 {
		words[FieldModel] = d.sent(draft.ModelName)
	}
	if len(d.Models)+len(d.ModelNames)+len(d.Engines) == 0 || len(raw) == 0 {
		return raw, nil
	}
	names, values, err := places.Members(raw)
	if err != nil {
		return nil, fmt.Errorf("%s made no JSON: %w", f.Label(), err)
	}
	changed := false
	for _, x := range f.Fields() {
		word := words[x.Canonical]
		i := slices.Index(names, draft.WireName(x.Canonical, x.Wire))
		if word == nil || i < 0 || draft.Extra[places.Quote(names[i])] != nil {
			continue
		}
		var s string
		if json.Unmarshal(values[i], &s) != nil {
			continue
		}
		if w, ok := word[s]; ok {
			if values[i], err = json.Marshal(w); err != nil {
				return nil, err
			}
			changed = true
		}
	}
	if !changed {
		return raw, nil
	}
	return places.Object(names, values)
}

// sent are the names under which models are sent, for a draft with this model_name.
func (d Dialect) sent(modelName string) map[string]string {
	out := make(map[string]string, len(d.Models))
	for id, names := range d.Models {
		switch {
		case len(names) == 0:
		case names[0] != NamePlaceholder:
			out[id] = names[0]
		case d.ModelNames[modelName] != "":
			out[id] = d.ModelNames[modelName]
		case modelName != "":
			out[id] = modelName
		}
	}
	return out
}

// path replaces segments by the dialect's words, and a model that a segment begins with, as in
// {model}:predictLongRunning, by the gateway's name for it.
func (d Dialect) path(path, model string) string {
	if len(d.Segments) == 0 && len(d.Models) == 0 {
		return path
	}
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if w, ok := d.Segments[p]; ok {
			parts[i] = w
		} else if before, after, ok := strings.Cut(p, ":"); ok && before == url.PathEscape(model) {
			if w, ok := d.sent("")[model]; ok {
				parts[i] = PathSegment(w) + ":" + after
			}
		}
	}
	return strings.Join(parts, "/")
}

// Dialect returns the dialect in use.
func (c *Client) Dialect() Dialect { return c.opts.Dialect }
