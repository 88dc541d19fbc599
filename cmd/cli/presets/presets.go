// Package presets has the commands about presets: parts of drafts that are kept.
package presets

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// New makes the commands.
func New(k *kit.Kit) *cobra.Command {
	list := newList(k)
	cmd := kit.Parent(&cobra.Command{
		Use: "presets", Short: "saved parts of drafts, to start from",
		Long: `Presets are parts of drafts in YAML files: a model, a mode, a prompt or a template, values.
Yours are in the folder presets beside config.yaml; a project's, in ./.darkroom/presets, win
over your own of the same name. ` + "`darkroom create --preset NAME`" + ` begins with one,
` + "`darkroom create --save-preset NAME`" + ` keeps one. Alone it lists them.`,
		Example: `  darkroom presets
  darkroom create video --model famI-omni --duration 6 --save-preset short
  darkroom create video --preset short "a red kite"`,
	}, list, newShow(k), newSave(k), newRm(k))
	cmd.RunE = list.RunE
	return cmd
}

// row is a preset as -o json prints it.
type row struct {
	Name        string            `json:"name"`
	Path        string            `json:"path"`
	Project     bool              `json:"project"`
	Hides       string            `json:"hides,omitempty"`
	Problem     string            `json:"problem,omitempty"`
	Description string            `json:"description,omitempty"`
	Expand      expand.Mode       `json:"expand,omitempty"`
	Variables   map[string]string `json:"variables,omitempty"`
	Draft       client.Draft      `json:"draft"`
}

func rowOf(p expand.PresetFile) row {
	out := row{p.Name, p.Path, p.Project, p.Hides, "", p.Description, p.Expand, p.Variables, p.Draft}
	if p.Err != nil {
		out.Problem = client.CleanLine(p.Err.Error())
	}
	return out
}

func newList(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "list", Short: "list presets", Args: cobra.NoArgs,
		Long:    "Lists the presets of the project and your own, with what is wrong with those that cannot be used.",
		Example: "  darkroom presets list -o json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			cat, f, err := k.PresetFolders()
			if err != nil {
				return err
			}
			all, err := f.Presets(cmd.Context(), cat)
			if err != nil {
				return kit.UsageOf(err)
			}
			if !k.Out.Table() {
				var out []row
				for _, p := range all {
					out = append(out, rowOf(p))
				}
				return kit.List(k.Out, out)
			}
			if len(all) == 0 {
				k.IO.Notef("no presets in %s or %s; `darkroom create --save-preset NAME` keeps one\n",
					client.CleanLine(f.Path("presets", false)), client.CleanLine(f.Path("presets", true)))
				return nil
			}
			return printAll(k, all)
		}}
}

func printAll(k *kit.Kit, all []expand.PresetFile) error {
	var cells [][]string
	for _, p := range all {
		from, about := "own", cmp.Or(p.Description, kit.FirstLine(p.Draft.Prompt, 60))
		if p.Project {
			from = "project"
		}
		if p.Err != nil {
			about = "not usable: `darkroom presets show " + p.Name + "` tells why"
		}
		d := p.Draft
		cells = append(cells, []string{p.Name, from, cmp.Or(string(d.Modality), "any"), d.Model, d.Mode, about})
	}
	if err := kit.Rows(k.IO.Out, []string{"NAME", "FROM", "KIND", "MODEL", "MODE", "ABOUT"}, cells); err != nil {
		return err
	}
	for _, p := range all {
		if p.Hides != "" {
			k.IO.Tell("preset " + p.Name + " is the project's" + kit.Hides(p))
		}
	}
	return nil
}

