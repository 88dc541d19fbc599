package expand

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/client/catalog"
)

// MaxTable bounds a table or a file of lines, in bytes.
const MaxTable = 16 << 20

// Table holds drafts as rows of text: a header with a name for each column, then one draft per line
// (RFC 4180; a byte order mark is skipped).
type Table struct {
	Name string // of the file, for errors
	Text string
	// Comma separates the cells: a comma, a semicolon or a tab. 0: the one most frequent in the
	// header.
	Comma rune
	// Columns map columns to what they hold if their names do not say it: a field by name or alias,
	// model, model_name, mode or prompt, "$name" for a variable, "-" to skip the column.
	Columns map[string]string
	// Base is what every row begins with; an empty cell leaves it alone.
	Base    client.Draft
	Catalog *catalog.Catalog
	// Hint tells in errors how to map columns, as "(--map COLUMN=FIELD)"; may be empty.
	Hint string
	// Media turns a reference in a row into the value to send; nil leaves it as it is.
	Media func(string) (string, error)
}

// Rows reads the table. Values have the types of the catalog's fields. Mistakes of all rows are
// reported together, each an [*Error] with its line.
func (t Table) Rows() ([]Row, error) {
	r, head, comma, err := t.open()
	if err != nil {
		return nil, err
	}
	cols, err := t.columns(head)
	if err != nil {
		return nil, err
	}
	var rows []Row
	var errs []error
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, Together(append(errs, t.broken(err)))
		}
		line, _ := r.FieldPos(0)
		if blank(cells) {
			continue
		}
		row, bad := t.row(cols, cells, line, comma)
		errs = append(errs, bad...)
		rows = append(rows, row)
		if len(rows) > HardCap {
			return nil, &Error{Name: t.Name, Message: fmt.Sprintf("more than %d rows", HardCap)}
		}
	}
	if len(errs) > 0 {
		return nil, Together(errs)
	}
	if len(rows) == 0 {
		return nil, &Error{Name: t.Name, Message: "the table has a header and no rows"}
	}
	return rows, nil
}

// Lines makes one draft per line, with the line as its prompt; blank lines are skipped.
func Lines(name, text string, base client.Draft) ([]Row, error) {
	text, err := readable(name, text)
	if err != nil {
		return nil, err
	}
	var rows []Row
	n := 0
	for line := range strings.Lines(text) {
		n++
		prompt := strings.TrimSpace(line)
		if prompt == "" {
			continue
		}
		d := base.Clone()
		d.Prompt = prompt
		if rows = append(rows, Row{Draft: d, Line: n}); len(rows) > HardCap {
			return nil, &Error{Name: name, Message: fmt.Sprintf("more than %d lines", HardCap)}
		}
	}
	if len(rows) == 0 {
		return nil, &Error{Name: name, Message: "there is no line with a prompt"}
	}
	return rows, nil
}

// readable refuses a file that is not text, and strips the byte order mark.
func readable(name, s string) (string, error) {
	src := &source{name, strings.TrimPrefix(s, "\ufeff")}
	if len(s) > MaxTable {
		return "", &Error{Name: name, Message: fmt.Sprintf("more than %d bytes", MaxTable)}
	}
	if !utf8.ValidString(src.text) {
		return "", src.errorf(firstInvalid(src.text), "the text is not UTF-8: save it as UTF-8")
	}
	if err := src.noControls(); err != nil {
		return "", err
	}
	return src.text, nil
}

// noControls refuses control characters other than line ends and tabs.
func (s *source) noControls() error {
	at := strings.IndexFunc(s.text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' })
	if at < 0 {
		return nil
	}
	r, _ := utf8.DecodeRuneInString(s.text[at:])
	return s.errorf(at, "a control character (U+%04X) is in the way", r)
}

// separator returns the separator most frequent outside quotes in the first line.
func separator(text string) rune {
	n := map[rune]int{}
	quoted := false
	for _, r := range text {
		if r == '"' {
			quoted = !quoted
		}
		if quoted {
			continue
		}
		if r == '\n' {
			break
		}
		n[r]++
	}
	best := ','
	for _, r := range []rune{';', '\t'} {
		if n[r] > n[best] {
			best = r
		}
	}
	return best
}

func (t Table) broken(err error) error {
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		text := map[error]string{
			csv.ErrBareQuote: `a double quote within a cell that does not begin with one: put the cell in quotes and write "" for each in it`,
			csv.ErrQuote:     `a quoted cell does not end: "" is a quote in it, and a separator or the line's end follows the last one`,
		}[e.Err]
		if text == "" {
			text = client.CleanLine(e.Err.Error())
		}
		return &Error{Name: t.Name, Line: e.Line, Column: e.Column, Message: text}
	}
	return &Error{Name: t.Name, Message: client.CleanLine(err.Error())}
}

func blank(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// row makes a draft from cells.
func (t Table) row(cols []column, cells []string, line int, comma rune) (Row, []error) {
	r := Row{Draft: t.Base.Clone(), Line: line}
	if len(cells) != len(cols) {
		return r, []error{&Error{Name: t.Name, Line: line, Message: fmt.Sprintf("%d cells, and the header has %d; a cell with %q in it stands in double quotes", len(cells), len(cols), comma)}}
	}
	var errs []error
	for i, c := range cols {
		if strings.TrimSpace(cells[i]) == "" {
			continue
		}
		if err := t.cell(c, cells[i], &r); err != nil {
			errs = append(errs, &Error{Name: t.Name, Line: line, Message: fmt.Sprintf("column %s: %s", show(c.name), client.CleanLine(err.Error()))})
		}
	}
	return r, errs
}

func (t Table) cell(c column, text string, r *Row) error {
	d := &r.Draft
	switch {
	case c.skip:
		return nil
	case c.variable != "":
		if r.Vars == nil {
			r.Vars = map[string]string{}
		}
		r.Vars[c.variable] = text
		return nil
	case c.own == client.FieldPrompt:
		d.Prompt = text
		return nil
	case c.own != "":
		*ownField(d, c.own) = strings.TrimSpace(text)
		return nil
	}
	v, err := c.field.Parse(text)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), c.field.Name+": "))
	}
	if t.Media != nil {
		if v, err = eachReference(c.field, v, t.Media); err != nil {
			return err
		}
	}
	if d.Values == nil {
		d.Values = client.Values{}
	}
	d.Values[c.field.Name] = v
	return nil
}

// eachReference maps the references in a field that takes them.
func eachReference(f catalog.Field, v any, to func(string) (string, error)) (any, error) {
	if !f.Kind.Refers() {
		return v, nil
	}
	switch t := v.(type) {
	case string:
		if t == "" {
			return v, nil
		}
		return to(t)
	case []any:
		out := make([]any, len(t))
		for i, x := range t {
			y, err := eachReference(f, x, to)
			if err != nil {
				return nil, err
			}
			out[i] = y
		}
		return out, nil
	}
	return v, nil
}
