// Package places names values inside a JSON body, as "parameters.seed" and "content[0].role", and
// sets them. It knows no draft and no format.
package places

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"darkroom/client/text"
)

// A place names a value inside a JSON body: names separated by dots, and [n] for the item n
// of an array, counted from 0, as "parameters.seed" and "content[0].role". A backslash in
// front of a dot, a bracket or a backslash makes it a part of the name.
type place []step

// step is one member of an object or one item of an array.
type step struct {
	name  string
	index int // -1 for a member
}

// Bounds of a place: far above what any request needs.
const (
	maxSteps = 64
	maxIndex = 9999
)

// Check says whether text is a place in a body, as the keys of Draft.Extra and --set take it, and
// returns the name of its first member.
func Check(text string) (member string, err error) {
	p, err := parse(text)
	if err != nil {
		return "", err
	}
	return p[0].name, nil
}

// Quote writes the name of a member of the body as a place, with a backslash before each character
// that would have a meaning there.
func Quote(name string) string {
	if !strings.ContainsAny(name, `.[]\`) {
		return name
	}
	return strings.NewReplacer(`\`, `\\`, `.`, `\.`, `[`, `\[`, `]`, `\]`).Replace(name)
}

func parse(s string) (place, error) {
	bad := func(why string) (place, error) {
		return nil, fmt.Errorf("%q is not a place in a body: %s (as parameters.seed or content[0].role)", text.CleanLine(text.Cap(s, 200)), why)
	}
	var p place
	for rest, first := s, true; first || rest != ""; first = false {
		var s step
		var err error
		switch {
		case !first && rest[0] == '[':
			s, rest, err = itemStep(rest)
		case first:
			s, rest, err = memberStep(rest)
		case rest[0] == '.':
			s, rest, err = memberStep(rest[1:])
		default:
			err = errors.New("after ] comes a dot, a [ or nothing")
		}
		if err != nil {
			return bad(err.Error())
		}
		if p = append(p, s); len(p) > maxSteps {
			return bad(fmt.Sprintf("it is deeper than %d", maxSteps))
		}
	}
	return p, nil
}

// memberStep reads a name up to a dot or a bracket.
func memberStep(text string) (step, string, error) {
	var b strings.Builder
	i := 0
	for ; i < len(text) && text[i] != '.' && text[i] != '['; i++ {
		switch text[i] {
		case ']':
			return step{}, "", errors.New("] without a [")
		case '\\':
			if i++; i == len(text) || !strings.ContainsRune(`.[]\`, rune(text[i])) {
				return step{}, "", errors.New(`a backslash stands in front of a dot, a bracket or a backslash`)
			}
		}
		b.WriteByte(text[i])
	}
	if b.Len() == 0 {
		return step{}, "", errors.New("a name is missing")
	}
	return step{name: strings.ToValidUTF8(b.String(), "\ufffd"), index: -1}, text[i:], nil
}

// itemStep reads "[n]".
func itemStep(text string) (step, string, error) {
	digits, rest, ok := strings.Cut(text[1:], "]")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n > maxIndex || strings.HasPrefix(digits, "+") || strings.HasPrefix(digits, "-") {
		return step{}, "", fmt.Errorf("between [ and ] stands a number from 0 to %d", maxIndex)
	}
	return step{index: n}, rest, nil
}

// compare orders places so that a place comes before those inside it, and items come by number.
func (p place) compare(q place) int {
	return slices.CompareFunc(p, q, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.name, b.name))
	})
}

// String is the place up to its n-th step, for messages.
func (p place) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.index >= 0:
			fmt.Fprintf(&b, "[%d]", s.index)
		case i > 0:
			b.WriteString("." + Quote(s.name))
		default:
			b.WriteString(Quote(s.name))
		}
	}
	return text.CleanLine(b.String())
}

// An Addition is a raw value for a place inside a body.
type Addition struct {
	at    place
	value json.RawMessage
}

// Split separates raw additions into members of the body, by their plain names, and deeper places,
// in the order in which [PutAll] sets them.
func Split(extra map[string]json.RawMessage) (members map[string]json.RawMessage, deep []Addition, err error) {
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		p, err := parse(key)
		if err != nil {
			return nil, nil, fmt.Errorf("raw addition: %w", err)
		}
		if len(p) > 1 {
			deep = append(deep, Addition{p, extra[key]})
			continue
		}
		if members == nil {
			members = make(map[string]json.RawMessage, len(extra))
		}
		members[p[0].name] = extra[key]
	}
	slices.SortStableFunc(deep, func(a, b Addition) int { return a.at.compare(b.at) })
	return members, deep, nil
}

// Overlay puts raw additions into their places in a JSON object, as in a request. Everything else
// keeps its order and its digits.
func Overlay(body []byte, extra map[string]json.RawMessage) ([]byte, error) {
	whole, deep, err := Split(extra)
	if err != nil {
		return nil, err
	}
	for name, value := range whole {
		if body, err = put(body, place{{name: name, index: -1}}, 0, value); err != nil {
			return nil, err
		}
	}
	return PutAll(body, deep)
}

// PutAll puts additions into a body, one after the other.
func PutAll(body []byte, deep []Addition) ([]byte, error) {
	for _, a := range deep {
		var value bytes.Buffer
		err := json.Compact(&value, a.value)
		if err != nil {
			return nil, fmt.Errorf("%s: the raw addition is not valid JSON", a.at)
		}
		if body, err = put(body, a.at, 0, value.Bytes()); err != nil {
			return nil, fmt.Errorf("raw addition: %w", err)
		}
	}
	return body, nil
}

// put returns JSON with a value at the place that begins with the n-th step. Everything else keeps
// its order and its digits.
func put(raw []byte, at place, n int, value []byte) ([]byte, error) {
	if n == len(at) {
		return value, nil
	}
	raw = bytes.TrimSpace(raw)
	open, what := byte('{'), "an object"
	if at[n].index >= 0 {
		open, what = '[', "an array"
	}
	switch {
	case len(raw) == 0 || string(raw) == "null":
		raw = []byte{open, open + 2} // } and ] stand two after { and [
	case raw[0] != open:
		return nil, fmt.Errorf("%s is not %s, so nothing can be put at %s", at[:n], what, at)
	}
	names, values, err := Members(raw)
	if err != nil {
		return nil, err
	}
	i := at[n].index
	if i < 0 {
		i = slices.Index(names, at[n].name)
	}
	switch {
	case i < 0 || i == len(values):
		names, values = append(names, at[n].name), append(values, nil)
		i = len(values) - 1
	case i > len(values):
		return nil, fmt.Errorf("%s has %d items, so the next one is [%d] and not [%d]", at[:n], len(values), len(values), i)
	}
	if values[i], err = put(values[i], at, n+1, value); err != nil {
		return nil, err
	}
	return assemble(open, names, values)
}

// Members takes an object or an array apart; the names of an array are empty.
func Members(raw []byte) (names []string, values []json.RawMessage, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if _, err := dec.Token(); err != nil {
		return nil, nil, err
	}
	for dec.More() {
		name := ""
		if raw[0] == '{' {
			t, err := dec.Token()
			if err != nil {
				return nil, nil, err
			}
			name, _ = t.(string)
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, nil, err
		}
		names, values = append(names, name), append(values, v)
	}
	if _, err := dec.Token(); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	return names, values, nil
}

// Object makes an object of these members, in their order.
func Object(names []string, values []json.RawMessage) ([]byte, error) {
	return assemble('{', names, values)
}

func assemble(open byte, names []string, values []json.RawMessage) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte(open)
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		if open == '{' {
			if err := enc.Encode(names[i]); err != nil {
				return nil, err
			}
			b.Truncate(b.Len() - 1) // the line's end
			b.WriteByte(':')
		}
		b.Write(v)
	}
	b.WriteByte(open + 2)
	return b.Bytes(), nil
}
