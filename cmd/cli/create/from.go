package create

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/intake"
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

// readFrom makes the draft that --from starts from.
func (f *filler) readFrom(ctx context.Context) error {
	if f.from == "" {
		return nil
	}
	if err := noRequest("--from", f.from); err != nil {
		return err
	}
	text, err := f.k.IO.Read(ctx, "--from", f.from, maxBody)
	if err != nil {
		return err
	}
	got, err := f.gw.Intake().Read(string(text), intake.Hint{Modality: f.modality, Model: f.given.Model})
	if err != nil {
		return kit.Usage("--from %s: %s", client.CleanLine(f.from), client.CleanLine(err.Error()))
	}
	if m := got.Draft.Modality; m != f.modality {
		return kit.Usage("--from %s: it is a request for %s: `darkroom create %s --from %s`", client.CleanLine(f.from), m, m, client.CleanLine(f.from))
	}
	if err := f.mayAttach(ctx, "--from", f.from, sendsFiles, got.Files()); err != nil {
		return err
	}
	if got.Secret {
		f.k.IO.Tell("--from: there is a key in it, which is not used: the profile's is")
	}
	for _, n := range got.Notes {
		f.k.IO.Tell("--from: " + n)
	}
	f.draft = got.Draft
	d := got.Draft
	if f.given.Model != "" {
		d.Model = f.given.Model
	}
	if f.format == "" && slices.Contains(f.gw.Ways(d), got.Format) {
		f.format = got.Format
	}
	return nil
}

// noRequest refuses a value that is the request itself and not the name of its file. It does not
// repeat the value, which may hold a key.
func noRequest(flag, file string) error {
	if _, err := os.Stat(file); err == nil || !intake.Looks(file) && !strings.Contains(file, "\n") {
		return nil
	}
	return kit.Usage("%s takes the name of a file, or - for standard input, and not the request itself: pipe it into the command, or put it into a file", flag)
}

// What a request or a table does with files that somebody else may have named.
const (
	sendsFiles   = "sends files on this machine"
	sendsOutside = "sends files from outside its folder"
)

// maxNamed is how many files a question lists by name.
const maxNamed = 10

// mayAttach asks before sending files on this machine that a request or a table names, since somebody
// else may have written it.
func (o *options) mayAttach(ctx context.Context, flag, from, sends string, files []string) error {
	if len(files) == 0 || o.attach || o.dryRun {
		return nil
	}
	said := fmt.Sprintf("%s %s %s: %s", flag, client.CleanLine(from), sends, client.CleanLine(strings.Join(files[:min(len(files), maxNamed)], ", ")))
	if n := len(files) - maxNamed; n > 0 {
		said += fmt.Sprintf(" and %d more", n)
	}
	if from != kit.Stdin && o.k.IO.TtyIn != nil && o.k.IO.TtyErr != nil {
		if sure, err := o.k.IO.Ask(ctx, said+o.k.At()+". Attach them?"); err != nil || sure {
			return err
		}
	}
	return kit.Usage("%s; --attach-files says that this is meant", said)
}
