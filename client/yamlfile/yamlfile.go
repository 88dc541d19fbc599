// Package yamlfile is the one door for YAML from outside the program: settings, catalogs, presets.
// It bounds the cost of a file before the YAML library sees it: the library takes time and stack
// quadratic in the depth, time quadratic in the number of keys, follows aliases until memory runs
// out, and panics on some malformed input.
package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// What no file needs: the deepest of ours nests some ten levels.
const (
	maxBrackets = 200 // open at a time, in a whole file
	maxNested   = 29  // levels that one line opens without brackets
)

// Limits bound the files of one kind.
type Limits struct {
	Bytes int // of a file
	Line  int // bytes of a line, its end included
	Lines int
	Nodes int // keys and values, once aliases are followed
}

// Error is a mistake in a file. Line and Column count from one; both are zero if unknown. It quotes
// nothing from the file, which may hold secrets.
type Error struct {
	Line, Column int
	Message      string
}

// Error returns "line:column: message".
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

// Explain turns an error of Parse or Decode into what is wrong with a file, and where. The
// library's messages may repeat a word of the file.
func Explain(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	said, ok := errors.AsType[yaml.Error](err)
	if !ok {
		return &Error{Message: err.Error()}
	}
	e := &Error{Message: said.GetMessage()}
	if t := said.GetToken(); t != nil && t.Position != nil && t.Position.Line > 0 {
		e.Line, e.Column = t.Position.Line, max(t.Position.Column, 1)
	}
	return e
}

// Read reads a file of at most l.Bytes. A missing file gives fs.ErrNotExist.
func (l Limits) Read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, int64(l.Bytes)+1))
	if err != nil {
		return nil, err
	}
	if len(b) > l.Bytes {
		return nil, fmt.Errorf("%s: %w", path, l.tooLarge())
	}
	return b, nil
}

func (l Limits) tooLarge() error {
	return &Error{Message: fmt.Sprintf("too large: at most %d bytes are read", l.Bytes)}
}

// Parse returns the top node of the file's only document, nil for an empty file. The error is an
// [*Error] for a file beyond its limits, or else the library's.
func (l Limits) Parse(data []byte) (root ast.Node, err error) {
	defer guard(&err)
	if err := l.check(data); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, err
	}
	if len(file.Docs) == 0 {
		return nil, nil
	}
	if len(file.Docs) > 1 {
		e := &Error{Message: "more than one YAML document"}
		if t := file.Docs[1].Start; t != nil && t.Position != nil {
			e.Line, e.Column = t.Position.Line, max(t.Position.Column, 1)
		}
		return nil, e
	}
	root = file.Docs[0].Body
	if w := (&weigher{limit: l.Nodes, anchors: map[string]int{}}); w.weight(root) > l.Nodes {
		return nil, &Error{Message: fmt.Sprintf("more than %d keys and values once its aliases are followed", l.Nodes)}
	}
	return root, nil
}

// Decode reads a file into a value; an empty file leaves it as it is. The errors are those of
// Parse.
func (l Limits) Decode(data []byte, into any, how ...yaml.DecodeOption) (err error) {
	defer guard(&err)
	if _, err := l.Parse(data); err != nil {
		return err
	}
	if err := yaml.NewDecoder(bytes.NewReader(data), how...).Decode(into); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// guard turns a panic of the library into an error.
func guard(err *error) {
	if recover() != nil {
		*err = &Error{Message: "not readable as YAML"}
	}
}

// check refuses a file that would cost more to read than its size suggests.
func (l Limits) check(data []byte) error {
	if len(data) > l.Bytes {
		return l.tooLarge()
	}
	depth, line := 0, 0
	for text := range bytes.Lines(data) {
		if line++; line > l.Lines {
			return &Error{line, 1, fmt.Sprintf("more than %d lines", l.Lines)}
		}
		if len(text) > l.Line {
			return &Error{line, 1, fmt.Sprintf("a line of %d bytes; at most %d", len(text), l.Line)}
		}
		if nested(text) > maxNested {
			return &Error{line, 1, fmt.Sprintf("more than %d levels in one line", maxNested)}
		}
		for i, c := range text {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > maxBrackets {
				return &Error{line, i + 1, fmt.Sprintf("more than %d brackets are open", maxBrackets)}
			}
		}
	}
	return nil
}

// nested counts the levels that a line opens before its first word: each "- ", "? ", tag and anchor
// is one.
func nested(line []byte) (n int) {
	for word := range bytes.FieldsSeq(line) {
		switch {
		case len(word) == 1 && bytes.ContainsAny(word, "-?:"), word[0] == '!', word[0] == '&':
			n++
		default:
			return n
		}
	}
	return n
}

// weigher counts the nodes of a file with every alias expanded.
type weigher struct {
	limit   int
	anchors map[string]int
}

// weight is the number of nodes below n, n included; more than the limit counts as one more than
// that. An alias within its own anchor counts as one, since the library refuses it.
func (w *weigher) weight(n ast.Node) int {
	sum := 1
	add := func(x ast.Node) {
		if x != nil && sum <= w.limit {
			sum = min(sum+w.weight(x), w.limit+1)
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
		sum = min(sum+w.anchors[name(t.Value)], w.limit+1)
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
