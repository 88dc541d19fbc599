package expand

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/client/yamlfile"
)

// MaxPreset bounds the file of a preset, in bytes.
const MaxPreset = 256 << 10

const (
	maxPresetLine  = 16 << 10
	maxPresetLines = 2000
	maxLevels      = 30
)

// presetLimits bound the file of a preset. It has no aliases; see [source.value].
func presetLimits() yamlfile.Limits {
	return yamlfile.Limits{Bytes: MaxPreset, Line: maxPresetLine, Lines: maxPresetLines, Nodes: 50_000}
}

// entry is a key of a mapping and its value, as YAML nodes.
type entry struct {
	key   string
	at    *token.Token
	value ast.Node
}

// tree parses a document whose top level is a mapping.
func tree(src *source) ([]entry, error) {
	if len(src.text) <= MaxPreset { // else the size is what is wrong
		if !utf8.ValidString(src.text) {
			return nil, src.errorf(firstInvalid(src.text), "the text is not UTF-8")
		}
		if err := src.noControls(); err != nil {
			return nil, err
		}
	}
	root, err := presetLimits().Parse([]byte(src.text))
	if err != nil {
		return nil, src.fromYAML(err)
	}
	if root == nil {
		return nil, &Error{Name: src.name, Message: "the file is empty"}
	}
	if _, ok := root.(ast.MapNode); !ok {
		return nil, src.at(root.GetToken(), "keys and values are needed, as model: famI-omni")
	}
	return src.entries(root)
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
	e := yamlfile.Explain(err)
	return &Error{Name: s.name, Line: e.Line, Column: e.Column, Message: client.CleanLine(e.Message)}
}

// entries returns the keys of a mapping, each allowed once.
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

// value converts a node to a draft value: string, bool, json.Number, list, map; nil for null.
// Numbers keep their digits.
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

// jsonText returns a value as JSON on one line, without escaping characters.
func jsonText(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return string(text.CleanJSON(bytes.TrimSpace(b.Bytes()))), nil
}
