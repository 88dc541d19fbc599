package catalog

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/client/yamlfile"
)

// Error is a mistake in a catalog file, with its place. Line and Column count from one; both are
// zero if the place is unknown.
type Error struct {
	Name         string // of the file, as given to Load or Overlay
	Line, Column int
	Message      string
	Excerpt      string // the lines around the place with a mark, may be empty
}

// Error returns "name:line:column: message" and, on further lines, the excerpt.
func (e *Error) Error() string {
	s := e.Name
	if e.Line > 0 {
		s += fmt.Sprintf(":%d:%d", e.Line, e.Column)
	}
	s += ": " + e.Message
	if e.Excerpt != "" {
		s += "\n" + e.Excerpt
	}
	return s
}

// source is one YAML file.
type source struct {
	name  string
	lines []string
}

// place is where an item of a document is written. A nil place (an item of the embedded catalog) is
// valid and has no position.
type place struct {
	src  *source
	node ast.Node
}

// errorf makes an error at a key or item below the place: path elements are keys
// (string) and indexes (int). It points to the deepest one that exists.
func (p *place) errorf(path []any, format string, args ...any) error {
	e := &Error{Name: "embedded catalog", Message: fmt.Sprintf(format, args...)}
	if p == nil {
		return e
	}
	e.Name = p.src.name
	n := unwrap(p.node)
	for _, step := range path {
		next := child(n, step)
		if next == nil {
			break
		}
		n = unwrap(next)
	}
	p.src.locate(e, n.GetToken())
	return e
}

// fromYAML adds the file name and an excerpt to an error of the YAML library.
func (s *source) fromYAML(err error) error {
	said := yamlfile.Explain(err)
	e := &Error{Name: s.name, Line: said.Line, Column: said.Column, Message: client.CleanLine(said.Message)}
	if errors.As(err, new(yaml.Error)) { // what is beyond a bound is not shown
		s.excerpt(e)
	}
	return e
}

// locate fills in position and excerpt.
func (s *source) locate(e *Error, t *token.Token) {
	if t != nil && t.Position != nil {
		e.Line, e.Column = t.Position.Line, max(t.Position.Column, 1)
		s.excerpt(e)
	}
}

// excerpt renders the line before the error, the line itself, and a mark.
func (s *source) excerpt(e *Error) {
	if e.Line < 1 || e.Line > len(s.lines) {
		e.Line, e.Column = 0, 0
		return
	}
	var b strings.Builder
	for n := max(1, e.Line-1); n <= e.Line; n++ {
		fmt.Fprintf(&b, "%5d | %s\n", n, text.Clip(client.CleanLine(s.lines[n-1]), 120))
	}
	fmt.Fprintf(&b, "      | %s^", strings.Repeat(" ", min(e.Column-1, 120)))
	e.Excerpt = b.String()
}

// unwrap follows anchors and tags to the node that holds the content. It does not follow an alias,
// since the alias's own place is the one to show.
func unwrap(n ast.Node) ast.Node {
	for {
		switch t := n.(type) {
		case *ast.AnchorNode:
			n = t.Value
		case *ast.TagNode:
			n = t.Value
		case *ast.MappingValueNode:
			return n
		default:
			return n
		}
		if n == nil {
			return &ast.NullNode{BaseNode: &ast.BaseNode{}}
		}
	}
}

// child returns the value under a key or at an index, nil if there is none.
func child(n ast.Node, step any) ast.Node {
	switch s := step.(type) {
	case string:
		for _, kv := range pairs(n) {
			if kv.Key != nil && keyText(kv) == s {
				return kv.Value
			}
		}
	case int:
		if seq, ok := n.(*ast.SequenceNode); ok && s < len(seq.Values) {
			return seq.Values[s]
		}
	}
	return nil
}

// pairs returns the keys and values of a mapping.
func pairs(n ast.Node) []*ast.MappingValueNode {
	switch t := n.(type) {
	case *ast.MappingNode:
		return t.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{t}
	}
	return nil
}

func keyText(kv *ast.MappingValueNode) string {
	if t := kv.Key.GetToken(); t != nil {
		return t.Value
	}
	return ""
}
