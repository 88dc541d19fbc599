package intake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/places"
)

const (
	fieldContent  = "content"
	fieldMessages = "messages"
)

// decode reads a body that was sent to a path; "" where the path is not known.
func (r Reader) decode(out Result, body map[string]any, path string, h Hint) (Result, error) {
	var only client.Format
	model := ""
	r.plainModels(body, h, &out.Notes)
	if f, name, ok := r.byPath(r.plainPath(path)); ok {
		only, model = f, name
	} else if i := slices.IndexFunc(r.Formats, func(f client.Format) bool { return f.Name() == h.Format }); i >= 0 && path == "" {
		only = r.Formats[i]
	} else if path != "" {
		out.Notes = append(out.Notes, client.CleanLine(path)+" is the path of no format here: the body is read by its fields")
	}
	ways := r.ways(body, h, only)
	if len(ways) == 0 {
		return out, errNoRequest
	}
	if _, nameless := body[""]; nameless {
		delete(body, "")
		out.Notes = append(out.Notes, "a member without a name is left out")
	}
	if unstream(body) {
		out.Notes = append(out.Notes, "stream is left out: the answer is read whole")
	}
	w := ways[0]
	out.Format = w.format.Name()
	out.Draft = r.draft(w, body, &out.Notes)
	if out.Draft.Model == "" {
		out.Draft.Model = model
	}
	if d := &out.Draft; d.Model == "" && d.ModelName == "" && d.Mode == "" && d.Prompt == "" && len(d.Values)+len(d.Extra) == 0 {
		return out, errNoRequest
	}
	return out, nil
}

// draft reads a body as one of a format. Where its references can be read in more than one way, the
// one is taken whose request equals what was read.
func (r Reader) draft(w way, body map[string]any, notes *[]string) client.Draft {
	body = r.plainNames(w.format, body)
	place, shared := sharedPlace(w.format)
	if !shared {
		return r.fields(w, body, nil, notes)
	}
	want, _ := at(body, place)
	for _, split := range []splitter{byRole, asContent} {
		var said []string
		d := r.fields(w, body, split, &said)
		if got, ok := at(r.encoded(w.format, d), place); ok && sameJSON(got, want) || want == nil {
			*notes = append(*notes, said...)
			return d
		}
	}
	return r.fields(w, body, nil, notes)
}

// fields makes the draft. The body is not changed.
func (r Reader) fields(w way, body map[string]any, split splitter, notes *[]string) client.Draft {
	body, _ = clone(body).(map[string]any)
	extra := map[string]json.RawMessage{}
	r.lift(w, body, split)
	leftovers(w.format, body, extra)
	r.single(w, body, extra, notes)
	for _, name := range []string{client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt} {
		if n, ok := body[name].(json.Number); ok {
			body[name] = n.String()
		}
	}
	d, _ := r.Catalog.Normalize(w.modality, body)
	for name, raw := range extra {
		if d.Extra == nil {
			d.Extra = map[string]json.RawMessage{}
		}
		d.Extra[name] = raw
	}
	r.shape(&d)
	r.trim(w.format, &d)
	return d
}

// lift moves what stands at a format's own places to the canonical names of the fields.
func (r Reader) lift(w way, body map[string]any, split splitter) {
	fields := w.format.Fields()
	sharing := map[string]int{} // fields that go to one place
	for _, x := range fields {
		sharing[x.Wire]++
	}
	liftMessages(fields, body)
	for _, x := range fields {
		head, inner, nested := strings.Cut(x.Wire, ".")
		obj, name := body, x.Wire
		if nested {
			obj, name = holder(body, head), inner
		} else if _, known := r.Catalog.Canonical(w.modality, x.Wire); known || isOwn(x.Wire) || x.Wire == fieldMessages {
			continue // the catalog knows what it means
		}
		v, there := obj[name]
		if !there || v == nil {
			continue
		}
		if sharing[x.Wire] > 1 {
			if split != nil && split(v, body) {
				delete(obj, name)
			}
		} else if _, set := body[x.Canonical]; !set && (x.Canonical != client.FieldPrompt || isText(v)) {
			body[x.Canonical] = inlined(v)
			delete(obj, name)
		}
		if nested && len(obj) == 0 {
			dropHolder(body, head)
		}
	}
}

