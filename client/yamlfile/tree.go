package yamlfile

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// maxLevels is how deep values may nest.
const maxLevels = 30

// Entry is a key of a mapping with its place, and its value as a node.
type Entry struct {
	Key          string
	Line, Column int
	Value        ast.Node
}

// Place returns where a node begins, zeros if that is unknown.
func Place(n ast.Node) (line, column int) {
	if n == nil {
		return 0, 0
	}
	return placeOf(n.GetToken())
}

func placeOf(t *token.Token) (line, column int) {
	if t == nil || t.Position == nil || t.Position.Line <= 0 {
		return 0, 0
	}
	return t.Position.Line, max(t.Position.Column, 1)
}

func errorAt(t *token.Token, format string, args ...any) *Error {
	line, column := placeOf(t)
	return &Error{line, column, fmt.Sprintf(format, args...)}
}

// Entries returns the keys of a mapping in their order, each allowed once and plain text. An error
// is an [*Error].
func Entries(n ast.Node) ([]Entry, error) {
	m, ok := n.(ast.MapNode)
	if !ok {
		if n == nil {
			return nil, &Error{Message: "keys and values are needed"}
		}
		return nil, errorAt(n.GetToken(), "keys and values are needed")
	}
	var out []Entry
	seen := map[string]bool{}
	for it := m.MapRange(); it.Next(); {
		key := it.Key()
		t := key.GetToken()
		if t == nil {
			return nil, errorAt(n.GetToken(), "a key cannot be read")
		}
		switch key.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.BoolNode, *ast.FloatNode:
		default:
			return nil, errorAt(t, "a key must be plain text")
		}
		if seen[t.Value] {
			return nil, errorAt(t, "this key stands here twice")
		}
		seen[t.Value] = true
		line, column := placeOf(t)
		out = append(out, Entry{t.Value, line, column, it.Value()})
	}
	return out, nil
}

// Items returns the items of a sequence; ok is false for any other node.
func Items(n ast.Node) (items []ast.Node, ok bool) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		return nil, false
	}
	return s.Values, true
}

// Value converts a node to plain values: string, bool, [json.Number], list, map; nil for null.
// Numbers keep their digits. What is none of these, as an alias, is an [*Error].
func Value(n ast.Node) (any, error) { return value(n, 0) }

func value(n ast.Node, depth int) (any, error) {
	if n == nil {
		return nil, nil
	}
	if depth > maxLevels {
		return nil, errorAt(n.GetToken(), "nested deeper than %d", maxLevels)
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
			v, err := value(x, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	case ast.MapNode:
		all, err := Entries(n)
		if err != nil {
			return nil, err
		}
		out := map[string]any{}
		for _, e := range all {
			if out[e.Key], err = value(e.Value, depth+1); err != nil {
				return nil, err
			}
		}
		return out, nil
	default:
		return nil, errorAt(n.GetToken(), "%s is not read here: plain values, lists and mappings are", strings.ToLower(n.Type().String()))
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
