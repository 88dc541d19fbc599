package models

import (
	"slices"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/library"
)

// starRow is what `models star` says of a model.
type starRow struct {
	ID      string `json:"id"`
	Starred bool   `json:"starred"`
}

// newStar makes `models star` and, without on, `models unstar`.
func newStar(k *kit.Kit, on bool) *cobra.Command {
	cmd := &cobra.Command{
		Use: "star MODEL...", Short: "list models first where one is chosen",
		Long: `Stars models: they are listed first where Compose lets you choose one, and have a ★ in
'darkroom models list'. The gateway is not told. Stars are kept for all profiles, in the file
that 'darkroom config path' calls marks.`,
		Example: `  darkroom models star famI-omni famL-2
  darkroom models list -o json | jq -r '.[] | select(.starred) | .id'`,
	}
	if !on {
		cmd.Use, cmd.Short = "unstar MODEL...", "remove the stars again"
		cmd.Long = "Removes stars from models; one without a star stays as it is."
		cmd.Example = "  darkroom models unstar famI-omni"
	}
	cmd.Args = cobra.MinimumNArgs(1)
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return slices.DeleteFunc(kit.ModelIDs(k, ""), func(s string) bool { return slices.Contains(args, s) }), cobra.ShellCompDirectiveNoFileComp
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error { return runStar(k, args, on) }
	return cmd
}

func runStar(k *kit.Kit, names []string, on bool) error {
	cat, err := k.Catalog()
	if err != nil {
		return err
	}
	marks := library.OpenMarks(k.IO.Paths.Marks)
	var out []starRow
	for _, name := range names {
		if _, err := marks.Star(name, on); err != nil {
			return err
		}
		if _, known := cat.Model(name); !known && on {
			k.IO.Notef("darkroom: starred, but %v\n", kit.UnknownModel(cat, name))
		}
		out = append(out, starRow{name, on})
	}
	if !k.Out.Table() {
		return kit.List(k.Out, out)
	}
	for _, r := range out {
		word := "starred"
		if !on {
			word = "no star"
		}
		k.IO.Printf("%s  %s\n", client.CleanLine(r.ID), word)
	}
	return nil
}

// mark notes which models have stars, and which were used lately. What cannot be read is reported,
// and leaves the rest alone.
func (o *listOptions) mark(all []row) {
	marks, err := library.OpenMarks(o.k.IO.Paths.Marks).Load()
	if err != nil {
		o.k.IO.Tell(err.Error())
	}
	for i := range all {
		r := &all[i]
		r.Starred = slices.Contains(marks.Stars, r.ID)
		r.Recent = slices.Index(marks.Recent, r.ID) + 1
	}
}

// knownFrom says where a model is known from, as Compose does.
func knownFrom(id string, known []catalog.Model, live *client.RemoteModel) catalog.Origin {
	o := catalog.Offer{ID: id, Known: known, Live: live}
	return o.Origin()
}
