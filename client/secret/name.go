package secret

import (
	"strings"
	"unicode"
)

// Name reports whether a member of a body, or a variable, of this name is one for a
// key. Only whole names that everybody knows count: a "secretary", a "fortune_cookie" and the
// "token" of a game are what somebody wants to see. What stands under such a name is taken out
// only where it is a [Value] as well. Of a place as "parameters.api_key" the last name
// counts.
func Name(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	low := squeezed(name)
	switch low {
	case "authorization", "proxyauthorization", "bearer", "bearertoken", "accesstoken", "refreshtoken", "authtoken",
		"clientsecret", "secretkey", "apisecret", "accesskey", "secretaccesskey", "privatekey", "xauthkey", "xauthtoken":
		return true
	}
	return strings.HasSuffix(low, "apikey") // also x-goog-api-key, OPENAI_API_KEY
}

// HeaderName is the generous answer, for headers and for the query of an address, where
// every name with a key or a token in it is taken for one: nothing else is called so there.
// What counts tokens authorizes nothing.
func HeaderName(name string) bool {
	low := strings.ReplaceAll(strings.ToLower(name), "tokens", "")
	return Name(name) || low == "sig" || containsOne(low, "token", "key", "auth", "signature", "jwt", "bearer") ||
		containsOne(squeezed(name), "password", "passwd", "secret", "credential", "cookie")
}

// Lengths of keys: shorter ones of a kind are words.
const (
	minKey         = 16
	minKnownPrefix = 12
)

// Value reports whether a text looks like a key: one word, long, with letters and
// digits in it, or with a beginning that only keys have.
func Value(value string) bool {
	if len(value) < minKnownPrefix || strings.ContainsFunc(value, func(r rune) bool { return !KeyLetter(r) }) {
		return false
	}
	for _, p := range []string{"sk-", "sk_", "pk_", "rk_", "gsk_", "hf_", "r8_", "ghp_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "AIza", "eyJ"} {
		if strings.HasPrefix(value, p) {
			return true
		}
	}
	low := strings.ToLower(value)
	return len(value) >= minKey && strings.ContainsAny(low, "0123456789") && strings.ContainsAny(low, "abcdefghijklmnopqrstuvwxyz")
}

// KeyLetter reports whether keys are made of such letters.
func KeyLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.~+/=", r)
}

// squeezed is a name in the one form that all ways of writing it have.
func squeezed(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_- .", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

func containsOne(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