// leftovers puts what is left inside the objects that a format writes into to its place
// among the raw additions, so that it does not replace what the format writes there.
func leftovers(f client.Format, body map[string]any, extra map[string]json.RawMessage) {
	fields := f.Fields()
	for _, x := range fields {
		head, _, nested := strings.Cut(x.Wire, ".")
		name, list := strings.CutSuffix(head, "[]")
		if !nested || slices.ContainsFunc(fields, func(y client.WireField) bool { return y.Wire == head }) {
			continue // or the object that holds it is a field itself
		}
		if items, ok := body[name].([]any); list && ok {
			for i, item := range items {
				place := fmt.Sprintf("%s[%d]", name, i)
				if obj, ok := item.(map[string]any); ok && i == 0 {
					keep(extra, place+".", obj)
				} else {
					extra[place] = raw(item)
				}
			}
			delete(body, name)
		}
		if obj, ok := body[name].(map[string]any); ok {
			keep(extra, name+".", obj)
			delete(body, name)
		}
	}
}

func keep(extra map[string]json.RawMessage, place string, obj map[string]any) {
	for name, v := range obj {
		if name != "" {
			extra[place+places.Quote(name)] = raw(v)
		}
	}
}

// single makes sure that no value is lost where one meaning comes under several names with
// different values, and that null, which is no value of a draft, is sent as it came.
func (r Reader) single(w way, body map[string]any, extra map[string]json.RawMessage, notes *[]string) {
	for name, v := range body {
		if v == nil && name != "" {
			extra[places.Quote(name)] = raw(v)
			delete(body, name)
		}
	}
	model, _ := body[client.FieldModel].(string)
	writes := r.names(w, model)
	for _, f := range r.Catalog.AllFields(w.modality) {
		if f.Kind == catalog.Medias {
			continue // which are joined
		}
		first := ""
		for _, name := range slices.Compact(append([]string{writes[f.Name], f.Name}, f.Aliases...)) {
			v, there := body[name]
			switch {
			case !there || name == first:
			case first == "":
				first = name
			default:
				if !sameText(v, body[first]) {
					extra[name] = raw(v)
					*notes = append(*notes, fmt.Sprintf("%s and %s mean the same and differ: %s is the field's, the other is kept as a raw addition", first, name, first))
				}
				delete(body, name)
			}
		}
	}
}

// names are those under which a format sends the fields of a model, by canonical name: the
// value under such a one is the field's, since a raw addition would take its place.
func (r Reader) names(w way, model string) map[string]string {
	out := map[string]string{}
	for _, x := range w.format.Fields() {
		out[x.Canonical] = x.Wire
	}
	maps.Copy(out, r.Catalog.WireNames(model, w.format.Name()))
	maps.DeleteFunc(out, func(field, name string) bool { // a place that several fields share
		is, ok := r.Catalog.Canonical(w.modality, name)
		return !ok || is != field
	})
	return out
}

// shape reads lists and objects that came as text.
func (r Reader) shape(d *client.Draft) {
	for name, v := range d.Values {
		f, ok := r.Catalog.Field(d.Modality, name)
		s, isText := v.(string)
		if !ok || !isText || f.Kind != catalog.List && f.Kind != catalog.Object && f.Kind != catalog.Content {
			continue
		}
		if x, err := f.Parse(s); err == nil {
			d.Values[name] = x
		}
	}
}

// trim removes raw additions that the format sends by itself.
func (r Reader) trim(f client.Format, d *client.Draft) {
	if len(d.Extra) == 0 {
		return
	}
	bare := *d
	bare.Extra = nil
	body := r.encoded(f, bare)
	maps.DeleteFunc(d.Extra, func(name string, v json.RawMessage) bool {
		x, ok := body[name]
		return ok && bytes.Equal(raw(x), v)
	})
	if len(d.Extra) == 0 {
		d.Extra = nil
	}
}

// encoded is the body that a format makes of a draft; nil for none.
func (r Reader) encoded(f client.Format, d client.Draft) map[string]any {
	d.Wire = r.Catalog.WireNames(d.Model, f.Name())
	d.Extra = nil
	req, _, err := f.EncodeCreate(d)
	if err != nil {
		return nil
	}
	v, err := client.ParseJSON(string(req.Body))
	if err != nil {
		return nil
	}
	body, _ := v.(map[string]any)
	return body
}
