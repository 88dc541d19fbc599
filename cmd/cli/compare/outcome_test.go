package compare

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/check"
)

func TestNoFailureEndsWithNought(t *testing.T) {
	t.Parallel()
	const suite = "name: k\nkind: image\nprompts: [a kite]\nmodels: [famL]\n"
	for name, x := range map[string]struct {
		expect string
		state  jobs.State
		status compare.Status
		code   int
	}{
		"done":                             {"", jobs.Completed, compare.Ended, kit.ExitOK},
		"failed":                           {"", jobs.Failed, compare.Ended, kit.ExitFailed},
		"nothing says that it may fail":    {"latency < 30s", jobs.Failed, compare.Ended, kit.ExitFailed},
		"it may fail":                      {"success >= 0/1", jobs.Failed, compare.Ended, kit.ExitOK},
		"it has to fail":                   {"status is failed", jobs.Failed, compare.Ended, kit.ExitOK},
		"it may not fail":                  {"status is completed", jobs.Failed, compare.Ended, kit.ExitChecks},
		"nobody knows":                     {"latency < 30s", jobs.Ambiguous, compare.Ended, kit.ExitAmbiguous},
		"the journal could not be written": {"", jobs.Completed, compare.Open, kit.ExitFailed},
		"stopped":                          {"", jobs.Completed, compare.Stopped, kit.ExitFailed},
	} {
		r := &compare.Run{ID: "01890000-0000-7000-8000-000000000001", Suite: suite, Repeats: 1, Status: x.status, Cells: []compare.Cell{{Number: 1, Model: "famL"}}, Order: []compare.Slot{{Cell: 1, Repeat: 1}}}
		r.Trials = []compare.Trial{{Slot: r.Order[0], Attempt: 1, Outcome: compare.Outcome{State: x.state}}}
		if x.expect != "" {
			r.Suite += "expect: [\"" + x.expect + "\"]\n"
			e, err := check.Parse(x.expect)
			assert.NoError(t, err)
			r.Trials[0].Checks = check.Trial([]check.Expectation{e}, &r.Cells[0], &r.Trials[0])
			check.Run([]check.Expectation{e}, r)
		}
		err, code := outcome(r), kit.ExitOK
		if err != nil {
			code = kit.Code(err)
		}
		assert.Equal(t, x.code, code, "%s: %v", name, errors.Join(err))
	}
}
