package dialect

import (
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"darkroom/client"
	"darkroom/client/catalog"
)

// mistake is an error of a file at a token, or at its beginning for nil.
func mistake(name string, at *token.Token, format string, args ...any) error {
	e := &catalog.Error{Name: name, Message: client.CleanLine(fmt.Sprintf(format, args...))}
	if at != nil && at.Position != nil {
		e.Line, e.Column = at.Position.Line, at.Position.Column
	}
	return e
}

// fromYAML takes over what the library says, with its place.
func fromYAML(err error, name string) error {
	said, ok := err.(yaml.Error)
	if !ok {
		return mistake(name, nil, "%s", err)
	}
	return mistake(name, said.GetToken(), "%s", said.GetMessage())
}

// plainYAML refuses anchors and aliases, which a dialect does not need and with which a short
// file can be a very large one.
func plainYAML(data []byte, name string) error {
	for _, t := range lexer.Tokenize(string(data)) {
		if t.Type == token.AnchorType || t.Type == token.AliasType {
			return mistake(name, t, "anchors and aliases (& and *) do not belong into a dialect")
		}
	}
	return nil
}

// find is the token of the deepest key of a way that exists, nil where nothing does.
func find(data []byte, keys ...string) (at *token.Token) {
	defer func() {
		if recover() != nil { // see read
			at = nil
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	if err != nil || len(file.Docs) == 0 {
		return nil
	}
	n := file.Docs[0].Body
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

// located puts problems to their places in a text.
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
