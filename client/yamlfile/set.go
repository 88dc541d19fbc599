package yamlfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
)

// ErrInPlace means that a value cannot be changed without rewriting more of a file than its own
// lines, as where an alias stands for it.
var ErrInPlace = errors.New("it cannot be changed in place: edit the file by hand")

// Set returns the text of a file in which the value at a place of keys is changed, or added where it
// is missing, with all else as it stands: comments, order, blanks. The value is a string, a bool, a
// [json.Number] or a []string. The error is that of Parse for a file that cannot be read,
// or [ErrInPlace]; then nothing was changed.
func (l Limits) Set(data []byte, keys []string, value any) ([]byte, error) {
	root, err := l.Parse(data)
	if err != nil {
		return nil, Explain(err)
	}
	was, err := Value(root)
	if err != nil {
		return nil, ErrInPlace
	}
	want, ok := put(was, keys, plainValue(value))
	if !ok {
		return nil, ErrInPlace
	}
	e := editor{lines: strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")}
	if len(data) == 0 {
		e.lines = nil
	}
	if !e.set(root, keys, written(value)) {
		return nil, ErrInPlace
	}
	text := []byte(strings.Join(e.lines, "\n") + "\n")
	root, err = l.Parse(text)
	if err != nil {
		return nil, ErrInPlace
	}
	if got, err := Value(root); err != nil || !reflect.DeepEqual(got, want) {
		return nil, ErrInPlace
	}
	return text, nil
}

// put is a value with another one at a place; ok is false if something else than a mapping is in the
// way.
func put(in any, keys []string, value any) (out any, ok bool) {
	if len(keys) == 0 {
		return value, true
	}
	m := map[string]any{}
	switch x := in.(type) {
	case nil:
	case map[string]any:
		m = maps.Clone(x)
	default:
		return nil, false
	}
	m[keys[0]], ok = put(m[keys[0]], keys[1:], value)
	return m, ok
}

// plainValue is a value as [Value] gives it.
func plainValue(v any) any {
	words, ok := v.([]string)
	if !ok {
		return v
	}
	out := []any{}
	for _, w := range words {
		out = append(out, w)
	}
	return out
}

// written is a value as it stands in a file, in one line.
func written(v any) string {
	switch x := v.(type) {
	case string:
		return scalar(x)
	case []string:
		out := make([]string, len(x))
		for i, w := range x {
			out[i] = scalar(w)
		}
		return "[" + strings.Join(out, ", ") + "]"
	default:
		b, _ := json.Marshal(x) // a bool or a number
		return string(b)
	}
}

// scalar is a text, in quotes where it could be taken for something else.
func scalar(s string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	words := []string{"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
	if s != "" && strings.Trim(s[:1], letters+"/") == "" && strings.Trim(s, letters+"0123456789/_.+-:") == "" && !strings.HasSuffix(s, ":") && !slices.Contains(words, strings.ToLower(s)) {
		return s
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a text
	return strings.TrimSuffix(b.String(), "\n")
}

// editor changes the lines of a file. What it makes is read again by [Limits.Set], so that it may
// be simple about what it does not understand.
type editor struct{ lines []string }

// set changes the value at a place below a node, and reports whether it knew how.
func (e *editor) set(n ast.Node, keys []string, text string) bool {
	var above *Entry // whose value n is
	for len(keys) > 0 {
		all, err := Entries(n)
		if err != nil {
			break // it is no mapping: an empty one, since put went through
		}
		i := slices.IndexFunc(all, func(x Entry) bool { return x.Key == keys[0] })
		if i < 0 {
			break
		}
		above, n, keys = &all[i], all[i].Value, keys[1:]
		if len(keys) == 0 {
			return e.replace(*above, text)
		}
	}
	m, _ := n.(*ast.MappingNode)
	switch {
	case m != nil && m.IsFlowStyle:
		return e.within(m, keys, text)
	case above == nil:
		e.insert(len(e.lines), 0, keys, text)
		return true
	case n == nil || n.Type() == ast.NullType:
		e.insert(above.Line, above.Column+1, keys, text)
		return true
	}
	all, err := Entries(n)
	if err != nil || len(all) == 0 {
		return false
	}
	e.insert(e.end(above.Line-1, above.Column-1), all[0].Column-1, keys, text)
	return true
}

// insert adds lines at a place, for keys one below the other.
func (e *editor) insert(at, indent int, keys []string, text string) {
	var more []string
	for i, k := range keys {
		line := strings.Repeat(" ", indent+2*i) + scalar(k) + ":"
		if i == len(keys)-1 {
			line += " " + text
		}
		more = append(more, line)
	}
	e.lines = slices.Insert(e.lines, min(at, len(e.lines)), more...)
}

// within adds keys to a mapping in braces.
func (e *editor) within(m *ast.MappingNode, keys []string, text string) bool {
	line, column := placeOf(m.Start)
	if line == 0 || line > len(e.lines) {
		return false
	}
	for _, k := range slices.Backward(keys[1:]) {
		text = "{" + scalar(k) + ": " + text + "}"
	}
	text = scalar(keys[0]) + ": " + text
	if len(m.Values) > 0 {
		text += ", "
	}
	s := e.lines[line-1]
	at := byteAt(s, column)
	if at >= len(s) || s[at] != '{' {
		return false
	}
	e.lines[line-1] = s[:at+1] + text + s[at+1:]
	return true
}

// replace puts a value in the place of that of a key, whose comment stays.
func (e *editor) replace(at Entry, text string) bool {
	if at.Line == 0 || at.Line > len(e.lines) {
		return false
	}
	s := e.lines[at.Line-1]
	from := byteAt(s, at.Column)
	end := scalarEnd(s, from, ":")
	colon := strings.IndexByte(s[min(end, len(s)):], ':')
	if colon < 0 {
		return false
	}
	from = end + colon + 1
	value := from + len(s[from:]) - len(strings.TrimLeft(s[from:], " "))
	flow := strings.ContainsAny(s[:from], "{[")
	var stop int
	switch {
	case value == len(s) || s[value] == '#' || flow && strings.IndexByte(",}]", s[value]) >= 0: // nothing, or in the lines below
		stop = from
	case flow:
		stop = scalarEnd(s, value, ",}]")
	default:
		stop = scalarEnd(s, value, "")
	}
	if stop > len(s) {
		return false
	}
	rest := s[stop:]
	if rest != "" && rest[0] == '#' {
		rest = " " + rest
	}
	e.lines[at.Line-1] = s[:from] + " " + text + rest
	if !flow {
		e.lines = slices.Delete(e.lines, at.Line, e.end(at.Line-1, at.Column-1))
	}
	return true
}

// end is the line after the last one that belongs to the key in a line, by how far it is indented;
// blank lines and comments behind are no part of it.
func (e *editor) end(line, indent int) int {
	last := line + 1
	for i := line + 1; i < len(e.lines); i++ {
		s := strings.TrimLeft(e.lines[i], " ")
		deep := len(e.lines[i]) - len(s)
		switch {
		case s == "" || s == "\r" || s[0] == '#':
			continue
		case deep > indent || deep == indent && (s == "-" || strings.HasPrefix(s, "- ")):
			last = i + 1
			continue
		}
		break
	}
	return last
}

// scalarEnd is where a value in one line ends that begins at a place: at its closing quote or
// bracket, before a comment, or at one of the characters in stops; beyond the line if it goes on in
// the next one.
func scalarEnd(s string, from int, stops string) int {
	if from >= len(s) {
		return len(s)
	}
	switch s[from] {
	case '"', '\'':
		return quoteEnd(s, from)
	case '[', '{':
		depth := 0
		for i := from; i < len(s); i++ {
			switch s[i] {
			case '[', '{':
				depth++
			case ']', '}':
				if depth--; depth == 0 {
					return i + 1
				}
			case '"', '\'':
				i = quoteEnd(s, i) - 1
			}
		}
		return len(s) + 1
	}
	for i := from; i < len(s); i++ {
		if strings.IndexByte(stops, s[i]) >= 0 || s[i] == '#' && i > from && s[i-1] == ' ' {
			return from + len(strings.TrimRight(s[from:i], " "))
		}
	}
	return from + len(strings.TrimRight(s[from:], " \r"))
}

// quoteEnd is where a text in quotes ends; beyond the line if it goes on in the next one.
func quoteEnd(s string, from int) int {
	for i := from + 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[from] == '"':
			i++
		case s[i] == s[from] && s[from] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		case s[i] == s[from]:
			return i + 1
		}
	}
	return len(s) + 1
}

// byteAt is the byte of a column, which counts characters from one.
func byteAt(s string, column int) int {
	at := 0
	for ; column > 1 && at < len(s); column-- {
		_, n := utf8.DecodeRuneInString(s[at:])
		at += n
	}
	return at
}
