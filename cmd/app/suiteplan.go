package app

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/disk"
	"darkroom/client/expand"
	"darkroom/client/media"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/plan"
	"darkroom/jobs/compare/suite"
	"darkroom/jobs/schedule"
)

// PlanOptions say how runs are planned.
type PlanOptions struct {
	Version string
	// PlanOf is what is known about how long tasks like a job's take; nil where nothing is known.
	PlanOf func(*jobs.Job) *schedule.Plan
	// Usual is the same of a cell, and counts before PlanOf; nil for that.
	Usual func(*compare.Cell) (p50 time.Duration, n int)
	// Wildcards opens the wildcard files; nil for none.
	Wildcards batch.Wildcards
	// Piped: the suite was piped in. It has no folder, and all its files are outside it.
	Piped bool
	// Seed is what order and seeds are drawn with; 0 draws one.
	Seed uint64
}

// PlanRun works out what a suite comes to at a gateway, as [plan.Make] does. path is that of the suite's
// file, which the paths in it are relative to; "" for none. It reads the files that the suite names.
func (g *Gateway) PlanRun(ctx context.Context, s suite.Suite, path string, o PlanOptions) (compare.Run, plan.Forecast, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return compare.Run{}, plan.Forecast{}, fmt.Errorf("making the id of a run: %w", err)
	}
	in := plan.Input{
		Suite: s, Catalog: g.Catalog, Gateway: screenGateway{g.Client, g, nil}, ID: id.String(), Profile: g.Config.Profile.Name, Host: g.Host(), Version: o.Version,
		Seed: o.Seed, Now: time.Now().Round(0).UTC(), Digest: func(path string) (string, error) { return digest(ctx, path) },
		Reference: func(ref string) (string, error) {
			if path != "" && media.Typed(ref) && !filepath.IsAbs(ref) && !strings.HasPrefix(ref, "~") {
				ref = filepath.Join(filepath.Dir(path), ref)
			}
			return media.Reference(ref)
		},
	}
	if path != "" {
		in.Folder = filepath.Dir(path)
	}
	if in.Seed == 0 {
		var b [8]byte
		_, _ = rand.Read(b[:]) // it never fails
		in.Seed = binary.LittleEndian.Uint64(b[:]) >> 11
	}
	in.Usual = o.Usual
	if in.Usual == nil && o.PlanOf != nil {
		in.Usual = func(c *compare.Cell) (time.Duration, int) {
			p := o.PlanOf(&jobs.Job{Profile: in.Profile, Draft: c.Draft})
			if p == nil {
				return 0, 0
			}
			return p.Median(), p.Tasks()
		}
	}
	if o.Wildcards != nil {
		folder, done, err := o.Wildcards()
		if err != nil {
			return compare.Run{}, plan.Forecast{}, err
		}
		defer done()
		in.Wildcards = folder
	}
	run, cast, err := plan.Make(in)
	if path != "" || o.Piped {
		cast.Outside = outside(path, &run)
	}
	return run, cast, err
}

// outside are the files that a run would send from outside the folder of its suite.
func outside(path string, run *compare.Run) []string {
	rows := make([]expand.Row, 0, len(run.Cells))
	for i := range run.Cells {
		if run.Cells[i].Cannot == "" {
			rows = append(rows, expand.Row{Draft: run.Cells[i].Draft})
		}
	}
	return batch.Outside(path, client.Draft{}, rows)
}

// digest is the SHA-256 of a file.
func digest(ctx context.Context, path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|disk.PlainOnly, 0) //nolint:gosec // a person's suite names it
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return "", &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid}
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, client.MaxFile+1))
	switch {
	case err != nil:
		return "", err
	case n > client.MaxFile:
		return "", fmt.Errorf("%s is larger than a request may be", client.CleanLine(path))
	}
	return hex.EncodeToString(h.Sum(nil)), ctx.Err()
}
