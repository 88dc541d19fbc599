package create

import (
	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
)

// printRequest prints the request for --dry-run.
func printRequest(k *kit.Kit, gw *app.Gateway, d client.Draft, v verdict) error {
	if jobIDIsSent(gw, d, v.format) {
		k.IO.Tell("sent for real it also has " + client.FieldExternalTaskID + ", the id of the job, which there is none of yet")
	}
	p := v.request
	switch {
	case k.Out.Format == kit.Curl:
		text, err := gw.Client.Curl(d, v.format)
		if err != nil {
			return kit.Exit(kit.ExitUsage, err)
		}
		if gw.Sandbox != nil {
			k.IO.Tell("the embedded gateway of this command ends with it: `darkroom sandbox` runs one that stays")
		}
		return k.IO.Raw([]byte(text))
	case !k.Out.Table():
		return k.Out.One(p)
	}
	printBody(k, p)
	return nil
}

func printBody(k *kit.Kit, p client.Preview) {
	k.IO.Printf("%s %s\n%s\n", p.Method, client.CleanLine(p.Path), client.Clean(string(p.Body)))
}

// jobIDIsSent reports whether the create will carry the job's id.
func jobIDIsSent(gw *app.Gateway, d client.Draft, format string) bool {
	_, set := d.Values[client.FieldExternalTaskID]
	_, raw := d.Extra[client.FieldExternalTaskID]
	return !set && !raw && gw.CarriesExternalID(format)
}

// formatAll stands for every format that reaches the model; for looking only.
const formatAll = "all"

// everyFormat is the request in one format, or why it cannot be sent in that format.
type everyFormat struct {
	Format string          `json:"format"`
	Error  string          `json:"error,omitempty"`
	Sent   *client.Preview `json:"request,omitempty"`
}

// printEvery prints the request in every format that reaches the model.
func (j *judge) printEvery(d client.Draft) error {
	k, gw := j.k, j.gw
	switch {
	case !j.dryRun:
		return kit.Usage("--format all shows the request through every format and sends nothing: add --dry-run")
	case k.Out.Format == kit.Curl:
		return kit.Usage("-o curl prints one request: name its format")
	}
	reaching, _, err := j.ways(d)
	if err != nil {
		return err
	}
	var all []everyFormat
	for _, name := range reaching {
		x := everyFormat{Format: name}
		p, err := gw.Client.Preview(d, name)
		if err != nil {
			x.Error = client.CleanLine(err.Error())
		} else {
			x.Sent = &p
		}
		all = append(all, x)
	}
	if len(all) == 0 {
		return kit.Exit(kit.ExitUsage, gw.NoFormat(d))
	}
	if !k.Out.Table() {
		return kit.List(k.Out, all)
	}
	for i, x := range all {
		if i > 0 {
			k.IO.Printf("\n")
		}
		if x.Sent == nil {
			k.IO.Printf("# %s: %s\n", x.Format, x.Error)
			continue
		}
		k.IO.Printf("# %s\n", client.CleanLine(x.Sent.Label))
		for _, d := range x.Sent.Dropped {
			k.IO.Printf("# not carried: %s: %s\n", d.Field, client.CleanLine(d.Reason))
		}
		for _, n := range x.Sent.Notes {
			k.IO.Printf("# %s\n", client.CleanLine(n))
		}
		printBody(k, *x.Sent)
	}
	return nil
}
