package secret

import (
	"net/http"
	"net/url"
	"strings"
)

// RedactHeader returns a header without credentials: they never reach the log. The profile's own
// key is not even there, since the authorising round tripper sits below the log.
func RedactHeader(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for k, v := range h {
		if !HeaderName(k) {
			out[k] = append([]string(nil), v...)
		}
	}
	return out
}

// RedactURL keeps a gateway URL whole and hides the query values of others, since signed result
// URLs are secrets of a kind. A password never shows.
func RedactURL(u *url.URL, own bool) string {
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

// Hider is [Hide] for a text that comes in pieces: what may be the beginning of a key at the end of
// a piece is held back until the next one decides.
type Hider struct {
	Key  string
	held string
}

// Write takes a piece and returns what may be shown of it, preceded by what was held back.
func (h *Hider) Write(piece string) string {
	if len(h.Key) < minHidden {
		return piece
	}
	all := strings.ReplaceAll(h.held+piece, h.Key, shown)
	n := min(len(h.Key)-1, len(all))
	for n > 0 && !strings.HasPrefix(h.Key, all[len(all)-n:]) {
		n--
	}
	h.held = all[len(all)-n:]
	return all[:len(all)-n]
}

// End returns what was held back, after the last piece.
func (h *Hider) End() string {
	rest := h.held
	h.held = ""
	return rest
}

// HideInHeader is [Hide] for the values of a header, in place.
func HideInHeader(h http.Header, key string) {
	if len(key) < minHidden {
		return
	}
	for _, values := range h {
		for i, v := range values {
			if strings.Contains(v, key) || strings.ContainsAny(v, `\%`) {
				values[i] = string(Hide([]byte(v), key))
			}
		}
	}
}
