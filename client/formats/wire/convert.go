package wire

import (
	"encoding/json"
	"fmt"
	"strings"

	"darkroom/client"
)

// convert gives a value the type of its field.
func convert(v any, k Kind) (any, error) {
	switch k {
	case Text, Digits:
		return toText(v, k)
	case Word:
		if s, ok := plain(v); ok {
			return s, nil
		}
		return v, nil
	case Number, Integer, Seed:
		return toNumber(v, k)
	case Boolean:
		return toBoolean(v)
	case List:
		return toList(v), nil
	case Address:
		return toText(address(v), Text)
	case Addresses:
		list, _ := toList(v).([]any)
		out := make([]any, len(list))
		for i, x := range list {
			out[i] = address(x)
		}
		return out, nil
	case Contents:
		return toContents(v)
	case Object:
		switch v.(type) {
		case map[string]any, client.Values:
			return v, nil
		}
		return nil, fmt.Errorf("%s is not an object", show(v))
	default:
		return v, nil
	}
}

func toText(v any, k Kind) (any, error) {
	s, ok := plain(v)
	if !ok || k == Digits && !isNumber(s) && !allDigits(s) {
		if k == Digits {
			return nil, fmt.Errorf("%s is not a number", show(v))
		}
		return nil, fmt.Errorf("%s is not a text", show(v))
	}
	return s, nil
}

func toNumber(v any, k Kind) (any, error) {
	s, ok := plain(v)
	s = strings.TrimSpace(s)
	if k == Seed && ok && allDigits(s) && !isNumber(s) {
		return s, nil // a string of digits with zeros in front
	}
	if k == Integer && ok && allDigits(s) {
		if s = strings.TrimLeft(s, "0"); s == "" {
			s = "0"
		}
	}
	if !ok || !isNumber(s) {
		return nil, fmt.Errorf("%s is not a number", show(v))
	}
	if k != Number && !allDigits(strings.TrimPrefix(s, "-")) {
		return nil, fmt.Errorf("%s is not a whole number", show(v))
	}
	if _, text := v.(string); text && k == Seed {
		return s, nil
	}
	return json.Number(s), nil
}

// address is the address of {url: ADDRESS}, and any other value unchanged.
func address(v any) any {
	if m, ok := v.(map[string]any); ok && len(m) == 1 {
		if s, ok := m["url"].(string); ok {
			return s
		}
	}
	return v
}

func toBoolean(v any) (any, error) {
	switch t := v.(type) {
	case bool:
		return t, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(t)) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
	}
	return nil, fmt.Errorf("%s is neither true nor false", show(v))
}

func toList(v any) any {
	switch t := v.(type) {
	case []any:
		return t
	case []string:
		out := make([]any, len(t))
		for i, s := range t {
			out[i] = s
		}
		return out
	case nil:
		return []any{}
	default:
		return []any{t}
	}
}

// toContents makes media items objects with a url, never bare strings (GATEWAY:
// Content item).
func toContents(v any) (any, error) {
	items, ok := toList(v).([]any)
	if !ok {
		return nil, fmt.Errorf("%s is not a list", show(v))
	}
	out := make([]any, len(items))
	for i, x := range items {
		m, ok := x.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("item %d: %s is not an object", i+1, show(x))
		}
		item := make(map[string]any, len(m))
		for k, y := range m {
			if s, bare := y.(string); bare && (k == "image_url" || k == "video_url" || k == "audio_url") {
				y = map[string]any{"url": s}
			}
			item[k] = y
		}
		out[i] = item
	}
	return out, nil
}

// plain is a string or a number as text.
func plain(v any) (string, bool) {
	switch t := v.(type) {
	case string:
		return t, true
	case json.Number:
		return string(t), true
	case int, int64, float64:
		raw, err := json.Marshal(t)
		return string(raw), err == nil
	default:
		return "", false
	}
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// show quotes a value for an error, short.
func show(v any) string {
	s, ok := plain(v)
	if !ok {
		raw, err := appendValue(nil, v, 0)
		if err != nil {
			return "the value"
		}
		s = string(raw)
	}
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	return fmt.Sprintf("%q", client.CleanLine(s))
}