func newShow(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "show NAME", Short: "print a preset", Args: cobra.ExactArgs(1),
		Long:              "Prints a preset as YAML, or says with line and column what is wrong with it.",
		Example:           "  darkroom presets show short\n  darkroom presets show short -o json",
		ValidArgsFunction: k.CompletePresets,
		RunE: func(_ *cobra.Command, args []string) error {
			cat, f, err := k.PresetFolders()
			if err != nil {
				return err
			}
			p, err := f.Preset(args[0], cat)
			if err != nil {
				return kit.PresetError("preset", err)
			}
			if !k.Out.Table() {
				return k.Out.One(rowOf(p))
			}
			text, err := p.YAML(cat)
			if err != nil {
				return kit.UsageOf(err)
			}
			k.IO.Tell(p.Path + kit.Hides(p))
			if k.IO.Tty != nil { // else it is read again, maybe
				text = client.Clean(text)
			}
			k.IO.Printf("%s", text)
			return nil
		}}
}

// saveOptions is `presets save`.
type saveOptions struct {
	k                *kit.Kit
	from, job        string
	project, replace bool
}

func newSave(k *kit.Kit) *cobra.Command {
	o := &saveOptions{k: k}
	cmd := &cobra.Command{Use: "save NAME", Short: "keep a preset: a file's, or a job's draft", Args: cobra.ExactArgs(1),
		Long: `Keeps a preset: of a YAML file, which is checked first, or of a job's draft. For a draft of
your own, ` + "`darkroom create KIND … --save-preset NAME`" + ` does it. The file is readable by you only,
and holds no key.`,
		Example: `  darkroom presets save kites --from kites.yaml
  darkroom presets show kites | darkroom presets save kites --from - --project
  darkroom presets save best --job 3f9a1c22`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.from, "from", "", "YAML file to keep; - is standard input")
	f.StringVar(&o.job, "job", "", "job whose draft is kept")
	f.BoolVar(&o.project, "project", false, "keep it in ./.darkroom, for everybody in this project")
	f.BoolVar(&o.replace, "replace", false, "replace a preset of the same name")
	_ = cmd.RegisterFlagCompletionFunc("job", k.CompleteJobs())
	return cmd
}

func (o *saveOptions) run(ctx context.Context, name string) error {
	if (o.from == "") == (o.job == "") {
		return kit.Usage("give --from FILE or --job JOB; a draft is kept by `darkroom create KIND … --save-preset NAME`")
	}
	c, err := o.k.Config()
	if err != nil {
		return err
	}
	p, err := o.read(ctx, name)
	if err != nil {
		return err
	}
	p.Name = name
	return kit.SavePreset(o.k, p, c, o.project, o.replace)
}

func (o *saveOptions) read(ctx context.Context, name string) (expand.Preset, error) {
	var p expand.Preset
	if o.job != "" {
		err := o.k.OfJob(ctx, o.job, func(r *jobs.Engine, j jobs.Job) error {
			if err := jobs.Allowed(jobs.ActCompose, &j); err != nil {
				return fmt.Errorf("job %s: %w", jobs.ShortID(j.ID), err)
			}
			d, err := r.Detail(ctx, j.ID)
			p.Draft = d.Job.Draft
			return err
		})
		return p, err
	}
	cat, err := o.k.Catalog()
	if err != nil {
		return p, err
	}
	b, err := o.k.IO.Read(ctx, "--from", o.from, expand.MaxPreset)
	if err != nil {
		return p, err
	}
	p, err = expand.ParsePreset(name, string(b), cat)
	if err != nil {
		return p, kit.Usage("--from %s: %w", client.CleanLine(o.from), err)
	}
	return p, nil
}

func newRm(k *kit.Kit) *cobra.Command {
	var project bool
	cmd := &cobra.Command{Use: "rm NAME", Short: "delete a preset", Args: cobra.ExactArgs(1),
		Long:              "Deletes a preset of your own, or with --project one of ./.darkroom.",
		Example:           "  darkroom presets rm short",
		ValidArgsFunction: k.CompletePresets,
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := k.Folders()
			if err != nil {
				return err
			}
			path, err := f.RemovePreset(args[0], project)
			if err != nil {
				return kit.PresetError("preset", err)
			}
			if !k.Out.Table() {
				return k.Out.One(map[string]string{"removed": path})
			}
			k.IO.Printf("removed %s\n", client.CleanLine(path))
			return nil
		}}
	cmd.Flags().BoolVar(&project, "project", false, "of ./.darkroom")
	return cmd
}
