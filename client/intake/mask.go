package intake

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/client/text"
)

// spoken is a text roughly as a shell or JSON would read it: without quotes, backslashes and line
// continuations, and with numeric escapes of ASCII characters decoded. from and to are each byte's
// place in the text.
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

// mask puts [Hidden] in place of secrets in a text, the longest first, even where quotes,
// backslashes and escapes interrupt them. Short secrets may be words elsewhere: they are masked
// only after their option and in addresses.
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
	authorizes := p.authorizing()
	for i := 0; i+minSecret <= len(p.bytes); i++ {
		list := byHead[string(p.bytes[i:i+minSecret])]
		at := slices.IndexFunc(list, func(s string) bool {
			return len(p.bytes)-i >= len(s) && string(p.bytes[i:i+len(s)]) == s && (len(s) >= longSecret || authorizes[i])
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

// Where credentials stand: after an option of any kind, after a name in the query of an address,
// and as the user of one.
var (
	anyOption = text.Pattern(`(?:^|\s)-{1,2}[A-Za-z]`)
	queryName = text.Pattern(`[?&][^=&?\s]+=`)
	userPlace = text.Pattern(`://[^/\s@:]*`)
)

// authorizing says for each byte whether a secret may begin there: shortly after an option for
// secrets, up to the next option, or in an address.
func (p spoken) authorizing() []bool {
	out := make([]bool, len(p.bytes)+1)
	options := anyOption().FindAllIndex(p.bytes, -1)
	for k, at := range options {
		end := min(at[0]+maxName, len(p.bytes))
		if k+1 < len(options) {
			end = min(end, options[k+1][0])
		}
		if is := secretOption().FindIndex(p.bytes[at[0]:end]); is == nil || is[0] > 0 {
			continue
		}
		for i := at[0]; i < end; i++ {
			out[i] = true
		}
	}
	for _, at := range queryName().FindAllIndex(p.bytes, -1) {
		out[at[1]] = true
	}
	for _, at := range userPlace().FindAllIndex(p.bytes, -1) {
		for i := at[0]; i <= at[1]; i++ {
			out[i] = true
		}
	}
	return out
}

// escapedByte is the character that s begins with as a numeric escape of $'…' or JSON, and the
// length of the escape; 0 for anything else.
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
