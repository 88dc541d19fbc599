package cli

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
	outTable  = "table"
	outJSON   = "json"
	outNDJSON = "ndjson"
	outYAML   = "yaml"
	// outCurl is for commands with the annotation takesCurl only.
	outCurl = "curl"
)

// takesCurl is the annotation of commands that print a request as a curl command.
const takesCurl = "curl"

// outputs are the formats of -o, the default first.
func outputs() []string { return []string{outTable, outJSON, outNDJSON, outYAML} }

// output is the -o flag, which every command has.
type output struct {
	io     *IO
	format string
}

func (o *output) flag(root *cobra.Command) {
	root.PersistentFlags().StringVarP(&o.format, "output", "o", outTable, strings.Join(outputs(), ", "))
	_ = root.RegisterFlagCompletionFunc("output", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return outputsOf(cmd), cobra.ShellCompDirectiveNoFileComp
	})
}

// outputsOf are the formats of -o that a command has.
func outputsOf(cmd *cobra.Command) []string {
	if cmd.Annotations[takesCurl] == "" {
		return outputs()
	}
	return append(outputs(), outCurl)
}

func (o *output) check(cmd *cobra.Command) error {
	if slices.Contains(outputsOf(cmd), o.format) {
		return nil
	}
	return usage("-o %q: allowed are %s", o.format, strings.Join(outputsOf(cmd), ", "))
}

// table reports whether the output is for people.
func (o *output) table() bool { return o.format == outTable }

// one writes a single value; not for the table format. On a terminal, characters that
// could do something to it are escaped; the value stays the same.
func (o *output) one(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if o.format == outJSON {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(v); err != nil {
		return err
	}
	text := b.Bytes()
	switch {
	case o.format == outYAML:
		y, err := yamlOf(text)
		if err != nil {
			return err
		}
		text = y
	case o.io.Tty != nil:
		text = visible(text)
	}
	_, err := o.io.Out.Write(text)
	return err
}

// list writes values: one a line as ndjson, else one array; not for the table format.
func list[T any](o *output, all []T) error {
	if o.format != outNDJSON {
		if all == nil {
			all = []T{}
		}
		return o.one(all)
	}
	for _, v := range all {
		if err := o.one(v); err != nil {
			return err
		}
	}
	return nil
}

// visible writes every character of a JSON text that a terminal should not get as an
// escape. Such characters are in strings only, where the escape means the same.
func visible(text []byte) []byte {
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

// harmless reports whether a terminal may get a character as it is.
func harmless(r rune) bool {
	if r == '\n' || r >= ' ' && r < 0x7f {
		return true
	}
	s := string(r)
	return client.CleanLine(s) == s
}

// raw is a body as it came, but for a terminal, which gets it cleaned.
func (s *IO) raw(b []byte) error {
	if s.Tty != nil {
		b = []byte(client.Clean(string(b)))
	}
	_, err := fmt.Fprintf(s.Out, "%s\n", b)
	return err
}

// rows writes a table for people. Cells are cleaned here, whatever they hold, and aligned
// by the room that they take on a terminal.
func rows(w io.Writer, head []string, cells [][]string) error {
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

// fields writes names and values below each other; those without a value are left out.
func fields(w io.Writer, pairs [][2]string) error {
	var b strings.Builder
	for _, p := range pairs {
		if v := client.CleanLine(p[1]); v != "" {
			fmt.Fprintf(&b, "  %-10s %s\n", p[0], v)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// body is a kept body as JSON where it is JSON, else as text.
func body(b []byte) any {
	switch {
	case len(b) == 0:
		return nil
	case json.Valid(b):
		return json.RawMessage(b)
	default:
		return string(b)
	}
}

// pretty indents JSON and leaves its numbers and the order of its keys alone. It is
// cleaned, as is other text.
func pretty(b []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, bytes.TrimSpace(b), "", "  ") != nil {
		return client.Clean(string(b))
	}
	return client.Clean(out.String())
}

// An answer in words is wrapped for people; -o json has it as it is.
const (
	textWidth = 100
	textLines = 10_000
)

// words prints a text of the gateway at length, under a title; nothing where there is none.
func (s *IO) words(title, text string) {
	if text = strings.TrimSpace(client.Clean(text)); text != "" {
		s.printf("\n%s:\n%s\n", title, strings.Join(widgets.WrapLines(text, textWidth, textLines), "\n"))
	}
}
