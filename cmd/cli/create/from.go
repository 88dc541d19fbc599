package create

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
)

// fromLong is the paragraph about --from in the help.
const fromLong = `

--from FILE reads a curl command or a JSON request of any format, with any of its names,
back into the fields: flags win over it, what no field covers is sent as it stands, and it
goes through the format that it was written for, unless --format names another. A key in it
is not used and not kept. The output of ` + "`darkroom jobs show ID -o json`" + ` is taken too. With --dry-run it tells the request in other words:
  pbpaste | darkroom create video --from - --dry-run --format content -o curl
--format all, with --dry-run, shows the request through every format that reaches the model.`

// readFrom makes the draft that --from begins with.
func (o *options) readFrom(ctx context.Context, gw *app.Gateway) error {
	if err := noRequest("--from", o.from); err != nil {
		return err
	}
	text, err := o.k.IO.Read(ctx, "--from", o.from, maxBody)
	if err != nil {
		return err
	}
	got, err := gw.Intake().Read(string(text), intake.Hint{Modality: o.modality, Model: o.given.Model})
	if err != nil {
		return kit.Usage("--from %s: %s", client.CleanLine(o.from), client.CleanLine(err.Error()))
	}
	if m := got.Draft.Modality; m != o.modality {
		return kit.Usage("--from %s: it is a request for %s: `darkroom create %s --from %s`", client.CleanLine(o.from), m, m, client.CleanLine(o.from))
	}
	if err := o.mayAttach(ctx, "--from", o.from, sendsFiles, got.Files()); err != nil {
		return err
	}
	if got.Secret {
		o.note("--from: there is a key in it, which is not used: the profile's is")
	}
	for _, n := range got.Notes {
		o.note("--from: " + n)
	}
	o.draft = got.Draft
	d := got.Draft
	if o.given.Model != "" {
		d.Model = o.given.Model
	}
	ways := gw.FormatsFor(d)
	if gw.Catalog.Unlisted(d.Modality, d.Model) {
		ways = gw.FormatsOfKind(d.Modality)
	}
	if o.format == "" && slices.Contains(ways, got.Format) {
		o.format = got.Format
	}
	return nil
}

// noRequest refuses what is the request itself and not the name of its file. It is not repeated:
// it may hold a key.
func noRequest(flag, file string) error {
	if _, err := os.Stat(file); err == nil || !intake.Looks(file) && !strings.Contains(file, "\n") {
		return nil
	}
	return kit.Usage("%s takes the name of a file, or - for standard input, and not the request itself: pipe it into the command, or put it into a file", flag)
}

// What a request or a table does with files that somebody else may have named.
const (
	sendsFiles   = "sends files of this machine"
	sendsOutside = "sends files from outside its folder"
)

// maxNamed is how many files a question names.
const maxNamed = 10

// mayAttach asks before files of this machine are sent because a request or a table names them,
// which somebody else may have written.
func (o *options) mayAttach(ctx context.Context, flag, from, sends string, files []string) error {
	if len(files) == 0 || o.attach || o.dryRun {
		return nil
	}
	said := fmt.Sprintf("%s %s %s: %s", flag, client.CleanLine(from), sends, client.CleanLine(strings.Join(files[:min(len(files), maxNamed)], ", ")))
	if n := len(files) - maxNamed; n > 0 {
		said += fmt.Sprintf(" and %d more", n)
	}
	if from != kit.Stdin && o.k.IO.TtyIn != nil && o.k.IO.TtyErr != nil {
		if sure, err := o.k.IO.Ask(ctx, said+". Attach them?"); err != nil || sure {
			return err
		}
	}
	return kit.Usage("%s; --attach-files says that this is meant", said)
}

// formatAll stands for every format that reaches the model; only to look at.
const formatAll = "all"

// everyFormat is a request through one of the formats, or why it can not go that way.
type everyFormat struct {
	Format string          `json:"format"`
	Error  string          `json:"error,omitempty"`
	Sent   *client.Preview `json:"request,omitempty"`
}

// printEvery prints the request through every format that reaches the model.
func (o *options) printEvery(gw *app.Gateway) error {
	switch {
	case !o.dryRun:
		return kit.Usage("--format all shows the request through every format and sends nothing: add --dry-run")
	case o.k.Out.Format == kit.Curl:
		return kit.Usage("-o curl prints one request: name its format")
	}
	var all []everyFormat
	ways := gw.Reaching(o.draft)
	if o.cat.Unlisted(o.draft.Modality, o.draft.Model) {
		if err := o.try(o.draft.Model); err != nil {
			return err
		}
		ways = gw.FormatsOfKind(o.draft.Modality)
	}
	for _, name := range ways {
		x := everyFormat{Format: name}
		p, err := gw.Client.Preview(o.draft, name)
		if err != nil {
			x.Error = client.CleanLine(err.Error())
		} else {
			x.Sent = &p
		}
		all = append(all, x)
	}
	if len(all) == 0 {
		return kit.Exit(kit.ExitUsage, gw.NoFormat(o.draft))
	}
	if !o.k.Out.Table() {
		return kit.List(o.k.Out, all)
	}
	for i, x := range all {
		if i > 0 {
			o.k.IO.Printf("\n")
		}
		if x.Sent == nil {
			o.k.IO.Printf("# %s: %s\n", x.Format, x.Error)
			continue
		}
		o.k.IO.Printf("# %s\n", client.CleanLine(x.Sent.Label))
		for _, d := range x.Sent.Dropped {
			o.k.IO.Printf("# not carried: %s: %s\n", d.Field, client.CleanLine(d.Reason))
		}
		for _, n := range x.Sent.Notes {
			o.k.IO.Printf("# %s\n", client.CleanLine(n))
		}
		o.k.IO.Printf("%s %s\n%s\n", x.Sent.Method, client.CleanLine(x.Sent.Path), client.Clean(string(x.Sent.Body)))
	}
	return nil
}
