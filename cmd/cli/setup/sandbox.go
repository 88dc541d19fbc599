package setup

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/sandbox"
	"darkroom/client/sandbox/access"
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
	owners      []string
	log         bool
}

// NewSandbox makes the command that serves the embedded gateway.
func NewSandbox(k *kit.Kit) *cobra.Command {
	o := &sandboxOptions{k: k}
	cmd := &cobra.Command{
		Use: "sandbox", Short: "serve the embedded gateway to other programs",
		Long: `Serves the embedded gateway over HTTP until it is interrupted. It answers by the rules
of the gateway's interface and makes its media on this machine; nothing is sent anywhere.

The key is taken from ` + config.EnvSandboxKey + `, or made and printed. With --owners each owner
has a further key, from ` + config.EnvSandboxKey + `_NAME or made, and sees the tasks alone that
were created with it.

--fault takes rules as "NAME key=value; ...", docs/SANDBOX.md has all of them:
  429, 500 times=2 on=query retry-after=3, html, reset, truncated, delay ms=N
  fail code=X, slow by=N, stay-queued, stay-running, unknown-status term=X
  expire after=60 status=410   result URLs end a minute after the answer that names them
  forget after=60              tasks are UNKNOWN, or not found, a minute after their create
  zone, no-zone by=+08:00      times as text with or without their zone
  types, millis, flat, no-url  other types, times in milliseconds, flat errors, no addresses
  take queue=1 run=20          how long tasks take, in seconds
  spread by=0.3                equal requests take up to 1.3 times as long or as short
  drift by=1.5 tasks=100       each 100 tasks take 1.5 times as long as those before; or hours=1
  deliver size=50% duration=120% fps=6 audio=none sample-rate=8000 channels=1 claim=asked
                               results differ from what was asked for; claim=asked hides it
With model=famB* a rule is for tasks of those models, with rate=0.3 for three of ten of its tasks:
  "spread; slow by=2 model=famB*; fail code=BUSY rate=0.3 model=famB-2"`,
		Example: `  darkroom sandbox --addr 127.0.0.1:8400
  darkroom sandbox --addr 127.0.0.1:0 --timing instant -o json
  darkroom sandbox --owners ana,bo --fault "expire after=60"`,
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
	f.StringVar(&o.fault, "fault", "", "faults for every request and task, as \"429 times=2\"")
	f.StringSliceVar(&o.owners, "owners", nil, "names of further owners, each with a key of its own")
	f.BoolVar(&o.log, "log", false, "write one line per request to standard error")
	_ = cmd.MarkFlagDirname("dir")
	_ = cmd.RegisterFlagCompletionFunc("timing", cobra.FixedCompletions(timingNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// served says where a program finds the gateway.
type served struct {
	BaseURL string `json:"base_url"`
	// Key is the key if it was made, "" if it was given: whoever gave it knows it.
	Key string `json:"key,omitempty"`
	// Owners are the keys that were made for further owners, by name.
	Owners map[string]string `json:"owners,omitempty"`
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
	owners := map[string]string{}
	for _, name := range o.owners {
		if err := access.CheckOwner(name); err != nil {
			return kit.Usage("--owners: %w", err)
		}
		owners[name] = s.Env(ownerKey(name))
	}
	cat, err := o.k.Catalog()
	if err != nil {
		return err
	}
	for _, pattern := range sandbox.FaultModels(o.fault, modelNames(cat)) {
		s.Notef("--fault: no model of the catalog is called %s\n", client.CleanLine(pattern))
	}
	opts := sandbox.Options{Key: s.Env(config.EnvSandboxKey), Dir: o.dir, Timing: sandbox.Timing(o.timing), Seed: o.seed, AsyncImages: o.asyncImages, Fault: o.fault, Catalog: cat, Owners: owners}
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
	at.Owners = run.Server.Owners()
	maps.DeleteFunc(at.Owners, func(name, _ string) bool { return owners[name] != "" })
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
		for _, name := range slices.Sorted(maps.Keys(at.Owners)) {
			s.Printf("%s=%s\n", ownerKey(name), at.Owners[name])
		}
	}
	s.Notef("serving until interrupted (ctrl+c)\n")
	return nil
}

// ownerKey names the variable from which an owner's key is taken, and as which it is printed.
func ownerKey(name string) string {
	return config.EnvSandboxKey + "_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

func modelNames(cat *catalog.Catalog) []string {
	var names []string
	for _, m := range cat.Models("") {
		names = append(names, m.ID)
	}
	return names
}

func timingNames() []string {
	var names []string
	for _, t := range sandbox.Timings() {
		names = append(names, string(t))
	}
	return names
}
