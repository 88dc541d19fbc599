package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Bounds of JSON that is typed or pasted: it is shown with one value a line, which makes deeply
// nested text many times as long.
const (
	maxJSONDepth  = 100
	maxJSONIndent = 32 << 20 // bytes, of line ends and indentation
)

// ParseJSON reads one JSON value, as a person types it: numbers become json.Number and keep all
// their digits. An error says where the text is wrong, "line 2, column 14: …", both from 1 and the
// column in characters; text after the value is an error, and so is nesting deeper than 100.
func ParseJSON(text string) (any, error) {
	b := []byte(text)
	if !utf8.ValidString(text) { // encoding/json would silently put U+FFFD there
		line, column := textPlace(b, firstInvalid(text))
		return nil, fmt.Errorf("line %d, column %d: the text is not UTF-8", line, column)
	}
	if err := json.Unmarshal(b, new(json.RawMessage)); err != nil {
		var se *json.SyntaxError
		if !errors.As(err, &se) {
			return nil, err
		}
		at := int(se.Offset) - 1
		if jsonCutOff(b) {
			at, err = len(b), errors.New("unexpected end of JSON")
		}
		line, column := textPlace(b, at)
		return nil, fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	if at, err := tooNested(b); err != nil {
		line, column := textPlace(b, at)
		return nil, fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

// tooNested finds the place where valid JSON exceeds the bounds.
func tooNested(b []byte) (at int, err error) {
	depth, indent, quoted := 0, 0, false
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxJSONDepth {
				return i, fmt.Errorf("the JSON is nested deeper than %d", maxJSONDepth)
			}
			indent += 2 + 4*depth // with the line that closes it
		case c == '}' || c == ']':
			depth--
		case c == ',':
			indent += 1 + 2*depth
		}
		if indent > maxJSONIndent {
			return i, fmt.Errorf("the JSON has too many values too deep: with a line for each, the blanks before them alone are more than %d MiB", maxJSONIndent>>20)
		}
	}
	return 0, nil
}

// firstInvalid is the place of the first byte that is not UTF-8.
func firstInvalid(text string) int {
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			return i
		}
	}
	return len(text)
}

// jsonCutOff reports whether a text ends before its value does.
func jsonCutOff(b []byte) bool {
	var v json.RawMessage
	err := json.NewDecoder(bytes.NewReader(b)).Decode(&v)
	return err != nil && !errors.As(err, new(*json.SyntaxError))
}

// textPlace is the line and the column, in characters, of the byte at an offset; both from 1.
func textPlace(b []byte, at int) (line, column int) {
	head := b[:min(max(at, 0), len(b))]
	start := bytes.LastIndexByte(head, '\n') + 1
	return bytes.Count(head, []byte("\n")) + 1, utf8.RuneCount(head[start:]) + 1
}
