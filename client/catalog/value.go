package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
)

// Parse turns text, typed in a form or given by a flag, into the field's value: json.Number, bool,
// string, a list (references one per line; anything else as JSON), or an object as JSON. A single
// object for a list becomes a list of one. Text that is not a valid value comes back trimmed but
// otherwise as it was, with an error that names the field and what it takes: nothing typed is lost.
// Limits are [Catalog.Check]'s business.
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
	case Scalar:
		return parseScalar(s), nil
	case Media:
		if m, ok := refText(s); ok {
			return m, nil
		}
		return s, nil
	case Choice:
		return f.Value(s), nil // another spelling of a value is that value
	case Medias:
		return f.parseLines(s)
	case List, Object, Content:
		return f.parseJSON(s)
	default:
		return s, nil
	}
}

// Offered returns values to choose from: the allowed ones, or else those that the interface names
// followed by our own suggestions. [Field.IsSuggestion] tells these apart.
func (f Field) Offered() []string {
	if len(f.Allowed) > 0 {
		return f.Allowed
	}
	return slices.Concat(f.Usual, f.Suggested)
}

// IsSuggestion reports whether a value is our suggestion, not the interface's.
func (f Field) IsSuggestion(value string) bool {
	return slices.Contains(f.Suggested, value) && !slices.Contains(f.Usual, value) && !slices.Contains(f.Allowed, value)
}

// Shown puts into words the values that the interface names: documented ones, including whether
// others are refused or mapped, and usual ones.
func (f Field) Shown() (documented, usual string) {
	stated := strings.Join(f.Allowed, ", ")
	switch lo, hi := f.Min, f.Max; {
	case stated != "":
	case lo != nil && hi != nil:
		stated = fmt.Sprintf("%g to %g", *lo, *hi)
	case lo != nil:
		stated = fmt.Sprintf("%g or more", *lo)
	case hi != nil:
		stated = fmt.Sprintf("%g or less", *hi)
	}
	if f.Mapped && stated != "" {
		stated = "mapped to one of " + stated
	}
	if f.Kind == Boolean {
		return "true, false", ""
	}
	if f.Hard || f.Mapped {
		return stated, strings.Join(f.Usual, ", ")
	}
	if stated == "" {
		stated = strings.Join(f.Usual, ", ")
	}
	return "", stated
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

// parseScalar reads true, false and numbers as such, anything else as text.
func parseScalar(s string) any {
	switch {
	case s == "true" || s == "false":
		return s == "true"
	case isNumber(s):
		return json.Number(s)
	default:
		return s
	}
}

// refText reads a reference written as an object, as {"url": "https://…"}. Text that begins like
// one but is not may be a file name.
func refText(s string) (map[string]any, bool) {
	if !strings.HasPrefix(s, "{") {
		return nil, false
	}
	v, err := client.ParseJSON(s)
	m, ok := v.(map[string]any)
	return m, ok && err == nil
}

// parseLines reads references, one per line, each a text or an object, or a JSON array of them.
func (f Field) parseLines(s string) (any, error) {
	if strings.HasPrefix(s, "[") {
		return f.parseJSON(s)
	}
	if m, ok := refText(s); ok { // of several lines, maybe
		return []any{m}, nil
	}
	var out []any
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if m, ok := refText(line); ok {
			out = append(out, m)
		} else {
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
