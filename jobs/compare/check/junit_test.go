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
		"cannot run  SKIP has no mode",
		"overall success >= 1/9 ",
	}, lines)
	assert.Equal(t, []int{7, 4, 0, 2}, []int{got.Tests, got.Failures, got.Errors, got.Skipped})

	r.Trials[1].State = jobs.Ambiguous
	b.Reset()
	require.NoError(t, check.JUnit(&b, r))
	require.NoError(t, xml.Unmarshal(b.Bytes(), &got))
	assert.Equal(t, 1, got.Errors)
}
