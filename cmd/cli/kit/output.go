package kit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/tui/widgets"
)

// Output formats of -o.
const (
	Table  = "table"
	JSON   = "json"
	NDJSON = "ndjson"
	YAML   = "yaml"
	// Curl and CSV are for commands with annotations for them, see [Takes].
	Curl = "curl"
	CSV  = "csv"
)

// Takes are the annotations of a command with further formats of -o.
func Takes(formats ...string) map[string]string {
	return map[string]string{takes: strings.Join(formats, " ")}
}

const takes = "formats"

// OutputFormats are the formats of -o, the default first.
func OutputFormats() []string { return []string{Table, JSON, NDJSON, YAML} }

// Output is the -o flag, which every command has.
type Output struct {
	io     *IO
	Format string
}

func (o *Output) flag(root *cobra.Command) {
	root.PersistentFlags().StringVarP(&o.Format, "output", "o", Table, strings.Join(OutputFormats(), ", "))
	_ = root.RegisterFlagCompletionFunc("output", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return outputsOf(cmd), cobra.ShellCompDirectiveNoFileComp
	})
}

// outputsOf are a command's formats of -o.
func outputsOf(cmd *cobra.Command) []string {
	return append(OutputFormats(), strings.Fields(cmd.Annotations[takes])...)
}

// Check refuses a format that the command does not have.
func (o *Output) Check(cmd *cobra.Command) error {
	if slices.Contains(outputsOf(cmd), o.Format) {
		return nil
	}
	return Usage("-o %q: allowed are %s", o.Format, strings.Join(outputsOf(cmd), ", "))
}

// Table reports whether the output is for people.
func (o *Output) Table() bool { return o.Format == Table }

// One writes a single value; not for the table format. On a terminal it escapes characters that
// could affect the terminal; the value stays the same.
func (o *Output) One(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if o.Format == JSON {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(v); err != nil {
		return err
	}
	text := b.Bytes()
	switch {
	case o.Format == YAML:
		y, err := yamlOf(text)
		if err != nil {
			return err
		}
		text = y
	case o.io.Tty != nil:
		text = Visible(text)
	}
	_, err := o.io.Out.Write(text)
	return err
}

// List writes values: one a line as ndjson, else as one array; not for the table format.
func List[T any](o *Output, all []T) error {
	if o.Format != NDJSON {
		if all == nil {
			all = []T{}
		}
		return o.One(all)
	}
	for _, v := range all {
		if err := o.One(v); err != nil {
			return err
		}
	}
	return nil
}

// Visible escapes every character of a JSON text that a terminal should not get. Such characters
// occur only in strings, where the escape means the same.
func Visible(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1:
			out = append(out, `\ufffd`...)
		case harmless(r):
			out = append(out, text[:n]...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		text = text[n:]
	}
	return out
}

// harmless reports whether a character may go to a terminal as it is.
func harmless(r rune) bool {
	if r == '\n' || r >= ' ' && r < 0x7f {
		return true
	}
	s := string(r)
	return client.CleanLine(s) == s
}

// Raw writes a body as it came; a terminal gets it cleaned.
func (s *IO) Raw(b []byte) error {
	if s.Tty != nil {
		b = []byte(client.Clean(string(b)))
	}
	_, err := fmt.Fprintf(s.Out, "%s\n", b)
	return err
}

// Rows writes a table for people. It cleans the cells, whatever they hold, and aligns them by
// their width on a terminal.
func Rows(w io.Writer, head []string, cells [][]string) error {
	all := append([][]string{head}, cells...)
	var width []int
	for y, r := range all {
		r = slices.Clone(r)
		for x, c := range r {
			r[x] = client.CleanLine(c)
			if x == len(width) {
				width = append(width, 0)
			}
			width[x] = max(width[x], ansi.StringWidth(r[x]))
		}
		all[y] = r
	}
	var b strings.Builder
	for _, r := range all {
		var line strings.Builder
		for x, c := range r {
			line.WriteString(c)
			line.WriteString(strings.Repeat(" ", width[x]-ansi.StringWidth(c)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Fields writes names and values below each other, and leaves out pairs without a value.
func Fields(w io.Writer, pairs [][2]string) error {
	var b strings.Builder
	for _, p := range pairs {
		if v := client.CleanLine(p[1]); v != "" {
			fmt.Fprintf(&b, "  %-10s %s\n", p[0], v)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Body is a stored body: as JSON if it is JSON, else as text.
func Body(b []byte) any {
	switch {
	case len(b) == 0:
		return nil
	case json.Valid(b):
		return json.RawMessage(b)
	default:
		return string(b)
	}
}

// Pretty indents JSON, keeping its numbers and the order of its keys. JSON and other text alike
// are cleaned.
func Pretty(b []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, bytes.TrimSpace(b), "", "  ") != nil {
		return client.Clean(string(b))
	}
	return client.Clean(out.String())
}

// Layout of an answer in words, for people; -o json has the text as it is.
const (
	textWidth = 100
	textLines = 10_000
)

// Words prints a longer text from the gateway under a title; nothing if the text is empty.
func (s *IO) Words(title, text string) {
	if text = strings.TrimSpace(client.Clean(text)); text != "" {
		s.Printf("\n%s:\n%s\n", title, strings.Join(widgets.WrapLines(text, textWidth, textLines), "\n"))
	}
}
