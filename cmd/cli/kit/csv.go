package kit

import (
	"encoding/csv"
	"io"

	"darkroom/client/text"
)

// CSVWriter writes rows for a spreadsheet: cells are cleaned, and none of them is a formula.
type CSVWriter struct{ w *csv.Writer }

// NewCSV makes a CSVWriter on w.
func NewCSV(w io.Writer) *CSVWriter { return &CSVWriter{csv.NewWriter(w)} }

// Row writes one row and flushes it.
func (c *CSVWriter) Row(cells []string) error {
	out := make([]string, len(cells))
	for i, s := range cells {
		out[i] = text.Cell(s)
	}
	if err := c.w.Write(out); err != nil {
		return err
	}
	c.w.Flush()
	return c.w.Error()
}
