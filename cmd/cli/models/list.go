package models

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/cli/kit"
)

// fromCatalog is the origin of a model that the catalog knows; the others are the names of
// the gateway's lists.
const fromCatalog = "catalog"

type listOptions struct {
	k      *kit.Kit
	kind   kit.Choice
	family string
	format kit.Choice
	live   bool
}

func newList(k *kit.Kit) *cobra.Command {
	o := &listOptions{k: k}
	cmd := &cobra.Command{
		Use: "list", Short: "list the models of the catalog, and with --live those of the gateway",
		Long: `Lists the models that the catalog knows, your own overlay among them. With --live the
gateway's own lists are asked as well and joined by the model's name: GET /v1beta/models, and
the list in the OpenAI format, whose path the interface does not show (/v1/models is tried,
and labelled as a guess). A ★ marks those that were starred ('darkroom models star'). ORIGIN tells where a model was found. A list that does not answer
is told on standard error and leaves the rest alone; when none answers, what the catalog has
is printed and the exit code is that of the refusal.`,
		Example: `  darkroom models list --kind video --format content
  darkroom models list --live
  darkroom models list --live -o json | jq -r '.[] | select(.origins == ["v1beta"]) | .id'`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	o.flags(cmd)
	return cmd
}

func (o *listOptions) flags(cmd *cobra.Command) {
	o.kind.Kind(cmd, "only "+strings.Join(kit.Kinds(), ", "))
	f := cmd.Flags()
	f.StringVar(&o.family, "family", "", "only of this family, as famI")
	o.format.Format(cmd, "only models that are created or queried through this format")
	f.BoolVar(&o.live, "live", false, "ask the gateway's lists of models too")
	_ = cmd.RegisterFlagCompletionFunc("family", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return o.families(), cobra.ShellCompDirectiveNoFileComp
	})
}

func (o *listOptions) families() []string {
	cat, err := o.k.Catalog()
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range cat.Families() {
		out = append(out, f.Token)
	}
	return out
}

func (o *listOptions) run(ctx context.Context) error {
	for _, c := range []*kit.Choice{&o.kind, &o.format} {
		if err := c.Check(); err != nil {
			return err
		}
	}
	cat, err := o.k.Catalog()
	if err != nil {
		return err
	}
	if all := o.families(); o.family != "" && !slices.Contains(all, o.family) {
		return kit.Usage("--family %q: the catalog has %s", o.family, strings.Join(all, ", "))
	}
	var all []row
	for _, x := range cat.Models(client.Modality(o.kind.Value)) {
		if o.wants(x) {
			all = append(all, rowOf(x))
		}
	}
	var failed error
	if o.live {
		if all, failed = o.join(ctx, cat, all); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	o.mark(all)
	for i := range all {
		if x, ok := cat.Model(all[i].ID); ok {
			all[i].Origin = knownFrom(x.ID, []catalog.Model{x}, all[i].Live)
		} else {
			all[i].Origin = knownFrom(all[i].ID, nil, all[i].Live)
		}
	}
	if len(all) == 0 && o.kind.Value != "" && cat.DraftFormat(client.Draft{Modality: client.Modality(o.kind.Value)}) != "" {
		o.k.IO.Notef("darkroom: the interface names no %s model, and any name is taken; `darkroom models list --live` asks the gateway for its own\n", o.kind.Value)
	}
	if err := o.print(all); err != nil {
		return err
	}
	return failed
}

// wants applies the filters to a model of the catalog.
func (o *listOptions) wants(m catalog.Model) bool {
	return (o.family == "" || m.Family == o.family) &&
		(o.format.Value == "" || slices.Contains(m.Formats, o.format.Value) || slices.Contains(m.Routes, o.format.Value))
}

// join asks the gateway's lists and adds what they tell to the rows; models that the catalog does
// not have come last. An error means that no list answered: the rows are good all the same.
func (o *listOptions) join(ctx context.Context, cat *catalog.Catalog, all []row) ([]row, error) {
	for i := range all {
		all[i].Origins = []string{fromCatalog}
	}
	gw, err := o.k.Gateway(ctx)
	if err != nil {
		return all, err
	}
	defer gw.Close()
	if err := gw.CheckKey(); err != nil {
		return all, err
	}
	found, failed := gw.Client.Models(ctx)
	o.tellSources(found.Sources)
	filtered := o.kind.Value != "" || o.family != "" || o.format.Value != ""
	hidden := 0
	for _, m := range found.Models {
		origins := m.Origins
		m.Origins = nil // said by the row
		known := false
		for i := range all {
			if all[i].ID == m.ID {
				known = true
				all[i].Origins = append(all[i].Origins, origins...)
				all[i].Live = &m
			}
		}
		if _, inCatalog := cat.Model(m.ID); known || inCatalog {
			continue
		}
		if filtered {
			hidden++
			continue
		}
		all = append(all, row{ID: m.ID, Origins: origins, Live: &m})
	}
	if hidden > 0 {
		o.k.IO.Notef("darkroom: %d models of the gateway's lists are not in the catalog, so that nothing is known of their kind, family or formats: without --kind, --family and --format they are listed too\n", hidden)
	}
	return all, failed
}

// tellSources says on standard error how each list answered; for scripts only failures.
func (o *listOptions) tellSources(all []client.ModelSource) {
	for _, s := range all {
		switch {
		case s.Err != nil:
			o.k.IO.Tell(fmt.Sprintf("%s did not answer: %s", s.Label, s.Error))
		case o.k.Out.Table():
			o.k.IO.Tell(fmt.Sprintf("%s: %d models", s.Label, s.Count))
		}
	}
}

func (o *listOptions) print(all []row) error {
	if !o.k.Out.Table() {
		return kit.List(o.k.Out, all)
	}
	head := []string{"MODEL", "KIND", "FAMILY", "MODES", ""}
	if o.live {
		head = []string{"MODEL", "KIND", "FAMILY", "MODES", "", "ORIGIN", "NAME"}
	}
	var cells [][]string
	for _, r := range all {
		names := ""
		if n := len(r.ModelNames); n > 0 {
			names = fmt.Sprintf("%d model_name values", n)
		}
		if r.Starred {
			names = strings.TrimSpace("★ " + names)
		}
		row := []string{r.ID, dash(string(r.Modality), o.live), dash(r.Family, o.live), strings.Join(r.Modes, " "), names}
		if o.live {
			row = append(row, originText(r.Origins), liveName(r))
		}
		cells = append(cells, row)
	}
	return kit.Rows(o.k.IO.Out, head, cells)
}

// dash stands for what is not known about a model of the gateway's lists.
func dash(s string, live bool) string {
	if s == "" && live {
		return "-"
	}
	return s
}

// originText names where a model was found, for people.
func originText(origins []string) string {
	all := slices.Clone(origins)
	for i, x := range all {
		if x == "v1" {
			all[i] = "/v1/models (a guess)"
		}
	}
	return strings.Join(all, ", ")
}

// liveName is what the gateway calls a model beside its identifier.
func liveName(r row) string {
	if r.Live == nil || r.Live.DisplayName == r.ID {
		return ""
	}
	return kit.FirstLine(r.Live.DisplayName, 40)
}
