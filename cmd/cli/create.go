package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/app"
	"darkroom/jobs"
)

type createOptions struct {
	g        *globals
	out      output
	modality client.Modality
	cat      *catalog.Catalog

	draft    client.Draft
	format   string
	raw      string
	count    int
	wait     bool
	download string
	dryRun   bool
	fields   map[string]*fieldFlag // by canonical name
}

// fieldFlag is the flag of one field of the catalog.
type fieldFlag struct {
	field catalog.Field
	text  []string
}

// String, Set and Type implement pflag.Value.
func (f *fieldFlag) String() string { return strings.Join(f.text, ",") }

// Set takes the value; a list takes one item a flag.
func (f *fieldFlag) Set(s string) error {
	if f.field.Kind == catalog.Medias {
		f.text = append(f.text, s)
	} else {
		f.text = []string{s}
	}
	return nil
}

// Type is what the help shows as the kind of value.
func (f *fieldFlag) Type() string { return string(f.field.Kind) }

func newCreate(g *globals) *cobra.Command {
	cmd := &cobra.Command{Use: "create", Short: "create a video, an image or a piece of music", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(
		newCreateOf(g, client.Video, "a video", `  darkroom create video --model famI-omni --prompt "a red kite over a salt flat" --wait --download .`),
		newCreateOf(g, client.Image, "an image", `  darkroom create image --model famL-2 --prompt "a lighthouse" --size 1024x1024 --download .`),
		newCreateOf(g, client.Music, "a piece of music or sound", `  darkroom create music --prompt "slow piano, rain" --title Rain --download .`),
	)
	return cmd
}

func newCreateOf(g *globals, m client.Modality, what, example string) *cobra.Command {
	o := &createOptions{g: g, modality: m, fields: map[string]*fieldFlag{}}
	cmd := &cobra.Command{
		Use:   string(m) + " [PROMPT]",
		Short: "create " + what,
		Long: `Creates ` + what + `: checks the draft by the rules of the catalog, journals it, sends it
once, and prints the job. With --wait it follows the task to its end; with --download it
also saves the results into a folder. A create is never sent twice by itself.

The flags below are the fields of the catalog; which of them a model takes is told by
` + "`darkroom models MODEL`" + `.`,
		Example: example,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args)
		},
	}
	o.out.flag(cmd)
	f := cmd.Flags()
	f.StringVar(&o.draft.Model, "model", "", "model (default: the catalog's first)")
	f.StringVar(&o.draft.ModelName, "model-name", "", "model_name, where the model needs one")
	f.StringVar(&o.draft.Mode, "mode", "", "mode, as t2v or i2v")
	f.StringVar(&o.draft.Prompt, "prompt", "", "prompt; - reads it from standard input")
	f.StringVar(&o.format, "format", "", "format to send it through (default: the model's first)")
	f.StringVar(&o.raw, "extra", "", "JSON object that is sent on top, as it is")
	f.IntVar(&o.count, "count", 1, "how many jobs of the same draft, 1 to 8")
	f.BoolVar(&o.wait, "wait", false, "follow the task to its end")
	f.StringVar(&o.download, "download", "", "save the results into this folder (implies --wait)")
	f.BoolVar(&o.dryRun, "dry-run", false, "print the request that would be sent, and send nothing")
	_ = cmd.RegisterFlagCompletionFunc("model", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return modelIDs(g, m), cobra.ShellCompDirectiveNoFileComp
	})
	_ = cmd.RegisterFlagCompletionFunc("mode", o.completeModes)
	o.addFieldFlags(cmd)
	return cmd
}

// addFieldFlags makes a flag of every field; aliases are accepted and not listed.
func (o *createOptions) addFieldFlags(cmd *cobra.Command) {
	cat, err := app.LoadCatalog(o.g.io.Paths.Catalog)
	if err != nil {
		return // said by run, which loads it again
	}
	flags := cmd.Flags()
	for _, field := range cat.AllFields(o.modality) {
		name := flagName(field.Name)
		if flags.Lookup(name) != nil {
			continue
		}
		v := &fieldFlag{field: field}
		o.fields[field.Name] = v
		flags.Var(v, name, flagHelp(field))
		if field.Kind == catalog.Boolean {
			flags.Lookup(name).NoOptDefVal = "true"
		}
		if values := append(append([]string(nil), field.Allowed...), field.Suggested...); len(values) > 0 {
			_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
		for _, alias := range field.Aliases {
			if a := flagName(alias); flags.Lookup(a) == nil {
				flags.AddFlag(&pflag.Flag{Name: a, Value: v, Hidden: true, NoOptDefVal: flags.Lookup(name).NoOptDefVal})
			}
		}
	}
}

func flagName(field string) string { return strings.ReplaceAll(field, "_", "-") }

func flagHelp(f catalog.Field) string {
	help := f.Help
	if f.Unit != "" {
		help += " [" + f.Unit + "]"
	}
	if a := allowedOf(f); a != "" {
		help += " (" + a + ")"
	}
	return strings.ReplaceAll(help, "`", "'") // pflag takes a back-quoted word for the type
}

func (o *createOptions) completeModes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	cat, err := app.LoadCatalog(o.g.io.Paths.Catalog)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	m, _ := cat.Model(o.draft.Model)
	return m.ModeNames(), cobra.ShellCompDirectiveNoFileComp
}

