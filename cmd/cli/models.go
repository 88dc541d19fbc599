package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/app"
)

type modelsOptions struct {
	g        *globals
	out      output
	modality string
}

// modelRow is one model as `models` prints it.
type modelRow struct {
	ID         string          `json:"id"`
	Family     string          `json:"family"`
	Modality   client.Modality `json:"modality"`
	ModelNames []string        `json:"model_names,omitempty"`
	Modes      []string        `json:"modes,omitempty"`
	Formats    []string        `json:"formats,omitempty"`
	Note       string          `json:"note,omitempty"`
}

func newModels(g *globals) *cobra.Command {
	o := &modelsOptions{g: g}
	cmd := &cobra.Command{
		Use: "models [MODEL]", Short: "the models of the catalog, or all about one",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
		ValidArgsFunction: func(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return modelIDs(g, ""), cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.out.flag(cmd)
	cmd.Flags().StringVar(&o.modality, "kind", "", "only video, image or music")
	return cmd
}

func modelIDs(g *globals, m client.Modality) []string {
	cat, err := app.LoadCatalog(g.io.Paths.Catalog)
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
	if err := o.out.check(); err != nil {
		return err
	}
	cat, err := app.LoadCatalog(o.g.io.Paths.Catalog)
	if err != nil {
		return err
	}
	if len(args) == 1 {
		return o.show(cat, args[0])
	}
	m := client.Modality(o.modality)
	switch m {
	case "", client.Video, client.Image, client.Music:
	default:
		return usage("--kind %s: allowed are video, image, music", o.modality)
	}
	var all []modelRow
	for _, x := range cat.Models(m) {
		all = append(all, rowOf(x))
	}
	if !o.out.table() {
		return list(&o.out, o.g.io.Out, all)
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

func rowOf(m catalog.Model) modelRow {
	return modelRow{ID: m.ID, Family: m.Family, Modality: m.Modality, ModelNames: m.ModelNames,
		Modes: m.ModeNames(), Formats: m.Formats, Note: m.Note}
}

// show prints one model with its modes and every field that it takes.
func (o *modelsOptions) show(cat *catalog.Catalog, id string) error {
	m, ok := cat.Model(id)
	if !ok {
		return unknownModel(cat, id)
	}
	fields := cat.Fields(client.Draft{Modality: m.Modality, Model: m.ID})
	if !o.out.table() {
		return o.out.one(o.g.io.Out, struct {
			modelRow
			ModeDetail []catalog.Mode  `json:"mode_detail"`
			Fields     []catalog.Field `json:"fields"`
		}{rowOf(m), m.Modes, fields})
	}
	s := o.g.io
	s.printf("%s  (%s, %s)\n", m.ID, m.Modality, m.Family)
	if m.Note != "" {
		s.printf("%s\n", m.Note)
	}
	if len(m.ModelNames) > 0 {
		s.printf("\nmodel_name: %s\n", strings.Join(m.ModelNames, ", "))
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
	for _, f := range fields {
		cells = append(cells, []string{f.Name, string(f.Kind), allowedOf(f), f.Help})
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

func unknownModel(cat *catalog.Catalog, id string) error {
	near := cat.Suggest(id, 3)
	if len(near) == 0 {
		return notFound("model %q is not in the catalog; `darkroom models` lists it", id)
	}
	return notFound("model %q is not in the catalog; near it are: %s", id, strings.Join(near, ", "))
}
