package create

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/media"
)

// inlined is one value sent as a data URI.
type inlined struct {
	name  string // of the file; "" for a data URI that was given
	bytes int64  // of the data URI
}

// inlinedIn finds the values of a draft that are sent as data URIs, at any depth.
func inlinedIn(v any) []inlined {
	var out []inlined
	switch v := v.(type) {
	case string:
		if path, ok := client.FilePath(v); ok {
			if info, err := os.Stat(path); err == nil { // else the preview tells
				out = append(out, inlined{filepath.Base(path), media.URISize("image/jpeg", info.Size())})
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

// inlinedNote is a note about data URIs of many bytes; "" if they are not many.
func inlinedNote(values client.Values) string {
	var total int64
	var parts []string
	for _, x := range inlinedIn(map[string]any(values)) {
		total += x.bytes
		if x.name != "" {
			parts = append(parts, x.name+" "+human.Bytes(x.bytes))
		}
	}
	if total <= media.LargeInline {
		return ""
	}
	text := fmt.Sprintf("the request carries %s of data URIs", human.Bytes(total))
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text + ": data URIs are not documented as accepted, and what is above " +
		human.Bytes(media.LargeInline) + " may be refused; an https address is safer"
}
