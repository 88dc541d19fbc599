package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
)

// Parse turns text, as typed in a form or given by a flag, into the field's value:
// json.Number, bool, string, a list (references one a line; anything else as JSON), or
// an object as JSON. A lone object for a list becomes a list of one. Text that is no
// such value comes back as it was, trimmed, with an error that names the field and
// what it takes, so that nothing typed is lost. Limits are [Catalog.Check]'s business.
func (f Field) Parse(text string) (any, error) {
	if f.Kind == Lines {
		return text, nil
	}
	s := strings.TrimSpace(text)
	if s == "" {
		return s, nil
	}
	switch f.Kind {
	case Integer, Number:
		if f.Kind == Integer && isInteger(s) && !isNumber(s) {
			return s, nil // leading zeros: a string of digits, but no JSON number
		}
		if !isNumber(s) {
			return s, fmt.Errorf("%s: %q is not a number", f.Name, show(s))
		}
		return json.Number(s), nil
	case Boolean:
		return f.parseBool(s)
	case Medias:
		return f.parseLines(s)
	case List, Object, Content:
		return f.parseJSON(s)
	default:
		return s, nil
	}
}

func (f Field) parseBool(s string) (any, error) {
	switch low := strings.ToLower(s); {
	case slices.Contains([]string{"true", "yes", "on", "1"}, low):
		return true, nil
	case slices.Contains([]string{"false", "no", "off", "0"}, low):
		return false, nil
	}
	return s, fmt.Errorf("%s: %q is neither; it takes true or false", f.Name, show(s))
}

// parseLines reads references one a line, or a JSON array of them.
func (f Field) parseLines(s string) (any, error) {
	if strings.HasPrefix(s, "[") {
		return f.parseJSON(s)
	}
	var out []any
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out, nil
}

func (f Field) parseJSON(s string) (any, error) {
	v, err := client.ParseJSON(s)
	if err != nil {
		return s, fmt.Errorf("%s is not JSON: %w", f.Name, err)
	}
	switch t := v.(type) {
	case map[string]any:
		if f.Kind != Object {
			return []any{t}, nil
		}
		return t, nil
	case []any:
		if f.Kind != Object {
			return t, nil
		}
	}
	want := "a JSON array"
	if f.Kind == Object {
		want = "a JSON object"
	}
	return s, fmt.Errorf("%s: %q is not %s", f.Name, show(s), want)
}
