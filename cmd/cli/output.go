package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"darkroom/client"
)

// Output formats of -o.
const (
	outTable  = "table"
	outJSON   = "json"
	outNDJSON = "ndjson"
	outYAML   = "yaml"
)

var outputs = []string{outTable, outJSON, outNDJSON, outYAML}

// output is the -o flag of a command.
type output struct{ format string }

func (o *output) flag(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.format, "output", "o", outTable, "output: "+strings.Join(outputs, ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(outputs, cobra.ShellCompDirectiveNoFileComp))
}

func (o *output) check() error {
	for _, f := range outputs {
		if o.format == f {
			return nil
		}
	}
	return usage("-o %s: allowed are %s", o.format, strings.Join(outputs, ", "))
}

// table reports whether the output is for people.
func (o *output) table() bool { return o.format == outTable }

// one writes a single value; not for the table format.
func (o *output) one(w io.Writer, v any) error {
	switch o.format {
	case outNDJSON:
		return json.NewEncoder(w).Encode(v)
	case outYAML:
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if b, err = yaml.JSONToYAML(b); err != nil {
			return err
		}
		_, err = w.Write(b)
		return err
	default:
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	}
}

// list writes values: one a line as ndjson, else one array; not for the table format.
func list[T any](o *output, w io.Writer, all []T) error {
	if o.format != outNDJSON {
		if all == nil {
			all = []T{}
		}
		return o.one(w, all)
	}
	for _, v := range all {
		if err := o.one(w, v); err != nil {
			return err
		}
	}
	return nil
}

// rows writes a table for people. Cells are cleaned here, whatever they hold.
func rows(w io.Writer, head []string, cells [][]string) error {
	t := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	line := func(all []string) {
		for i, c := range all {
			all[i] = client.CleanLine(c)
		}
		_, _ = fmt.Fprintln(t, strings.Join(all, "\t"))
	}
	line(head)
	for _, r := range cells {
		line(r)
	}
	return t.Flush()
}

// body is a kept body as JSON where it is JSON, else as text.
func body(b []byte) any {
	switch {
	case len(b) == 0:
		return nil
	case json.Valid(b):
		return json.RawMessage(b)
	default:
		return client.Clean(string(b))
	}
}
