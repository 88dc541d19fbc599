package intake

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"darkroom/client"
)

// Hidden stands in a text where something was that authorizes.
const Hidden = "$DARKROOM_API_KEY"

// Bounds of what is looked for: no command has more keys, and no key is longer.
const (
	maxSecrets = 100
	maxSecret  = 4096
	minSecret  = 4  // shorter is no key, and stands in words
	longWord   = 12 // shorter is no key where it stands in a sentence, as in "a secret: gardens"
	maxGuesses = 10 * maxSecrets
)

// Redact is a text without what authorizes in it: for who keeps a pasted command as text.
// It also takes keys out of a command that can not be read.
func Redact(text string) string {
	secrets, all := secretsOf(text)
	if !all {
		return Hidden
	}
	for _, s := range secrets {
		text = mask(text, s)
	}
	return text
}

// secretsOf is everything in a text that authorizes, each once, the longest first. In a
// command that is not understood, or that is not all of the text, every word that may be an
// option counts as one: an apostrophe in a prompt turns all quotes behind it inside out. all
// is false where there is more than is looked for.
func secretsOf(text string) (out []string, all bool) {
	var c curl
	all = true
	if IsCommand(text) {
		var err error
		c, err = parseCurl(strings.TrimSpace(text))
		if err != nil || c.more || !json.Valid([]byte(c.body)) {
			all = c.guess(text) && (!strings.Contains(text, `\`) || c.guess(unescaped(text)))
		}
	}
	c.named(text)
	out = slices.DeleteFunc(c.secrets, func(s string) bool { return len(s) < minSecret })
	slices.SortFunc(out, func(a, b string) int {
		if n := len(b) - len(a); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	out = slices.Compact(out)
	return out, all && len(out) <= maxSecrets
}

// secretOption is where an option may begin that can hold a secret.
var secretOption = regexp.MustCompile(`(?:^|[\s'"])(--(?:(?:proxy-)?(?:user|header|pass)|oauth2-bearer|cookie|(?:proxy-)?tlspassword|proxy|referer)|-[sSkLvfgiNq]*[uUbHxe])`)

// guess looks for options and addresses anywhere: each place where an option may begin is
// read as if the quotes before it were closed. It reports whether it looked everywhere.
func (c *curl) guess(text string) bool {
	places := secretOption.FindAllStringSubmatchIndex(text, maxGuesses)
	for _, at := range places {
		l := &lexer{rest: text[at[2]:min(len(text), at[2]+2*maxSecret)], most: 2}
		_ = l.run()
		l.end()
		_ = c.options(append([]string{"curl"}, l.out...))
	}
	c.address(text)
	return len(places) < maxGuesses
}

// named looks for what stands behind the name of a secret, as in "api_key": "…" and in
// Authorization: Bearer …
func (c *curl) named(text string) {
	for i := range len(text) {
		if text[i] != ':' && text[i] != '=' {
			continue
		}
		name, quote := nameBefore(text[:i])
		if !client.SecretName(name) && (text[i] == '=' || !strings.Contains(name, "-") || !client.SecretHeader(name)) {
			continue // what has a dash is a header
		}
		value := strings.TrimLeft(text[i+1:min(len(text), i+1+2*maxSecret)], " \t\\")
		if value != "" && strings.IndexByte(`"'`, value[0]) >= 0 {
			quote, value = value[:1], value[1:]
		}
		end := " \t\r\n\"'\\&"
		if quote != "" {
			end = quote + "\r\n"
		}
		if j := strings.IndexAny(value, end); j >= 0 {
			value = value[:j]
		}
		if value = afterScheme(value); quote != "" || len(value) >= longWord || strings.ContainsAny(name, "-_") {
			c.secret(value)
		}
	}
}

// nameBefore is the name at the end of a text, perhaps in quotes of its own. quote is one
// that begins in front of it and is still open.
func nameBefore(text string) (name, quote string) {
	text = strings.TrimRight(text[max(0, len(text)-80):], " \t")
	bare := strings.TrimRight(text, `"'\`)
	from := strings.LastIndexFunc(bare, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.-", r)
	})
	switch {
	case from < 0 || bare != text:
	case strings.IndexByte("?&", bare[from]) >= 0:
		return "", "" // of an address: those of references stay
	case strings.IndexByte(`"'`, bare[from]) >= 0:
		quote = bare[from : from+1]
	}
	return bare[from+1:], quote
}

// takeSecrets takes members out of a body that authorize, at any depth: some people put them
// there.
func takeSecrets(v any) bool { return takeNamed(v, client.SecretName) }

func takeNamed(v any, secret func(string) bool) bool {
	found := false
	switch t := v.(type) {
	case []any:
		for _, x := range t {
			found = takeNamed(x, secret) || found
		}
	case map[string]any:
		for name, x := range t {
			if _, isText := x.(string); isText && secret(name) {
				delete(t, name)
				found = true
				continue
			}
			within := secret
			if strings.EqualFold(name, "headers") {
				within = client.SecretHeader
			}
			if !takeNamed(x, within) {
				continue
			}
			found = true
			if obj, ok := x.(map[string]any); ok && len(obj) == 0 {
				delete(t, name)
			}
		}
	}
	return found
}
