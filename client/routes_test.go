package client

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatRoutesSayTogether(t *testing.T) {
	api := func(status int, code, message string) RouteResult {
		return RouteResult{Err: &APIError{HTTPStatus: status, Code: code, Message: message}, Meta: Meta{HTTPStatus: status}}
	}
	page, task := api(200, "", "a web page"), RouteResult{Task: &Task{}}
	absent := RouteResult{Task: &Task{RawStatus: "UNKNOWN", Absent: "not found"}}
	never, gone := api(400, "task_not_exist", "task_not_exist"), api(404, "", "not found")
	odd := RouteResult{Err: errors.New("not understood"), Meta: Meta{HTTPStatus: 200}}
	away := RouteResult{Err: errors.New("dial tcp: refused")}
	for name, c := range map[string]struct {
		all  []RouteResult
		want Verdict
		at   int
	}{
		"a real gateway":           {[]RouteResult{never, page, page, gone}, VerdictUnknown, 0},
		"the page comes first":     {[]RouteResult{page, never, gone}, VerdictUnknown, 1},
		"nothing is served":        {[]RouteResult{page, page}, VerdictUnserved, 0},
		"one knows it":             {[]RouteResult{never, page, task, api(500, "", "")}, VerdictTask, 2},
		"one did not answer":       {[]RouteResult{never, away}, VerdictAway, 1},
		"one failed":               {[]RouteResult{never, api(502, "", ""), away}, VerdictBroken, 1},
		"the key was refused":      {[]RouteResult{never, api(502, "", ""), api(401, "", ""), api(429, "", "")}, VerdictRefused, 2},
		"one is odd":               {[]RouteResult{never, odd, page}, VerdictOdd, 1},
		"a bad request says of it": {[]RouteResult{api(400, "invalid_request", "what?"), never}, VerdictOdd, 0},
		"said as a state":          {[]RouteResult{page, absent, gone}, VerdictUnknown, 1},
		"another route knows it":   {[]RouteResult{absent, task}, VerdictTask, 1},
		"another route failed":     {[]RouteResult{absent, api(502, "", "")}, VerdictBroken, 1},
		"nothing was asked":        {nil, VerdictNone, -1},
	} {
		got, at := Telling(c.all)
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, c.at, at, name)
	}
}
