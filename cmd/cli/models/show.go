package models

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/cli/kit"
)

type showOptions struct {
	k    *kit.Kit
	kind kit.Choice
}

func newShow(k *kit.Kit) *cobra.Command {
	o := &showOptions{k: k}
	cmd := &cobra.Command{
		Use: "show MODEL", Short: "print all that is known about one model",
		Long: `Prints one model: the formats that create with it and their paths, the query paths in the
order in which they are asked, what its modes need at least, its limits (hard ones are
refused before anything is sent, usual ones only draw a warning), and every field with its
type, its values (documented ones, usual ones that only draw a warning or are examples of the
interface, and our own suggestions) and its other names. What the interface does not show of
the model stands as a caveat. A model with two kinds, as famN_music, is shown as its
first; --kind chooses.`,
		Example: `  darkroom models show famI-omni
  darkroom models show famN_music --kind speech
  darkroom models show famK-3.0 -o json | jq .limits`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeModel(k),
		RunE:              func(_ *cobra.Command, args []string) error { return o.run(args[0]) },
	}
	o.kind.Kind(cmd, "show it as this kind")
	return cmd
}

func (o *showOptions) run(id string) error {
	if err := o.kind.Check(); err != nil {
		return err
	}
	cat, err := o.k.Catalog()
	if err != nil {
		return err
	}
	m, ok := cat.Model(id)
	if !ok {
		return kit.Exit(kit.ExitNotFound, fmt.Errorf("model %w", kit.UnknownModel(cat, id)))
	}
	kinds := kindsOf(cat, id)
	if o.kind.Value != "" {
		if m, ok = cat.ModelFor(client.Modality(o.kind.Value), id); !ok {
			return kit.Usage("--kind %s: %s is %s", o.kind.Value, id, strings.Join(kinds, ", "))
		}
	}
	d := detailOf(cat, m)
	d.Kinds = kinds
	if !o.k.Out.Table() {
		return o.k.Out.One(d)
	}
	return d.print(o.k.IO)
}

// kindsOf returns all modalities of a model.
func kindsOf(cat *catalog.Catalog, id string) []string {
	var out []string
	for _, k := range kit.Kinds() {
		if _, ok := cat.ModelFor(client.Modality(k), id); ok {
			out = append(out, k)
		}
	}
	return out
}

// print writes a model for people.
func (d detail) print(s *kit.IO) error {
	s.Printf("%s\n", client.CleanLine(d.ID))
	if err := kit.Fields(s.Out, d.facts()); err != nil {
		return err
	}
	for _, t := range []struct {
		head  []string
		cells [][]string
	}{
		{[]string{"CREATED THROUGH", "PATH", ""}, d.createCells()},
		{[]string{"QUERIED THROUGH", "PATH"}, d.queryCells()},
		{[]string{"MODE", "NEEDS", ""}, d.modeCells()},
		{[]string{"LIMIT", "VALUES", "STRENGTH", "WHERE"}, d.limitCells()},
		{[]string{"FIELD", "TYPE", "DOCUMENTED", "USUAL", "OUR SUGGESTION", "ALSO", ""}, d.fieldCells()},
	} {
		if len(t.cells) == 0 {
			continue
		}
		s.Printf("\n")
		if err := kit.Rows(s.Out, t.head, t.cells); err != nil {
			return err
		}
	}
	return nil
}

func (d detail) facts() [][2]string {
	kind := string(d.Modality)
	if len(d.Kinds) > 1 {
		kind += " (also " + strings.Join(slices.DeleteFunc(slices.Clone(d.Kinds), func(k string) bool { return k == kind }), ", ") + ": --kind)"
	}
	names := strings.Join(d.ModelNames, ", ")
	switch {
	case d.ModelNameRequired:
		names += " (required)"
	case d.ModelNameListed:
		names += " (whether one is required is not documented; others are refused)"
	}
	mode := ""
	if d.ModeRequired {
		mode = "required"
	}
	out := [][2]string{{"kind", kind}, {"family", d.Family}, {"formats", strings.Join(d.Formats, ", ")}, {"model_name", names}, {"mode", mode}, {"note", d.Note}}
	for _, a := range d.Advice {
		text := a.Text
		if len(a.Modes) > 0 {
			text += " (" + strings.Join(a.Modes, ", ") + ")"
		}
		out = append(out, [2]string{"advice", text})
	}
	for _, c := range d.Caveats {
		out = append(out, [2]string{"caveat", c.About + ": " + c.Text})
	}
	return out
}

