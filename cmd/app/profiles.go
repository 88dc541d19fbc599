package app

import (
	"context"
	"slices"
	"sync"

	"darkroom/cmd/config"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

// Profiles are the profiles whose gateways can be asked, each opened when it is first needed. Each has
// a client of its own, which gives its key to its own gateway alone.
type Profiles struct {
	names []string
	of    func(name string) (GatewayOptions, error)
	// Borrow is the gateway of a profile that somebody else has open, nil for none; it may be nil.
	Borrow func(name string) *Gateway

	mu   sync.Mutex
	open map[string]*Gateway
}

// NewProfiles are the profiles of a configuration; of says how to open the gateway of one.
func NewProfiles(c config.Config, of func(name string) (GatewayOptions, error)) *Profiles {
	return &Profiles{names: c.Names(), of: of, open: map[string]*Gateway{}}
}

// Lookup asks them about ids, own first. only are the formats to ask, empty for all; with results the addresses
// of results are asked, too. The history is that of this machine, nil for none.
func (p *Profiles) Lookup(own string, history lookup.History, only []string, results bool) *lookup.Profiles {
	var all []lookup.Profile
	names := slices.DeleteFunc(slices.Clone(p.names), func(n string) bool { return n == own })
	for _, name := range append([]string{own}, names...) {
		all = append(all, lookup.Profile{Name: name, Open: func(ctx context.Context) (*lookup.Desk, error) {
			gw, err := p.gateway(ctx, name)
			if err != nil {
				return nil, err
			}
			d := &lookup.Desk{Gateway: gw.Client, Profile: gw.Config.Profile.Name, Routes: gw.Catalog.Routes, Only: only}
			if results {
				d.Check = gw.CheckResult
			}
			return d, nil
		}})
	}
	return lookup.NewProfiles(all, history)
}

// gateway opens the gateway of a profile, if there is a key for it.
func (p *Profiles) gateway(ctx context.Context, name string) (*Gateway, error) {
	if p.Borrow != nil {
		if gw := p.Borrow(name); gw != nil {
			return gw, gw.CheckKey()
		}
	}
	p.mu.Lock()
	kept := p.open[name]
	p.mu.Unlock()
	if kept != nil {
		return kept, nil
	}
	o, err := p.of(name)
	if err != nil {
		return nil, err
	}
	gw, err := OpenGateway(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := gw.CheckKey(); err != nil {
		gw.Close()
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if kept := p.open[name]; kept != nil { // somebody else was faster
		gw.Close()
		return kept, nil
	}
	p.open[name] = gw
	return gw, nil
}

// Close closes the gateways that were opened.
func (p *Profiles) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, gw := range p.open {
		gw.Close()
	}
	clear(p.open)
}

// CheckResult asks the address of a result, without the key.
func (g *Gateway) CheckResult(ctx context.Context, address string) inspect.ResultCheck {
	h, err := g.Client.Head(ctx, address)
	return inspect.ResultCheck{URL: address, Expires: inspect.Expiry(address), Head: h, Err: err}
}
