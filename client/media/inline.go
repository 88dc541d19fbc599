package media

import (
	"encoding/base64"
	"os"
	"strings"

	"darkroom/client"
)

// LargeInline is the length of a data URI, in bytes, above which a warning is due. Request size
// limits are not shown (GATEWAY: Limits).
const LargeInline = 4_000_000

// URISize is the length of a data URI for a file of this size, in bytes.
func URISize(mediaType string, size int64) int64 {
	return int64(len("data:"+mediaType+";base64,")) + int64(base64.StdEncoding.EncodedLen(int(size)))
}

// URIType is the media type that a data URI names, "" for none.
func URIType(uri string) string {
	head, _, _ := strings.Cut(uri[:min(len(uri), maxHead)], ",")
	mt, _, _ := strings.Cut(strings.TrimPrefix(head, "data:"), ";")
	return mt
}

// maxHead bounds the part of a data URI before its comma; a longer one is no media type.
const maxHead = 128

// Local describes a file on this machine that a reference names.
type Local struct {
	Type string // as image/png, from its first bytes
	Size int64
}

// Look examines the file of a file:// URL: an error where its content cannot be sent, false for
// other references.
func Look(ref string) (Local, bool, error) {
	path, ok := client.FilePath(ref)
	if !ok {
		return Local{}, false, nil
	}
	mt, err := client.SniffMedia(path)
	if err != nil {
		return Local{}, false, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Local{}, false, err
	}
	return Local{Type: mt, Size: info.Size()}, true, nil
}

// Kind is the first part of the type: image, video, audio.
func (l Local) Kind() string {
	kind, _, _ := strings.Cut(l.Type, "/")
	return kind
}
