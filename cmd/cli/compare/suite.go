package compare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/plan"
	"darkroom/jobs/compare/suite"
)

// suiteFile is a suite that a person named.
type suiteFile struct {
	suite.Suite
	path string // absolute, "" for standard input
}

// readSuite reads a suite from a file or standard input.
func readSuite(ctx context.Context, k *kit.Kit, name string) (suiteFile, error) {
	var out suiteFile
	text, err := k.IO.Read(ctx, "", name, suite.MaxBytes)
	if err != nil {
		return out, err
	}
	if name != kit.Stdin {
		if out.path, err = filepath.Abs(name); err != nil {
			return out, err
		}
	}
	out.Suite, err = suite.Parse(kit.ShownFile("", name), text)
	return out, kit.UsageOf(err)
}

// planned makes the run of a suite, without sending anything. A run above its limit comes with a
// [*plan.TooMany].
func planned(ctx context.Context, k *kit.Kit, gw *app.Gateway, s *suiteFile, seed uint64) (compare.Run, plan.Forecast, error) {
	usual, done := past(ctx, k, gw.Config.Profile.Name)
	defer done()
	run, f, err := gw.PlanRun(ctx, s.Suite, s.path, app.PlanOptions{Version: k.Version, Usual: usual, Piped: s.path == "", Seed: seed, Wildcards: func() (fs.FS, func(), error) {
		folders, err := k.Folders()
		if err != nil {
			return nil, nil, err
		}
		w, err := folders.Wildcards()
		if err != nil {
			return nil, nil, fmt.Errorf("the wildcard files cannot be read: %w", err)
		}
		return w, func() { _ = w.Close() }, nil
	}})
	if _, many := errors.AsType[*plan.TooMany](err); many {
		return run, f, kit.Usage("%w; --limit raises it", err)
	}
	return run, f, kit.UsageOf(err)
}

// past is how long earlier tasks took, by the history; nil without one.
func past(ctx context.Context, k *kit.Kit, profile string) (usual func(*compare.Cell) (time.Duration, int), done func()) {
	if k.NoHistory() {
		return nil, func() {}
	}
	st, err := k.ReadHistory(ctx)
	if err != nil {
		return nil, func() {} // whoever sends says it
	}
	return plan.FromPast(func(model, mode string) []time.Duration {
		all, err := st.Past(ctx, jobs.PastQuery{Profile: profile, Model: model, Mode: mode})
		if err != nil {
			return nil
		}
		return all
	}), func() { _ = st.Close() }
}
