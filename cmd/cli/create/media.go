package create

import (
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
)

// largeInline is from where on inlined media are warned of, in bytes of data URIs.
const largeInline = 4_000_000

// inlined is one value that is sent as a data URI.
type inlined struct {
	name  string // of the file; "" for a data URI that was given
	bytes int64  // of the data URI
}

// inlinedIn finds the values of a draft that are sent as data URIs, however deep they sit.
func inlinedIn(v any) []inlined {
	var out []inlined
	switch v := v.(type) {
	case string:
		if path, ok := client.FilePath(v); ok {
			if info, err := os.Stat(path); err == nil { // else the preview tells
				n := int64(len("data:image/jpeg;base64,") + base64.StdEncoding.EncodedLen(int(info.Size())))
				out = append(out, inlined{filepath.Base(path), n})
			}
		} else if strings.HasPrefix(v, "data:") {
			out = append(out, inlined{"", int64(len(v))})
		}
	case []any:
		for _, x := range v {
			out = append(out, inlinedIn(x)...)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, inlinedIn(v[k])...)
		}
	}
	return out
}

// inlinedNote tells of data URIs that are many bytes; "" when they are not.
func (o *options) inlinedNote() string {
	var total int64
	var parts []string
	for _, x := range inlinedIn(map[string]any(o.draft.Values)) {
		total += x.bytes
		if x.name != "" {
			parts = append(parts, x.name+" "+human.Bytes(x.bytes))
		}
	}
	if total <= largeInline {
		return ""
	}
	text := fmt.Sprintf("the request carries %s of data URIs", human.Bytes(total))
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text + ": data URIs are not shown as accepted, and what is above " +
		human.Bytes(largeInline) + " may be refused; an https address is safer"
}
