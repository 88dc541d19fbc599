// Package create is the command that creates a video, an image, music, speech or a chat answer.
package create

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
)

type options struct {
	k        *kit.Kit
	modality client.Modality
	cat      *catalog.Catalog

	// given is what the flags of the draft's own fields say; draft is made of it, of the
	// body and of the other flags.
	given    client.Draft
	draft    client.Draft
	format   string
	insist   bool
	live     func() ([]string, error) // the models that the gateway lists
	once     *sync.Once               // for what is said of those lists
	body     string
	from     string
	attach   bool     // files of this machine that from names
	fromJobs []string // jobs whose results it goes on with
	as       string   // and how
	raw      kit.Raw
	many     batch
	wait     bool
	download string
	dryRun   bool
	fields   []*fieldFlag
	// promptFromInput says that standard input was read for the prompt.
	promptFromInput bool
}

// New makes the command; with fields, its flags are drawn from the catalog.
func New(k *kit.Kit, fields bool) *cobra.Command {
	cmd := kit.Parent(&cobra.Command{
		Use: "create", Short: "create a video, an image, music, speech or a chat answer",
		Long: `Creates media and texts with a model of the gateway. The flags of each kind are the
fields of the catalog; ` + "`darkroom models show MODEL`" + ` tells which of them a model takes.`,
		Example: `  darkroom create video --prompt "a red kite over a salt flat" --wait --download .
  darkroom create chat --model MODEL "why do kites fly?"`,
	})
	for _, c := range creations() {
		cmd.AddCommand(newCreateOf(k, fields, c))
	}
	return cmd
}

