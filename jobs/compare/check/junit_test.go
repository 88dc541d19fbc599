package check_test

import (
	"bytes"
	"encoding/xml"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/check"
)

// suites is how a program that reads JUnit sees a report.
type suites struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
	Suites   []struct {
		Name  string `xml:"name,attr"`
		Cases []struct {
			Name    string `xml:"name,attr"`
			Class   string `xml:"classname,attr"`
			Time    string `xml:"time,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
			Error *struct {
				Message string `xml:"message,attr"`
			} `xml:"error"`
			Skipped *struct {
				Message string `xml:"message,attr"`
			} `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func TestJUnit(t *testing.T) {
	r := run(done(4, 5), failed("]]><script>&\x1b[2J"), timedOut())
	r.Name, r.CreatedAt = "kites & co", time.Unix(0, 0)
	r.Cells[0].Prompt.ID, r.Cells[1].Prompt.ID = "sea", "sea"
	r.Repeats = 4
	r.Cells[1].Cannot = "there is no file /home/ana/secret plans/a.png"
	list := parse(t, "latency < 4s", "success >= 3/3", "overall success >= 1/9")
	check.Run(list, r)
	r.Trials[0].Checks = append(check.Trial(list, &r.Cells[0], &r.Trials[0]), compare.Check{Name: "sharpness", Scored: true})
	r.Trials[2].State = jobs.Running
	var b bytes.Buffer
	require.NoError(t, check.JUnit(&b, r))
	var got suites
	require.NoError(t, xml.Unmarshal(b.Bytes(), &got))
	require.Len(t, got.Suites, 3)
	assert.Equal(t, "kites & co: sea · famA3", got.Suites[0].Name)
	var lines []string
	for _, s := range got.Suites {
		for _, c := range s.Cases {
			line := c.Name + " " + c.Time
			switch {
			case c.Failure != nil:
				line += " FAIL " + c.Failure.Message
			case c.Error != nil:
				line += " ERROR " + c.Error.Message
			case c.Skipped != nil:
				line += " SKIP " + c.Skipped.Message
			}
			lines = append(lines, line)
		}
	}
	assert.Equal(t, []string{
		"repeat 1: latency < 4s 4.500 FAIL took 4.0–5.0 s",
		"repeat 2 0.000 FAIL failed",
		"repeat 3 60.000 FAIL timed out: over 1 m 00 s",
		"repeat 4  SKIP not sent",
		"success >= 3/3  FAIL 1/3 succeeded, 1 not over",
		"cannot run  SKIP there is no file secret plans/a.png",
		"overall success >= 1/9 ",
	}, lines)
	assert.Equal(t, []int{7, 4, 0, 2}, []int{got.Tests, got.Failures, got.Errors, got.Skipped})

	r.Trials[1].State = jobs.Ambiguous
	b.Reset()
	require.NoError(t, check.JUnit(&b, r))
	require.NoError(t, xml.Unmarshal(b.Bytes(), &got))
	assert.Equal(t, 1, got.Errors)
}

// TestJUnitHidesNoFailure: what is expected of latencies says nothing of a trial that has none, and a score
// that does not pass ends a run as any other expectation does.
func TestJUnitHidesNoFailure(t *testing.T) {
	for name, x := range map[string]struct {
		lines            []string
		trial            compare.Trial
		failures, errors int
		unforeseen       bool
	}{
		"latency alone":         {[]string{"latency < 4s"}, failed("boom"), 1, 0, true},
		"of another model":      {[]string{"latency < 4s", "famZ*: status is completed", "famZ*: overall success >= 1/9"}, failed("boom"), 1, 0, true},
		"ambiguous":             {[]string{"latency < 4s"}, compare.Trial{Attempt: 1, Outcome: compare.Outcome{State: jobs.Ambiguous}}, 0, 1, true},
		"its status is named":   {[]string{"latency < 4s", "status is failed"}, failed("boom"), 0, 0, false},
		"its error is named":    {[]string{"latency < 4s", "error is boom"}, failed("boom"), 0, 0, false},
		"a share may fail":      {[]string{"latency < 4s", "success >= 0/1"}, failed("boom"), 0, 0, false},
		"a share of all may":    {[]string{"latency < 4s", "overall success >= 0/1"}, failed("boom"), 0, 0, false},
		"a check names it":      {[]string{"latency < 4s", "files is 1"}, failed("boom"), 1, 0, false},
		"it took too long":      {[]string{"latency < 4s"}, timedOut(), 1, 0, false},
		"it may still be quick": {[]string{"latency < 90s"}, timedOut(), 1, 0, true},
		"completed":             {[]string{"latency < 9s"}, done(4, 5), 0, 0, false},
	} {
		r := run(x.trial)
		r.Repeats = 1
		list := parse(t, x.lines...)
		r.Trials[0].Checks = check.Trial(list, &r.Cells[0], &r.Trials[0])
		check.Run(list, r)
		assert.Equal(t, x.unforeseen, check.Unforeseen(r, &r.Trials[0]), name)
		var b bytes.Buffer
		require.NoError(t, check.JUnit(&b, r))
		var got suites
		require.NoError(t, xml.Unmarshal(b.Bytes(), &got))
		assert.Equal(t, []int{x.failures, x.errors}, []int{got.Failures, got.Errors}, name)
	}

	r := run(done(4, 5))
	r.Repeats = 1
	r.Trials[0].Checks = []compare.Check{{Name: "sharpness", Scored: true, Score: 0.1, Verdict: compare.Fail, Text: "blurred"}}
	require.Equal(t, 1, check.Failed(r))
	var b bytes.Buffer
	require.NoError(t, check.JUnit(&b, r))
	assert.Contains(t, b.String(), `<failure message="blurred">`)
}
