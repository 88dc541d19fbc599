package catalog

import (
	"bytes"
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// The YAML library takes time and stack by the square of the depth, and one line can open
// a level with every other character: both are bounded before it reads anything. A catalog
// nests some ten levels.
const (
	maxLine  = 8 << 10
	maxDepth = 200
)

// bounded refuses what would cost more to read than its size says.
func (s *source) bounded(data []byte) error {
	if len(data) > maxFile {
		return &Error{Name: s.name, Message: fmt.Sprintf("%d bytes; a catalog has at most %d", len(data), maxFile)}
	}
	depth, line := 0, 0
	for text := range bytes.Lines(data) {
		line++
		if len(text) > maxLine {
			return &Error{Name: s.name, Line: line, Column: 1, Message: fmt.Sprintf("a line of %d bytes; at most %d", len(text), maxLine)}
		}
		for i, c := range text {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > maxDepth {
				return &Error{Name: s.name, Line: line, Column: i + 1, Message: fmt.Sprintf("more than %d brackets are open", maxDepth)}
			}
		}
	}
	return nil
}

// maxNodes bounds a catalog file once its aliases are followed: the embedded one has some
// 5,000 keys and values. Without it some kilobytes of nested aliases would decode into
// all the memory there is.
const maxNodes = 50_000

// weigher counts the nodes of a file with every alias in the place where it stands.
type weigher struct {
	anchors map[string]int
}

// weight is the number of nodes below n, n included; more than maxNodes counts as one
// more than that. An alias within its own anchor counts as one, since the YAML library
// refuses it.
func (w *weigher) weight(n ast.Node) int {
	sum := 1
	add := func(x ast.Node) {
		if x != nil && sum <= maxNodes {
			sum = min(sum+w.weight(x), maxNodes+1)
		}
	}
	switch t := n.(type) {
	case *ast.MappingNode:
		for _, kv := range t.Values {
			add(kv)
		}
	case *ast.MappingValueNode:
		add(t.Key)
		add(t.Value)
	case *ast.SequenceNode:
		for _, x := range t.Values {
			add(x)
		}
	case *ast.AnchorNode:
		add(t.Value)
		w.anchors[name(t.Name)] = sum
	case *ast.AliasNode:
		sum = min(sum+w.anchors[name(t.Value)], maxNodes+1)
	case *ast.TagNode:
		add(t.Value)
	case *ast.MappingKeyNode:
		add(t.Value)
	}
	return sum
}

func name(n ast.Node) string {
	if n == nil || n.GetToken() == nil {
		return ""
	}
	return n.GetToken().Value
}
