package kit

import (
	"encoding/csv"
	"io"
	"strings"

	"darkroom/client"
)

// CSVWriter writes rows for a spreadsheet: cells are cleaned, and none of them is a formula.
type CSVWriter struct{ w *csv.Writer }

// NewCSV makes a CSVWriter on w.
func NewCSV(w io.Writer) *CSVWriter { return &CSVWriter{csv.NewWriter(w)} }

// Row writes one row and flushes it.
func (c *CSVWriter) Row(cells []string) error {
	out := make([]string, len(cells))
	for i, s := range cells {
		out[i] = harmlessCell(client.CleanLine(s))
	}
	if err := c.w.Write(out); err != nil {
		return err
	}
	c.w.Flush()
	return c.w.Error()
}

// harmlessCell keeps a spreadsheet from taking text for a formula: it puts an apostrophe before
// text that begins like one. Numbers stay as they are.
func harmlessCell(s string) string {
	t := strings.TrimLeft(s, " ")
	if t == "" || !strings.ContainsRune("=+-@|%", rune(t[0])) || strings.Trim(t[1:], "0123456789.") == "" && t[0] == '-' && len(t) > 1 {
		return s
	}
	return "'" + s
}
