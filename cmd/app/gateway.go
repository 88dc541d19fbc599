// Package app is the one composition root: configuration, gateway client, history and
// engine, and the console on top of them.
package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/client/sandbox"
	"darkroom/cmd/config"
)

// GatewayOptions say which gateway, and how it is known.
type GatewayOptions struct {
	Config  config.Config
	Secrets config.Secrets
	// Version is that of the program, for the User-Agent.
	Version string
	// Catalog is the one in use; nil loads it.
	Catalog *catalog.Catalog
	// Timing of the embedded gateway; "" for its default.
	Timing sandbox.Timing
}

// Gateway is the client side of a run: what the gateway offers and how it is reached.
type Gateway struct {
	Config  config.Config
	Catalog *catalog.Catalog
	Client  *client.Client
	// Sandbox is the embedded gateway, nil where a profile names a real one.
	Sandbox *sandbox.Running

	key *keeper
}

// OpenGateway reads the catalog, starts the embedded gateway where the profile asks for
// it, and makes the client. It touches no history, and reads no key. The embedded gateway
// runs until Close, even when ctx ends before: creates in flight are still to be answered.
func OpenGateway(ctx context.Context, o GatewayOptions) (*Gateway, error) {
	cfg := o.Config
	cat := o.Catalog
	if cat == nil {
		var err error
		if cat, err = LoadCatalog(cfg.Paths.Catalog); err != nil {
			return nil, err
		}
	}
	g := &Gateway{Config: cfg, Catalog: cat}
	base := cfg.Profile.BaseURL
	g.key = newKeeper(func() (string, error) {
		k, _, err := o.Secrets.Find(cfg.Profile.Name)
		return k, err
	})
	if cfg.Profile.Embedded {
		var err error
		g.Sandbox, err = sandbox.Start(context.WithoutCancel(ctx),
			sandbox.Options{Dir: cfg.Paths.Sandbox, Catalog: cat, Timing: o.Timing}, "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("the embedded gateway did not start: %w", err)
		}
		base = g.Sandbox.URL
		k := g.Sandbox.Key
		g.key = newKeeper(func() (string, error) { return k, nil })
	}
	var err error
	g.Client, err = client.New(client.Options{
		BaseURL: base, Key: g.key.get, Formats: formats.All(), WireNames: cat.WireNames,
		ModelLists: formats.ModelLists(),
		UserAgent:  "darkroom/" + o.Version, Moving: cfg.Profile.Embedded,
	})
	if err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// Close stops the embedded gateway.
func (g *Gateway) Close() {
	if g.Sandbox != nil {
		_ = g.Sandbox.Close()
	}
}

// CheckKey says whether there is a key at all, before anything is journalled that could
// not be sent. It asks nobody but the person's own keyring and files.
func (g *Gateway) CheckKey() error {
	_, err := g.key.get()
	return err
}

// Formats are the formats that this version can create with for a model, preferred
// first; nil for a model that is not in the catalog.
func (g *Gateway) Formats(model string) []string {
	m, _ := g.Catalog.Model(model)
	return slices.DeleteFunc(slices.Clone(m.Formats), func(name string) bool {
		return g.Client.CanCreate(name) != nil
	})
}

// FormatFor is the first of Formats, "" for none.
func (g *Gateway) FormatFor(model string) string {
	if all := g.Formats(model); len(all) > 0 {
		return all[0]
	}
	return ""
}

// NoFormat is the error for a model that no format of this version creates with.
func (g *Gateway) NoFormat(model string) error {
	m, ok := g.Catalog.Model(model)
	if !ok {
		return fmt.Errorf("model %q is not in the catalog: name a format", client.CleanLine(model))
	}
	return fmt.Errorf("model %q is created with through %s, and this version has none of them", m.ID, strings.Join(m.Formats, ", "))
}

// LoadCatalog is the embedded catalog with the person's overlay on top, if there is one.
func LoadCatalog(overlay string) (*catalog.Catalog, error) {
	cat, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(overlay)
	if errors.Is(err, fs.ErrNotExist) {
		return cat, nil
	}
	if err != nil {
		return nil, err
	}
	return cat.Overlay(b, overlay)
}

// screenGateway is the client as screens see it: a format that is not named is the
// model's preferred one, as it is for a submission.
type screenGateway struct {
	*client.Client
	gw *Gateway
}

// Preview shows the request of a draft.
func (g screenGateway) Preview(d client.Draft, format string) (client.Preview, error) {
	format, err := g.format(d, format)
	if err != nil {
		return client.Preview{}, err
	}
	return g.Client.Preview(d, format)
}

// Curl is the request of a draft as a command line, the key as a variable.
func (g screenGateway) Curl(d client.Draft, format string) (string, error) {
	format, err := g.format(d, format)
	if err != nil {
		return "", err
	}
	return g.Client.Curl(d, format)
}

func (g screenGateway) format(d client.Draft, name string) (string, error) {
	if name == "" {
		name = g.gw.FormatFor(d.Model)
	}
	if name == "" {
		return "", g.gw.NoFormat(d.Model)
	}
	return name, nil
}
