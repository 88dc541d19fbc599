package catalog

import (
	"reflect"
	"slices"
	"strings"

	"darkroom/client"
)

// Overlay returns a catalog with the additions and changes of a file in the format of
// catalog.yaml. Modes are matched by id, fields by modality and name, formats by name,
// families by token, models by id within their family: what the file says of an existing one
// replaces key by key, what it leaves out stays. New ones go to the end. It is as
// strict as [Load]; c is unchanged.
func (c *Catalog) Overlay(yaml []byte, name string) (*Catalog, error) {
	over, raw, err := parse(yaml, name)
	if err != nil {
		return nil, err
	}
	return c.lay(over, raw)
}

// lay is Overlay for a parsed document.
func (c *Catalog) lay(over document, raw map[string]any) (*Catalog, error) {
	// Duplicates within the file itself would merge silently: find them first.
	if err := over.duplicates(); err != nil {
		return nil, err
	}
	doc := document{
		Version:  version,
		Modes:    slices.Clone(c.doc.Modes),
		Fields:   map[client.Modality][]fieldDef{},
		Families: slices.Clone(c.doc.Families),
	}
	for m, list := range c.doc.Fields {
		doc.Fields[m] = slices.Clone(list)
	}
	rawModes, _ := raw["modes"].([]any)
	doc.Modes = mergeList(doc.Modes, over.Modes, rawModes)
	rawFields, _ := raw["fields"].(map[string]any)
	for m, list := range over.Fields {
		rawList, _ := rawFields[string(m)].([]any)
		doc.Fields[m] = mergeList(doc.Fields[m], list, rawList)
	}
	rawFamilies, _ := raw["families"].([]any)
	doc.mergeFamilies(over.Families, rawFamilies)
	doc.Formats, doc.Open = slices.Clone(c.doc.Formats), c.doc.Open
	rawFormats, _ := raw["formats"].([]any)
	for i := range over.Formats {
		f := &over.Formats[i]
		j := slices.IndexFunc(doc.Formats, func(x FormatInfo) bool { return x.Name == f.Name })
		if j < 0 {
			doc.Formats = append(doc.Formats, *f)
			continue
		}
		overlayStruct(reflect.ValueOf(&doc.Formats[j]).Elem(), reflect.ValueOf(f).Elem(), rawAt(rawFormats, i))
	}
	if over.Open != nil {
		doc.Open = over.Open
	}
	// A person's own rules come first, so they win a tie.
	doc.Errors = slices.Concat(over.Errors, c.doc.Errors)
	doc.at, doc.formatAt = over.at, over.formatAt
	if err := doc.validate(); err != nil {
		return nil, err
	}
	out := build(doc)
	out.markOverlay(c, over.Families, rawFamilies)
	return out, nil
}

// mergeFamilies merges the models of a family by id; everything else by key.
func (d *document) mergeFamilies(over []familyDef, raw []any) {
	for i := range over {
		o := over[i]
		present := rawAt(raw, i)
		models, _ := present["models"].([]any)
		j := slices.IndexFunc(d.Families, func(f familyDef) bool { return f.Token == o.Token })
		if j < 0 {
			d.Families = append(d.Families, o)
			continue
		}
		base := d.Families[j]
		merged := mergeList(slices.Clone(base.Models), o.Models, models)
		overlayStruct(reflect.ValueOf(&base).Elem(), reflect.ValueOf(&o).Elem(), present)
		base.Models, base.at = merged, o.at
		d.Families[j] = base
	}
}

// An item is known by its key and carries the place where it was written.
func (d *modeDef) item() (string, **place)  { return d.ID, &d.at }
func (d *fieldDef) item() (string, **place) { return d.Name, &d.at }
func (d *modelDef) item() (string, **place) { return d.ID, &d.at }

// mergeList merges each item of over into the item of base with the same key, and appends the
// others. base must be the caller's own.
func mergeList[T any, P interface {
	*T
	item() (string, **place)
}](base, over []T, raw []any) []T {
	known := make(map[string]int, len(base))
	for i := range base {
		key, _ := P(&base[i]).item()
		known[key] = i
	}
	for i := range over {
		key, from := P(&over[i]).item()
		j, ok := known[key]
		if !ok {
			base = append(base, over[i])
			continue
		}
		overlayStruct(reflect.ValueOf(&base[j]).Elem(), reflect.ValueOf(&over[i]).Elem(), rawAt(raw, i))
		_, at := P(&base[j]).item()
		*at = *from
	}
	return base
}

// overlayStruct copies the fields of src whose keys are present; nested structs merge
// in the same way, lists and maps are replaced as a whole.
func overlayStruct(dst, src reflect.Value, present map[string]any) {
	t := dst.Type()
	for i := range t.NumField() {
		if t.Field(i).Anonymous {
			overlayStruct(dst.Field(i), src.Field(i), present)
			continue
		}
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		v, ok := present[name]
		if name == "" || !ok {
			continue
		}
		if inner, isMap := v.(map[string]any); isMap && dst.Field(i).Kind() == reflect.Struct {
			overlayStruct(dst.Field(i), src.Field(i), inner)
			continue
		}
		dst.Field(i).Set(src.Field(i))
	}
}

func rawAt(raw []any, i int) map[string]any {
	if i >= len(raw) {
		return nil
	}
	m, _ := raw[i].(map[string]any)
	return m
}
