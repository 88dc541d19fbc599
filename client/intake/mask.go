package intake

import (
	"regexp"
	"strconv"
	"strings"
)

// mask puts [Hidden] where a secret stands in a text, also where a shell would read it out of
// quotes, backslashes and escapes that stand within.
func mask(text, secret string) string {
	if len(secret) > maxSecret {
		return strings.ReplaceAll(text, secret, Hidden)
	}
	var out strings.Builder
	from := 0
	for i := 0; i < len(text); i++ {
		if text[i] != secret[0] && text[i] != '\\' {
			continue
		}
		if n := spelled(text[i:], secret); n > 0 {
			out.WriteString(text[from:i] + Hidden)
			from = i + n
			i = from - 1
		}
	}
	out.WriteString(text[from:])
	return out.String()
}

// spelled is the length of what reads as a word at the head of s; 0 for anything else.
func spelled(s, word string) int {
	n := 0
	for i := 0; i < len(word); {
		rest := s[n:]
		c, length := escapedByte(rest)
		switch {
		case rest == "":
			return 0
		case rest[0] == word[i]:
			n, i = n+1, i+1
		case length > 0 && c == word[i]:
			n, i = n+length, i+1
		case i == 0:
			return 0
		case strings.IndexByte(`'"\`, rest[0]) >= 0, rest[0] == '\n' && s[n-1] == '\\':
			n++
		case rest[0] == '$' && len(rest) > 1 && strings.IndexByte(`'"`, rest[1]) >= 0:
			n += 2
		default:
			return 0
		}
	}
	return n
}

// shellEscape is a character as its number, as $'…' and JSON have it.
var shellEscape = regexp.MustCompile(`\\(?:x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|[0-7]{1,3})`)

// escapedByte is the character that s begins with as its number, and how long that is.
func escapedByte(s string) (byte, int) {
	if len(s) < 2 || s[0] != '\\' {
		return 0, 0
	}
	at := shellEscape.FindStringIndex(s[:min(len(s), 6)])
	if at == nil || at[0] != 0 {
		return 0, 0
	}
	code := number(s[:at[1]])
	if code == 0 || code > 0x7f {
		return 0, 0
	}
	return byte(code), at[1]
}

// number is the character of a shellEscape.
func number(escape string) uint64 {
	base, digits := 16, escape[2:]
	if escape[1] != 'x' && escape[1] != 'u' {
		base, digits = 8, escape[1:]
	}
	code, _ := strconv.ParseUint(digits, base, 32) // which are digits, and few
	return code
}

// unescaped is a text with its ASCII characters as they are.
func unescaped(text string) string {
	return shellEscape.ReplaceAllStringFunc(text, func(s string) string {
		if code := number(s); code > 0 && code < 0x80 {
			return string(rune(code))
		}
		return s
	})
}
