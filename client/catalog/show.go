package catalog

import (
	"encoding/json"
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/text"
)

// shown is how much of a value a message shows, in runes.
const shown = 60

// show makes text fit for a message: one line, no control characters, shortened, and without the
// data of a data URI.
func show(s string) string {
	if len(s) > 5 && strings.EqualFold(s[:5], "data:") {
		if head, data, ok := strings.Cut(s, ","); ok && len(data) > 16 {
			return text.Clip(client.CleanLine(bound(head)), shown) + fmt.Sprintf(",… (%d characters)", len(data))
		}
	}
	return text.Clip(client.CleanLine(bound(s)), shown)
}

// bound shortens a very long text before it is processed rune by rune.
func bound(s string) string {
	if len(s) > 1024 {
		return strings.ToValidUTF8(s[:1024], "")
	}
	return s
}

// showAny is show for any value: text in quotes, lists and objects by their size.
func showAny(v any) string {
	switch t := v.(type) {
	case nil:
		return "not set"
	case string:
		return fmt.Sprintf("%q", show(t))
	case json.Number:
		return show(t.String())
	case []any:
		return fmt.Sprintf("a list of %d", len(t))
	case map[string]any:
		return fmt.Sprintf("an object of %d keys", len(t))
	}
	if s, ok := scalar(v); ok {
		return s
	}
	return fmt.Sprintf("a value of type %T", v)
}
