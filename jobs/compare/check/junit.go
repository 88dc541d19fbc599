package check

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/hide"
)

// JUnit writes a run as JUnit XML, for the program that shows tests: a cell is a suite, and each
// expectation of each trial is a case. Where nothing is expected, or nothing that decides whether a trial
// may fail, one that did not complete is a failure. What cannot run, was not sent or leaves it open is
// skipped, with the reason. A score is a case where its scorer says that it does not pass.
func JUnit(w io.Writer, r *compare.Run) error {
	out := junit.Testsuites{Name: r.Name}
	trials := map[compare.Slot]*compare.Trial{}
	for _, t := range r.Counted() {
		trials[t.Slot] = t
	}
	for i := range r.Cells {
		out.AddSuite(cellSuite(r, &r.Cells[i], trials))
	}
	if len(r.Checks) > 0 {
		s := suite(r, "the whole run")
		for _, c := range r.Checks {
			s.AddTestcase(result(c, c.Name, r.Name))
		}
		out.AddSuite(s)
	}
	for i := range out.Suites {
		out.Suites[i].ID = i
	}
	return out.WriteXML(w)
}

func suite(r *compare.Run, name string) junit.Testsuite {
	s := junit.Testsuite{Name: r.Name + ": " + name, Time: "0.000"}
	s.SetTimestamp(r.CreatedAt.UTC())
	s.AddProperty("run", r.ID)
	return s
}

func cellSuite(r *compare.Run, c *compare.Cell, trials map[compare.Slot]*compare.Trial) junit.Testsuite {
	s := suite(r, c.Prompt.ID+" · "+c.Group(r.Formats()))
	s.AddProperty("cell", strconv.Itoa(c.Number))
	class := r.Name + "." + c.Prompt.ID
	if c.Cannot != "" {
		s.AddTestcase(junit.Testcase{Name: "cannot run", Classname: class, Skipped: &junit.Result{Message: hide.Paths(c.Cannot)}})
		return s
	}
	var took time.Duration
	for rep := 1; rep <= r.Repeats; rep++ {
		name := fmt.Sprintf("repeat %d", rep)
		t := trials[compare.Slot{Cell: c.Number, Repeat: rep}]
		if t == nil {
			s.AddTestcase(junit.Testcase{Name: name, Classname: class, Skipped: &junit.Result{Message: "not sent"}})
			continue
		}
		took += t.Latency.Total.Mid()
		for _, tc := range cases(r, t, name, class) {
			s.AddTestcase(tc)
		}
	}
	for _, x := range r.CellChecks[c.Number] {
		s.AddTestcase(result(x, x.Name, class))
	}
	s.Time = seconds3(took)
	return s
}

func seconds3(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// cases are those of one trial.
func cases(r *compare.Run, t *compare.Trial, name, class string) []junit.Testcase {
	var out []junit.Testcase
	for _, c := range t.Checks {
		if !c.Scored || c.Verdict == compare.Fail {
			out = append(out, result(c, name+": "+c.Name, class))
		}
	}
	if len(out) == 0 || Unforeseen(r, t) {
		tc := junit.Testcase{Name: name, Classname: class}
		switch {
		case !t.Ended():
			tc.Skipped = &junit.Result{Message: "not over yet"}
		case t.State == jobs.Ambiguous:
			tc.Error = &junit.Result{Message: "nobody knows whether the gateway accepted it"}
		case t.TimedOut:
			tc.Failure = &junit.Result{Message: "timed out: " + t.Latency.Total.String()}
		case !t.OK():
			tc.Failure = &junit.Result{Message: string(t.State), Type: t.Code, Data: hide.Paths(t.Message)}
		}
		out = append(out, tc)
	}
	for i := range out {
		out[i].Time = seconds3(t.Latency.Total.Mid())
	}
	return out
}

func result(c compare.Check, name, class string) junit.Testcase {
	tc := junit.Testcase{Name: name, Classname: class}
	switch c.Verdict {
	case compare.Fail:
		tc.Failure = &junit.Result{Message: hide.Paths(c.Text)}
	case compare.Unknown:
		tc.Skipped = &junit.Result{Message: hide.Paths(c.Text)}
	}
	return tc
}
