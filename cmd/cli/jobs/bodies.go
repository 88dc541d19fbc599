package jobs

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/bodies"
)

// bodyOptions are the flags of `jobs bodies`.
type bodyOptions struct {
	k     *kit.Kit
	jq    kit.JQ
	raw   bool
	times kit.Choice
}

func newBodies(k *kit.Kit) *cobra.Command {
	o := &bodyOptions{k: k}
	cmd := &cobra.Command{Use: "bodies JOB [BODY [OTHER]]", Short: "list the bodies kept for a job, print one, or say what changed", Args: cobra.RangeArgs(1, 3),
		Long: `Lists the request and the answers that the history has kept of a job, each once, oldest first. With
the number of one it is printed, or what a jq filter makes of it; with two, what changed from the
first to the second. Nothing is asked of the gateway; ` + "`darkroom inspect --diff`" + ` does that.`,
		Example:           "  darkroom jobs bodies 3f9a1c22\n  darkroom jobs bodies 3f9a1c22 5 --jq .video_url\n  darkroom jobs bodies 3f9a1c22 2 5",
		ValidArgsFunction: k.CompleteOne(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.times.Check(); err != nil {
				return err
			}
			if len(args) != 2 && (o.raw || o.jq.Given()) {
				return kit.Usage("--raw and --jq are for one body: give its number, as `darkroom jobs bodies %s` lists it", client.CleanLine(args[0]))
			}
			return k.OfJob(cmd.Context(), args[0], func(r *jobs.Engine, j jobs.Job) error {
				rec, err := r.Record(cmd.Context(), j.ID)
				if err != nil {
					return err
				}
				return o.run(cmd.Context(), bodies.Of(&rec), args[1:])
			})
		}}
	cmd.Flags().Var(&o.jq, "jq", "print what this filter in the language of jq makes of the body")
	cmd.Flags().BoolVar(&o.raw, "raw", false, "print the body byte for byte as it was kept")
	o.times.Times(cmd)
	cmd.MarkFlagsMutuallyExclusive("jq", "raw")
	return cmd
}

// bodyOut is a body in output for machines.
type bodyOut struct {
	bodies.Body
	Content any `json:"body"`
}

func (o *bodyOptions) run(ctx context.Context, all []bodies.Body, names []string) error {
	var picked []bodies.Body
	for _, n := range names {
		b, err := bodies.Pick(all, n)
		if err != nil {
			return kit.NotFound("%w", err)
		}
		picked = append(picked, b)
	}
	switch {
	case len(picked) == 0:
		return o.list(all)
	case len(picked) == 2:
		return o.k.Changes(&picked[0], &picked[1])
	case o.jq.Given():
		return o.jq.Print(ctx, o.k, &picked[0])
	case o.raw:
		return o.k.IO.Raw(bytes.TrimRight(picked[0].Body, "\n"))
	case !o.k.Out.Table():
		return o.k.Out.One(bodyOut{picked[0], kit.Body(picked[0].Body)})
	}
	o.k.IO.Printf("%s\n", kit.Readable(picked[0].Body))
	return nil
}

func (o *bodyOptions) list(all []bodies.Body) error {
	if !o.k.Out.Table() {
		return kit.List(o.k.Out, all)
	}
	if len(all) == 0 {
		o.k.IO.Printf("no body was kept of this job\n")
		return nil
	}
	var cells [][]string
	clock := o.times.Clock()
	for _, b := range all {
		http := ""
		if b.HTTP != 0 {
			http = fmt.Sprint(b.HTTP)
		}
		cells = append(cells, []string{b.Name, clock.Exact(b.At), b.What, http, b.Status, human.Bytes(int64(b.Bytes))})
	}
	return kit.Rows(o.k.IO.Out, []string{"BODY", "AT", "WHAT", "HTTP", "RAW", "SIZE"}, cells)
}

func newRequest(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "request JOB", Short: "print the request that was sent for a job: address, header, body, curl", Args: cobra.ExactArgs(1),
		Long: `Prints the create of a job as it was sent: method, address, header with a variable in place of the
key, and the body. -o curl prints a command that sends the same bytes once more, which is another
create; there is none where the history did not keep the bytes of a file.`,
		Example:           "  darkroom jobs request 3f9a1c22\n  darkroom jobs request 3f9a1c22 -o curl",
		Annotations:       kit.Takes(kit.Curl),
		ValidArgsFunction: k.CompleteOne(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return k.OfJob(cmd.Context(), args[0], func(r *jobs.Engine, j jobs.Job) error {
				return printRequest(cmd.Context(), k, r, j)
			})
		}}
}

// requestOut is a request in output for machines.
type requestOut struct {
	bodies.Request
	Content any `json:"body"`
}

func printRequest(ctx context.Context, k *kit.Kit, r *jobs.Engine, j jobs.Job) error {
	gw, err := k.Gateway(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	if own := gw.Config.Profile.Name; j.Profile != own {
		return kit.Usage("job %s is of the profile %s, and %s is in use: add --profile %s", jobs.ShortID(j.ID), j.Profile, own, j.Profile)
	}
	d, err := r.Detail(ctx, j.ID)
	if err != nil {
		return err
	}
	req, err := bodies.Sent(gw.Client, &d)
	if err != nil {
		return kit.NotFound("job %s: %w", jobs.ShortID(j.ID), err)
	}
	if gw.Sandbox != nil {
		req.Notes = append(req.Notes, "the embedded gateway has another address each time it starts: `darkroom sandbox` runs one that stays")
	}
	switch {
	case k.Out.Format == kit.Curl:
		text, err := req.Curl()
		if err != nil {
			return err
		}
		tell(k, req.Notes)
		return k.IO.Raw([]byte(text))
	case !k.Out.Table():
		return k.Out.One(requestOut{req, kit.Body(req.Body)})
	}
	k.IO.Printf("%s %s\n", req.Method, client.CleanLine(req.URL))
	for _, h := range req.Header {
		k.IO.Printf("%s\n", client.CleanLine(h))
	}
	k.IO.Printf("\n%s\n", kit.Pretty(req.Body))
	tell(k, req.Notes)
	return nil
}

func tell(k *kit.Kit, notes []string) {
	for _, n := range notes {
		k.IO.Tell(n)
	}
}
