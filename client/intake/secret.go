package intake

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/secret"
	"darkroom/client/shell"
	"darkroom/client/text"
)

// Hidden takes the place of a credential in a text.
const Hidden = "$DARKROOM_API_KEY"

// Bounds of what is looked for: no command has more keys, and no key is longer.
const (
	maxSecrets = 100
	maxSecret  = 4096
	minSecret  = 4  // shorter is no key, and stands in words
	longSecret = 12 // shorter may be a word: it is no key but where it authorizes
	maxName    = 120
	maxGuesses = 10 * maxSecrets
)

// MaxKept bounds a text that is kept as text, in bytes: more is not looked through for keys.
const MaxKept = 1 << 20

// Redact returns a text without its credentials, for storing a pasted request as text. It also
// takes keys out of a command that cannot be read. said tells a person what was taken out, "" for
// nothing; a text that cannot be cleaned is held back, and kept is empty. Redact takes some time:
// do not call it from a program's loop.
func Redact(text string) (kept, said string) {
	if len(text) > MaxKept {
		return "", fmt.Sprintf("not kept as text: it has %.1f MiB, and no more than %d MiB are looked through for keys; paste the prompt alone",
			float64(len(text))/(1<<20), MaxKept>>20)
	}
	secrets, all := secretsOf(text)
	if !all {
		return "", fmt.Sprintf("not kept as text: more than %d places in it may be keys; paste the prompt alone", maxSecrets)
	}
	kept = mask(text, secrets)
	if kept != text {
		said = "what looks like a key was taken out of it: " + Hidden + " stands there now"
	}
	return kept, said
}

// secretsOf returns every credential in a text, each once, the longest first. In a command that is
// not understood, or that is not all of the text, every word that may be an option counts as one:
// an apostrophe in a prompt turns all later quotes inside out. all is false where there are more
// than the bounds allow.
func secretsOf(text string) (out []string, all bool) {
	var c curl
	all = true
	bodies := []string{text}
	if IsCommand(text) {
		var err error
		c, err = parseCurl(strings.TrimSpace(text))
		if err != nil || c.more || c.odd || !json.Valid([]byte(c.body)) {
			all = c.guess(text) && (!strings.Contains(text, `\`) || c.guess(unescaped(text)))
		}
		bodies = append(bodies, c.here)
		bodies = append(bodies, c.parts...)
	}
	for _, body := range bodies {
		c.named(body)
	}
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
var secretOption = text.Pattern(`(?:^|[\s'"])(--(?:(?:proxy-)?(?:user|header|pass)|oauth2-bearer|cookie|(?:proxy-)?tlspassword|proxy|referer)|-[sSkLvfgiNq]*[uUbHxe])`)

// guess looks for options and addresses anywhere: each place where an option may begin is
// read as if the quotes before it were closed. It reports whether it looked everywhere.
func (c *curl) guess(text string) bool {
	places := secretOption().FindAllStringSubmatchIndex(text, maxGuesses)
	for _, at := range places {
		_ = c.options(append([]string{"curl"}, shell.First(text[at[2]:min(len(text), at[2]+2*maxSecret)], 2)...))
	}
	c.address(text)
	return len(places) < maxGuesses
}

// named looks for keys behind their names in a body and in a sentence: as members of what is
// JSON, else as in "api_key": "…" and in Authorization: Bearer …
func (c *curl) named(text string) {
	if v, err := client.ParseJSON(text); err == nil {
		for _, m := range takeSecrets(v) {
			c.secret(m.value)
		}
		return
	}
	for i := 0; i < len(text); i++ {
		if (text[i] == ':' || text[i] == '=') && secret.Name(nameBefore(text[:i])) {
			i += c.key(text[i+1 : min(len(text), i+1+2*maxSecret)])
		}
	}
}

// key remembers the key at the start of a text, perhaps in quotes. It returns the length of its
// first word, in which no name stands.
func (c *curl) key(text string) int {
	before := len(text)
	text = strings.TrimPrefix(strings.TrimLeft(text, " \t"), `\ `)
	if text != "" && strings.IndexByte(`"'`, text[0]) >= 0 {
		text = text[1:]
	}
	word := func(s string) (word, rest string) {
		end := strings.IndexFunc(s, func(r rune) bool { return !secret.KeyLetter(r) })
		if end < 0 {
			end = len(s)
		}
		return s[:end], strings.TrimLeft(s[end:], " \t\\")
	}
	value, rest := word(text)
	length := before - len(text) + len(value)
	if isScheme(value) {
		next, _ := word(rest)
		value += " " + next
	}
	if value, ok := keyOf(value); ok {
		c.secret(value)
	}
	return length
}

// keyOf is the key in a value, without the scheme before it; false for a value that does not look
// like a key.
func keyOf(value string) (string, bool) {
	value = strings.TrimSpace(value)
	bare := afterScheme(value)
	bearer := bare != value && len(bare) >= longSecret && !strings.ContainsFunc(bare, func(r rune) bool { return !secret.KeyLetter(r) })
	return bare, bearer || secret.Value(bare)
}

// nameBefore is the name at the end of a text, perhaps in quotes of its own; "" behind a
// quote that is escaped, which is within what somebody says, and in an address: those of
// references stay.
func nameBefore(text string) string {
	text = strings.TrimRight(text[max(0, len(text)-maxName):], " \t")
	bare := strings.TrimRight(text, `"'`)
	from := strings.LastIndexFunc(bare, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.-", r)
	})
	if from >= 0 && strings.IndexByte(`?&\`, bare[from]) >= 0 || from > 0 && bare[from-1] == '\\' {
		return ""
	}
	return bare[from+1:]
}

// member is one of a body that holds a key.
type member struct{ place, value string }

// takeSecrets removes from a body the members that are surely keys, at any depth, where some people
// put them. All others stay.
func takeSecrets(v any) []member {
	out := takeNamed(v, "", secret.Name)
	slices.SortFunc(out, func(a, b member) int { return strings.Compare(a.place, b.place) })
	return out
}

func takeNamed(v any, place string, named func(string) bool) (out []member) {
	switch t := v.(type) {
	case []any:
		for i, x := range t {
			out = append(out, takeNamed(x, fmt.Sprintf("%s[%d]", place, i), named)...)
		}
	case map[string]any:
		for name, x := range t {
			inner := strings.TrimPrefix(place+"."+name, ".")
			if text, isText := x.(string); isText && named(name) {
				if key, ok := keyOf(text); ok {
					delete(t, name)
					out = append(out, member{inner, key})
				}
				continue
			}
			within := named
			if strings.EqualFold(name, "headers") {
				within = secret.HeaderName
			}
			found := takeNamed(x, inner, within)
			if obj, ok := x.(map[string]any); ok && len(obj) == 0 && len(found) > 0 {
				delete(t, name)
			}
			out = append(out, found...)
		}
	}
	return out
}

// told says which members were taken out.
func told(taken []member) (notes []string) {
	for _, m := range taken {
		notes = append(notes, client.CleanLine(m.place)+" is left out: it looks like a key, and the profile's key is sent")
	}
	return notes
}
