package intake

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// spoken is a text as a shell or JSON would read it, roughly: without quotes, backslashes and
// the ends of lines that go on, with ASCII characters that stand there as their numbers. from
// and to say where each byte stands in the text.
type spoken struct {
	bytes    []byte
	from, to []int
}

func spokenOf(text string) spoken {
	p := spoken{bytes: make([]byte, 0, len(text)), from: make([]int, 0, len(text)), to: make([]int, 0, len(text))}
	for i := 0; i < len(text); {
		c, n := text[i], 1
		code, length := byte(0), 0
		if c == '\\' {
			code, length = escapedByte(text[i:])
		}
		switch {
		case length > 0:
			c, n = code, length
		case c == '\\' && strings.HasPrefix(text[i+1:], "\r\n"):
			i += 3
			continue
		case c == '\\' && strings.HasPrefix(text[i+1:], "\n"), c == '$' && i+1 < len(text) && strings.IndexByte(`'"`, text[i+1]) >= 0:
			i += 2
			continue
		case strings.IndexByte(`'"\`, c) >= 0:
			i++
			continue
		}
		p.bytes, p.from, p.to = append(p.bytes, c), append(p.from, i), append(p.to, i+n)
		i += n
	}
	return p
}

// mask puts [Hidden] where secrets stand in a text, the longest first, also where a shell
// would read them out of quotes, backslashes and escapes that stand within. Short ones are
// words elsewhere: they are masked behind their option and in addresses only.
func mask(text string, secrets []string) string {
	byHead := map[string][]string{}
	for _, s := range secrets {
		if s = string(spokenOf(s).bytes); len(s) >= minSecret {
			byHead[s[:minSecret]] = append(byHead[s[:minSecret]], s)
		}
	}
	if len(byHead) == 0 {
		return text
	}
	var out strings.Builder
	p, kept := spokenOf(text), 0
	for i := 0; i+minSecret <= len(p.bytes); i++ {
		list := byHead[string(p.bytes[i:i+minSecret])]
		at := slices.IndexFunc(list, func(s string) bool {
			return len(p.bytes)-i >= len(s) && string(p.bytes[i:i+len(s)]) == s && (len(s) >= longSecret || authorizes(p.bytes[max(0, i-maxName):i]))
		})
		if at < 0 {
			continue
		}
		out.WriteString(text[kept:p.from[i]] + Hidden)
		i += len(list[at]) - 1
		kept = p.to[i]
	}
	out.WriteString(text[kept:])
	return out.String()
}

// Where a secret stands: the last option before it is one for secrets, or it is in an address.
var (
	anyOption   = regexp.MustCompile(`(?:^|\s)-{1,2}[A-Za-z]`)
	placeBehind = regexp.MustCompile(`[?&][^=&\s]+=$|://[^/\s@]*$`)
)

func authorizes(before []byte) bool {
	if placeBehind.Match(before) {
		return true
	}
	all := anyOption.FindAllIndex(before, -1)
	return len(all) > 0 && secretOption.Match(before[all[len(all)-1][0]:])
}

// escapedByte is the character that s begins with as its number, as $'…' and JSON have it,
// and how long that is; 0 for anything else.
func escapedByte(s string) (byte, int) {
	from, most, base := 1, 3, 8
	if len(s) > 1 && (s[1] == 'x' || s[1] == 'u') {
		from, most, base = 2, map[byte]int{'x': 2, 'u': 4}[s[1]], 16
	}
	n := from
	for n < len(s) && n < from+most && digitOf(s[n], base) {
		n++
	}
	if n == from || len(s) > 1 && s[1] == 'u' && n < from+most {
		return 0, 0
	}
	code, err := strconv.ParseUint(s[from:n], base, 32)
	if err != nil || code == 0 || code >= 0x80 {
		return 0, 0
	}
	return byte(code), n
}

func digitOf(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// unescaped is a text with its ASCII characters as they are.
func unescaped(text string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			out.WriteString(text)
			return out.String()
		}
		c, n := escapedByte(text[i:])
		if n == 0 {
			c, n = '\\', 1
		}
		out.WriteString(text[:i])
		out.WriteByte(c)
		text = text[i+n:]
	}
}
