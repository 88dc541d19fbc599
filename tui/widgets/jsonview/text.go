package jsonview

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"darkroom/client/text"
)

// textDoc shows a body that is not JSON.
func textDoc(body []byte, clean func(string) string) Doc {
	left := body[:min(len(body), maxInput)]
	d := Doc{src: body}
	for more := true; more && len(d.lines) < maxLines; {
		var raw []byte
		at := min(len(body), maxInput) - len(left)
		raw, left, more = bytes.Cut(left, []byte("\n"))
		used := raw[:min(len(raw), maxText*utf8.UTFMax)]
		for i, l := range strings.Split(clean(string(used)), "\n") {
			if i == 0 || l != "" {
				d.lines = append(d.lines, line{pieces: []piece{{plain, text.Clip(l, maxText)}}, place: place{at: at, to: at + len(raw), parent: -1}})
			}
		}
	}
	if n := len(left) + max(0, len(body)-maxInput); n > 0 {
		d.Cut = true
		d.lines = append(d.lines, rest(n))
	}
	return d
}

// show decodes no more of a string than it shows, since values may hold megabytes of base64.
func (p *parser) show(raw []byte) (string, error) {
	end := prefix(raw, maxString)
	if p.prose > maxString && !isData(raw[:end]) {
		end = prefix(raw, p.prose)
	}
	more := len(raw) - 1 - end
	if more > 0 {
		if !json.Valid(raw) {
			return "", errSyntax
		}
		raw = append(raw[:end:end], '"')
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", errSyntax
	}
	q := quote.Replace(p.clean(s))
	if more > 0 {
		return fmt.Sprintf(`"%s…" +%d bytes`, q, more), nil
	}
	return `"` + q + `"`, nil
}

// isData reports whether a string begins as base64 or a data URI: nobody reads that.
func isData(begin []byte) bool {
	return bytes.HasPrefix(begin, []byte(`"data:`)) || !bytes.ContainsFunc(begin, func(r rune) bool {
		return r > unicode.MaxASCII || strings.ContainsRune(" :.,?!\\", r)
	})
}

// prefix is the length of the first n characters of a quoted string, the opening quote
// included; escapes, and pairs of them that make one character, stay whole.
func prefix(raw []byte, n int) int {
	i := 1
	for ; n > 0 && i < len(raw)-1; n-- {
		switch {
		case raw[i] != '\\':
			_, size := utf8.DecodeRune(raw[i:])
			i += size
		case raw[i+1] != 'u':
			i += 2
		case i+8 < len(raw) && (raw[i+2] == 'd' || raw[i+2] == 'D') && raw[i+3] >= '8' && raw[i+6] == '\\' && raw[i+7] == 'u':
			i += 12
		default:
			i += 6
		}
	}
	return min(i, len(raw)-1)
}

var quote = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`)
