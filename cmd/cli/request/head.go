package request

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
)

// headView is what a server says of an address, as -o json prints it.
type headView struct {
	URL       string   `json:"url"`
	Status    int      `json:"status,omitempty"`
	MediaType string   `json:"media_type,omitempty"`
	Bytes     *int64   `json:"bytes,omitempty"` // left out when the server does not tell
	Hops      []string `json:"hops,omitempty"`  // where redirects led, query values elided
	TookMS    int64    `json:"took_ms,omitempty"`
	Error     string   `json:"error,omitempty"` // why no answer came

	said string
}

// NewHead makes the command that asks what lies behind URLs.
func NewHead(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "head URL...", Short: "check the URLs you want to use as references",
		Long: `Asks the servers of URLs for the head of each (HEAD): status, type, length, and where
redirects lead. Nothing is fetched, and the key is not sent, not even to the gateway itself. In
the console, Compose asks the same of the references of a form.

The exit code is 1 when one of them did not answer with a status of 200 to 299.`,
		Example:           "  darkroom head https://example.com/kite.png\n  darkroom head https://example.com/a.png https://example.com/b.mp4 -o ndjson",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, urls []string) error { return heads(cmd.Context(), k, urls) },
	}
}

func heads(ctx context.Context, k *kit.Kit, urls []string) error {
	gw, err := k.Gateway(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	out, bad := make([]headView, len(urls)), 0
	for i, u := range urls {
		h, err := gw.Client.Head(ctx, strings.TrimSpace(u))
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		out[i] = viewOfHead(u, h, err)
		if err != nil || h.StatusCode < 200 || h.StatusCode > 299 {
			bad++
		}
	}
	if err := printHeads(k, out); err != nil {
		return err
	}
	if bad > 0 {
		return kit.Exit(kit.ExitFailed, fmt.Errorf("%d of %d did not answer with what could be a reference", bad, len(urls)))
	}
	return nil
}

func viewOfHead(u string, h client.Head, err error) headView {
	v := headView{URL: client.CleanLine(u), Hops: h.Hops}
	if err != nil {
		v.Error = client.CleanLine(err.Error())
		return v
	}
	v.Status, v.said, v.MediaType, v.TookMS = h.StatusCode, h.Status(), h.MediaType, h.Took.Milliseconds()
	if h.Bytes >= 0 {
		v.Bytes = &h.Bytes
	}
	return v
}

func printHeads(k *kit.Kit, all []headView) error {
	if !k.Out.Table() {
		return kit.List(k.Out, all)
	}
	cells := make([][]string, len(all))
	for i, v := range all {
		length := ""
		if v.Bytes != nil {
			length = human.Bytes(*v.Bytes)
		}
		where := v.URL
		if n := len(v.Hops); n > 0 {
			where += " → " + v.Hops[n-1]
		}
		cells[i] = []string{v.said, v.MediaType, length, where}
		if v.Error != "" {
			cells[i][0] = "no answer"
			k.IO.Notef("darkroom: %s\n", v.Error)
		}
	}
	return kit.Rows(k.IO.Out, []string{"STATUS", "TYPE", "LENGTH", "URL"}, cells)
}
