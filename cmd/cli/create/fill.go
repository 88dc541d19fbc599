package create

import (
	"bytes"
	"context"
	"io"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
)

// fill makes the draft of body, flags, argument and input.
func (o *options) fill(ctx context.Context, args []string, gw *app.Gateway) error {
	if o.from != "" && o.body != "" {
		return kit.Usage("--from and --body both say what to begin with: give one of them")
	}
	o.draft = client.Draft{Modality: o.modality}
	if err := o.fillPrompt(ctx, args); err != nil {
		return err
	}
	if err := o.fillPreset(); err != nil {
		return err
	}
	if o.body != "" {
		if err := o.readBody(ctx, gw.Client.Formats()); err != nil {
			return err
		}
	}
	if o.from != "" {
		if err := o.readFrom(ctx, gw); err != nil {
			return err
		}
	}
	switch {
	case len(o.fromJobs) == 0 && o.many.given("as"):
		return kit.Usage("--as says what the result of --from-job is used for, which is missing; name a job with it")
	case len(o.fromJobs) > 0:
		if err := o.readJobs(ctx, gw); err != nil {
			return err
		}
	}
	d := &o.draft
	for _, x := range []struct {
		to   *string
		flag string
	}{{&d.Model, o.given.Model}, {&d.ModelName, o.given.ModelName}, {&d.Mode, o.given.Mode}, {&d.Prompt, o.given.Prompt}} {
		if x.flag != "" {
			*x.to = x.flag
		}
	}
	if err := checkText(d.Prompt); err != nil {
		return err
	}
	if err := o.fillValues(); err != nil {
		return err
	}
	return o.additions()
}

// fillPrompt takes the prompt from the argument or the input.
func (o *options) fillPrompt(ctx context.Context, args []string) error {
	if len(args) == 1 {
		if o.given.Prompt != "" {
			return kit.Usage("the prompt is given twice: as an argument and by --prompt")
		}
		o.given.Prompt = args[0]
	}
	if o.given.Prompt != "-" {
		return checkText(o.given.Prompt)
	}
	if o.body == "-" || o.from == "-" {
		return kit.Usage("standard input is asked for twice: for the prompt and by --body or --from")
	}
	o.promptFromInput = true
	var err error
	if o.given.Prompt, err = o.readPrompt(ctx); err != nil {
		return err
	}
	return checkText(o.given.Prompt)
}

// defaults names the model of a draft where nobody did, and what its only mode needs.
func (o *options) defaults(d *client.Draft) {
	def := o.cat.Default(o.modality)
	if d.Model == "" {
		d.Model = def.Model
		if d.Mode == "" {
			d.Mode = def.Mode
		}
		if d.ModelName == "" {
			d.ModelName = def.ModelName
		}
	}
	if d.Model != def.Model || d.Mode != def.Mode {
		return
	}
	for _, name := range def.Values.Names() {
		if _, set := d.Values[name]; set {
			continue
		}
		if d.Values == nil {
			d.Values = client.Values{}
		}
		d.Values[name] = def.Values[name]
	}
}

func (o *options) readPrompt(ctx context.Context) (string, error) {
	if o.k.IO.TtyIn != nil {
		o.k.IO.Notef("Type the prompt; ctrl+d on a line of its own ends it.\n")
	}
	b, err := kit.Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(o.k.IO.In, client.MaxPrompt+1)) })
	if err != nil {
		return "", err
	}
	if len(b) > client.MaxPrompt {
		return "", kit.Usage("the prompt on standard input has more than %d bytes", client.MaxPrompt)
	}
	return string(bytes.TrimRight(b, "\r\n")), nil
}

// checkText refuses what JSON could only carry changed, and what is too long to be meant.
func checkText(prompt string) error {
	if !utf8.ValidString(prompt) {
		return kit.Usage("the prompt is no text (it is not UTF-8)")
	}
	return kit.UsageOf(client.CheckPrompt(prompt))
}
