package wire

import (
	"bytes"
	"encoding/json"
)

// ParseList reads a body that is a list, or that holds one under one of the names, at the top or
// inside an envelope; the first name that has a list counts. The object is the one that holds the
// list; the list is nil when there is none.
func ParseList(body []byte, names ...string) ([]json.RawMessage, *Obj, error) {
	if l := array(bytes.TrimSpace(body)); l != nil && (len(l) != 1 || !object(l[0]).hasList(names)) {
		return l, nil, nil
	}
	top, err := parse(body)
	if err != nil {
		return nil, nil, err
	}
	for _, o := range []*Obj{top, top.Obj("data"), top.Obj("result"), top.Obj("response")} {
		if l := o.List(names...); l != nil {
			return l, o, nil
		}
	}
	return nil, top, nil
}

// ObjectOf reads an object, or a string that holds one; nil for anything else.
func ObjectOf(raw json.RawMessage) *Obj { return object(raw) }

// TextOf is a string, or a number as its digits; "" for anything else.
func TextOf(raw json.RawMessage) string { return text(raw) }

// Bool returns a boolean member and whether there is one.
func (o *Obj) Bool(name string) (value, ok bool) {
	if o == nil {
		return false, false
	}
	switch string(o.get(name)) {
	case "true":
		return true, true
	case "false":
		return false, true
	default:
		return false, false
	}
}

func (o *Obj) hasList(names []string) bool { return o.List(names...) != nil }
