// Package plan works out what a suite sends: its cells, in what order their trials go and with which
// seeds, and what that will take. It is pure: catalog, gateway and files are handed in.
package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"darkroom/client/batch"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/suite"
)

// Input is all that a plan depends on.
type Input struct {
	Suite   suite.Suite
	Catalog *catalog.Catalog
	Gateway batch.Gateway
	// Reference turns a file that the suite names into the value to send, a file:// URL; it may
	// refuse. nil refuses all.
	Reference func(path string) (string, error)
	// Digest is the SHA-256 of a file on this machine, hex; nil if there are no files.
	Digest func(path string) (string, error)
	// Wildcards is the folder of wildcard files; nil for none.
	Wildcards fs.FS

	ID      string // of the run
	Folder  string // of the suite's file, absolute, "" for one that is no file
	Profile string
	Host    string
	Version string
	Seed    uint64 // what order and seeds are drawn with
	Now     time.Time
	// Usual is how long earlier tasks like those of a cell took, and how many that is known of;
	// nil where there is no history.
	Usual func(*compare.Cell) (p50 time.Duration, n int)
}

// TooMany refuses a run of more trials than its suite allows. The run that comes with it is
// complete, so that it can be shown.
type TooMany struct {
	Trials, Limit int
}

func (e *TooMany) Error() string {
	return fmt.Sprintf("%d trials, warm-ups included; the suite allows %d, see its limit", e.Trials, e.Limit)
}

// Make plans a run. Mistakes in the suite that show only now, as a field that nobody knows, are
// [*expand.Error] with their place; a run above the suite's limit comes with a [*TooMany].
func Make(in Input) (compare.Run, Forecast, error) {
	m := &maker{Input: in, s: in.Suite, ways: map[string][]string{}, judged: map[key]*verdict{}, fields: map[[3]string]map[string]bool{}, digests: map[string]string{}}
	run := compare.Run{
		ID: in.ID, Name: in.Suite.Name, Profile: in.Profile, Host: in.Host, Version: in.Version,
		Suite: in.Suite.Text(), SuiteHash: in.Suite.Hash(), Seed: in.Seed, Repeats: in.Suite.Repeats, Warmups: in.Suite.Warmups,
		Folder: in.Folder, Concurrency: in.Suite.Concurrency, Timeout: in.Suite.Timeout,
		CreatedAt: in.Now, Status: compare.Open,
	}
	for _, step := range []func() error{m.readPrompts, m.readModels, m.readAxes, m.readValues, m.checkNames, m.cells} {
		if err := step(); err != nil {
			return compare.Run{}, Forecast{}, err
		}
	}
	run.Cells = m.out
	run.Order = order(&run)
	f := m.forecast(&run)
	switch n := f.Trials + f.Warmups; {
	case n > suite.MaxTrials:
		return compare.Run{}, Forecast{}, fmt.Errorf("%d trials, warm-ups included; at most %d", n, suite.MaxTrials)
	case in.Suite.Limit > 0 && n > in.Suite.Limit:
		return run, f, &TooMany{Trials: n, Limit: in.Suite.Limit}
	}
	return run, f, nil
}

// place gives an error of the suite's content its place; one that has a place keeps it.
func (m *maker) place(key string, err error) error {
	if e, ok := errors.AsType[*expand.Error](err); ok && e.Line > 0 {
		return err
	}
	return m.s.Errorf(key, "%v", err)
}
