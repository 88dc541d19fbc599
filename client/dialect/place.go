package dialect

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/yamlfile"
)

// mistake is an error of a file at a token, or at its beginning for nil.
func mistake(name string, at *token.Token, format string, args ...any) error {
	e := &catalog.Error{Name: name, Message: client.CleanLine(fmt.Sprintf(format, args...))}
	if at != nil && at.Position != nil {
		e.Line, e.Column = at.Position.Line, at.Position.Column
	}
	return e
}

// fromYAML converts a YAML syntax error, with its place.
func fromYAML(err error, name string) error {
	e := yamlfile.Explain(err)
	return &catalog.Error{Name: name, Line: e.Line, Column: e.Column, Message: client.CleanLine(e.Message)}
}

// find is the token of the deepest existing key on the path, nil where no key exists.
func find(data []byte, keys ...string) (at *token.Token) {
	n, err := limits().Parse(data)
	if err != nil {
		return nil
	}
	for _, k := range keys {
		m, ok := n.(ast.MapNode)
		if !ok {
			return at
		}
		n = nil
		for it := m.MapRange(); it.Next(); {
			if key := it.Key(); key.GetToken().Value == k {
				at, n = key.GetToken(), it.Value()
			}
		}
	}
	return at
}

// located gives problems their places in a text.
func located(data []byte, name string, all []Problem) []error {
	var out []error
	for _, p := range all {
		out = append(out, mistake(name, find(data, p.Keys...), "%s", p))
	}
	return out
}

// Lint returns everything that is wrong with a dialect file, each a *[catalog.Error] with line
// and column where they are known; nil means that the file can be used.
func Lint(data []byte, name string, cat *catalog.Catalog) []error {
	f, err := read(data, name)
	if err != nil {
		return []error{err}
	}
	return located(data, name, f.Problems(cat))
}
