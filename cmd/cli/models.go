package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
)

type modelsOptions struct {
	g    *globals
	kind string
}

func newModels(g *globals) *cobra.Command {
	o := &modelsOptions{g: g}
	cmd := &cobra.Command{
		Use: "models [MODEL]", Short: "list the models of the catalog, or print all about one",
		Long: `Lists the models that the catalog knows, or prints one with its modes, what they need at
least, and every field that it takes with the values that are allowed.`,
		Example: "  darkroom models --kind image\n  darkroom models famI-omni\n  darkroom models famI-omni -o json",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return o.run(args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return modelIDs(g, ""), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().StringVar(&o.kind, "kind", "", "only video, image or music")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kinds(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func modelIDs(g *globals, m client.Modality) []string {
	cat, err := g.catalog()
	if err != nil {
		return nil
	}
	var ids []string
	for _, x := range cat.Models(m) {
		ids = append(ids, x.ID)
	}
	return ids
}

func (o *modelsOptions) run(args []string) error {
	if err := checkKind(o.kind); err != nil {
		return err
	}
	cat, err := o.g.catalog()
	if err != nil {
		return err
	}
	if len(args) == 1 {
		return o.show(cat, args[0])
	}
	var all []modelRow
	for _, x := range cat.Models(client.Modality(o.kind)) {
		all = append(all, rowOf(x))
	}
	if !o.g.out.table() {
		return list(o.g, all)
	}
	var cells [][]string
	for _, r := range all {
		names := ""
		if n := len(r.ModelNames); n > 0 {
			names = fmt.Sprintf("%d model_name values", n)
		}
		cells = append(cells, []string{r.ID, string(r.Modality), r.Family, strings.Join(r.Modes, " "), names})
	}
	return rows(o.g.io.Out, []string{"MODEL", "KIND", "FAMILY", "MODES", ""}, cells)
}

// show prints one model with its modes and every field that it takes.
func (o *modelsOptions) show(cat *catalog.Catalog, id string) error {
	m, ok := cat.Model(id)
	if !ok {
		return &exitError{ExitNotFound, fmt.Errorf("model %w", unknownModel(cat, id))}
	}
	all := cat.Fields(client.Draft{Modality: m.Modality, Model: m.ID})
	if !o.g.out.table() {
		return o.g.one(detailOf(m, all))
	}
	s := o.g.io
	s.printf("%s\n", m.ID)
	facts := [][2]string{{"kind", string(m.Modality)}, {"family", m.Family}, {"formats", strings.Join(m.Formats, ", ")},
		{"model_name", strings.Join(m.ModelNames, ", ")}, {"note", m.Note}}
	for _, a := range m.Advice {
		text := a.Text
		if len(a.Modes) > 0 {
			text += " (" + strings.Join(a.Modes, ", ") + ")"
		}
		facts = append(facts, [2]string{"advice", text})
	}
	if err := fields(s.Out, facts); err != nil {
		return err
	}
	var cells [][]string
	for _, x := range m.Modes {
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
	s.printf("\n")
	if err := rows(s.Out, []string{"MODE", "NEEDS", ""}, cells); err != nil {
		return err
	}
	cells = nil
	for _, f := range all {
		cells = append(cells, []string{"--" + flagName(f.Name), string(f.Kind), allowedOf(f), f.Help})
	}
	s.printf("\n")
	return rows(s.Out, []string{"FIELD", "TYPE", "VALUES", ""}, cells)
}

// allowedOf is what a field's values may be, in few words.
func allowedOf(f catalog.Field) string {
	switch {
	case len(f.Allowed) > 0:
		return strings.Join(f.Allowed, ", ")
	case f.Min != nil && f.Max != nil:
		return fmt.Sprintf("%g to %g", *f.Min, *f.Max)
	case f.Min != nil:
		return fmt.Sprintf("%g or more", *f.Min)
	case f.Max != nil:
		return fmt.Sprintf("%g or less", *f.Max)
	default:
		return ""
	}
}

// unknownModel names the models that are near an unknown one.
func unknownModel(cat *catalog.Catalog, id string) error {
	near := cat.Suggest(id, 3)
	if len(near) == 0 {
		return fmt.Errorf("%q is not in the catalog; `darkroom models` lists it", client.CleanLine(id))
	}
	return fmt.Errorf("%q is not in the catalog; near it are: %s", client.CleanLine(id), strings.Join(near, ", "))
}
