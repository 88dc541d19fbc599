package inspect

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/inspect"
)

// asked is what is looked up: a subject, and the row of the table that it stands in.
type asked struct {
	inspect.Subject
	row []string
}

// list holds all that is looked up; head is the table's, nil without one.
type list struct {
	all  []asked
	head []string
}

// read reads what was given: arguments, standard input for "-", a table.
func (o *options) read(ctx context.Context, args []string) (list, error) {
	var l list
	for _, arg := range args {
		text := arg
		if arg == kit.Stdin {
			b, err := o.k.IO.Read(ctx, "the ids", kit.Stdin, inspect.MaxText)
			if err != nil {
				return l, err
			}
			text = string(b)
		}
		found := inspect.Read(text)
		if len(found) == 0 {
			return l, kit.Usage("nothing in %q looks like an id or an address", short(text))
		}
		if len(found) == inspect.MaxSubjects {
			o.k.IO.Notef("darkroom: %d ids are read of a text; what is behind them is passed over\n", inspect.MaxSubjects)
		}
		for _, s := range found {
			l.all = append(l.all, asked{Subject: s})
		}
	}
	if o.table == "" {
		return l, nil
	}
	b, err := o.k.IO.Read(ctx, "--csv", o.table, inspect.MaxText)
	if err != nil {
		return l, err
	}
	return l, l.readTable(b, kit.ShownFile("--csv", o.table), o.column)
}

func short(text string) string {
	return client.CleanLine(strings.ToValidUTF8(text[:min(len(text), 60)], ""))
}

// readTable takes the ids from one column. A row without one stays in the table.
func (l *list) readTable(b []byte, name, column string) error {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(b, []byte("\ufeff"))))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	head, err := r.Read()
	if errors.Is(err, io.EOF) {
		return kit.Usage("%s is empty", name)
	}
	if err != nil {
		return kit.Usage("%s: %s", name, err)
	}
	at := inspect.Column(head, column)
	switch {
	case at < 0 && column != "":
		return kit.Usage("%s has no column %q; it has %s", name, column, client.CleanLine(strings.Join(head, ", ")))
	case at < 0:
		return kit.Usage("which column of %s has the ids? Name it with --column: %s", name, client.CleanLine(strings.Join(head, ", ")))
	}
	l.head = head
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return kit.Usage("%s: %s", name, err)
		}
		a := asked{row: row}
		if at < len(row) {
			if found := inspect.Read(row[at]); len(found) > 0 {
				a.Subject = found[0]
				a.From = fmt.Sprintf("the column %s", strings.TrimSpace(head[at]))
			}
		}
		l.all = append(l.all, a)
	}
}
