package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

const (
	logBody  = 16 << 10  // what the log keeps of a body
	logTake  = 256 << 10 // what it looks at, so that elided media do not fill the former
	longRun  = 256       // base64 runs from this length on are elided
	keyShown = "<key>"
)

// redactHeader is a header without what authorizes: that never reaches the log. The
// profile's own key is not even there to be seen: the authorising round tripper sits below
// the log.
func redactHeader(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for k, v := range h {
		if !SecretHeader(k) {
			out[k] = append([]string(nil), v...)
		}
	}
	return out
}

// redactURL keeps a gateway URL whole and hides query values of others, since signed
// result URLs are secrets of a kind. A password never shows.
func redactURL(u *url.URL, own bool) string {
	v := *u
	v.User = nil
	if !own && v.RawQuery != "" {
		names := make([]string, 0, 4)
		for _, part := range strings.Split(v.RawQuery, "&") {
			name, _, _ := strings.Cut(part, "=")
			names = append(names, name+"=…")
		}
		v.RawQuery = ""
		return v.String() + "?" + strings.Join(names, "&")
	}
	return v.String()
}

// redactBody prepares a body for the log: text only, long base64 runs elided, capped.
// total is the length of the whole body, of which b may be the beginning.
func redactBody(b []byte, total int64) string {
	if len(b) == 0 {
		return ""
	}
	if !textual(b) {
		return fmt.Sprintf("(%d bytes, not text)", total)
	}
	s := elideRuns(b)
	if len(s) > logBody {
		s = strings.ToValidUTF8(s[:logBody], "")
		return s + fmt.Sprintf("… (%d bytes in all)", total)
	}
	if int64(len(b)) < total {
		s += fmt.Sprintf("… (%d bytes in all)", total)
	}
	return s
}

func textual(b []byte) bool {
	if len(b) > 512 {
		b = b[:512]
	}
	return bytes.IndexByte(b, 0) < 0
}

// elideRuns replaces long runs of base64 characters by their beginning and length.
func elideRuns(b []byte) string {
	var out strings.Builder
	from, start := 0, -1
	flush := func(end int) {
		if start >= 0 && end-start >= longRun {
			out.Write(b[from : start+16])
			fmt.Fprintf(&out, "…(%d characters)", end-start)
			from = end
		}
		start = -1
	}
	for i, c := range b {
		if base64Char(c) {
			if start < 0 {
				start = i
			}
			continue
		}
		flush(i)
	}
	flush(len(b))
	out.Write(b[from:])
	return out.String()
}

func base64Char(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '+' || c == '/' || c == '=' || c == '-' || c == '_'
}

// keyHider is hideKey for a text that comes in pieces: the beginning of a key at the end
// of a piece is held back until the next one tells.
type keyHider struct{ key, held string }

func (h *keyHider) write(piece string) string {
	if len(h.key) < 8 {
		return piece
	}
	all := strings.ReplaceAll(h.held+piece, h.key, keyShown)
	n := min(len(h.key)-1, len(all))
	for n > 0 && !strings.HasPrefix(h.key, all[len(all)-n:]) {
		n--
	}
	h.held = all[len(all)-n:]
	return all[:len(all)-n]
}

// end returns what is left after the last piece.
func (h *keyHider) end() string {
	rest := h.held
	h.held = ""
	return rest
}

// hideKeyHeader is hideKey for the values of a header, which it changes.
func hideKeyHeader(h http.Header, key string) {
	if len(key) < 8 {
		return
	}
	for _, values := range h {
		for i, v := range values {
			if strings.Contains(v, key) || strings.ContainsAny(v, `\%`) {
				values[i] = string(hideKey([]byte(v), key))
			}
		}
	}
}

// toldError is an error of the transport, which may quote what the server sent: its text
// is cleaned, bounded, and without the key.
type toldError struct {
	err  error
	text string
}

func (e *toldError) Error() string { return e.text }
func (e *toldError) Unwrap() error { return e.err }

func tellError(err error, key string) error {
	if err == nil || err == io.EOF {
		return err
	}
	was := err.Error()
	text := CleanLine(capText(string(hideKey([]byte(was), key)), maxMessage))
	if text == was {
		return err
	}
	return &toldError{err, text}
}
