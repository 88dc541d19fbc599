package cli

import (
	"context"
	"sync"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/app"
	"darkroom/cmd/config"
)

// globals are what every command is made with: its streams, its output, and what opens the
// settings, the gateway and the history that the flags ask for.
type globals struct {
	io      *IO
	out     *output
	profile string
	preview string
	// envKey has the environment's key serve a profile of the settings.
	envKey bool
	// version is that of the program.
	version string
	// unsaved is what a desk that was closed left to the spool.
	unsaved error

	read func() (*catalog.Catalog, error)
	// noted sees to it that what there is to say about the address is said once.
	noted sync.Once
	// strangers likewise for a project's folder that is not read.
	strangers sync.Once
}

// newGlobals makes what the commands of one command line have in common.
func newGlobals(s *IO, version string) *globals {
	return &globals{io: s, out: &output{io: s, format: outTable}, version: version, read: sync.OnceValues(func() (*catalog.Catalog, error) {
		cat, err := app.LoadCatalog(s.Paths.Catalog)
		if err != nil {
			return nil, exitWith(ExitUsage, err)
		}
		return cat, nil
	})}
}

// catalog is the one in use, read when it is first asked for.
func (k *globals) catalog() (*catalog.Catalog, error) { return k.read() }

// flags are those that every command has.
func (k *globals) flags(root *cobra.Command) {
	root.PersistentFlags().StringVarP(&k.profile, "profile", "p", "", "gateway profile (sandbox is the embedded gateway)")
	_ = root.RegisterFlagCompletionFunc("profile", k.completeProfiles)
	root.PersistentFlags().BoolVar(&k.envKey, "key-from-env", false, "use the key of "+config.EnvKey+" for the profile; without it that one serves "+config.EnvBaseURL+" alone")
	k.out.flag(root)
	root.SetFlagErrorFunc(flagError)
}

// config loads the configuration that the flags and the environment ask for.
func (k *globals) config() (config.Config, error) {
	c, err := config.Load(config.Request{Paths: k.io.Paths, Profile: k.profile, Preview: k.preview, Env: k.io.Env})
	if err != nil {
		return c, exitWith(ExitUsage, err)
	}
	if c.Profile.Note != "" {
		k.noted.Do(func() { k.io.note("darkroom: profile %s: %s\n", c.Profile.Name, client.CleanLine(c.Profile.Note)) })
	}
	return c, nil
}

// secrets are where keys are kept.
func (k *globals) secrets() config.Secrets {
	s := k.io.Secret(k.io.Paths, k.io.Env)
	s.FromEnv = k.envKey
	return s
}

// gateway opens the gateway of the profile, without the history.
func (k *globals) gateway(ctx context.Context) (*app.Gateway, error) { return k.open(ctx, false) }

// gatewayWithKey is gateway, refused where there is no key to send.
func (k *globals) gatewayWithKey(ctx context.Context) (*app.Gateway, error) {
	gw, err := k.gateway(ctx)
	if err != nil {
		return nil, err
	}
	if err := gw.CheckKey(); err != nil {
		gw.Close()
		return nil, err
	}
	return gw, nil
}

// open is gateway, with creates through reserved formats sent for those who insist.
func (k *globals) open(ctx context.Context, insist bool) (*app.Gateway, error) {
	c, err := k.config()
	if err != nil {
		return nil, err
	}
	cat, err := k.catalog()
	if err != nil {
		return nil, err
	}
	return app.OpenGateway(ctx, app.GatewayOptions{Config: c, Secrets: k.secrets(), Version: k.version, Catalog: cat, Timing: k.io.timing, Insist: insist, SameKey: k.sameKey(ctx)})
}

// sameKey asks on a terminal whether a key that was kept for another gateway is to be used for
// the one that the settings name now; nil without a terminal.
func (k *globals) sameKey(ctx context.Context) func(*config.OriginError) bool {
	if k.io.TtyIn == nil || k.io.TtyErr == nil {
		return nil
	}
	return func(e *config.OriginError) bool {
		sure, err := k.io.ask(ctx, client.CleanLine("The key of profile "+e.Profile+" was kept for "+e.Kept+"; the settings name "+e.Now+" now. Send it there?"))
		return err == nil && sure
	}
}

// folders are where presets and wildcard files are.
func (k *globals) folders() (config.Folders, error) {
	f, err := config.NewFolders(k.io.Paths, k.io.work)
	if err == nil {
		k.strangers.Do(func() {
			if why := f.Foreign(); why != "" {
				k.io.tell(why)
			}
		})
	}
	return f, err
}
