package expand

import (
	"math/big"
	"strings"
	"unicode/utf8"
)

// Escape returns the template whose only prompt is a text: the text itself where nothing in it is
// special, else with backslashes.
func Escape(text string) string {
	if stays(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		n := 0
		for i+n < len(text) && text[i+n] == '\\' {
			n++
		}
		i += n
		token := special(text[i:])
		if token != "" {
			b.WriteString(strings.Repeat(`\`, 2*n+1) + token)
			i += len(token)
			continue
		}
		b.WriteString(strings.Repeat(`\`, n))
		if n == 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			b.WriteString(text[i : i+size])
			i += size
		}
	}
	return b.String()
}

// stays reports whether a text is a template that makes this text and no other.
func stays(text string) bool {
	t, err := Parse(text)
	if err != nil || !t.Plain() {
		return false
	}
	x, err := t.Bind(nil, nil)
	if err != nil {
		return false
	}
	got, err := x.At(new(big.Int))
	return err == nil && got == text
}
