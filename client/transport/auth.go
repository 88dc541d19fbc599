package transport

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// authTransport adds the bearer token, and only to requests whose scheme, host and port are the
// gateway's. It works below redirects, so that no followed redirect can carry the key elsewhere.
// The caller's request is never changed.
type authTransport struct {
	next http.RoundTripper
	base *url.URL
	key  func() (string, error)
	// withhold sends no key, but still takes the key out of answers of the gateway's origin, which
	// knows it from other requests.
	withhold bool
}

// RoundTrip implements http.RoundTripper.
func (t *authTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	out := r.WithContext(r.Context())
	out.Header = maps.Clone(r.Header)
	delete(out.Header, "Authorization")
	if !sameOrigin(r.URL, t.base) {
		return t.next.RoundTrip(out)
	}
	key, err := t.key()
	if t.withhold {
		if err == nil {
			attemptOf(r.Context()).setKey(strings.TrimSpace(key))
		}
		return t.next.RoundTrip(out)
	}
	if err != nil {
		closeBody(r)
		return nil, &notSentError{err}
	}
	key = strings.TrimSpace(key)
	if err := checkKey(key); err != nil {
		closeBody(r)
		return nil, &notSentError{err}
	}
	attemptOf(r.Context()).setKey(key)
	out.Header["Authorization"] = []string{"Bearer " + key}
	return t.next.RoundTrip(out)
}

// checkKey refuses a key that no header can carry, without repeating it.
func checkKey(key string) error {
	if key == "" {
		return errors.New("no API key is set: run `darkroom auth login` or set DARKROOM_API_KEY")
	}
	for _, r := range key {
		if r <= ' ' || r >= 0x7f {
			return errors.New("the API key holds a blank, a line end or another character that no header can carry: set it again")
		}
	}
	return nil
}

// sameOrigin compares scheme, host name and effective port.
func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) &&
		strings.EqualFold(a.Hostname(), b.Hostname()) &&
		port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if strings.EqualFold(u.Scheme, "https") {
		return "443"
	}
	return "80"
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
}
