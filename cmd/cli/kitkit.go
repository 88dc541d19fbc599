package cli

import (
	"context"
	"sync"

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
func (g *globals) catalog() (*catalog.Catalog, error) { return g.read() }

// config loads the configuration that the flags and the environment ask for.
func (g *globals) config() (config.Config, error) {
	c, err := config.Load(config.Request{Paths: g.io.Paths, Profile: g.profile, Preview: g.preview, Env: g.io.Env})
	if err != nil {
		return c, exitWith(ExitUsage, err)
	}
	if c.Profile.Note != "" {
		g.noted.Do(func() { g.io.note("darkroom: profile %s: %s\n", c.Profile.Name, client.CleanLine(c.Profile.Note)) })
	}
	return c, nil
}

// secrets are where keys are kept.
func (g *globals) secrets() config.Secrets {
	s := g.io.Secret(g.io.Paths, g.io.Env)
	s.FromEnv = g.envKey
	return s
}

// gateway opens the gateway of the profile, without the history.
func (g *globals) gateway(ctx context.Context) (*app.Gateway, error) { return g.open(ctx, false) }

// gatewayWithKey is gateway, refused where there is no key to send.
func (g *globals) gatewayWithKey(ctx context.Context) (*app.Gateway, error) {
	gw, err := g.gateway(ctx)
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
func (g *globals) open(ctx context.Context, insist bool) (*app.Gateway, error) {
	c, err := g.config()
	if err != nil {
		return nil, err
	}
	cat, err := g.catalog()
	if err != nil {
		return nil, err
	}
	return app.OpenGateway(ctx, app.GatewayOptions{Config: c, Secrets: g.secrets(), Version: g.version, Catalog: cat, Timing: g.io.timing, Insist: insist, SameKey: g.sameKey(ctx)})
}

// sameKey asks on a terminal whether a key that was kept for another gateway is to be used for
// the one that the settings name now; nil without a terminal.
func (g *globals) sameKey(ctx context.Context) func(*config.OriginError) bool {
	if g.io.TtyIn == nil || g.io.TtyErr == nil {
		return nil
	}
	return func(e *config.OriginError) bool {
		sure, err := g.io.ask(ctx, client.CleanLine("The key of profile "+e.Profile+" was kept for "+e.Kept+"; the settings name "+e.Now+" now. Send it there?"))
		return err == nil && sure
	}
}

// folders are where presets and wildcard files are.
func (g *globals) folders() (config.Folders, error) {
	f, err := config.NewFolders(g.io.Paths, g.io.work)
	if err == nil {
		g.strangers.Do(func() {
			if why := f.Foreign(); why != "" {
				g.io.tell(why)
			}
		})
	}
	return f, err
}
