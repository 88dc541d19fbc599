// Package judge looks at what came of a trial, once its files are saved: what was delivered, what a
// scorer says, and whether the suite's expectations are met.
package judge

import (
	"context"
	"fmt"
	"sync"

	"darkroom/client"
	"darkroom/client/mediainfo"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/check"
	"darkroom/jobs/compare/measure"
	"darkroom/jobs/compare/score"
	"darkroom/jobs/compare/suite"
)

// Options of a Judge.
type Options struct {
	// Read reads the head of a file; nil for [mediainfo.Read].
	Read func(ctx context.Context, path string) (mediainfo.Info, error)
	// MayScore says whether the program that the suite of a run names may be started; nil for never.
	MayScore func(r *compare.Run) bool
}

// Judge judges the trials of runs. It is safe for concurrent use.
type Judge struct {
	o Options

	mu   sync.Mutex
	hash string // of the suite that rules are of
	last rules
}

// New returns a judge.
func New(o Options) *Judge {
	if o.Read == nil {
		o.Read = mediainfo.Read
	}
	return &Judge{o: o}
}

// rules are what a suite says of its trials.
type rules struct {
	expect []check.Expectation
	tol    measure.Tolerances
	score  *suite.Score
}

// of returns the rules of a run's suite, which are read once. A suite that cannot be read, as of a newer
// program, expects nothing.
func (j *Judge) of(r *compare.Run) rules {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.hash == r.SuiteHash && r.SuiteHash != "" {
		return j.last
	}
	var out rules
	if s, err := suite.Parse(r.Name, []byte(r.Suite)); err == nil {
		out.score, out.tol = s.Score, measure.Tolerances{}
		for _, t := range s.Tolerance {
			if t.Percent {
				out.tol[t.Field] = measure.Tolerance{Part: t.Amount / 100}
			} else {
				out.tol[t.Field] = measure.Tolerance{By: t.Amount}
			}
		}
		for _, line := range s.Expect {
			if e, err := check.Parse(line); err == nil {
				out.expect = append(out.expect, e)
			}
		}
	}
	j.hash, j.last = r.SuiteHash, out
	return out
}

// Trial fills in the facts and checks of a trial that is over. answer is the newest body about it.
func (j *Judge) Trial(ctx context.Context, r *compare.Run, t *compare.Trial, job *jobs.Job, answer []byte) {
	cell := r.Cell(t.Slot.Cell)
	if cell == nil {
		return
	}
	rules := j.of(r)
	t.Facts, t.Checks = nil, nil
	if t.OK() {
		var files []mediainfo.Info
		for _, f := range t.Files {
			if !f.Here || f.Kind == client.AssetCover || f.Kind == client.AssetLastFrame { // pictures of a result are none
				continue
			}
			info, err := j.o.Read(ctx, f.Path)
			if err != nil && info.Kind == "" {
				info = mediainfo.Info{Kind: mediainfo.Other}
			}
			files = append(files, info)
		}
		draft := cell.Draft
		if job != nil && !job.Draft.Cut {
			draft = job.Draft
		}
		t.Facts = measure.Facts(draft, files, answer, rules.tol)
		if rules.score != nil {
			t.Checks = append(t.Checks, j.scored(ctx, r, cell, t, rules.score))
		}
	}
	t.Checks = append(t.Checks, check.Trial(rules.expect, cell, t)...)
}

func (j *Judge) scored(ctx context.Context, r *compare.Run, c *compare.Cell, t *compare.Trial, s *suite.Score) compare.Check {
	if j.o.MayScore == nil || !j.o.MayScore(r) {
		return compare.Check{Name: s.Name, Verdict: compare.Unknown, Text: fmt.Sprintf("not scored: nobody has allowed the suite to start %q; on the command line --allow-scorer does", s.Command[0])}
	}
	return score.Scorer{Name: s.Name, Command: s.Command, Dir: r.Folder}.Score(ctx, c, t)
}

// Run fills in the checks of cells and of the run.
func (j *Judge) Run(_ context.Context, r *compare.Run) { check.Run(j.of(r).expect, r) }
