package client

import (
	"net/url"
	"strings"

	"darkroom/client/sniff"
)

// MediaKind tells whether a reference, as a draft holds it, is an image, a video or an
// audio: by the type of a data URI, else by the ending of the name in its URL or path. It
// looks at no file and asks nobody; "" for what does not say it.
func MediaKind(ref string) string {
	if len(ref) > 5 && strings.EqualFold(ref[:5], "data:") {
		return kindOf(strings.ToLower(ref[5:min(len(ref), 40)]))
	}
	name := ref
	if p, ok := FilePath(ref); ok {
		name = p
	} else if u, err := url.Parse(ref); err == nil && u.Path != "" {
		name = u.Path
	}
	if t := sniff.Name(name); t.Media() {
		return string(t.Class)
	}
	return ""
}

// kindOf is the first word of a media type, "" for one that is no medium.
func kindOf(mediaType string) string {
	switch kind, _, _ := strings.Cut(mediaType, "/"); kind {
	case "image", "video", "audio":
		return kind
	default:
		return ""
	}
}
