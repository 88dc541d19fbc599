// Package kit is what the commands have in common: streams, output formats, exit codes, shared
// flags, how jobs and models are named, and how settings, a gateway and a history are opened.
package kit

import (
	"context"
	"sync"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/app"
	"darkroom/cmd/config"
)

// Kit is what every command is made with: its streams, its output, and the functions that open
// the settings, the gateway and the history that the flags ask for.
type Kit struct {
	IO      *IO
	Out     *Output
	Profile string
	Preview string
	// readOnly is --read-only.
	readOnly bool
	// envKey lets the environment's key serve a profile from the settings.
	envKey bool
	// Version is the program's version.
	Version string
	// Console opens the console in the terminal, with the blind vote on a run of a comparison; "" for none.
	Console func(ctx context.Context, judge string) error
	// Unsaved is what a closed desk left to the spool.
	Unsaved error

	read func() (*catalog.Catalog, error)
	// noted makes the remarks about the address appear only once.
	noted sync.Once
	// strangers does the same for a project folder that is not read.
	strangers sync.Once
}

// New makes the Kit of one command line.
func New(s *IO, version string) *Kit {
	return &Kit{IO: s, Out: &Output{io: s, Format: Table}, Version: version, read: sync.OnceValues(func() (*catalog.Catalog, error) {
		cat, err := app.LoadCatalog(s.Paths.Catalog)
		if err != nil {
			return nil, Exit(ExitUsage, err)
		}
		return cat, nil
	})}
}

// Catalog is the catalog in use, read on first use.
func (k *Kit) Catalog() (*catalog.Catalog, error) { return k.read() }

// Flags declares the flags that every command has.
func (k *Kit) Flags(root *cobra.Command) {
	root.PersistentFlags().StringVarP(&k.Profile, "profile", "p", "", "gateway profile (sandbox is the embedded gateway)")
	_ = root.RegisterFlagCompletionFunc("profile", k.completeProfiles)
	root.PersistentFlags().BoolVar(&k.envKey, "key-from-env", false, "use the key of "+config.EnvKey+" for the profile; otherwise that key is only used with "+config.EnvBaseURL)
	root.PersistentFlags().BoolVar(&k.readOnly, "read-only", false, "send nothing that creates, changes or deletes ("+config.EnvReadOnly+"=1, or read_only of a profile, does the same)")
	k.Out.flag(root)
	root.SetFlagErrorFunc(FlagError)
}

// Request is what the settings are loaded with: the paths, the flags and the environment.
func (k *Kit) Request() config.Request {
	return config.Request{Paths: k.IO.Paths, Profile: k.Profile, Preview: k.Preview, ReadOnly: k.readOnly, Env: k.IO.Env}
}

// Others opens the gateways of the profiles; c is the configuration in use.
func (k *Kit) Others(c config.Config) *app.Profiles { return app.NewProfiles(c, k.Other(c)) }

// Other says how the gateway of a profile is opened; c is the configuration in use. A key that was
// given for this run goes to no other profile's gateway.
func (k *Kit) Other(c config.Config) func(name string) (app.GatewayOptions, error) {
	return func(name string) (app.GatewayOptions, error) {
		o := app.GatewayOptions{Config: c, Secrets: k.Secrets(), Version: k.Version, Timing: k.IO.Timing}
		if name == c.Profile.Name {
			return o, nil
		}
		var err error
		o.Secrets = k.IO.Secret(k.IO.Paths, k.IO.Env)
		o.Config, err = config.Load(k.Request().Other(name))
		return o, err
	}
}

// At says, for a question about what is sent, whose gateway it goes to, if its profile has a banner.
func (k *Kit) At() string {
	c, err := k.Config()
	if err != nil || c.Profile.Banner == "" {
		return ""
	}
	return client.CleanLine(" (profile " + c.Profile.Name + ", " + c.Profile.Banner + ")")
}

// Config loads the configuration that the flags and the environment ask for.
func (k *Kit) Config() (config.Config, error) {
	c, err := config.Load(k.Request())
	if err != nil {
		return c, Exit(ExitUsage, err)
	}
	if c.Profile.Note != "" {
		k.noted.Do(func() { k.IO.Notef("darkroom: profile %s: %s\n", c.Profile.Name, client.CleanLine(c.Profile.Note)) })
	}
	return c, nil
}

// Secrets are the places where keys are stored.
func (k *Kit) Secrets() config.Secrets {
	s := k.IO.Secret(k.IO.Paths, k.IO.Env)
	s.FromEnv = k.envKey
	return s
}

// Gateway opens the profile's gateway, without the history.
func (k *Kit) Gateway(ctx context.Context) (*app.Gateway, error) { return k.OpenGateway(ctx, false) }

// GatewayWithKey is Gateway, but fails if there is no key to send.
func (k *Kit) GatewayWithKey(ctx context.Context) (*app.Gateway, error) {
	gw, err := k.Gateway(ctx)
	if err != nil {
		return nil, err
	}
	if err := gw.CheckKey(); err != nil {
		gw.Close()
		return nil, err
	}
	return gw, nil
}

// OpenGateway is Gateway; with insist, creates go out through reserved formats, too.
func (k *Kit) OpenGateway(ctx context.Context, insist bool) (*app.Gateway, error) {
	c, err := k.Config()
	if err != nil {
		return nil, err
	}
	cat, err := k.Catalog()
	if err != nil {
		return nil, err
	}
	return app.OpenGateway(ctx, app.GatewayOptions{Config: c, Secrets: k.Secrets(), Version: k.Version, Catalog: cat, Timing: k.IO.Timing, Insist: insist, SameKey: k.SameKey(ctx)})
}

// SameKey asks on a terminal whether a key stored for another gateway may be used for the one that
// the settings name now; nil without a terminal.
func (k *Kit) SameKey(ctx context.Context) func(*config.OriginError) bool {
	if k.IO.TtyIn == nil || k.IO.TtyErr == nil {
		return nil
	}
	return func(e *config.OriginError) bool {
		sure, err := k.IO.Ask(ctx, client.CleanLine("The key of profile "+e.Profile+" was kept for "+e.Kept+"; the settings name "+e.Now+" now. Send it there?"))
		return err == nil && sure
	}
}

// Folders are the folders of presets and wildcard files.
func (k *Kit) Folders() (config.Folders, error) {
	f, err := config.NewFolders(k.IO.Paths, k.IO.Work)
	if err == nil {
		k.strangers.Do(func() {
			if why := f.Foreign(); why != "" {
				k.IO.Tell(why)
			}
		})
	}
	return f, err
}
