package app

import (
	"context"

	"darkroom/client"
	"darkroom/cmd/library"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/plan"
	"darkroom/jobs/compare/suite"
	"darkroom/jobs/compare/vote"
	"darkroom/tui/app"
	screencompare "darkroom/tui/screens/compare"
	"darkroom/tui/times"
)

// compares gives the screens what Compare works with.
func (x *seat) compares(to *app.Services, o ConsoleOptions, planned PlanOptions) {
	gw := x.gw
	to.Bench = x.bench
	to.Plan = func(ctx context.Context, r suite.Suite, path string) (compare.Run, plan.Forecast, error) {
		return gw.PlanRun(ctx, r, path, planned)
	}
	to.Report = func(ctx context.Context, r compare.Run, format screencompare.Format, path string) error {
		return gw.WriteReport(ctx, &r, string(format), path)
	}
	to.Votes = func(r compare.Run) (*vote.Session, error) {
		return vote.Open(RunsDir(gw), &r, vote.Self(o.Env))
	}
}

// openTimes reads how points in time are written, once: all profiles have the same.
func (s *seats) openTimes(o ConsoleOptions, lazy *lazyJobs) {
	if s.times != nil {
		return
	}
	style, err := library.OpenTimes(o.Config.Paths.Times).Load()
	if err != nil {
		lazy.tell(client.CleanLine(err.Error()))
	}
	s.times = times.New(style, library.OpenTimes(o.Config.Paths.Times))
}
