package sniff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBytes(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"\x89PNG\r\n\x1a\n....":                            "image/png",
		"\xff\xd8\xff\xe0....":                             "image/jpeg",
		"GIF89a....":                                       "image/gif",
		"RIFF\x00\x00\x00\x00WEBPVP8 ":                     "image/webp",
		"RIFF\x00\x00\x00\x00WAVEfmt ":                     "audio/wav",
		"RIFF\x00\x00\x00\x00AVI LIST":                     "video/x-msvideo",
		"FORM\x00\x00\x00\x00AIFFCOMM":                     "audio/aiff",
		"xxxx\x00\x00\x00\x00WAVE":                         "application/octet-stream",
		"RIFF":                                             "text/plain",
		"fLaC\x00\x00\x00\x22":                             "audio/flac",
		"ID3\x04\x00":                                      "audio/mpeg",
		"\xff\xfb\x90\x64\x00":                             "audio/mpeg",
		"\xff\xf1\x50\x80":                                 "audio/aac",
		"OggS\x00\x02......OpusHead":                       "audio/ogg",
		"OggS\x00\x02......\x80theora":                     "video/ogg",
		"\x1aE\xdf\xa3\x01\x00B\x82\x84webm":               "video/webm",
		"\x1aE\xdf\xa3\x01\x00B\x82\x88matroska":           "video/x-matroska",
		"\x1aE\xdf\xa3\xa3B\x82\x88matroskawebm":           "video/x-matroska", // a title may say what it likes
		"\x00\x00\x00\x18ftypisom\x00\x00":                 "video/mp4",
		"\x00\x00\x00\x18ftypM4A \x00\x00":                 "audio/mp4",
		"\x00\x00\x00\x14ftypqt  \x00\x00":                 "video/quicktime",
		"\x00\x00\x00\x14ftypavif\x00\x00":                 "image/avif",
		"\x00\x00\x00\x14ftypheic\x00\x00":                 "image/heic",
		"\x00\x00\x00\x14ftypheis\x00\x00":                 "image/heic",
		"\x00\x00\x00\x14ftyphevx\x00\x00":                 "image/heic",
		"\x00\x00\x00\x14ftypmsf1\x00\x00":                 "image/heic",
		"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic": "image/heic",
		"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1avif": "image/avif",
		"\x00\x00\x00\x14ftypmif1\x00\x00\x00\x00mif1avif": "image/heic", // behind the box
		"\x00\x00\x00\x08wide\x00\x00\x00\x00":             "video/quicktime",
		"BM\x36\x00\x0c\x00\x00\x00":                       "image/bmp",
		"<!DOCTYPE html>":                                  "text/plain",
		`{"error":1}`:                                      "text/plain",
		"BMW is a car":                                     "text/plain",
		"":                                                 "text/plain",
		"\x00\x01\x02\xff":                                 "application/octet-stream",
	} {
		assert.Equal(t, want, Bytes([]byte(head)).MediaType, "%q", head)
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Type{
		"a.PNG": {Image, "image/png", "png"}, "/x.y/b.m4v": mp4, "c": unknownBytes, "d.": unknownBytes, "e.exe": unknownBytes, "f.heif": heic,
	} {
		assert.Equal(t, want, Name(name), name)
	}
	for end, typ := range byName {
		assert.Equal(t, typ.MediaType, Name("x."+typ.Ext).MediaType, "%s is kept under a name of another type", end)
	}
}

func FuzzBytes(f *testing.F) {
	for _, seed := range []string{"", "\x00\x00\x00\x18ftyp", "\xff\xff\xff\xffftypmif1", "RIFF", "\xff", "\x1aE\xdf\xa3B\x82\xff", "FORM"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		typ := Bytes(b)
		require.NotEmpty(t, typ.Class)
		require.NotEmpty(t, typ.Ext)
		class, _, ok := strings.Cut(typ.MediaType, "/")
		require.True(t, ok)
		require.Equal(t, typ.Media(), class == string(typ.Class) && class != "text")
	})
}