func newCreateOf(k *kit.Kit, fields bool, c creation) *cobra.Command {
	o := &options{k: k, modality: c.modality}
	cmd := &cobra.Command{
		Use:         string(c.modality) + " [PROMPT]",
		Short:       "create " + c.what,
		Long:        "Creates " + c.what + ": checks the draft by the rules of the catalog, journals it, sends it\nonce, and prints " + c.long + setLong + fromLong + longOf(c.modality) + batchLong,
		Example:     c.example,
		Args:        cobra.MaximumNArgs(1),
		Annotations: map[string]string{kit.TakesCurl: "yes"},
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

// ownFlags are those that are no fields of the catalog.
func (o *options) ownFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	model := "model (default: the catalog's first)"
	if o.modality == client.Chat {
		model = "model, as the gateway's own list names it"
	}
	kit.ModelFlag(cmd, o.k, &o.given.Model, o.modality, model)
	if o.modality == client.Video || o.modality == client.Image {
		f.StringVar(&o.given.ModelName, "model-name", "", "model_name, where the model needs one")
		f.StringVar(&o.given.Mode, "mode", "", "mode, as t2v or i2v")
	}
	f.StringVar(&o.given.Prompt, "prompt", "", "prompt; - reads it from standard input")
	f.StringVar(&o.format, "format", "", "format to send it through (default: the first that the model is reached by); with --dry-run also all")
	switch o.modality {
	case client.Video: // the only one with a reserved format
		f.BoolVar(&o.insist, "insist", false, "send it through a reserved format, or with a model that nobody lists, all the same")
	case client.Chat: // which takes any model
	default:
		f.BoolVar(&o.insist, "insist", false, "send it with a model that nobody lists all the same")
	}
	f.BoolVar(&o.attach, "attach-files", false, "send the files of this machine that the request of --body or --from names, or a table from outside its folder, without asking")
	f.StringVar(&o.body, "body", "", "JSON file to begin with, in the names of any format; - is standard input")
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
	o.cat = gw.Catalog
	o.live, o.once = liveModels(ctx, gw), new(sync.Once)
	if err := o.fill(ctx, args, gw); err != nil {
		return err
	}
	o.plainModel(gw)
	if o.many.save != "" {
		return o.savePreset(gw)
	}
	if o.many.many() {
		return o.batch(ctx, gw)
	}
	o.defaults(&o.draft)
	if o.format == formatAll {
		return o.printEvery(gw)
	}
	if err := o.pickFormat(gw); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	p, err := gw.Client.Preview(o.draft, o.format)
	if err != nil {
		return kit.Exit(kit.ExitUsage, err)
	}
	for _, n := range o.previewNotes(gw, p) {
		o.note(n)
	}
	if o.dryRun {
		return o.printRequest(gw, p)
	}
	if err := gw.CheckKey(); err != nil {
		return err
	}
	return o.submit(ctx, gw, []jobs.Submission{{Draft: o.draft, Format: o.format}})
}

// plainModel puts the catalog's name in the place of the gateway's, where somebody typed that
// one: the catalog knows what the model takes.
func (o *options) plainModel(gw *app.Gateway) {
	name := o.draft.Model
	if _, known := gw.Catalog.Model(name); known {
		return
	}
	if ids := gw.Client.Dialect().CatalogModels(name); len(ids) == 1 {
		o.draft.Model = ids[0]
		o.note(name + " is the gateway's name for " + ids[0])
	}
}

// previewNotes are what there is to say about a request.
func (o *options) previewNotes(gw *app.Gateway, p client.Preview) []string {
	var out []string
	for _, d := range p.Dropped {
		out = append(out, fmt.Sprintf("%s is not sent through %s: %s", d.Field, p.Label, d.Reason))
	}
	if f, _ := gw.Client.Format(o.format); isReserved(f) && o.insist {
		out = append(out, "--insist: sent through "+p.Label+", which serves no real calls")
	} else {
		out = append(out, p.Notes...)
	}
	if large := o.inlinedNote(); large != "" {
		out = append(out, large)
	}
	return out
}

func (o *options) note(text string) { o.k.IO.Notef("darkroom: %s\n", client.CleanLine(text)) }

// printRequest is what --dry-run prints.
func (o *options) printRequest(gw *app.Gateway, p client.Preview) error {
	if o.jobIDIsSent(gw) {
		o.note("sent for real it also has " + client.FieldExternalTaskID + ", the id of the job, which there is none of yet")
	}
	switch {
	case o.k.Out.Format == kit.Curl:
		text, err := gw.Client.Curl(o.draft, o.format)
		if err != nil {
			return kit.Exit(kit.ExitUsage, err)
		}
		if gw.Sandbox != nil {
			o.note("the embedded gateway of this command ends with it: `darkroom sandbox` runs one that stays")
		}
		return o.k.IO.Raw([]byte(text))
	case !o.k.Out.Table():
		return o.k.Out.One(p)
	}
	o.k.IO.Printf("%s %s\n%s\n", p.Method, client.CleanLine(p.Path), client.Clean(string(p.Body)))
	return nil
}

// jobIDIsSent reports whether the create will carry the id that the job gets.
func (o *options) jobIDIsSent(gw *app.Gateway) bool {
	_, set := o.draft.Values[client.FieldExternalTaskID]
	_, raw := o.draft.Extra[client.FieldExternalTaskID]
	return !set && !raw && gw.CarriesExternalID(o.format)
}

// check ends with usage when a rule forbids the draft in its format, and notes the rest.
func (o *options) check() error {
	var blocks []string
	for _, p := range o.cat.CheckTried(o.draft, o.format) {
		switch {
		case p.Severity == catalog.Block:
			blocks = append(blocks, "  "+client.CleanLine(p.Message))
		case p.Field == "format": // the preview's notes say it of this very gateway
		default:
			o.note(p.Message)
		}
	}
	if len(blocks) > 0 {
		return kit.Usage("nothing was sent, because:\n%s", strings.Join(blocks, "\n"))
	}
	return nil
}

func (o *options) submit(ctx context.Context, gw *app.Gateway, subs []jobs.Submission) error {
	desk, err := o.k.OpenDesk(ctx, gw, app.DeskOptions{Downloads: o.download, AutoDownload: o.download != "" || gw.Config.AutoDownload, OwnOnly: true})
	if err != nil {
		return err
	}
	err = o.follow(ctx, desk, subs)
	return errors.Join(err, desk.Close())
}

func (o *options) follow(ctx context.Context, desk *app.Desk, subs []jobs.Submission) error {
	ids, err := desk.Engine.Submit(ctx, subs)
	if err != nil {
		return err
	}
	all, err := follow.Watch(ctx, o.k, desk, ids, o.wait || o.download != "")
	if err == nil {
		err = o.saved(ctx, desk, all)
	}
	if err != nil {
		return err
	}
	follow.Warnings(o.k, all)
	if o.modality == client.Chat {
		err = o.printAnswers(ctx, desk, all)
	} else {
		err = follow.Print(ctx, o.k, desk.Engine, all, !o.many.many())
	}
	if err != nil {
		return err
	}
	return errors.Join(follow.Outcome(ctx, desk.Engine, all, o.download != ""), follow.HeldError(ctx, o.k, desk, follow.WhatUnsent, follow.Unsent(all)))
}

// saved waits for files of results that were the answer: they are not left at the gateway.
func (o *options) saved(ctx context.Context, desk *app.Desk, all []jobs.Job) error {
	var ids []string
	at := map[string]int{}
	for i, j := range all {
		if jobs.TransferOf(j.Files).Left > 0 {
			ids = append(ids, j.ID)
			at[j.ID] = i
		}
	}
	if len(ids) == 0 {
		return nil
	}
	ended, err := follow.Watch(ctx, o.k, desk, ids, true)
	for _, j := range ended {
		if i, ok := at[j.ID]; ok {
			all[i] = j
		}
	}
	return err
}
