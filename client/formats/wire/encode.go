package wire

import (
	"fmt"
	"net/http"

	"darkroom/client"
)

// Kind is the JSON type under which a field travels.
type Kind int

// Kinds of fields. The interface does not show the type of Loose fields: they go as they were
// given.
const (
	Loose     Kind = iota
	Text           // string; numbers become their digits
	Word           // string as a rule; numbers become their digits, what else it is goes as it was given
	Digits         // string, of digits as a rule; numbers become their digits
	Number         // number; text of one becomes it
	Integer        // number without a fraction; text of one becomes it
	Seed           // the same, but text of digits stays text (GATEWAY: seed)
	Boolean        // boolean; "true" and "false" become it
	List           // array; a single value becomes an array of one
	Address        // string; {url} becomes its address
	Addresses      // array of strings; {url} becomes its address
	Object         // object
	Contents       // array of content items (GATEWAY: Content item)
)

// Field is one line of a format's table.
type Field struct {
	Canonical string
	Wire      string // dotted place in the body
	Kind      Kind
	// As gives other kinds for other wire names, since duration is text under "seconds" and a
	// number under "duration".
	As map[string]Kind
}

func (f Field) kind(place string) Kind {
	if k, ok := f.As[place]; ok {
		return k
	}
	return f.Kind
}

// Table is what one format's create request carries.
type Table struct {
	// Format is the label for messages.
	Format string
	// Lead are the draft's own fields, first in the body: a subset of model,
	// model_name, mode, prompt.
	Lead []string
	// Fields in wire order.
	Fields []Field
	// Why explains known canonical names that the format cannot carry.
	Why map[string]string
}

// WireFields lists the table in the form of client.Format.
func (t Table) WireFields() []client.WireField {
	out := make([]client.WireField, 0, len(t.Lead)+len(t.Fields))
	for _, n := range t.Lead {
		out = append(out, client.WireField{Canonical: n, Wire: n})
	}
	for _, f := range t.Fields {
		out = append(out, client.WireField{Canonical: f.Canonical, Wire: f.Wire})
	}
	return out
}

// Encode makes the body of a draft. Values that the table has no place for are returned as dropped;
// a value that its field cannot hold is an error that names the field.
func (t Table) Encode(d client.Draft) (*Body, []client.Dropped, error) {
	b := NewBody()
	dropped, err := t.lead(b, d)
	if err != nil {
		return nil, nil, err
	}
	known := make(map[string]bool, len(t.Fields))
	for _, f := range t.Fields {
		known[f.Canonical] = true
		v := d.Values[f.Canonical]
		if v == nil { // null is not set
			continue
		}
		place := d.WireName(f.Canonical, f.Wire)
		w, err := convert(v, f.kind(place))
		if err == nil {
			err = b.Set(place, w)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", f.Canonical, err)
		}
	}
	for _, name := range d.Values.Names() {
		if !known[name] && d.Values[name] != nil {
			dropped = append(dropped, client.Dropped{Field: name, Reason: t.reason(name)})
		}
	}
	return b, dropped, nil
}

// Request finishes a create: it adds the raw additions and encodes the body.
func (t Table) Request(path string, b *Body, d client.Draft) (client.Request, error) {
	if err := b.Merge(d.Extra); err != nil {
		return client.Request{}, err
	}
	raw, err := b.Bytes()
	if err != nil {
		return client.Request{}, err
	}
	return client.Request{Method: http.MethodPost, Path: path, Body: raw}, nil
}

// Create encodes the whole create of a format whose body is the table and nothing else.
func (t Table) Create(path string, d client.Draft) (client.Request, []client.Dropped, error) {
	body, dropped, err := t.Encode(d)
	if err != nil {
		return client.Request{}, nil, err
	}
	req, err := t.Request(path, body, d)
	return req, dropped, err
}

func (t Table) lead(b *Body, d client.Draft) ([]client.Dropped, error) {
	own := map[string]string{
		client.FieldModel: d.Model, client.FieldModelName: d.ModelName,
		client.FieldMode: d.Mode, client.FieldPrompt: d.Prompt,
	}
	for _, n := range t.Lead {
		if own[n] == "" {
			continue
		}
		if err := b.Set(d.WireName(n, n), own[n]); err != nil {
			return nil, fmt.Errorf("%s: %w", n, err)
		}
		delete(own, n)
	}
	var dropped []client.Dropped
	for _, n := range []string{client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt} {
		if own[n] != "" {
			dropped = append(dropped, client.Dropped{Field: n, Reason: t.reason(n)})
		}
	}
	return dropped, nil
}

func (t Table) reason(name string) string {
	if w, ok := t.Why[name]; ok {
		return w
	}
	return "the " + t.Format + " format has no such field"
}

// Segment escapes an id for one segment of a path. A segment of dots alone is escaped too, so that
// no id can climb out of its path.
func Segment(id string) string { return client.PathSegment(id) }
