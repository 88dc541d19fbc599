package compare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/run"
	"darkroom/jobs/compare/suite"
)

// sending sends runs, or goes on with them, and says what they show.
type sending struct {
	k        *kit.Kit
	download string
	junit    string
	by       grouping
	scorer   bool
}

func (s *sending) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.download, "download", "", "save the results into this `DIR` (default: the settings')")
	f.StringVar(&s.junit, "junit", "", "write the outcome as JUnit XML to this `FILE`; - is standard output")
	f.BoolVar(&s.scorer, "allow-scorer", false, "start the program that the suite names to score results")
	_ = cmd.MarkFlagDirname("download")
	s.by.flag(cmd)
}

// mayScore asks whether the program of a suite may be started, since somebody else may have written it.
func (s *sending) mayScore(ctx context.Context, score *suite.Score) error {
	if score == nil || s.scorer {
		return nil
	}
	program := client.CleanLine(strings.Join(score.Command, " "))
	if s.k.IO.TtyIn == nil || s.k.IO.TtyErr == nil {
		s.k.IO.Tell("the suite starts " + program + " to score results: --allow-scorer says that it may; it is not started")
		return nil
	}
	sure, err := s.k.IO.Ask(ctx, "The suite starts "+program+" for each result. May it?")
	s.scorer = sure
	return err
}

// start sends a planned run and follows it to its end.
func (s *sending) start(ctx context.Context, gw *app.Gateway, plan compare.Run) error {
	return s.with(ctx, gw, func(desk *app.Desk, b *run.Bench, news <-chan struct{}) error {
		id, err := b.Start(ctx, plan)
		if err != nil {
			return err
		}
		s.k.IO.Notef("run %s of %s, seed %d\n", jobs.ShortID(id), client.CleanLine(plan.Name), plan.Seed)
		return s.follow(ctx, desk, b, id, news)
	})
}

// resume goes on with a run.
func (s *sending) resume(ctx context.Context, gw *app.Gateway, id string) error {
	return s.with(ctx, gw, func(desk *app.Desk, b *run.Bench, news <-chan struct{}) error {
		r, err := b.Load(ctx, id)
		if err != nil {
			return err
		}
		missing, again := run.Left(&r)
		if suite, err := suite.Parse(r.Name, []byte(r.Suite)); err == nil && missing+again > 0 {
			if err := s.mayScore(ctx, suite.Score); err != nil {
				return err
			}
		}
		if err := b.Resume(ctx, id); err != nil {
			if late, unclear := notSentAgain(&r); errors.Is(err, run.ErrNothing) && late+unclear > 0 {
				return fmt.Errorf("%w; %d timed out and %d unclear ones are not sent again: `darkroom jobs list --state ambiguous` shows what is to be decided", err, late, unclear)
			}
			return err
		}
		s.k.IO.Notef("run %s of %s goes on: %d missing, %d failed\n", jobs.ShortID(id), client.CleanLine(r.Name), missing, again)
		return s.follow(ctx, desk, b, id, news)
	})
}

// with opens what a run is sent through, and closes it again.
func (s *sending) with(ctx context.Context, gw *app.Gateway, fn func(*app.Desk, *run.Bench, <-chan struct{}) error) error {
	desk, err := s.k.OpenDesk(ctx, gw, app.DeskOptions{Downloads: s.download, AutoDownload: true, OwnOnly: true})
	if err != nil {
		return err
	}
	news := make(chan struct{}, 1)
	b := desk.Bench(app.BenchOptions{Version: s.k.Version, MayScore: func(*compare.Run) bool { return s.scorer }, News: func() {
		select {
		case news <- struct{}{}:
		default:
		}
	}})
	err = fn(desk, b, news)
	b.Close()
	return errors.Join(err, desk.Close())
}

// follow waits for the end of a run, tells of its trials, and prints what it shows.
func (s *sending) follow(ctx context.Context, desk *app.Desk, b *run.Bench, id string, news <-chan struct{}) error {
	r, err := b.Load(ctx, id)
	if err != nil {
		return err
	}
	p := newProgress(s.k.IO, &r)
	ended := make(chan error, 1)
	go func() { ended <- b.Wait(ctx, id) }()
	for seq := uint64(0); ; {
		select {
		case <-news:
			var all []run.News
			all, seq = b.News(seq)
			if p.take(all); !p.held {
				continue
			}
			p.end()
			return s.paused(ctx, desk, p, id)
		case <-desk.Ended():
			err = desk.Err()
		case err = <-ended:
		}
		all, _ := b.News(seq)
		p.take(all)
		p.end()
		break
	}
	if ctx.Err() != nil {
		return kit.Stopped(fmt.Sprintf("interrupted: %s; `darkroom compare resume %s` goes on, and sends nothing twice", p.counts(), jobs.ShortID(id)))
	}
	if err != nil {
		return err
	}
	return s.conclude(ctx, b, id)
}

// paused is the error of a run that waits for a person: what waits stays in the history, and the run open.
func (s *sending) paused(ctx context.Context, desk *app.Desk, p *progress, id string) error {
	todo := ""
	for _, t := range p.trials {
		if t.Ended() || t.JobID == "" {
			continue
		}
		d, err := desk.Engine.Detail(ctx, t.JobID)
		if err == nil && !jobs.Unreached(d.Job) { // which resuming the run resumes
			todo = max(todo, follow.HeldText(follow.HeldNow(s.k, desk, d.Job)))
		}
	}
	why := p.trouble
	if todo != "" {
		why, todo = todo, "then "
	}
	return kit.Exit(kit.ExitPaused, fmt.Errorf("%s; %s; %s`darkroom compare resume %s` goes on, and sends nothing twice", p.counts(), why, todo, jobs.ShortID(id)))
}

// conclude prints what a run shows, and ends as it came out.
func (s *sending) conclude(ctx context.Context, b *run.Bench, id string) error {
	r, err := b.Load(ctx, id)
	if err != nil {
		return err
	}
	if s.junit != "" {
		if err := junit(s.k, s.junit, &r); err != nil {
			return err
		}
	}
	if s.junit != kit.Stdin {
		if err := show(s.k, &r, s.by); err != nil {
			return err
		}
	}
	return outcome(&r)
}

// writeFile writes a file that a flag names, or standard output.
func writeFile(k *kit.Kit, flag, file string, write func(io.Writer) error) error {
	if file == kit.Stdin {
		return write(k.IO.Out)
	}
	if err := disk.Replace(file, func(f *os.File) error { return write(f) }); err != nil {
		return kit.FileError(flag, file, err)
	}
	return nil
}
