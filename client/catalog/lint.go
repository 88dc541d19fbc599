package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"darkroom/client"
	"darkroom/client/text"
)

// Lint checks a person's catalog file as [Catalog.Overlay] on the embedded catalog would, and
// returns everything that is wrong with it, each an [*Error] with line and column if they are
// known. nil means that the file can be used. Overlay stops at the first unknown key; Lint names
// them all, and the other mistakes too.
func Lint(yaml []byte, name string) []error {
	c, err := Embedded()
	if err != nil {
		return []error{err}
	}
	_, err = c.Overlay(yaml, name)
	unknown := unknownKeys(yaml, name)
	if err == nil || len(unknown) == 0 {
		return flatten(err)
	}
	over, raw, err := parseAs(yaml, name)
	if err == nil {
		_, err = c.lay(over, raw)
	}
	out := append(unknown, flatten(err)...)
	slices.SortStableFunc(out, func(a, b error) int { return cmp.Compare(lineOf(a), lineOf(b)) })
	return out
}

func lineOf(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Line
	}
	return 0
}

// maxUnknown bounds how many unknown keys are reported.
const maxUnknown = 50

// unknownKeys reports the keys that no catalog item has, in file order. It reports none if the YAML
// cannot be read: that is an error of its own.
func unknownKeys(data []byte, name string) (out []error) {
	root, err := limits().Parse(data)
	if err != nil || root == nil {
		return nil
	}
	src := &source{name: name, lines: strings.Split(string(data), "\n")}
	src.unknown(root, reflect.TypeFor[document](), &out)
	return out
}

// unknown compares a node with the type it is read into. The target of an alias is checked where it
// is written.
func (s *source) unknown(n ast.Node, t reflect.Type, out *[]error) {
	n = unwrapNil(n)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct:
		for _, kv := range pairs(n) {
			s.unknownKey(kv, t, out)
		}
	case reflect.Map:
		for _, kv := range pairs(n) {
			s.unknown(kv.Value, t.Elem(), out)
		}
	case reflect.Slice:
		if seq, ok := n.(*ast.SequenceNode); ok {
			for _, v := range seq.Values {
				s.unknown(v, t.Elem(), out)
			}
		}
	}
}

func (s *source) unknownKey(kv *ast.MappingValueNode, t reflect.Type, out *[]error) {
	if kv.Key == nil || kv.Key.IsMergeKey() {
		return
	}
	key := keyText(kv)
	if inner, ok := keyType(t, key); ok {
		s.unknown(kv.Value, inner, out)
		return
	}
	if len(*out) >= maxUnknown {
		return
	}
	e := &Error{Name: s.name, Message: fmt.Sprintf("unknown field %q; allowed: %s", client.CleanLine(text.Clip(key, shown)), strings.Join(keysOf(t), ", "))}
	s.locate(e, kv.Key.GetToken())
	*out = append(*out, e)
}

// flatten splits joined errors.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		var e *Error
		if errors.As(err, &e) {
			return []error{e}
		}
		return []error{err}
	}
	var out []error
	for _, x := range joined.Unwrap() {
		out = append(out, flatten(x)...)
	}
	return out
}

// keysOf returns the keys that an item may have, in the order of its type.
func keysOf(t reflect.Type) (keys []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, how, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case how == "inline":
			keys = append(keys, keysOf(f.Type)...)
		case tag != "" && tag != "-":
			keys = append(keys, tag)
		}
	}
	return keys
}

// keyType returns the type that the value of a key is read into.
func keyType(t reflect.Type, key string) (reflect.Type, bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, how, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case how == "inline":
			if inner, ok := keyType(f.Type, key); ok {
				return inner, true
			}
		case tag == key && tag != "":
			return f.Type, true
		}
	}
	return nil, false
}