func (d detail) createCells() (cells [][]string) {
	for _, f := range d.Creates {
		path := f.Path
		switch {
		case f.Configured:
			path = "configured, not documented"
		case path == "":
			path = "not documented"
		case f.Reserved:
			path += " (reserved)"
		}
		cells = append(cells, []string{f.Format, path, f.Note})
	}
	return cells
}

func (d detail) queryCells() (cells [][]string) {
	for i, f := range d.Queries {
		cells = append(cells, []string{fmt.Sprintf("%d. %s", i+1, f.Format), f.Path})
	}
	return cells
}

func (d detail) modeCells() (cells [][]string) {
	for _, x := range d.ModeDetail {
		var needs []string
		for _, n := range x.Needs {
			needs = append(needs, n.Text)
		}
		name := x.Name
		if name == "" {
			name = "(no mode)"
		}
		cells = append(cells, []string{name, strings.Join(needs, ", "), x.Help})
	}
	return cells
}

func (d detail) limitCells() (cells [][]string) {
	for _, l := range d.Limits {
		where := slices.Clone(l.Modes)
		for _, f := range l.Formats {
			where = append(where, "through "+f)
		}
		cells = append(cells, []string{l.Field, l.Text, l.Strength, strings.Join(where, ", ")})
	}
	return cells
}

func (d detail) fieldCells() (cells [][]string) {
	for _, f := range d.Fields {
		cells = append(cells, []string{f.Flag, string(f.Kind), f.documented, f.usual, strings.Join(f.Suggested, ", "), strings.Join(f.Aliases, ", "), f.Help})
	}
	return cells
}

// limitsOf returns the bounds of a model: what it fixes, how many references it takes, those of its
// fields, and those that hold in some modes or formats only.
func limitsOf(m catalog.Model, all []catalog.Field) []limitView {
	out := []limitView{}
	for _, name := range slices.Sorted(maps.Keys(m.Fixed)) {
		out = append(out, limitView{Field: name, Text: "fixed at " + m.Fixed[name], Strength: limitHard})
	}
	for _, name := range slices.Sorted(maps.Keys(m.MaxRefs)) {
		out = append(out, limitView{Field: name + " references", Text: fmt.Sprintf("up to %d", m.MaxRefs[name]), Strength: limitHard})
	}
	for _, f := range all {
		if _, fixed := m.Fixed[f.Name]; fixed {
			continue
		}
		l := catalog.Limit{Field: f.Name, Allowed: f.Allowed, Min: f.Min, Max: f.Max, MinItems: f.MinItems, MaxItems: f.MaxItems, Hard: f.Hard, Mapped: f.Mapped, Source: f.Source}
		if v, ok := limitOf(l, f.Unit); ok {
			out = append(out, v)
		}
	}
	for _, l := range m.Limits() {
		if len(l.Modes)+len(l.Formats) == 0 {
			continue // merged into the field
		}
		if v, ok := limitOf(l, ""); ok {
			out = append(out, v)
		}
	}
	return out
}

// Strengths of limits.
const (
	limitHard   = "hard"   // others are refused
	limitUsual  = "usual"  // others draw a warning
	limitMapped = "mapped" // others are mapped by the gateway
)

func limitOf(l catalog.Limit, unit string) (limitView, bool) {
	v := limitView{Field: l.Field, Strength: limitUsual, Modes: l.Modes, Formats: l.Formats, Source: l.Source}
	var parts []string
	if text := kit.AllowedOf(catalog.Field{Allowed: l.Allowed, Min: l.Min, Max: l.Max}); text != "" {
		if unit != "" {
			text += " " + unit
		}
		if l.Mapped {
			text = "mapped to one of " + text + "; the direction is not documented"
		}
		parts = append(parts, text)
	}
	low, high := float64(l.MinItems), float64(l.MaxItems)
	switch {
	case l.MinItems > 0 && l.MaxItems > 0:
		parts = append(parts, kit.Between(&low, &high)+" items")
	case l.MinItems > 0:
		parts = append(parts, kit.Between(&low, nil)+" items")
	case l.MaxItems > 0:
		parts = append(parts, kit.Between(nil, &high)+" items")
	}
	switch {
	case l.Mapped:
		v.Strength = limitMapped
	case l.Hard:
		v.Strength = limitHard
	}
	v.Text = strings.Join(parts, "; ")
	return v, v.Text != ""
}
