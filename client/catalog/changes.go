package catalog

import (
	"maps"
	"slices"

	"darkroom/client"
)

// Change is one item that an overlay adds to the embedded catalog or changes in it.
type Change struct {
	Kind string `json:"kind"`         // "format", "mode", "field", "family", "model", "open"
	Name string `json:"name"`         // id, name or token
	In   string `json:"in,omitempty"` // modality of a field, family of a model
	New  bool   `json:"new"`
	// Keys are the keys it changes in an existing item, sorted.
	Keys []string `json:"keys,omitempty"`
	Line int      `json:"line,omitempty"` // where it is written, 0 when that is not known
}

// Changes lists what a person's catalog file adds to the embedded catalog and what it changes
// there, in the order formats, modes, fields, families, models. The file must pass [Lint];
// otherwise the first error is returned.
func Changes(yaml []byte, name string) ([]Change, error) {
	c, err := Embedded()
	if err != nil {
		return nil, err
	}
	over, raw, err := parse(yaml, name)
	if err != nil {
		return nil, err
	}
	var out []Change
	add := func(kind, name, in string, known bool, said map[string]any, at *place) {
		ch := Change{Kind: kind, Name: name, In: in, New: !known}
		if at != nil && at.node != nil && at.node.GetToken() != nil && at.node.GetToken().Position != nil {
			ch.Line = at.node.GetToken().Position.Line
		}
		if known {
			ch.Keys = keysSaid(said)
		}
		out = append(out, ch)
	}
	rawFormats, _ := raw["formats"].([]any)
	for i, f := range over.Formats {
		_, known := c.Format(f.Name)
		add("format", f.Name, "", known, rawAt(rawFormats, i), over.formatAt[f.Name])
	}
	for _, m := range over.Open {
		if !slices.Contains(c.doc.Open, m) {
			add("open", string(m), "", false, nil, nil)
		}
	}
	rawModes, _ := raw["modes"].([]any)
	for i := range over.Modes {
		d := &over.Modes[i]
		known := slices.ContainsFunc(c.doc.Modes, func(x modeDef) bool { return x.ID == d.ID })
		add("mode", d.ID, "", known, rawAt(rawModes, i), d.at)
	}
	rawFields, _ := raw["fields"].(map[string]any)
	for _, m := range slices.Sorted(maps.Keys(over.Fields)) {
		list, _ := rawFields[string(m)].([]any)
		for i := range over.Fields[m] {
			d := &over.Fields[m][i]
			_, known := c.Field(m, d.Name)
			add("field", d.Name, string(m), known, rawAt(list, i), d.at)
		}
	}
	rawFamilies, _ := raw["families"].([]any)
	for i := range over.Families {
		c.familyChanges(&over.Families[i], rawAt(rawFamilies, i), add)
	}
	return out, nil
}

func (c *Catalog) familyChanges(f *familyDef, raw map[string]any, add func(kind, name, in string, known bool, said map[string]any, at *place)) {
	at := slices.IndexFunc(c.doc.Families, func(x familyDef) bool { return x.Token == f.Token })
	if at < 0 || len(keysSaid(raw)) > 0 {
		add("family", f.Token, "", at >= 0, raw, f.at)
	}
	models, _ := raw["models"].([]any)
	for j := range f.Models {
		d := &f.Models[j]
		m, known := c.Model(d.ID)
		add("model", d.ID, f.Token, known && m.Family == f.Token, rawAt(models, j), d.at)
	}
}

// keysSaid returns the keys of an item except its name, with the traits listed one by one. The
// models of a family are items of their own.
func keysSaid(raw map[string]any) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(raw)) {
		switch k {
		case "id", "name", "token", "models":
			continue
		case "traits":
			if inner, ok := raw[k].(map[string]any); ok {
				out = append(out, slices.Sorted(maps.Keys(inner))...)
				continue
			}
		}
		out = append(out, client.CleanLine(k))
	}
	return out
}
