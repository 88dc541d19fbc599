package setup

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/sandbox"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

type sandboxOptions struct {
	k           *kit.Kit
	addr        string
	dir         string
	timing      string
	seed        int64
	allowRemote bool
	asyncImages bool
	fault       string
	log         bool
}

// NewSandbox makes the command that serves the embedded gateway.
func NewSandbox(k *kit.Kit) *cobra.Command {
	o := &sandboxOptions{k: k}
	cmd := &cobra.Command{
		Use: "sandbox", Short: "serve the embedded gateway to other programs",
		Long: `Serves the embedded gateway over HTTP until it is interrupted. It answers by the rules
of the gateway's interface and makes its media on this machine; nothing is sent anywhere.

The key is taken from ` + config.EnvSandboxKey + `, or made and printed.`,
		Example: `  darkroom sandbox --addr 127.0.0.1:8400
  darkroom sandbox --addr 127.0.0.1:0 --timing instant -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.addr, "addr", "127.0.0.1:8400", "address to listen on")
	f.StringVar(&o.dir, "dir", "", "folder of its tasks and media (default: in memory only)")
	f.StringVar(&o.timing, "timing", string(sandbox.Timings()[0]), "how long tasks take: "+strings.Join(timingNames(), ", "))
	f.Int64Var(&o.seed, "seed", 0, "seed of what requests leave open")
	f.BoolVar(&o.allowRemote, "allow-remote", false, "listen on other addresses than loopback too")
	f.BoolVar(&o.asyncImages, "async-images", false, "answer image requests with a response object")
	f.StringVar(&o.fault, "fault", "", "faults for every request, as \"429 times=2\" (docs/SANDBOX.md)")
	f.BoolVar(&o.log, "log", false, "write a line a request to standard error")
	_ = cmd.MarkFlagDirname("dir")
	_ = cmd.RegisterFlagCompletionFunc("timing", cobra.FixedCompletions(timingNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// served is where a program finds the gateway.
type served struct {
	BaseURL string `json:"base_url"`
	// Key is the one that was made, "" for one that was given: whoever gave it knows it.
	Key string `json:"key,omitempty"`
}

func (o *sandboxOptions) run(ctx context.Context) error {
	s := o.k.IO
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return kit.Usage("--addr %q: give host:port, as 127.0.0.1:8400", o.addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && !o.allowRemote {
		return kit.Usage("--addr %q is not a loopback address: other machines could use it; add --allow-remote to allow that", o.addr)
	}
	if !slices.Contains(timingNames(), o.timing) {
		return kit.Usage("--timing %q: allowed are %s", o.timing, strings.Join(timingNames(), ", "))
	}
	if err := sandbox.CheckFault(o.fault); err != nil {
		return kit.Usage("--fault: %w", err)
	}
	cat, err := o.k.Catalog()
	if err != nil {
		return err
	}
	opts := sandbox.Options{Key: s.Env(config.EnvSandboxKey), Dir: o.dir, Timing: sandbox.Timing(o.timing), Seed: o.seed, AsyncImages: o.asyncImages, Fault: o.fault, Catalog: cat}
	if o.log {
		opts.Logf = func(f string, a ...any) { s.Notef("%s\n", client.CleanLine(fmt.Sprintf(f, a...))) }
	}
	run, err := sandbox.Start(ctx, opts, o.addr)
	if err != nil {
		return err
	}
	at := served{BaseURL: run.URL}
	if opts.Key == "" {
		at.Key = run.Key
	}
	if err := o.announce(at); err != nil {
		_ = run.Close()
		return err
	}
	<-ctx.Done()
	return run.Close()
}

func (o *sandboxOptions) announce(at served) error {
	s := o.k.IO
	if !o.k.Out.Table() {
		if err := o.k.Out.One(at); err != nil {
			return err
		}
	} else {
		s.Printf("%s=%s\n", config.EnvBaseURL, at.BaseURL)
		if at.Key != "" {
			s.Printf("%s=%s\n", config.EnvKey, at.Key)
		}
	}
	s.Notef("serving until interrupted (ctrl+c)\n")
	return nil
}

func timingNames() []string {
	var names []string
	for _, t := range sandbox.Timings() {
		names = append(names, string(t))
	}
	return names
}
