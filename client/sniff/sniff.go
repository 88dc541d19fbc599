// Package sniff determines a file's type from its first bytes: once for sending, saving and
// showing. It is a leaf and imports no other package of ours.
package sniff

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Len is how many bytes of a file [Bytes] needs.
const Len = 512

// Class is the coarse kind of a file's bytes.
type Class string

// Classes of bytes.
const (
	Video   Class = "video"
	Image   Class = "image"
	Audio   Class = "audio"
	Text    Class = "text"    // an HTML page, JSON, plain words: no media at all
	Unknown Class = "unknown" // binary, of no format that is known here
)

// Type is a file's type by its first bytes, whatever its name or its server says.
type Type struct {
	Class     Class
	MediaType string // as image/png
	Ext       string // without the dot
}

// Media reports whether it is a picture, a video or a sound.
func (t Type) Media() bool { return t.Class == Video || t.Class == Image || t.Class == Audio }

// The types that more than one rule finds.
var (
	mp4       = Type{Video, "video/mp4", "mp4"}
	quickTime = Type{Video, "video/quicktime", "mov"}
	m4a       = Type{Audio, "audio/mp4", "m4a"}
	avif      = Type{Image, "image/avif", "avif"}
	heic      = Type{Image, "image/heic", "heic"}
	matroska  = Type{Video, "video/x-matroska", "mkv"}
	webm      = Type{Video, "video/webm", "webm"}
	mp3       = Type{Audio, "audio/mpeg", "mp3"}
	aac       = Type{Audio, "audio/aac", "aac"}
	tiff      = Type{Image, "image/tiff", "tiff"}
	gif       = Type{Image, "image/gif", "gif"}
)

// words is the type of bytes that read as text, unknownBytes that of bytes of no known format.
var (
	words        = Type{Text, "text/plain", "txt"}
	unknownBytes = Type{Unknown, "application/octet-stream", "bin"}
)

// magics are formats that always begin with the same bytes. outer must stand eight bytes before
// those of a format that is nested in another one.
var magics = []struct {
	outer, bytes string
	typ          Type
}{
	{"", "\x89PNG\r\n\x1a\n", Type{Image, "image/png", "png"}},
	{"", "\xff\xd8\xff", Type{Image, "image/jpeg", "jpg"}},
	{"", "GIF87a", gif},
	{"", "GIF89a", gif},
	{"RIFF", "WEBP", Type{Image, "image/webp", "webp"}},
	{"RIFF", "WAVE", Type{Audio, "audio/wav", "wav"}},
	{"RIFF", "AVI ", Type{Video, "video/x-msvideo", "avi"}},
	{"FORM", "AIFF", Type{Audio, "audio/aiff", "aiff"}},
	{"FORM", "AIFC", Type{Audio, "audio/aiff", "aiff"}},
	{"", "fLaC", Type{Audio, "audio/flac", "flac"}},
	{"", "ID3", mp3},
	{"", "II*\x00", tiff},
	{"", "MM\x00*", tiff},
}

// Bytes determines the type from a file's first bytes ([Len] of them, or all).
func Bytes(head []byte) Type {
	head = head[:min(len(head), Len)]
	if t, ok := boxes(head); ok {
		return t
	}
	for _, m := range magics {
		rest, ok := bytes.CutPrefix(head, []byte(m.outer))
		if m.outer != "" {
			if !ok || len(rest) < 4 {
				continue
			}
			rest = rest[4:] // its length
		}
		if bytes.HasPrefix(rest, []byte(m.bytes)) {
			return m.typ
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte("OggS")):
		return ogg(head)
	case bytes.HasPrefix(head, []byte("\x1aE\xdf\xa3")):
		return ebml(head)
	case isText(head):
		return words
	case bytes.HasPrefix(head, []byte("BM")):
		return Type{Image, "image/bmp", "bmp"}
	case len(head) >= 2 && head[0] == 0xff && head[1]&0xf6 == 0xf0:
		return aac
	case len(head) >= 3 && head[0] == 0xff && head[1]&0xe0 == 0xe0 && head[1]&0x06 != 0 && head[2]&0xf0 != 0xf0:
		return mp3
	default:
		return unknownBytes
	}
}

// boxes reads the brands of an ISO media file: MP4, MOV, M4A, HEIC, AVIF.
func boxes(head []byte) (Type, bool) {
	if len(head) < 12 {
		return Type{}, false
	}
	switch string(head[4:8]) {
	case "ftyp":
	case "moov", "mdat", "wide", "free":
		return quickTime, head[0] == 0
	default:
		return Type{}, false
	}
	switch brand := string(head[8:12]); brand {
	case "qt  ":
		return quickTime, true
	case "M4A ", "M4B ":
		return m4a, true
	case "avif", "avis":
		return avif, true
	case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs":
		return heic, true
	case "mif1", "msf1": // a picture, or several: the brands it is compatible with say how it is coded
		if compatible(head, "avif") || compatible(head, "avis") {
			return avif, true
		}
		return heic, true
	default:
		return mp4, true
	}
}

// compatible reports whether the first box names a brand among those it is compatible with.
func compatible(head []byte, brand string) bool {
	end := min(int(min(binary.BigEndian.Uint32(head), Len)), len(head))
	for at := 16; at+4 <= end; at += 4 {
		if string(head[at:at+4]) == brand {
			return true
		}
	}
	return false
}

// ebml tells WebM from Matroska by the document's type, which the header names.
func ebml(head []byte) Type {
	if _, rest, ok := bytes.Cut(head, []byte("B\x82")); ok && len(rest) > 0 && rest[0]&0x80 != 0 {
		if n := int(rest[0] & 0x7f); bytes.HasPrefix(rest[1:min(len(rest), 1+n)], []byte("webm")) {
			return webm
		}
	}
	return matroska
}

func ogg(head []byte) Type {
	if bytes.Contains(head, []byte("theora")) {
		return Type{Video, "video/ogg", "ogv"}
	}
	return Type{Audio, "audio/ogg", "ogg"}
}

// isText reports whether the bytes are text. A rune cut at the end is no objection.
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

// byName are the types by file extension.
var byName = map[string]Type{
	"png": {Image, "image/png", "png"}, "jpg": {Image, "image/jpeg", "jpg"}, "jpeg": {Image, "image/jpeg", "jpg"},
	"gif": gif, "webp": {Image, "image/webp", "webp"}, "bmp": {Image, "image/bmp", "bmp"},
	"tif": tiff, "tiff": tiff, "avif": avif, "heic": heic, "heif": heic,
	"mp4": mp4, "m4v": mp4, "mov": quickTime, "webm": webm, "mkv": matroska,
	"avi": {Video, "video/x-msvideo", "avi"}, "ogv": {Video, "video/ogg", "ogv"},
	"mpeg": {Video, "video/mpeg", "mpg"}, "mpg": {Video, "video/mpeg", "mpg"},
	"mp3": mp3, "wav": {Audio, "audio/wav", "wav"}, "flac": {Audio, "audio/flac", "flac"}, "m4a": m4a, "aac": aac,
	"ogg": {Audio, "audio/ogg", "ogg"}, "oga": {Audio, "audio/ogg", "ogg"}, "opus": {Audio, "audio/ogg", "opus"},
	"aif": {Audio, "audio/aiff", "aiff"}, "aiff": {Audio, "audio/aiff", "aiff"},
	"json": {Text, "application/json", "json"}, "txt": words,
}

// Name returns the type for a file name's extension; unknownBytes for others.
func Name(name string) Type {
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		if t, ok := byName[strings.ToLower(name[dot+1:])]; ok {
			return t
		}
	}
	return unknownBytes
}
