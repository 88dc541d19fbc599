package cli

import (
	"context"
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"darkroom/client/sandbox"
	"darkroom/cmd/app"
	"darkroom/cmd/config"
)

type sandboxOptions struct {
	g           *globals
	addr        string
	dir         string
	timing      string
	seed        int64
	allowRemote bool
	asyncImages bool
	log         bool
}

func newSandbox(g *globals) *cobra.Command {
	o := &sandboxOptions{g: g}
	cmd := &cobra.Command{
		Use: "sandbox", Short: "serve the embedded gateway to other programs",
		Long: `Serves the embedded gateway over HTTP until it is interrupted. It answers by the rules
of the gateway's interface and makes its media on this machine; nothing is sent anywhere.

The key is taken from ` + config.EnvSandboxKey + `, or made and printed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.addr, "addr", "127.0.0.1:8400", "address to listen on")
	f.StringVar(&o.dir, "dir", "", "folder of its tasks and media (default: in memory only)")
	f.StringVar(&o.timing, "timing", "fast", "how long tasks take: instant, fast or real")
	f.Int64Var(&o.seed, "seed", 0, "seed of what requests leave open")
	f.BoolVar(&o.allowRemote, "allow-remote", false, "listen on other addresses than loopback too")
	f.BoolVar(&o.asyncImages, "async-images", false, "answer image requests with a response object")
	f.BoolVar(&o.log, "log", false, "write a line a request to standard error")
	return cmd
}

func (o *sandboxOptions) run(ctx context.Context) error {
	s := o.g.io
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return usage("--addr %s: host:port is needed, as 127.0.0.1:8400", o.addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && !o.allowRemote {
		return usage("--addr %s is not a loopback address: other machines could use it; add --allow-remote to allow that", o.addr)
	}
	speed, err := timing(o.timing)
	if err != nil {
		return &exitError{ExitUsage, err}
	}
	cat, err := app.LoadCatalog(s.Paths.Catalog)
	if err != nil {
		return err
	}
	opts := sandbox.Options{Key: s.Env(config.EnvSandboxKey), Dir: o.dir, Timing: speed, Seed: o.seed, AsyncImages: o.asyncImages, Catalog: cat}
	if o.log {
		opts.Logf = func(f string, a ...any) { s.note(f+"\n", a...) }
	}
	run, err := sandbox.Start(ctx, opts, o.addr)
	if err != nil {
		return err
	}
	defer func() { _ = run.Close() }()
	s.printf("%s=%s\n", config.EnvBaseURL, run.URL)
	if s.Env(config.EnvSandboxKey) == "" {
		s.printf("%s=%s\n", config.EnvKey, run.Key)
	}
	s.note("serving until interrupted (Ctrl-C)\n")
	<-ctx.Done()
	return nil
}

func timing(name string) (sandbox.Timing, error) {
	for _, t := range sandbox.Timings() {
		if string(t) == name {
			return t, nil
		}
	}
	return "", fmt.Errorf("--timing %q: allowed are %v", name, sandbox.Timings())
}
