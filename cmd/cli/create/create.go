// Package create is the command that creates a video, an image, music, speech or a chat answer.
package create

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// options are a command's flags; they do not change once parsed.
type options struct {
	k        *kit.Kit
	modality client.Modality
	given    client.Draft // from the flags of the draft's own fields
	fields   []*fieldFlag
	through  string // a format of the gateway
	insist   bool
	body     string
	from     string
	attach   bool     // files on this machine that from names
	fromJobs []string // jobs whose results it continues from
	as       string   // and how
	raw      kit.Raw
	many     batch
	wait     bool
	download string
	dryRun   bool
}

// New makes the command; if fields is set, its flags come from the catalog.
func New(k *kit.Kit, fields bool) *cobra.Command {
	cmd := kit.Parent(&cobra.Command{
		Use: "create", Short: "create a video, an image, music, speech or a chat answer",
		Long: `Creates media and texts with a model of the gateway. Each kind has the fields of the
catalog as its flags; ` + "`darkroom models show MODEL`" + ` lists those of a model.`,
		Example: `  darkroom create video --prompt "a red kite over a salt flat" --wait --download .
  darkroom create chat --model MODEL "why do kites fly?"`,
	})
	for _, c := range creations() {
		cmd.AddCommand(newOf(k, fields, c))
	}
	return cmd
}

func newOf(k *kit.Kit, fields bool, c creation) *cobra.Command {
	o := &options{k: k, modality: c.modality}
	cmd := &cobra.Command{
		Use:         string(c.modality) + " [PROMPT]",
		Short:       "create " + c.what,
		Long:        "Creates " + c.what + ": checks the draft by the rules of the catalog, journals it, sends it\nonce, and prints " + c.long + setLong + fromLong + longOf(c.modality) + batchLong,
		Example:     c.example,
		Args:        cobra.MaximumNArgs(1),
		Annotations: kit.Takes(kit.Curl),
		RunE:        func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
		// The prompt is free text, so there is nothing to complete.
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	o.ownFlags(cmd)
	o.complete(cmd)
	if fields {
		o.addFieldFlags(cmd)
	}
	return cmd
}

// ownFlags declares the flags that are not fields of the catalog.
func (o *options) ownFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	model := "model (default: the catalog's first)"
	if o.modality == client.Chat {
		model = "model, by its name in the gateway's own list"
	}
	kit.ModelFlag(cmd, o.k, &o.given.Model, o.modality, model)
	if o.modality == client.Video || o.modality == client.Image {
		f.StringVar(&o.given.ModelName, "model-name", "", "model_name, where the model needs one")
		f.StringVar(&o.given.Mode, "mode", "", "mode, such as t2v or i2v")
	}
	f.StringVar(&o.given.Prompt, "prompt", "", "prompt; - reads it from standard input")
	f.StringVar(&o.through, "format", "", "format to send it through (default: the first that the model is reached by); with --dry-run also all")
	switch o.modality {
	case client.Video: // the only one with a reserved format
		f.BoolVar(&o.insist, "insist", false, "send it even through a reserved format, or with a model that nobody lists")
	case client.Chat: // which takes any model
	default:
		f.BoolVar(&o.insist, "insist", false, "send it even with a model that nobody lists")
	}
	f.BoolVar(&o.attach, "attach-files", false, "send the files on this machine that the request of --body or --from names, or a table from outside its folder, without asking")
	f.StringVar(&o.body, "body", "", "JSON file to start from, in the names of any format; - is standard input")
	f.StringVar(&o.from, "from", "", "file with a curl command or a JSON request to fill the fields from; - is standard input")
	o.chainFlags(cmd)
	o.raw.Flags(cmd, "JSON object that is sent on top, as it is", "PLACE=VALUE or PLACE:=JSON, put into the body as it is, as parameters.seed=7")
	o.many.addFlags(cmd)
	f.BoolVar(&o.dryRun, "dry-run", false, "print the request that would be sent, and send nothing")
	if o.modality != client.Chat { // whose answer is the result
		f.BoolVar(&o.wait, "wait", false, "follow the task to its end")
		f.StringVar(&o.download, "download", "", "save the results into this folder (implies --wait)")
		_ = cmd.MarkFlagDirname("download")
	}
}

func (o *options) run(ctx context.Context, args []string) error {
	if err := o.many.check(args); err != nil {
		return err
	}
	if o.k.Out.Format == kit.Curl && !o.dryRun {
		return kit.Usage("-o curl prints the request as a command and sends nothing: add --dry-run")
	}
	gw, err := o.k.OpenGateway(ctx, o.insist)
	if err != nil {
		return err
	}
	defer gw.Close()
	s, err := (&filler{options: o, gw: gw, given: o.given}).fill(ctx, args)
	if err != nil {
		return err
	}
	o.plainModel(gw, &s.draft)
	if o.many.save != "" {
		return o.savePreset(gw, s)
	}
	j := &judge{k: o.k, gw: gw, format: s.format, insist: o.insist, dryRun: o.dryRun, listed: liveModels(ctx, gw)}
	send := &sender{k: o.k, wait: o.wait, download: o.download, answers: o.modality == client.Chat, single: !o.many.many(s.mode)}
	if !send.single {
		p := planner{options: o, start: s, judge: j}
		return p.batch(ctx, send)
	}
	defaults(gw.Catalog, &s.draft)
	if s.format == formatAll {
		return j.printEvery(s.draft)
	}
	v, err := j.of(s.draft)
	for _, n := range v.Remarks {
		o.k.IO.Tell(n)
	}
	switch {
	case err != nil:
		return err
	case len(v.Blocks) > 0:
		return kit.Usage("nothing was sent, because:\n  %s", strings.Join(v.Blocks, "\n  "))
	case o.dryRun:
		return printRequest(o.k, gw, s.draft, v)
	}
	if err := gw.MayCreate(); err != nil {
		return err
	}
	return send.send(ctx, gw, []jobs.Submission{{Draft: s.draft, Format: v.format}})
}

// plainModel replaces the gateway's name of a model, if somebody typed that, by the catalog's: the
// catalog knows what the model takes.
func (o *options) plainModel(gw *app.Gateway, d *client.Draft) {
	if _, known := gw.Catalog.Model(d.Model); known {
		return
	}
	if ids := gw.Client.Dialect().CatalogModels(d.Model); len(ids) == 1 {
		o.k.IO.Tell(d.Model + " is the gateway's name for " + ids[0])
		d.Model = ids[0]
	}
}
