package app

import (
	"context"
	"slices"
	"strconv"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/mediainfo"
	"darkroom/jobs"
	"darkroom/jobs/delivered"
)

// delivery compares what came with what was asked for.
func (g *Gateway) delivery() jobs.Delivery {
	return jobs.Delivery{Mapped: g.mappedDurations, Measure: measure}
}

// mappedDurations are the durations to which the gateway maps a draft's other durations.
func (g *Gateway) mappedDurations(d client.Draft) []float64 {
	fields := g.Catalog.Fields(d)
	i := slices.IndexFunc(fields, func(f catalog.Field) bool { return f.Name == "duration" && f.Mapped })
	if i < 0 {
		return nil
	}
	var out []float64
	for _, v := range fields[i].Allowed {
		if n, err := strconv.ParseFloat(v, 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// measure reads the properties of a saved file from its header.
func measure(ctx context.Context, path string) (delivered.File, error) {
	info, err := mediainfo.Read(ctx, path)
	if err != nil {
		return delivered.File{}, err
	}
	return delivered.File{Duration: info.Duration, Width: info.Width, Height: info.Height}, nil
}
