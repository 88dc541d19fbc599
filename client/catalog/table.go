package catalog

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"darkroom/client"
)

// Table writes as Markdown what can be requested from the gateway: the formats and what they carry,
// then model x format x mode x fields. formats are the codecs whose fields are listed; a catalog
// format without a codec is left out.
func (c *Catalog) Table(w io.Writer, formats []client.Format) error {
	b := bufio.NewWriter(w)
	t := &tabler{c: c, w: b, carriage: NewCarriage(formats)}
	t.head()
	for _, f := range formats {
		t.format(f)
	}
	t.models()
	return b.Flush()
}

// tabler writes the table; the writer keeps its own errors.
type tabler struct {
	c        *Catalog
	w        *bufio.Writer
	carriage Carriage
}

func (t *tabler) say(format string, args ...any) { _, _ = fmt.Fprintf(t.w, format, args...) }

func (t *tabler) head() {
	t.say("# Formats, models, modes and fields\n\n")
	t.say("Generated from `client/catalog/catalog.yaml` and the codecs in `client/formats`: do not edit.\n")
	t.say("Run `go generate ./client/catalog/...` after a change.\n\n## Formats\n\n")
	t.say("| Format | Makes | Create | Query | Note |\n| --- | --- | --- | --- | --- |\n")
	for _, f := range t.c.doc.Formats {
		if !t.carriage.knows(f.Name) {
			continue
		}
		var makes []string
		for _, m := range f.Modalities {
			makes = append(makes, string(m))
		}
		create := code(f.Create)
		if f.Configured {
			create = "configured, not documented"
		}
		t.say("| %s | %s | %s | %s | %s |\n", f.Name, strings.Join(makes, ", "), create, code(f.Query), cell(f.Note))
	}
	t.say("\n## What each format carries\n\nCanonical name and its place in the body; a field that is not listed is reported before sending.\n\n")
	t.say("| Format | Fields |\n| --- | --- |\n")
}

func (t *tabler) format(f client.Format) {
	var fields []string
	for _, x := range f.Fields() {
		if x.Canonical == x.Wire {
			fields = append(fields, x.Canonical)
		} else {
			fields = append(fields, x.Canonical+" → `"+x.Wire+"`")
		}
	}
	t.say("| %s | %s |\n", f.Name(), strings.Join(fields, ", "))
}

// models writes a section for each group of models that share everything.
func (t *tabler) models() {
	t.say("\n## Models\n\nDocumented values are refused otherwise, or mapped; usual ones draw a warning at most, or are examples of the\n" +
		"interface; our suggestions are ours alone. Caveats name what the interface does not show.\n\nFields are those that the model takes in the mode and the format carries, besides model, model_name, mode and prompt.\n")
	all := slices.Concat(t.c.models, t.c.variants)
	done := make([]bool, len(all))
	for i := range all {
		if done[i] {
			continue
		}
		rows := t.rows(&all[i]) + t.values(&all[i])
		ids := []string{all[i].ID}
		for j := i + 1; j < len(all); j++ {
			if !done[j] && all[j].Family == all[i].Family && all[j].Modality == all[i].Modality && t.rows(&all[j])+t.values(&all[j]) == rows {
				done[j] = true
				ids = append(ids, all[j].ID)
			}
		}
		t.say("\n### %s (%s)\n\n", strings.Join(ids, ", "), all[i].Modality)
		if len(all[i].ModelNames) > 0 {
			t.say("`model_name`: %s\n\n", strings.Join(all[i].ModelNames, ", "))
		}
		for _, c := range all[i].Caveats {
			t.say("Caveat, %s: %s (%s)\n\n", c.About, cell(c.Text), c.Source)
		}
		t.say("Queried through: %s\n\n| Format | Mode | Minimum input | Fields |\n| --- | --- | --- | --- |\n%s", strings.Join(all[i].Routes, ", "), rows)
	}
	for _, m := range t.c.doc.Open {
		t.say("\n### %s\n\nThe models are not documented; any name is accepted. Fields: %s\n", m, strings.Join(fieldNames(t.c.AllFields(m)), ", "))
	}
}

// values lists the values that a model's fields may have: documented ones, usual ones, and,
// separately, our suggestions.
func (t *tabler) values(m *Model) string {
	var b strings.Builder
	head := "\n| Field | Documented | Usual | Our suggestion |\n| --- | --- | --- | --- |\n"
	row := func(name string, f *Field) {
		documented, usual := f.Shown()
		if f.Kind == Boolean || documented+usual == "" && len(f.Suggested) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s| %s | %s | %s | %s |\n", head, name, cell(documented), cell(usual), strings.Join(f.Suggested, ", "))
		head = ""
	}
	d := client.Draft{Modality: m.Modality, Model: m.ID}
	for _, f := range t.c.Fields(d) {
		row(f.Name, &f)
	}
	for _, format := range m.Formats {
		for _, f := range t.c.FieldsFor(d, format) {
			if slices.ContainsFunc(m.limits, func(l limit) bool { return l.Field == f.Name && slices.Contains(l.Formats, format) }) {
				row(f.Name+" ("+format+")", &f)
			}
		}
	}
	return b.String()
}

// rows returns the lines of one model: format x mode.
func (t *tabler) rows(m *Model) string {
	var b strings.Builder
	for _, format := range m.Formats {
		if !t.carriage.knows(format) {
			continue
		}
		for i := range m.Modes {
			mode := &m.Modes[i]
			fields := fieldNames(t.c.Sent(client.Draft{Modality: m.Modality, Model: m.ID, Mode: mode.Name}, format, t.carriage))
			name := mode.Name
			if name == "" {
				name = "-"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", format, name, cell(mode.Help), strings.Join(fields, ", "))
		}
	}
	return b.String()
}

func fieldNames(fs []Field) []string {
	out := make([]string, len(fs))
	for i := range fs {
		out[i] = fs[i].Name
	}
	return out
}

func code(s string) string {
	if s == "" {
		return "-"
	}
	return "`" + s + "`"
}

// cell makes text fit for one cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
