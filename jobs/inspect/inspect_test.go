package inspect

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/drift"
	"darkroom/jobs"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func ways() Ways {
	return Ways{Again: "r", Queue: "o", Format: "f", Dur: time.Duration.String}
}

func task(status client.Status) client.RouteResult {
	return client.RouteResult{Meta: client.Meta{HTTPStatus: 200}, Task: &client.Task{Status: status, CreatedAt: now.Add(-time.Hour), Raw: []byte(`{}`)}}
}

func refusal(status int) client.RouteResult {
	return client.RouteResult{Meta: client.Meta{HTTPStatus: status}, Err: &client.APIError{HTTPStatus: status, Body: []byte("why")}}
}

// about are findings of routes that have all answered.
func about(all ...client.RouteResult) *Findings {
	f := &Findings{}
	for i, r := range all {
		f.Routes = append(f.Routes, Route{Format: []string{"videos", "content", "music"}[i]})
		f.Answer(i, r)
	}
	return f
}

func TestTheBestAnswerIsThatOfTheJobsOwnRoute(t *testing.T) {
	f := about(task(client.StatusUnknown), task(client.StatusRunning), task(client.StatusCompleted))
	assert.Equal(t, 1, f.Best(), "a known state before an unknown one, the first of equals")
	f.Job = &jobs.Job{Format: "music"}
	assert.Equal(t, 2, f.Best())
	f.Job = &jobs.Job{Format: "music", QueryFormat: "videos"}
	assert.Equal(t, 0, f.Best(), "even where it knows no state")
	assert.Equal(t, -1, about(refusal(404)).Best())
	assert.Nil(t, about(refusal(404)).Task())
}

func TestWhatToLookAtFirst(t *testing.T) {
	f := about(refusal(404), refusal(500))
	assert.Equal(t, 1, f.Telling(), "an error before a route that does not know the id")
	f.Keep([]byte("kept"))
	assert.Equal(t, 2, f.Telling(), "and before both what the history kept")
	f.Routes[0].Result = task(client.StatusRunning)
	assert.Equal(t, 0, f.Telling())
}

func TestVerdicts(t *testing.T) {
	away := client.RouteResult{Err: errors.New("dial tcp: connection refused")}
	for name, x := range map[string]struct {
		f    *Findings
		text string
		next string
	}{
		"completed":         {about(task(client.StatusCompleted)), "completed", "It is finished. The answer names no result"},
		"running for long":  {about(task(client.StatusRunning)), "running", "Running for 1h0m0s, which is long. r asks again."},
		"term of nobody":    {about(task(client.StatusUnknown)), "unknown", "taken for neither an end nor a success. r asks again"},
		"unknown":           {about(refusal(404), refusal(404)), "no route knows this id", "Is the id complete?"},
		"key":               {about(refusal(401)), "the key was refused", "darkroom auth status"},
		"server error":      {about(refusal(404), refusal(500)), "the gateway failed", "r asks again; if it stays so"},
		"away":              {about(away), "the gateway was not reached", "Check the network"},
		"one away":          {about(refusal(404), away), "a route was not reached", "r asks again"},
		"job without task":  {&Findings{Job: &jobs.Job{State: jobs.Planned}}, "no task yet", "o shows it."},
		"answered at once":  {&Findings{Job: &jobs.Job{State: jobs.Completed}}, "completed, without a task", "o shows the job."},
		"nobody was asked":  {&Findings{}, "no answer", "r asks again."},
		"a request":         {&Findings{Kind: KindRequest}, "the history has no such request", "cannot be asked by the id of a request"},
		"a result":          {&Findings{Kind: KindResult}, "the history has no such result", "Paste the task's id"},
		"the history waits": {&Findings{Pending: true}, "asking the history …", ""},
	} {
		v := x.f.Verdict(ways(), now)
		assert.Equal(t, x.text, v.Text, name)
		assert.Contains(t, v.Sentences(), x.next, name)
	}
	f := about(refusal(404))
	f.Only = "videos"
	assert.Equal(t, "Only videos was asked, and it has no task with this id. f asks all routes.", f.Verdict(ways(), now).Sentences())
	f.Job = &jobs.Job{}
	assert.Equal(t, "the gateway does not know it (any more)", f.Verdict(ways(), now).Text)
}

