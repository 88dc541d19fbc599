package app

import (
	"context"

	"errors"

	"darkroom/cmd/config"
	"darkroom/cmd/library"
	"darkroom/jobs"
	"darkroom/jobs/compare/run"
)

var errReading = errors.New("the runs are only read here")

// ReadBench makes a bench for looking at the runs of a profile: no gateway, and nothing is sent. e may
// have its history alone; it is nil where there is none, and then no file counts as saved here.
func ReadBench(c config.Config, e *jobs.Engine) *run.Bench {
	var of run.Jobs = Runs{e}
	if e == nil {
		of = noHistory{Runs{jobs.NewEngine(jobs.Options{})}}
	}
	return run.New(run.Options{
		Dir: RunsOf(c), Jobs: of, Profile: c.Profile.Name, Host: HostOf(c.Profile),
		MayCreate: func() error { return errReading },
	})
}

// RunsOf is the folder of the runs of the profile in use.
func RunsOf(c config.Config) string { return library.FolderOf(c.Paths.Runs, c.Profile.Name) }

// noHistory is no engine: runs are all that there is.
type noHistory struct{ Runs }

// Detail implements run.Jobs.
func (noHistory) Detail(context.Context, string) (jobs.Detail, error) {
	return jobs.Detail{}, jobs.ErrNotFound
}
