package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/app"
	"darkroom/jobs"
)

const (
	maxCount  = 8       // jobs of one command
	maxPrompt = 1 << 20 // bytes of a prompt from standard input
)

type createOptions struct {
	g        *globals
	modality client.Modality
	cat      *catalog.Catalog

	draft    client.Draft
	format   string
	extra    string
	count    int
	wait     bool
	download string
	dryRun   bool
	fields   []*fieldFlag
}

// newCreate makes the command; with fields, its flags are drawn from the catalog.
func newCreate(g *globals, fields bool) *cobra.Command {
	cmd := parent(&cobra.Command{
		Use: "create", Short: "create a video, an image or a piece of music",
		Long: `Creates media with a model of the gateway. The flags of each kind are the fields of the
catalog; ` + "`darkroom models MODEL`" + ` tells which of them a model takes.`,
		Example: `  darkroom create video --prompt "a red kite over a salt flat" --wait --download .`,
	},
		newCreateOf(g, fields, client.Video, "a video", `  darkroom create video --model famI-omni --prompt "a red kite over a salt flat" --wait --download .
  darkroom create video --mode i2v --image kite.png --prompt "it rises" --duration 6
  darkroom create video --prompt - --dry-run -o json <prompt.txt`),
		newCreateOf(g, fields, client.Image, "an image", `  darkroom create image --model famL-2 --prompt "a lighthouse" --size 1024x1024 --download .
  darkroom create image --images a.png --images b.png --prompt "both in one room" --count 2`),
		newCreateOf(g, fields, client.Music, "a piece of music or sound", `  darkroom create music --prompt "slow piano, rain" --title Rain --download .`),
	)
	return cmd
}

func newCreateOf(g *globals, fields bool, m client.Modality, what, example string) *cobra.Command {
	o := &createOptions{g: g, modality: m}
	cmd := &cobra.Command{
		Use:   string(m) + " [PROMPT]",
		Short: "create " + what,
		Long: `Creates ` + what + `: checks the draft by the rules of the catalog, journals it, sends it
once, and prints the job. With --wait it follows the task to its end; with --download it
also saves the results into a folder. A create is never sent twice by itself.

Files, as http(s) addresses, data: addresses or paths, are given one a flag; so are the
items of lists, as JSON.`,
		Example: example,
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
		// The prompt is free text, so there is nothing to complete.
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := cmd.Flags()
	f.StringVar(&o.draft.Model, "model", "", "model (default: the catalog's first)")
	f.StringVar(&o.draft.ModelName, "model-name", "", "model_name, where the model needs one")
	f.StringVar(&o.draft.Mode, "mode", "", "mode, as t2v or i2v")
	f.StringVar(&o.draft.Prompt, "prompt", "", "prompt; - reads it from standard input")
	f.StringVar(&o.format, "format", "", "format to send it through (default: the model's first)")
	f.StringVar(&o.extra, "extra", "", "JSON object that is sent on top, as it is")
	f.IntVar(&o.count, "count", 1, "how many jobs of the same draft, 1 to 8")
	f.BoolVar(&o.wait, "wait", false, "follow the task to its end")
	f.StringVar(&o.download, "download", "", "save the results into this folder (implies --wait)")
	f.BoolVar(&o.dryRun, "dry-run", false, "print the request that would be sent, and send nothing")
	_ = cmd.MarkFlagDirname("download")
	o.complete(cmd)
	if fields {
		o.addFieldFlags(cmd)
	}
	return cmd
}

func (o *createOptions) run(ctx context.Context, args []string) error {
	if o.count < 1 || o.count > maxCount {
		return usage("--count %d: 1 to %d are allowed", o.count, maxCount)
	}
	gw, err := o.g.gateway(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	o.cat = gw.Catalog
	if err := o.fill(ctx, args); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	if err := o.pickFormat(gw); err != nil {
		return err
	}
	p, err := gw.Client.Preview(o.draft, o.format)
	if err != nil {
		return &exitError{ExitUsage, err}
	}
	for _, d := range p.Dropped {
		o.g.io.note("darkroom: %s\n", client.CleanLine(fmt.Sprintf("%s is not sent through %s: %s", d.Field, p.Label, d.Reason)))
	}
	if o.dryRun {
		return o.g.printPreview(p)
	}
	if err := gw.CheckKey(); err != nil {
		return err
	}
	return o.submit(ctx, gw)
}

func (o *createOptions) pickFormat(gw *app.Gateway) error {
	if o.format == "" {
		if o.format = gw.FormatFor(o.draft.Model); o.format == "" {
			return &exitError{ExitUsage, gw.NoFormat(o.draft.Model)}
		}
		return nil
	}
	if _, ok := gw.Client.Format(o.format); !ok {
		return usage("--format %q: this version has no such format; those of the model are: %s", o.format, strings.Join(gw.Formats(o.draft.Model), ", "))
	}
	if all := gw.Formats(o.draft.Model); !slices.Contains(all, o.format) {
		o.g.io.note("darkroom: --format %s is not one that the catalog lists for %s: %s\n", o.format, o.draft.Model, strings.Join(all, ", "))
	}
	return nil
}

func (g *globals) printPreview(p client.Preview) error {
	if !g.out.table() {
		return g.one(p)
	}
	g.io.printf("%s %s\n%s\n", p.Method, p.Path, client.Clean(string(p.Body)))
	return nil
}

// fill makes the draft of flags, argument and input.
func (o *createOptions) fill(ctx context.Context, args []string) error {
	d := &o.draft
	d.Modality = o.modality
	if len(args) == 1 {
		if d.Prompt != "" {
			return usage("the prompt is given twice: as an argument and by --prompt")
		}
		d.Prompt = args[0]
	}
	if d.Prompt == "-" {
		var err error
		if d.Prompt, err = o.readPrompt(ctx); err != nil {
			return err
		}
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
	if err := o.fillValues(); err != nil {
		return err
	}
	if o.extra == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(o.extra), &d.Extra); err != nil || d.Extra == nil {
		return usage("--extra %q: a JSON object is needed, as '{\"watermark\": false}'", client.CleanLine(o.extra))
	}
	return nil
}

func (o *createOptions) readPrompt(ctx context.Context) (string, error) {
	if o.g.io.TtyIn != nil {
		o.g.io.note("Type the prompt; ctrl+d on a line of its own ends it.\n")
	}
	b, err := await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(o.g.io.In, maxPrompt+1)) })
	if err != nil {
		return "", err
	}
	if len(b) > maxPrompt {
		return "", usage("the prompt on standard input has more than %d bytes", maxPrompt)
	}
	return string(bytes.TrimRight(b, "\r\n")), nil
}

// check ends with usage when a rule forbids the draft, and notes the rest.
func (o *createOptions) check() error {
	if _, ok := o.cat.Model(o.draft.Model); !ok {
		return usage("--model %w", unknownModel(o.cat, o.draft.Model))
	}
	var blocks []string
	for _, p := range o.cat.Check(o.draft) {
		if p.Severity == catalog.Block {
			blocks = append(blocks, "  "+client.CleanLine(p.Message))
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
	desk, err := app.OpenDesk(ctx, gw, app.DeskOptions{Downloads: o.download, AutoDownload: o.download != "", OwnOnly: true, Slow: o.g.slow})
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
	all, err := watch(ctx, o.g.io, desk, ids, o.wait || o.download != "")
	if err != nil {
		return err
	}
	if err := o.g.printJobs(all, len(ids) == 1); err != nil {
		return err
	}
	return outcome(ctx, desk.Engine, all, o.download != "")
}
