package expand

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	yamlparser "github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"darkroom/client"
)

// Bounds of a preset. The YAML library takes time by the square of the depth and of the number
// of keys, and one line can open a level with every other character.
const (
	MaxPreset      = 256 << 10
	maxPresetLine  = 16 << 10
	maxPresetLines = 2000
	maxBrackets    = 200
	maxLevels      = 30
)

// entry is a key of a mapping and its value, as the library has it.
type entry struct {
	key   string
	at    *token.Token
	value ast.Node
}

// tree reads a document whose top is a mapping.
func tree(src *source) (out []entry, err error) {
	// The YAML library is known to panic on some malformed input.
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, &Error{Name: src.name, Message: "not readable as YAML"}
		}
	}()
	if err := src.bounded(); err != nil {
		return nil, err
	}
	file, err := yamlparser.ParseBytes([]byte(src.text), 0)
	if err != nil {
		return nil, src.fromYAML(err)
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, &Error{Name: src.name, Message: "the file is empty"}
	}
	if len(file.Docs) > 1 {
		return nil, src.at(file.Docs[1].Start, "more than one YAML document")
	}
	if _, ok := file.Docs[0].Body.(ast.MapNode); !ok {
		return nil, src.at(file.Docs[0].Body.GetToken(), "keys and values are needed, as model: famI-omni")
	}
	return src.entries(file.Docs[0].Body)
}

// bounded refuses what would cost more to read than its size says.
func (s *source) bounded() error {
	if len(s.text) > MaxPreset {
		return &Error{Name: s.name, Message: fmt.Sprintf("%d bytes; at most %d are read", len(s.text), MaxPreset)}
	}
	if !utf8.ValidString(s.text) {
		return s.errorf(firstInvalid(s.text), "the text is not UTF-8")
	}
	if err := s.noControls(); err != nil {
		return err
	}
	at, depth, lines := 0, 0, 0
	for line := range strings.Lines(s.text) {
		if lines++; lines > maxPresetLines {
			return s.errorf(at, "more than %d lines", maxPresetLines)
		}
		if len(line) > maxPresetLine {
			return s.errorf(at, "a line of %d bytes; at most %d", len(line), maxPresetLine)
		}
		if strings.HasPrefix(strings.TrimLeft(line, " "), strings.Repeat("- ", maxLevels)) {
			return s.errorf(at, "more than %d lists in one line", maxLevels-1)
		}
		for i, c := range []byte(line) {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > maxBrackets {
				return s.errorf(at+i, "more than %d brackets are open", maxBrackets)
			}
		}
		at += len(line)
	}
	return nil
}

// at makes an error at a token.
func (s *source) at(t *token.Token, format string, args ...any) error {
	e := &Error{Name: s.name, Message: client.CleanLine(fmt.Sprintf(format, args...))}
	if t != nil && t.Position != nil && t.Position.Line > 0 {
		e.Line, e.Column = t.Position.Line, max(t.Position.Column, 1)
	}
	return e
}

func (s *source) fromYAML(err error) error {
	var y yaml.Error
	if errors.As(err, &y) {
		return s.at(y.GetToken(), "%s", y.GetMessage())
	}
	return &Error{Name: s.name, Message: client.CleanLine(err.Error())}
}

// entries are the keys of a mapping, each once.
func (s *source) entries(n ast.Node) ([]entry, error) {
	m, ok := n.(ast.MapNode)
	if !ok {
		return nil, s.at(n.GetToken(), "keys and values are needed")
	}
	var out []entry
	seen := map[string]bool{}
	for it := m.MapRange(); it.Next(); {
		key := it.Key()
		t := key.GetToken()
		if t == nil {
			return nil, s.at(n.GetToken(), "a key cannot be read")
		}
		switch key.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.BoolNode, *ast.FloatNode:
		default:
			return nil, s.at(t, "a key must be plain text")
		}
		if seen[t.Value] {
			return nil, s.at(t, "key %q stands here twice", show(t.Value))
		}
		seen[t.Value] = true
		out = append(out, entry{t.Value, t, it.Value()})
	}
	return out, nil
}

// value is a node as a value of a draft: string, bool, json.Number, list, map; nil for
// null. Numbers keep their digits.
func (s *source) value(n ast.Node, depth int) (any, error) {
	if n == nil {
		return nil, nil
	}
	if depth > maxLevels {
		return nil, s.at(n.GetToken(), "nested deeper than %d", maxLevels)
	}
	switch t := n.(type) {
	case *ast.NullNode:
		return nil, nil
	case *ast.BoolNode:
		return t.Value, nil
	case *ast.StringNode:
		// The library reads numbers above 64 bits as text.
		if t.Token.Type == token.StringType && isNumber(t.Value) {
			return json.Number(t.Value), nil
		}
		return t.Value, nil
	case *ast.LiteralNode:
		return t.Value.Value, nil
	case *ast.IntegerNode:
		return number(t.Token.Value, fmt.Sprint(t.Value)), nil
	case *ast.FloatNode:
		return number(t.Token.Value, strconv.FormatFloat(t.Value, 'g', -1, 64)), nil
	case *ast.SequenceNode:
		out := []any{}
		for _, x := range t.Values {
			v, err := s.value(x, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	case ast.MapNode:
		all, err := s.entries(n)
		if err != nil {
			return nil, err
		}
		out := map[string]any{}
		for _, e := range all {
			if out[e.key], err = s.value(e.value, depth+1); err != nil {
				return nil, err
			}
		}
		return out, nil
	default:
		return nil, s.at(n.GetToken(), "%s is not read here: plain values, lists and mappings are", strings.ToLower(n.Type().String()))
	}
}

// number keeps what is written where JSON writes it so too.
func number(written, meant string) json.Number {
	if json.Valid([]byte(written)) {
		return json.Number(written)
	}
	return json.Number(meant)
}

func isNumber(s string) bool {
	return s != "" && strings.IndexByte("-0123456789", s[0]) >= 0 && json.Valid([]byte(s))
}

// jsonText is a value as JSON on one line, with its characters as they are.
func jsonText(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return string(client.CleanJSON(bytes.TrimSpace(b.Bytes()))), nil
}
