package secret

import (
	"strings"
	"unicode"
)

// Name reports whether a member of a body, or a variable, of this name holds a key. Only whole,
// well-known names count: people want to see a "secretary", a "fortune_cookie" and the "token" of a
// game. The value under such a name is taken out only if it is a [Value] too. Of a place as
// "parameters.api_key" the last name counts.
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

// HeaderName is the generous variant, for headers and for the query of an address: every name with
// a key or a token in it counts, since nothing else there is called so. Counts of tokens authorize
// nothing and are left out.
func HeaderName(name string) bool {
	low := strings.ReplaceAll(strings.ToLower(name), "tokens", "")
	return Name(name) || low == "sig" || containsOne(low, "token", "key", "auth", "signature", "jwt", "bearer") ||
		containsOne(squeezed(name), "password", "passwd", "secret", "credential", "cookie")
}

// Lengths of keys: shorter texts are words.
const (
	minKey         = 16
	minKnownPrefix = 12
)

// Value reports whether a text looks like a key: one long word with letters and digits, or with a
// prefix that only keys have.
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

// KeyLetter reports whether keys may contain the character.
func KeyLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.~+/=", r)
}

// squeezed is a name in one form, the same for all spellings.
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
