package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
)

// maxDepth bounds how deep a value may nest, far above anything a request needs.
const maxDepth = 64

// Body is a JSON object whose members keep the order in which they were set. Numbers
// keep their digits, and <, > and & are not escaped.
type Body struct {
	keys []string
	vals map[string]any // scalars, []any, map[string]any, json.RawMessage or *Body
}

// NewBody returns an empty object.
func NewBody() *Body { return &Body{vals: map[string]any{}} }

// Set puts a value at a dotted place, making objects on the way. A place that exists keeps its
// position; an object is merged into one that is already there.
func (b *Body) Set(place string, v any) error {
	head, rest, nested := strings.Cut(place, ".")
	if head == "" {
		return fmt.Errorf("%q is not a place in a request", place)
	}
	if !nested {
		b.fill(head, v)
		return nil
	}
	inner, err := b.object(head)
	if err != nil {
		return err
	}
	return inner.Set(rest, v)
}

// fill puts a value, member by member where both sides are objects.
func (b *Body) fill(key string, v any) {
	there, ok := b.vals[key].(*Body)
	members, isMap := v.(map[string]any)
	if !ok || !isMap {
		b.put(key, v)
		return
	}
	for _, k := range memberOrder(members) {
		there.put(k, members[k])
	}
}

func (b *Body) put(key string, v any) {
	if _, ok := b.vals[key]; !ok {
		b.keys = append(b.keys, key)
	}
	b.vals[key] = v
}

// object returns the member as an object, creating or converting it.
func (b *Body) object(key string) (*Body, error) {
	switch t := b.vals[key].(type) {
	case nil:
		o := NewBody()
		b.put(key, o)
		return o, nil
	case *Body:
		return t, nil
	case map[string]any:
		o := NewBody()
		for _, k := range memberOrder(t) {
			o.put(k, t[k])
		}
		b.put(key, o)
		return o, nil
	default:
		return nil, fmt.Errorf("%q already holds a value that is not an object", key)
	}
}

// Merge sets raw members on top of what is there, as a draft's Extra asks.
func (b *Body) Merge(extra map[string]json.RawMessage) error {
	for _, k := range slices.Sorted(maps.Keys(extra)) {
		raw := extra[k]
		if !json.Valid(raw) {
			return fmt.Errorf("%s: the raw addition is not valid JSON", k)
		}
		var c bytes.Buffer
		if err := json.Compact(&c, raw); err != nil {
			return fmt.Errorf("%s: %w", k, err)
		}
		b.put(k, json.RawMessage(c.Bytes()))
	}
	return nil
}

// Take appends the members of another body, which must not be used afterwards.
func (b *Body) Take(other *Body) {
	for _, k := range other.keys {
		b.put(k, other.vals[k])
	}
}

// Bytes is the compact JSON.
func (b *Body) Bytes() ([]byte, error) { return appendValue(nil, b, 0) }

// memberOrder is the order in which a plain map is written: type first, since it says
// how to read the rest, then by name.
func memberOrder(m map[string]any) []string {
	keys := slices.Sorted(maps.Keys(m))
	if i := slices.Index(keys, "type"); i > 0 {
		keys = slices.Insert(slices.Delete(keys, i, i+1), 0, "type")
	}
	return keys
}

func appendValue(out []byte, v any, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, errors.New("the value nests too deeply")
	}
	switch t := v.(type) {
	case *Body:
		return appendMembers(out, t.keys, t.vals, depth)
	case map[string]any:
		return appendMembers(out, memberOrder(t), t, depth)
	case client.Values:
		return appendMembers(out, memberOrder(t), t, depth)
	case []any:
		return appendItems(out, t, depth)
	case json.RawMessage:
		return append(out, t...), nil
	case json.Number:
		if !isNumber(string(t)) {
			return nil, fmt.Errorf("%q is not a number", client.CleanLine(string(t)))
		}
		return append(out, t...), nil
	case string:
		return appendText(out, t)
	default:
		raw, err := json.Marshal(t) // nil, bool, and Go numbers from careless callers
		if err != nil {
			return nil, err
		}
		return append(out, raw...), nil
	}
}

func appendMembers(out []byte, keys []string, vals map[string]any, depth int) ([]byte, error) {
	var err error
	out = append(out, '{')
	for i, k := range keys {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendText(out, k); err != nil {
			return nil, err
		}
		out = append(out, ':')
		if out, err = appendValue(out, vals[k], depth+1); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

func appendItems(out []byte, items []any, depth int) ([]byte, error) {
	var err error
	out = append(out, '[')
	for i, x := range items {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendValue(out, x, depth+1); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

func appendText(out []byte, s string) ([]byte, error) {
	if simpleText(s) { // data URIs of megabytes take this way
		out = append(out, '"')
		out = append(out, s...)
		return append(out, '"'), nil
	}
	buf := bytes.NewBuffer(out)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

func simpleText(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// isNumber reports a JSON number literal.
func isNumber(s string) bool {
	if s == "" || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	return json.Valid([]byte(s))
}