// TestTheHeadlineIsNotStrongerThanTheEvidence: a web page in the place of the likely route's answer leaves
// open what that route knows.
func TestTheHeadlineIsNotStrongerThanTheEvidence(t *testing.T) {
	page := client.RouteResult{Meta: client.Meta{HTTPStatus: 200}, Err: &client.APIError{HTTPStatus: 200, Body: []byte("<!doctype html><title>Sign in</title>")}}
	const words = "videos answered with a web page titled “Sign in”, as gateways do on a route that they do not serve. " +
		"So it is not known whether videos has the task; the other route that answered does not have it."
	for name, x := range map[string]struct {
		f           *Findings
		job         *jobs.Job
		mute, words string
		text        string
	}{
		"the likely one":        {about(page, refusal(404)), nil, "videos", words, "no answer from the likely route"},
		"another one":           {about(refusal(404), page), nil, "", "content answered with a web page titled “Sign in”, as gateways do on a route that they do not serve.", "no route knows this id"},
		"two":                   {about(page, page, refusal(404)), nil, "videos", "videos, content answered with a web page titled “Sign in”, as gateways do on routes that they do not serve. So", "no answer from the likely route"},
		"the job's own":         {about(refusal(404), page), &jobs.Job{Format: "content"}, "content", "So it is not known whether content has the task", "no answer from the likely route"},
		"not the job's own":     {about(page, refusal(404)), &jobs.Job{Format: "videos", QueryFormat: "content"}, "", "The history has it", "the gateway does not know it (any more)"},
		"a job of a third kind": {about(page, refusal(404)), &jobs.Job{Format: "music"}, "videos", "The history has it", "no answer from the likely route"},
	} {
		x.f.Job = x.job
		v := x.f.Verdict(ways(), now)
		assert.Equal(t, x.mute, x.f.Mute(), name)
		assert.Equal(t, x.text, v.Text, name)
		assert.Contains(t, v.Means, x.words, name)
	}
	f := about(page, refusal(404), refusal(404))
	f.Routes[0].Stopped = true
	assert.Empty(t, f.Mute(), "what was given up is not what was likely")
}

func TestTheWaitIsInWholeSeconds(t *testing.T) {
	f := about(client.RouteResult{Err: &client.APIError{HTTPStatus: 429, RetryAfter: 25 * time.Second}})
	assert.Equal(t, "The gateway takes no more requests for now, and asks to wait 25 s.", f.Verdict(ways(), now).Means)
}

func TestWhatIsGivenUp(t *testing.T) {
	f := &Findings{Routes: []Route{{Format: "videos"}, {Format: "content"}}, Pending: true}
	assert.Equal(t, "asking 2 routes and the history …", f.Progress())
	f.Answer(0, refusal(404))
	assert.Equal(t, "asking 1 of 2 routes and the history …", f.Verdict(ways(), now).Text)
	f.Stop()
	assert.Zero(t, f.Busy())
	assert.Equal(t, "stopped", f.Verdict(ways(), now).Text)
	assert.False(t, f.Routes[0].Stopped)
	assert.True(t, f.Routes[1].Stopped)
}

func TestBodiesAndErrors(t *testing.T) {
	require.Equal(t, "why", string(Body(refusal(404))))
	require.Equal(t, "raw", string(Body(client.RouteResult{Raw: []byte("raw"), Err: errors.New("x")})))
	require.Nil(t, Body(client.RouteResult{}))
	assert.Equal(t, "no answer", ErrorText(nil))
	assert.Equal(t, "not_found gone", ErrorText(&client.APIError{Code: "not_found", Message: "gone"}))
	assert.Equal(t, "about another task: t-2", ErrorText(&client.OtherTaskError{Asked: "t-1", Named: "t-2"}))
}

