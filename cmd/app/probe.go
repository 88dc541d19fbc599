package app

import (
	"context"

	"darkroom/client/dialect"
	"darkroom/client/probe"
)

// Probe finds out what the gateway has, without creating anything: see [probe.Run]. It tries the
// words of all readable dialects, a person's own first.
func (g *Gateway) Probe(ctx context.Context, on func(probe.Row)) (probe.Report, error) {
	if err := g.CheckKey(); err != nil {
		return probe.Report{Rows: []probe.Row{}}, err
	}
	o := probe.Options{Client: g.Client, Catalog: g.Catalog, Base: g.Config.Profile.Dialect.File}
	paths := g.Config.Paths
	for _, name := range append(paths.OwnDialects(), dialect.Examples()...) {
		data, from, err := paths.ReadDialect(name)
		if err != nil {
			continue // told by `gateway dialects`
		}
		if f, err := dialect.Parse(data, from); err == nil && len(f.Problems(g.Catalog)) == 0 {
			o.Candidates = append(o.Candidates, probe.Candidate{Name: name, File: f})
		}
	}
	return probe.Run(ctx, o, on)
}
