package create

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
)

// pickFormat chooses the format, or refuses the one that was chosen.
func (o *options) pickFormat(gw *app.Gateway) error {
	d := o.draft
	reaching, ways := gw.Reaching(d), gw.FormatsFor(d)
	if o.cat.Unlisted(d.Modality, d.Model) {
		if err := o.try(d.Model); err != nil {
			return err
		}
		ways = gw.FormatsOfKind(d.Modality)
		reaching = ways
	}
	if o.format == "" {
		if len(ways) == 0 {
			return kit.Exit(kit.ExitUsage, gw.NoFormat(d))
		}
		o.format = ways[0]
		return nil
	}
	if !slices.Contains(reaching, o.format) {
		why := "it does not reach " + client.CleanLine(d.Model)
		if _, ok := gw.Client.Format(o.format); !ok {
			why = "there is no such format"
		}
		if len(reaching) == 0 {
			return kit.Usage("--format %q: %s; %w", o.format, why, gw.NoFormat(d))
		}
		return kit.Usage("--format %q: %s; those that reach the model: %s", o.format, why, strings.Join(reaching, ", "))
	}
	err := gw.Client.CanCreate(o.format)
	if err == nil {
		return nil
	}
	if f, _ := gw.Client.Format(o.format); isReserved(f) {
		if o.dryRun {
			return nil // the preview's note says it
		}
		return kit.Usage("--format %s: %w (--insist)", o.format, err)
	}
	return kit.Usage("--format %s: %w. Those that can be used as it is: %s", o.format, err, strings.Join(ways, ", "))
}

func isReserved(f client.Format) bool {
	_, ok := f.(client.Reserved)
	return ok
}

// completeFormats are the formats that reach the model, each with what it is.
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

// formatIs says what a format is, in a line.
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

// helpWidth is how wide texts of the help are, in cells.
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
