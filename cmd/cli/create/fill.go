package create

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
)

// filler makes a command's draft: what it starts from (a preset, a body, a request, other jobs), with
// the flags on top. It sends nothing.
type filler struct {
	*options
	gw    *app.Gateway
	given client.Draft // by the flags, the argument and the input
	start
}

// start is what a command starts from: a draft without its defaults, and what came with it.
type start struct {
	draft    client.Draft
	format   string            // to send it through; "" for the first that reaches the model
	mode     expand.Mode       // how its prompt expands to many
	vars     map[string]string // of the preset
	prompted bool              // the prompt was given separately
	input    bool              // standard input was read for the draft
}

// fill makes the draft from the body, the flags, the argument and the input.
func (f *filler) fill(ctx context.Context, args []string) (start, error) {
	if f.from != "" && f.body != "" {
		return start{}, kit.Usage("--from and --body both say what to begin with: give one of them")
	}
	f.start = start{draft: client.Draft{Modality: f.modality}, format: f.through, mode: f.many.mode(),
		input: f.body == kit.Stdin || f.from == kit.Stdin}
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return f.fillPrompt(ctx, args) },
		f.fillPreset, f.readBody, f.readFrom, f.readJobs, f.fillFields, f.additions,
	} {
		if err := step(ctx); err != nil {
			return start{}, err
		}
	}
	f.prompted = f.given.Prompt != ""
	return f.start, nil
}

// fillFields puts the flags of the draft's fields over what it starts from.
func (f *filler) fillFields(context.Context) error {
	d := &f.draft
	d.Model, d.ModelName = cmp.Or(f.given.Model, d.Model), cmp.Or(f.given.ModelName, d.ModelName)
	d.Mode, d.Prompt = cmp.Or(f.given.Mode, d.Mode), cmp.Or(f.given.Prompt, d.Prompt)
	if err := checkText(d.Prompt); err != nil {
		return err
	}
	if d.Values == nil {
		d.Values = client.Values{}
	}
	var problems []error
	for _, flag := range f.fields {
		if len(flag.text) == 0 {
			continue
		}
		v, err := flag.value()
		if err != nil {
			problems = append(problems, err)
			continue
		}
		d.Values[flag.field.Name] = v
	}
	return refusedValues(problems)
}

// additions puts --extra and --set over the rest of the body.
func (f *filler) additions(context.Context) error {
	raw, err := f.raw.Members(`{"watermark": false}`)
	if err != nil || len(raw) == 0 {
		return err
	}
	if f.draft.Extra == nil {
		f.draft.Extra = map[string]json.RawMessage{}
	}
	maps.Copy(f.draft.Extra, raw)
	return nil
}

// fillPrompt takes the prompt from the argument or the input.
func (f *filler) fillPrompt(ctx context.Context, args []string) error {
	if len(args) == 1 {
		if f.given.Prompt != "" {
			return kit.Usage("the prompt is given twice: as an argument and by --prompt")
		}
		f.given.Prompt = args[0]
	}
	if f.given.Prompt != kit.Stdin {
		return checkText(f.given.Prompt)
	}
	if f.input {
		return kit.Usage("standard input is asked for twice: for the prompt and by --body or --from")
	}
	f.input = true
	var err error
	if f.given.Prompt, err = readPrompt(ctx, f.k.IO); err != nil {
		return err
	}
	return checkText(f.given.Prompt)
}

// defaults sets the model of a draft without one, and what the model's only mode needs.
func defaults(cat *catalog.Catalog, d *client.Draft) {
	def := cat.Default(d.Modality)
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

func readPrompt(ctx context.Context, in *kit.IO) (string, error) {
	if in.TtyIn != nil {
		in.Notef("Type the prompt; end it with ctrl+d on a line of its own.\n")
	}
	b, err := kit.Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(in.In, client.MaxPrompt+1)) })
	if err != nil {
		return "", err
	}
	if len(b) > client.MaxPrompt {
		return "", kit.Usage("the prompt on standard input has more than %d bytes", client.MaxPrompt)
	}
	return string(bytes.TrimRight(b, "\r\n")), nil
}

// checkText refuses what JSON could not carry unchanged, and what is too long to be meant.
func checkText(prompt string) error {
	if !utf8.ValidString(prompt) {
		return kit.Usage("the prompt is not text (it is not UTF-8)")
	}
	return kit.UsageOf(client.CheckPrompt(prompt))
}

// fillPreset makes the draft that --preset starts from.
func (f *filler) fillPreset(context.Context) error {
	if f.many.preset == "" {
		return nil
	}
	if f.body != "" || f.from != "" {
		return kit.Usage("--preset and --body or --from both say what to begin with: give one of them")
	}
	folders, err := f.k.Folders()
	if err != nil {
		return err
	}
	p, err := folders.Preset(f.many.preset, f.gw.Catalog)
	if err != nil {
		return kit.PresetError("--preset", err)
	}
	if f.draft, err = folders.Draft(p, f.modality, f.gw.Catalog); err != nil {
		return kit.Usage("--preset: %w", err)
	}
	f.vars = p.Variables
	switch {
	case f.many.given("expand"):
	case p.Project && p.Expand != expand.AsIs: // somebody else's word alone makes no batch
		return kit.Usage("preset %s is the project's, and its prompt is a template that makes many jobs: --expand=%s makes them, --expand=off sends the prompt as it is", p.Name, p.Expand)
	default:
		f.mode = p.Expand
	}
	if p.Project {
		f.k.IO.Tell("preset " + p.Name + " is the project's, " + p.Path + kit.Hides(p))
	}
	return nil
}

// savePreset saves the draft as a preset, and sends nothing.
func (o *options) savePreset(gw *app.Gateway, s start) error {
	if o.many.file != "" {
		return kit.Usage("--save-preset keeps one draft: leave out --batch")
	}
	vars, err := o.many.variables(s.vars)
	if err != nil {
		return err
	}
	p := expand.Preset{Name: o.many.save, Expand: s.mode, Variables: vars, Draft: s.draft}
	if len(vars) == 0 {
		p.Variables = nil
	}
	return kit.SavePreset(o.k, p, gw.Config, false, false)
}
