// Package elide leaves the bytes of files out of JSON bodies that are kept or shown.
package elide

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"sync"
)

// minLong is the length from which a base64 string is taken for a file's bytes: far above
// any id or token, far below any picture.
const minLong = 512

// JSON returns a JSON body with its long base64 strings (bare, wrapped into lines, as data URIs,
// or within JSON that is packed into a string) replaced by "<base64 N bytes sha256:...>", N and
// the hash being those of the decoded bytes. The rest stays byte for byte, so that the body
// remains the same JSON otherwise. It returns body itself if there is nothing to replace.
func JSON(body []byte) []byte {
	if len(body) < minLong {
		return body
	}
	var out []byte
	kept := 0 // body[:kept] is in out already
	for i := 0; i < len(body); {
		if body[i] != '"' {
			i++
			continue
		}
		end := stringEnd(body, i+1)
		if end < 0 {
			break
		}
		if s := body[i+1 : end]; len(s) >= minLong {
			short, ok := whole(s)
			if !ok {
				short, ok = within(s)
			}
			if ok {
				out = append(out, body[kept:i+1]...)
				out = append(out, short...)
				kept = end
			}
		}
		i = end + 1
	}
	if out == nil {
		return body
	}
	return append(out, body[kept:]...)
}

// mark matches what stands in place of bytes.
var mark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<base64 [0-9]+ bytes sha256:[0-9a-f]{64}>`) })

// Count is how many times bytes were left out of a body.
func Count(body []byte) int { return len(mark().FindAllIndex(body, -1)) }

// stringEnd finds the closing quote of a JSON string whose inside begins at from; -1 when
// there is none.
func stringEnd(b []byte, from int) int {
	for i := from; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// whole shortens the inside of one JSON string, if it is base64 or a data URI of it.
func whole(s []byte) (string, bool) {
	prefix := ""
	data := s
	if bytes.HasPrefix(s, []byte("data:")) {
		head, rest, ok := bytes.Cut(s, []byte(";base64,"))
		if !ok || len(head) > 128 {
			return "", false
		}
		prefix, data = string(head)+";base64,", rest
	}
	for _, esc := range lineEnds {
		data = bytes.ReplaceAll(data, esc, nil)
	}
	data = bytes.ReplaceAll(data, []byte(`\/`), []byte(`/`))
	raw, ok := decodeBase64(data)
	if !ok || len(data) < minLong/2 {
		return "", false
	}
	return fmt.Sprintf("%s<base64 %d bytes sha256:%x>", prefix, len(raw), sha256.Sum256(raw)), true
}

// lineEnds are the escapes that base64 is wrapped into lines by.
var lineEnds = [][]byte{[]byte(`\r`), []byte(`\n`)}

// within shortens base64 that is a part of a longer string: strings of JSON in JSON,
// and data URIs in the middle of a text. Long runs in URLs are tokens, and stay.
func within(s []byte) (string, bool) {
	var out []byte
	kept := 0
	for i := 0; i < len(s); {
		if !base64Byte(s, i) {
			i++
			continue
		}
		end := i
		for end < len(s) && base64Byte(s, end) {
			end++
		}
		begins := bytes.HasSuffix(s[:i], []byte(`\"`)) || bytes.HasSuffix(s[:i], []byte(";base64,"))
		if data := s[i:end]; begins && len(data) >= minLong {
			if short, ok := whole(data); ok {
				out = append(append(out, s[kept:i]...), short...)
				kept = end
			}
		}
		i = end
	}
	if out == nil {
		return "", false
	}
	return string(append(out, s[kept:]...)), true
}

// base64Byte reports a character of base64 at i, or an escaped slash's backslash.
func base64Byte(s []byte, i int) bool {
	c := s[i]
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '+' || c == '/' || c == '=' || c == '-' || c == '_' ||
		c == '\\' && i+1 < len(s) && s[i+1] == '/'
}

func decodeBase64(data []byte) ([]byte, bool) {
	data = bytes.TrimRight(data, "=")
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		raw := make([]byte, enc.DecodedLen(len(data)))
		if n, err := enc.Decode(raw, data); err == nil {
			return raw[:n], true
		}
	}
	return nil, false
}