func (o *createOptions) run(ctx context.Context, args []string) error {
	if err := o.out.check(); err != nil {
		return err
	}
	if o.count < 1 || o.count > 8 {
		return usage("--count %d: 1 to 8 are allowed", o.count)
	}
	gw, err := o.g.gateway(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	o.cat = gw.Catalog
	if err := o.fill(args); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	if o.format == "" {
		o.format = o.cat.DefaultFormat(o.draft.Model)
	}
	if _, ok := gw.Client.Format(o.format); !ok {
		return usage("--format %q: this version has no such format; the model's are: %s", o.format, strings.Join(o.formats(gw.Client), ", "))
	}
	p, err := gw.Client.Preview(o.draft, o.format)
	if err != nil {
		return &exitError{ExitUsage, err}
	}
	for _, d := range p.Dropped {
		o.g.io.note("darkroom: %s is not sent through %s: %s\n", d.Field, p.Label, d.Reason)
	}
	if o.dryRun {
		o.g.io.printf("%s %s\n%s\n", p.Method, p.Path, client.Clean(string(p.Body)))
		return nil
	}
	return o.submit(ctx, gw)
}

func (o *createOptions) formats(c *client.Client) []string {
	var out []string
	m, _ := o.cat.Model(o.draft.Model)
	for _, name := range m.Formats {
		if _, ok := c.Format(name); ok {
			out = append(out, name)
		}
	}
	return out
}

// fill makes the draft of flags, argument and input.
func (o *createOptions) fill(args []string) error {
	d := &o.draft
	d.Modality = o.modality
	if len(args) == 1 {
		if d.Prompt != "" {
			return usage("the prompt is given twice: as an argument and by --prompt")
		}
		d.Prompt = args[0]
	}
	if d.Prompt == "-" {
		b, err := io.ReadAll(io.LimitReader(o.g.io.In, 1<<20))
		if err != nil {
			return err
		}
		d.Prompt = strings.TrimRight(string(b), "\n")
	}
	if d.Model == "" {
		def := o.cat.Default(o.modality)
		d.Model = def.Model
		if d.Mode == "" {
			d.Mode = def.Mode
		}
		if d.ModelName == "" {
			d.ModelName = def.ModelName
		}
	}
	d.Values = client.Values{}
	var problems []string
	for name, f := range o.fields {
		if len(f.text) == 0 {
			continue
		}
		v, err := f.field.Parse(strings.Join(f.text, "\n"))
		if err == nil {
			v, err = localFiles(f.field, v)
		}
		if err != nil {
			problems = append(problems, "--"+flagName(err.Error()))
			continue
		}
		d.Values[name] = v
	}
	if len(problems) > 0 {
		return usage("%s", strings.Join(problems, "\n"))
	}
	if o.raw != "" {
		if err := json.Unmarshal([]byte(o.raw), &d.Extra); err != nil {
			return usage("--extra: a JSON object is needed: %v", err)
		}
	}
	return nil
}

// localFiles turns paths among media values into file:// URLs; a path that does not
// exist is refused here, before anything is journalled.
func localFiles(f catalog.Field, v any) (any, error) {
	switch f.Kind {
	case catalog.Media:
		s, _ := v.(string)
		return localFile(f, s)
	case catalog.Medias:
		items, _ := v.([]any)
		for i, x := range items {
			s, _ := x.(string)
			u, err := localFile(f, s)
			if err != nil {
				return nil, err
			}
			items[i] = u
		}
		return items, nil
	default:
		return v, nil
	}
}

func localFile(f catalog.Field, s string) (string, error) {
	for _, scheme := range []string{"http://", "https://", "data:", "file://"} {
		if strings.HasPrefix(strings.ToLower(s), scheme) {
			return s, nil
		}
	}
	path, err := filepath.Abs(s)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%s: %q is no URL and no file: %w", f.Name, s, err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: %q is not a file", f.Name, s)
	}
	return client.FileURL(path), nil
}

// check ends with usage when a rule forbids the draft, and notes the rest.
func (o *createOptions) check() error {
	if _, ok := o.cat.Model(o.draft.Model); !ok {
		if near := o.cat.Suggest(o.draft.Model, 3); len(near) > 0 {
			return usage("--model %q is not in the catalog; near it are: %s", o.draft.Model, strings.Join(near, ", "))
		}
		return usage("--model %q is not in the catalog; `darkroom models` lists it", o.draft.Model)
	}
	var blocks []string
	for _, p := range o.cat.Check(o.draft) {
		if p.Severity == catalog.Block {
			blocks = append(blocks, "  "+p.Message)
			continue
		}
		o.g.io.note("darkroom: %s\n", client.CleanLine(p.Message))
	}
	if len(blocks) > 0 {
		return usage("nothing was sent, because:\n%s", strings.Join(blocks, "\n"))
	}
	return nil
}

func (o *createOptions) submit(ctx context.Context, gw *app.Gateway) error {
	desk, err := app.OpenDesk(ctx, gw, app.DeskOptions{Downloads: o.download, AutoDownload: o.download != "", OwnOnly: true})
	if err != nil {
		return err
	}
	var subs []jobs.Submission
	for range o.count {
		subs = append(subs, jobs.Submission{Draft: o.draft, Format: o.format})
	}
	err = o.follow(ctx, desk, subs)
	return errors.Join(err, desk.Close())
}

func (o *createOptions) follow(ctx context.Context, desk *app.Desk, subs []jobs.Submission) error {
	ids, err := desk.Engine.Submit(ctx, subs)
	if err != nil {
		return err
	}
	wait := o.wait || o.download != ""
	all, err := watch(ctx, o.g.io, desk.Engine, ids, wait)
	if err != nil {
		return err
	}
	if err := printJobs(o.g.io, &o.out, all, len(ids) == 1); err != nil {
		return err
	}
	return outcome(all, o.download != "")
}
