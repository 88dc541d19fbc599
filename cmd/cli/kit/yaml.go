package kit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"darkroom/client/text"
)

// yamlOf writes JSON as YAML in block style, keeping the keys' order and the numbers as they are.
// Strings that could be taken for something else, or hold characters unfit for YAML or a terminal,
// are quoted and escaped.
func yamlOf(text []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	y := yamlWriter{dec: dec}
	if err := y.value("", ""); err != nil {
		return nil, err
	}
	return y.out.Bytes(), nil
}

type yamlWriter struct {
	dec *json.Decoder
	out bytes.Buffer
}

// value writes the next value. before goes between it and what is already on the line; the lines
// of a list or an object begin with indent.
func (y *yamlWriter) value(before, indent string) error {
	t, err := y.dec.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		return y.nested(t == '{', before, indent)
	case string:
		y.out.WriteString(before + yamlString(t) + "\n")
	case nil:
		y.out.WriteString(before + "null\n")
	default: // bool, json.Number
		fmt.Fprintf(&y.out, "%s%v\n", before, t)
	}
	return nil
}

// nested writes the inside of an object or a list whose opening delimiter was read.
func (y *yamlWriter) nested(object bool, before, indent string) error {
	if !y.dec.More() {
		y.out.WriteString(before + map[bool]string{true: "{}\n", false: "[]\n"}[object])
		_, err := y.dec.Token()
		return err
	}
	first := ""
	switch {
	case before == "": // the top
	case strings.HasSuffix(before, "- "):
		first = before // the first key follows the dash
	default:
		y.out.WriteString(strings.TrimRight(before, " ") + "\n")
	}
	for i := 0; y.dec.More(); i++ {
		lead := indent
		if i == 0 && first != "" {
			lead = first
		}
		if !object {
			if err := y.value(lead+"- ", indent+"  "); err != nil {
				return err
			}
			continue
		}
		key, err := y.dec.Token()
		if err != nil {
			return err
		}
		if err := y.value(lead+yamlString(fmt.Sprint(key))+": ", indent+"  "); err != nil {
			return err
		}
	}
	_, err := y.dec.Token()
	return err
}

// plainYAML matches what needs no quotes: words, paths and the like that no YAML version takes
// for a number, a time or a mapping.
var plainYAML = text.Pattern(`^[A-Za-z/][A-Za-z0-9_./ -]*[A-Za-z0-9_./]$`)

// wordsOfYAML matches words that mean something else without quotes, in YAML 1.1 or 1.2.
var wordsOfYAML = text.Pattern(`(?i)^(true|false|yes|no|on|off|null|y|n)$`)

func yamlString(s string) string {
	if plainYAML().MatchString(s) && !wordsOfYAML().MatchString(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == utf8.RuneError || harmless(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
