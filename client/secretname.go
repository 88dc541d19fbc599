package client

import "strings"

// SecretName reports whether a member, a value or a variable of this name is one that
// authorizes: a key, a password, a token. Together with [SecretHeader] it is the one answer
// to that question, for whoever keeps, shows or sends on what somebody else wrote.
func SecretName(name string) bool {
	low := strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(name))
	switch low {
	case "token", "auth", "bearer", "jwt", "xtoken", "xauth":
		return true
	}
	return containsOne(low, "apikey", "authorization", "password", "passwd", "secret", "credential", "cookie", "accesskey", "privatekey",
		"accesstoken", "authtoken", "bearertoken", "refreshtoken", "sessiontoken")
}

// SecretHeader is [SecretName] for headers and for the query of an address, where every name
// with a key or a token in it is taken for one: nothing else is called so there. What counts
// tokens authorizes nothing.
func SecretHeader(name string) bool {
	low := strings.ReplaceAll(strings.ToLower(name), "tokens", "")
	return SecretName(name) || containsOne(low, "token", "key", "auth", "signature", "jwt", "bearer") || low == "sig"
}

func containsOne(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
