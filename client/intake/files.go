package intake

import (
	"encoding/json"
	"slices"

	"darkroom/client"
)

// Files are the files of this machine that the request names, each once, in order of their
// names: they would be read and sent with it. Who pasted it may not know that it names any, so a
// person is to be asked first.
func (r Result) Files() []string {
	var out []string
	var walk func(v any)
	walk = func(v any) {
		switch t := v.(type) {
		case string:
			if path, ok := client.FilePath(t); ok {
				out = append(out, path)
			}
		case []any:
			for _, x := range t {
				walk(x)
			}
		case map[string]any:
			for _, x := range t {
				walk(x)
			}
		}
	}
	for _, part := range []any{r.Draft.Values, r.Draft.Extra} {
		var plain any
		if b, err := json.Marshal(part); err == nil && json.Unmarshal(b, &plain) == nil {
			walk(plain)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