func TestFactsOfAllAnswers(t *testing.T) {
	a, b := task(client.StatusRunning), task(client.StatusUnknown)
	a.Task.CreatedAt, a.Task.Model, a.Meta.RequestID = time.Time{}, "famA3", "r-1"
	b.Task.Model, b.Task.AsSent.Ended, b.Task.AltIDs = "other", "2026-03-01 12:00:00", []string{"t-2"}
	f := about(b, a, refusal(404))
	f.Job = &jobs.Job{Draft: client.Draft{Model: "famA3"}, Error: &client.TaskError{Code: "boom"}}
	assert.Equal(t, []Fact{
		{KeyModel, []Said{{Text: "famA3", By: []string{"content", history}}, {Text: "other", By: []string{"videos"}}}},
		{KeyCreated, []Said{{At: now.Add(-time.Hour), By: []string{"videos"}}}},
		{KeyEnded, []Said{{Text: "2026-03-01 12:00:00", AsSent: true, By: []string{"videos"}}}},
		{KeyCode, []Said{{Text: "boom", By: []string{history}}}},
		{KeyAlso, []Said{{Text: "t-2", By: []string{"videos"}}}},
		{KeyRequestID, []Said{{Text: "r-1", By: []string{"content"}}}},
	}, f.Facts(), "a time that only another route tells is there")
	assert.Empty(t, (&Findings{}).Facts())
}

func TestExplain(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	failed := task(client.StatusFailed)
	failed.Task.Error = &client.TaskError{Code: "DataInspectionFailed", Message: "no"}
	odd := task(client.StatusFailed)
	odd.Task.Error = &client.TaskError{Code: "E-77"}
	for name, x := range map[string]struct {
		f                    *Findings
		by, whose, again, of string
	}{
		"the task's":      {about(refusal(404), failed), "content", "the prompt or a reference", "only after a change", "seen at other gateways"},
		"a refusal":       {about(refusal(404), refusal(500)), "content", "the gateway", "yes, later", "the gateway's interface"},
		"the history's":   {&Findings{Job: &jobs.Job{Error: &client.TaskError{Code: "Throttling.RateQuota"}}}, history, "too many requests", "yes, later", "seen at other gateways"},
		"nobody lists it": {about(odd), "videos", "", "", "not listed"},
	} {
		e, ok := x.f.Explain(c)
		require.True(t, ok, name)
		assert.Equal(t, []string{x.by, x.whose, x.again, x.of}, []string{e.By, e.Whose(), e.Again(), e.Source()}, name)
	}
	for name, f := range map[string]*Findings{
		"nothing":   {},
		"no error":  about(task(client.StatusCompleted), refusal(404)),
		"not found": about(refusal(404), refusal(404)),
		"not there": about(client.RouteResult{Err: errors.New("dial tcp")}),
	} {
		_, ok := f.Explain(c)
		assert.False(t, ok, name)
	}
}

func TestDriftOfAllAnswers(t *testing.T) {
	l, err := drift.Embedded()
	require.NoError(t, err)
	a := task(client.StatusRunning)
	a.Task.Raw = []byte(`{"id":"v","status":"napping","about":1,"progress":3,"video_url":7}`)
	b := refusal(404)
	b.Err.(*client.APIError).Body = []byte(`{"code":"x","why":1}`)
	f := about(a, b)
	f.Keep([]byte(`{"odd":1}`))
	all := f.Drift(l)
	var texts []string
	for _, x := range Alarms(all) {
		texts = append(texts, x.Format+": "+x.Text())
	}
	assert.Equal(t, []string{`videos: status is "napping", a term that is not listed`, "videos: video_url is a whole number here, not text", "videos: about (a whole number) is not listed", "content: why (a whole number) is not listed"}, texts)
	assert.Len(t, all, 6, "those that were seen elsewhere are told apart")
}
