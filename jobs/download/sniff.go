package download

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"darkroom/client"
)

// SniffLen is how many bytes of a file Sniff wants to see.
const SniffLen = 512

// Class is the coarse kind of a file's bytes.
type Class string

// Classes of bytes.
const (
	ClassVideo   Class = "video"
	ClassImage   Class = "image"
	ClassAudio   Class = "audio"
	ClassText    Class = "text"    // an HTML page, JSON, plain words: no media at all
	ClassUnknown Class = "unknown" // binary, of no format that we know
)

// Type is what a file's first bytes say that it is, whatever its name or its server says.
type Type struct {
	Class     Class
	MediaType string
	Ext       string // without the dot
}

type magic struct {
	at    int
	bytes string
	typ   Type
}

var magics = []magic{
	{0, "\x89PNG\r\n\x1a\n", Type{ClassImage, "image/png", "png"}},
	{0, "\xff\xd8\xff", Type{ClassImage, "image/jpeg", "jpg"}},
	{0, "GIF87a", Type{ClassImage, "image/gif", "gif"}},
	{0, "GIF89a", Type{ClassImage, "image/gif", "gif"}},
	{8, "WEBP", Type{ClassImage, "image/webp", "webp"}},
	{8, "WAVE", Type{ClassAudio, "audio/wav", "wav"}},
	{8, "AVI ", Type{ClassVideo, "video/x-msvideo", "avi"}},
	{0, "fLaC", Type{ClassAudio, "audio/flac", "flac"}},
	{0, "ID3", Type{ClassAudio, "audio/mpeg", "mp3"}},
	{0, "BM", Type{ClassImage, "image/bmp", "bmp"}},
	{0, "II*\x00", Type{ClassImage, "image/tiff", "tiff"}},
	{0, "MM\x00*", Type{ClassImage, "image/tiff", "tiff"}},
}

// Sniff tells the type from a file's first bytes (SniffLen of them, or all).
func Sniff(head []byte) Type {
	if t, ok := sniffBoxes(head); ok {
		return t
	}
	for _, m := range magics {
		if len(head) < m.at+len(m.bytes) || string(head[m.at:m.at+len(m.bytes)]) != m.bytes {
			continue
		}
		if m.at == 8 && string(head[:4]) != "RIFF" {
			continue
		}
		if m.bytes == "BM" && isText(head) {
			continue
		}
		return m.typ
	}
	switch {
	case bytes.HasPrefix(head, []byte("OggS")):
		return sniffOgg(head)
	case bytes.HasPrefix(head, []byte("\x1aE\xdf\xa3")):
		if bytes.Contains(head, []byte("webm")) {
			return Type{ClassVideo, "video/webm", "webm"}
		}
		return Type{ClassVideo, "video/x-matroska", "mkv"}
	case len(head) >= 2 && head[0] == 0xff && head[1]&0xf6 == 0xf0:
		return Type{ClassAudio, "audio/aac", "aac"}
	case len(head) >= 3 && head[0] == 0xff && head[1]&0xe0 == 0xe0 && head[1]&0x06 != 0 && head[2]&0xf0 != 0xf0:
		return Type{ClassAudio, "audio/mpeg", "mp3"}
	case isText(head):
		return Type{ClassText, "text/plain", "txt"}
	default:
		return Type{ClassUnknown, "application/octet-stream", "bin"}
	}
}

// sniffBoxes reads the brand of an ISO media file: MP4, MOV, M4A, HEIC, AVIF.
func sniffBoxes(head []byte) (Type, bool) {
	if len(head) < 12 {
		return Type{}, false
	}
	switch string(head[4:8]) {
	case "ftyp":
	case "moov", "mdat", "wide", "free":
		return Type{ClassVideo, "video/quicktime", "mov"}, head[0] == 0
	default:
		return Type{}, false
	}
	switch brand := string(head[8:12]); {
	case brand == "qt  ":
		return Type{ClassVideo, "video/quicktime", "mov"}, true
	case brand == "M4A " || brand == "M4B ":
		return Type{ClassAudio, "audio/mp4", "m4a"}, true
	case brand == "avif" || brand == "avis":
		return Type{ClassImage, "image/avif", "avif"}, true
	case strings.HasPrefix(brand, "he") || brand == "mif1" || brand == "msf1":
		return Type{ClassImage, "image/heic", "heic"}, true
	default:
		return Type{ClassVideo, "video/mp4", "mp4"}, true
	}
}

func sniffOgg(head []byte) Type {
	if bytes.Contains(head, []byte("theora")) {
		return Type{ClassVideo, "video/ogg", "ogv"}
	}
	return Type{ClassAudio, "audio/ogg", "ogg"}
}

// isText reports whether the bytes read as words. A rune cut at the end is no objection.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if r == utf8.RuneError && n <= 1 {
			return len(head) < utf8.UTFMax && !utf8.FullRune(head)
		}
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != '\x1b' {
			return false
		}
		head = head[n:]
	}
	return true
}

// fits reports whether bytes of a type can be what an asset is said to be, and gives the
// type as which they are kept.
func fits(kind client.AssetKind, t Type) (Type, bool) {
	if t.Class == ClassUnknown {
		return t, true // kept as .bin: better than nothing, and no lie
	}
	switch kind {
	case client.AssetVideo:
		return t, t.Class == ClassVideo || t.MediaType == "image/gif"
	case client.AssetAudio:
		if t.MediaType == "video/mp4" { // MP4 with a general brand may hold sound alone
			return Type{ClassAudio, "audio/mp4", "m4a"}, true
		}
		return t, t.Class == ClassAudio || t.MediaType == "video/webm"
	case client.AssetImage, client.AssetCover, client.AssetLastFrame:
		return t, t.Class == ClassImage
	default:
		return t, t.Class != ClassText
	}
}
