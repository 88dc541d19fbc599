package expand

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Peek is a look at a table before its rows are read as drafts, for a person who decides what its
// columns hold.
type Peek struct {
	Columns []PeekColumn
	// First holds the cells of the first rows, one cell per column; Lines holds their lines in the
	// file.
	First [][]string
	Lines []int
	// Rows is the number of rows, up to the first that is malformed.
	Rows int
}

// PeekColumn is a column of a table. Target is what it holds: the canonical name of a field, one of
// the draft's own fields, "$name" for a variable, "-" if it is skipped, and "" if unknown.
type PeekColumn struct{ Name, Target string }

// Peek looks at a table: its columns, its first n rows, and its number of rows. It returns an
// [*Error] only if there are no columns or too many; Rows reports other mistakes.
func (t Table) Peek(n int) (Peek, error) {
	r, head, _, err := t.open()
	if err != nil {
		return Peek{}, err
	}
	p := Peek{Columns: make([]PeekColumn, len(head))}
	for i, name := range head {
		name = strings.TrimSpace(name)
		p.Columns[i] = PeekColumn{Name: name, Target: t.target(name)}
	}
	for {
		cells, err := r.Read()
		if err != nil {
			return p, nil //nolint:nilerr // the end, or what Rows tells
		}
		if blank(cells) {
			continue
		}
		if p.Rows++; p.Rows <= n {
			line, _ := r.FieldPos(0)
			p.Lines = append(p.Lines, line)
			p.First = append(p.First, append(slices.Clone(cells), make([]string, max(0, len(head)-len(cells)))...)[:len(head)])
		}
	}
}

// target returns what a column with this name holds, as in [PeekColumn].
func (t Table) target(name string) string {
	to, mapped := t.Columns[name]
	if !mapped {
		to = name
	}
	c, ok := t.column(to, mapped)
	switch {
	case !ok:
		return ""
	case c.skip:
		return "-"
	}
	return c.target()
}

// Targets returns the fields that a column can hold for the model of Base, the draft's own first.
// Variables and "-" are allowed as well.
func (t Table) Targets() []string { return t.allowed() }

// open starts reading a table: its header and its cell separator.
func (t Table) open() (*csv.Reader, []string, rune, error) {
	text, err := readable(t.Name, t.Text)
	if err != nil {
		return nil, nil, 0, err
	}
	comma := t.Comma
	if comma == 0 {
		comma = separator(text)
	}
	if err := (&source{t.Name, text}).narrow(comma); err != nil {
		return nil, nil, 0, err
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord = comma, -1
	head, err := r.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil, 0, &Error{Name: t.Name, Message: "the table is empty: a line with the names of the columns comes first"}
	case err != nil:
		return nil, nil, 0, t.broken(err)
	case len(head) > maxColumns: // in quotes over many lines
		return nil, nil, 0, &Error{Name: t.Name, Line: 1, Message: fmt.Sprintf("the header has %d columns; at most %d are read", len(head), maxColumns)}
	}
	return r, head, comma, nil
}

// maxColumns bounds the cells of a row: the catalog has far fewer fields.
const maxColumns = 1000

// narrow refuses a line with more cells than any table has before the cells are made.
func (s *source) narrow(comma rune) error {
	cells, quoted := 1, false
	for i, r := range s.text {
		switch {
		case r == '\n':
			cells = 1
		case r == '"':
			quoted = !quoted
		case r != comma || quoted:
		default:
			if cells++; cells > maxColumns {
				return s.errorf(i, "the line has more than %d cells: a table has a header with the names of the columns, then a line for each draft", maxColumns)
			}
		}
	}
	return nil
}
