// Package app is the one composition root: configuration, gateway client, history and
// engine, and the console on top of them.
package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/client/sandbox"
	"darkroom/cmd/config"
)

// Gateway is the client side of a run: what the gateway offers and how it is reached.
type Gateway struct {
	Config  config.Config
	Catalog *catalog.Catalog
	Client  *client.Client
	// Sandbox is the embedded gateway, nil where a profile names a real one.
	Sandbox *sandbox.Running
}

// OpenGateway reads the catalog, starts the embedded gateway where the profile asks for
// it, and makes the client. It touches no history, and reads no key.
func OpenGateway(ctx context.Context, cfg config.Config, secrets config.Secrets, version string) (*Gateway, error) {
	cat, err := LoadCatalog(cfg.Paths.Catalog)
	if err != nil {
		return nil, err
	}
	g := &Gateway{Config: cfg, Catalog: cat}
	base := cfg.Profile.BaseURL
	key := func() (string, error) {
		k, _, err := secrets.Find(cfg.Profile.Name)
		return k, err
	}
	if cfg.Profile.Embedded {
		g.Sandbox, err = sandbox.Start(ctx, sandbox.Options{Dir: cfg.Paths.Sandbox, Catalog: cat}, "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("the embedded gateway did not start: %w", err)
		}
		base = g.Sandbox.URL
		k := g.Sandbox.Key
		key = func() (string, error) { return k, nil }
	}
	g.Client, err = client.New(client.Options{
		BaseURL: base, Key: key, Formats: formats.All(), WireNames: cat.WireNames,
		ModelLists: formats.ModelLists(),
		UserAgent:  "darkroom/" + version, Moving: cfg.Profile.Embedded,
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
	cat *catalog.Catalog
}

// Preview shows the request of a draft.
func (g screenGateway) Preview(d client.Draft, format string) (client.Preview, error) {
	return g.Client.Preview(d, g.format(d, format))
}

// Curl is the request of a draft as a command line, the key as a variable.
func (g screenGateway) Curl(d client.Draft, format string) (string, error) {
	return g.Client.Curl(d, g.format(d, format))
}

func (g screenGateway) format(d client.Draft, name string) string {
	if name == "" {
		return g.cat.DefaultFormat(d.Model)
	}
	return name
}
