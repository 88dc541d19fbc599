package create

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
)

// completeFormats are the formats that reach the model, each with a description.
func (o *options) completeFormats() []string {
	cat, err := o.k.Catalog()
	if err != nil {
		return nil
	}
	m, known := cat.ModelFor(o.modality, o.modelID(cat))
	var out []string
	for _, f := range cat.Formats() {
		if slices.Contains(f.Modalities, o.modality) && (!known || slices.Contains(m.Formats, f.Name)) {
			out = append(out, cobra.CompletionWithDesc(f.Name, formatIs(f)))
		}
	}
	return out
}

// formatIs describes a format on one line.
func formatIs(f catalog.FormatInfo) string {
	switch {
	case f.Reserved:
		return f.Note
	case f.Configured:
		return "configured, not documented: " + f.Note
	default:
		return f.Create
	}
}

// helpWidth is the width of texts in the help, in cells.
const helpWidth = 90

// formatsHelp lists the formats that make a kind.
func formatsHelp(cat *catalog.Catalog, m client.Modality) string {
	var b strings.Builder
	b.WriteString("\n\nFormats (--format), of which `darkroom models show MODEL` names those that reach a model:")
	for _, f := range cat.Formats() {
		if slices.Contains(f.Modalities, m) {
			text := ansi.Wordwrap(formatIs(f), helpWidth-len("  1234567890 "), "")
			fmt.Fprintf(&b, "\n  %-10s %s", f.Name, strings.ReplaceAll(text, "\n", "\n             "))
		}
	}
	return b.String()
}
