package suite

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/yamlfile"
)

const (
	maxAxes   = 8
	maxValues = 1000 // of an axis
)

func (r *reader) axes(s *Suite, e yamlfile.Entry) error {
	all, err := r.entries(e.Value)
	if err != nil {
		return err
	}
	if len(all) > maxAxes {
		return r.at(all[maxAxes], "more than %d axes", maxAxes)
	}
	for _, x := range all {
		if where := ownKey(x.Key); where != "" && x.Key != client.FieldMode && x.Key != expand.FieldSeed {
			return r.at(x, "%s is not an axis: %s", x.Key, where)
		}
		r.mark("axes."+x.Key, x.Line, x.Column)
		values, err := r.axis(x)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(values, func(v Value) bool { return !v.Skip }) {
			return r.at(x, "%s has no value that is not left out", show(x.Key))
		}
		s.Axes = append(s.Axes, Axis{Field: x.Key, Values: values})
	}
	return nil
}

// axis reads the values of one axis: a list, or a text in the syntax of axes.
func (r *reader) axis(x yamlfile.Entry) ([]Value, error) {
	v, err := r.value(x.Value)
	if err != nil {
		return nil, err
	}
	var out []Value
	if list, ok := v.([]any); ok {
		for _, v := range list {
			out = append(out, item(v))
		}
	} else {
		text, ok := scalarText(v)
		if !ok || strings.TrimSpace(text) == "" {
			return nil, r.at(x, "%s: values are needed, as 4,8 or 1,2,..,9 or a||b or a list", show(x.Key))
		}
		if out, err = Values(text); err != nil {
			return nil, r.at(x, "%s: %v", show(x.Key), err)
		}
	}
	if len(out) > maxValues {
		return nil, r.at(x, "%s has %d values; at most %d", show(x.Key), len(out), maxValues)
	}
	seen := map[string]bool{}
	for _, v := range out {
		if seen[v.String()] {
			return nil, r.at(x, "%s: %s stands there twice", show(x.Key), show(v.String()))
		}
		seen[v.String()] = true
	}
	return out, nil
}

// String is the value as text, "" for one that leaves its field unset; lists and objects are JSON.
func (v Value) String() string {
	if v.Value == nil {
		return ""
	}
	if s, ok := scalarText(v.Value); ok {
		return s
	}
	return jsonText(v.Value)
}

// item is one item of a list.
func item(v any) Value {
	s, ok := v.(string)
	if !ok {
		return Value{Value: v}
	}
	s, left := cutSkip(s)
	if s == "" {
		return Value{Skip: left}
	}
	if left { // which may have been a number
		return Value{Value: typed(s), Skip: true}
	}
	return Value{Value: s}
}

// typed is a text as the value that it reads as: a number where it is one.
func typed(s string) any {
	if _, ok := number(s); ok {
		return json.Number(s)
	}
	return s
}

// Values reads the values of an axis as people write them in other programs' grids: parted by
// commas, or by two bars where a value holds commas; 1,2,..,9 counts on in steps, and 1,..,9 in ones;
// SKIP: before a value leaves it out; an empty one leaves the field unset.
func Values(text string) ([]Value, error) {
	parts := strings.Split(text, ",")
	if strings.Contains(text, "||") {
		parts = strings.Split(text, "||")
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	var out []Value
	for i, p := range parts {
		if p != ".." {
			v := item(p)
			if s, ok := v.Value.(string); ok {
				v.Value = typed(s)
			}
			out = append(out, v)
			continue
		}
		between, err := count(parts, i)
		if err != nil {
			return nil, err
		}
		if out = append(out, between...); len(out) > maxValues {
			return nil, fmt.Errorf("more than %d values", maxValues)
		}
	}
	return out, nil
}

// count returns the values that stand for the dots at an index: those between their neighbours.
func count(parts []string, i int) ([]Value, error) {
	wrong := fmt.Errorf(".. stands between numbers, as 1,2,..,9 or 1,..,9")
	if i == 0 || i == len(parts)-1 {
		return nil, wrong
	}
	from, ok1 := Rational(parts[i-1])
	to, ok2 := Rational(parts[i+1])
	if !ok1 || !ok2 {
		return nil, wrong
	}
	step := big.NewRat(1, 1)
	if to.Cmp(from) < 0 {
		step.Neg(step)
	}
	places := max(decimals(parts[i-1]), decimals(parts[i+1]))
	if i > 1 {
		if first, ok := Rational(parts[i-2]); ok {
			step.Sub(from, first)
			places = max(places, decimals(parts[i-2]))
		}
	}
	n := new(big.Rat).Sub(to, from)
	if step.Sign() == 0 || n.Sign() != 0 && n.Sign() != step.Sign() || n.Sign() == 0 {
		return nil, fmt.Errorf("%s does not lead from %s to %s", step.RatString(), parts[i-1], parts[i+1])
	}
	if n.Quo(n, step); !n.IsInt() {
		return nil, fmt.Errorf("%s is not reached from %s in steps of %s", parts[i+1], parts[i-1], step.FloatString(places))
	}
	if n.Cmp(big.NewRat(maxValues, 1)) > 0 {
		return nil, fmt.Errorf("more than %d values", maxValues)
	}
	var out []Value
	for at := new(big.Rat).Add(from, step); at.Cmp(to) != 0; at.Add(at, step) {
		out = append(out, Value{Value: json.Number(trimmed(at.FloatString(places)))})
	}
	return out, nil
}

// Rational reads a number that is short enough to count with.
func Rational(s string) (*big.Rat, bool) {
	if len(s) > 20 || strings.ContainsAny(s, "eE") {
		return nil, false
	}
	if _, err := strconv.ParseFloat(s, 64); err != nil || !json.Valid([]byte(s)) {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

func decimals(s string) int {
	_, after, _ := strings.Cut(s, ".")
	return len(after)
}

func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
