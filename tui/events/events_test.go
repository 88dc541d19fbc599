package events_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/events"
	"darkroom/tui/tuitest"
)

var at = time.Date(2026, 3, 1, 23, 59, 58, 0, time.UTC)

func TestATimelineNamesDaysOnceAndCleansTexts(t *testing.T) {
	k := events.NewInks(tuitest.Styles(t))
	all := []jobs.Event{
		{At: at, Kind: jobs.EventState, From: jobs.Queued, To: jobs.Running, RawStatus: "IN_PROGRESS"},
		{At: at.Add(time.Second), Kind: jobs.EventPollError, HTTPStatus: 503, Message: "busy\x1b[2J", RequestID: "req-1"},
		{At: at.Add(3 * time.Second), Kind: jobs.EventPerson, Message: "asked for a look now"},
	}
	text := tuitest.Plain(strings.Join(events.Lines(k, human.Times{Now: at}, all, 60), "\n"))
	assert.Equal(t, 1, strings.Count(text, "Sunday, 1 March 2026"))
	assert.Equal(t, 1, strings.Count(text, "Monday, 2 March 2026"))
	assert.Contains(t, text, "23:59:58.000")
	assert.Contains(t, text, "running (IN_PROGRESS)")
	assert.Contains(t, text, "HTTP 503 · busy")
	assert.Contains(t, text, "req-1")
	assert.Contains(t, text, "by hand")
	assert.Contains(t, text, "+2.0 s")
	assert.NotContains(t, text, "\x1b")
	assert.NotContains(t, tuitest.Plain(strings.Join(events.Lines(k, human.Times{Now: at}, all, 30), "\n")), "+2.0 s", "there is no room")
	east := time.FixedZone("east", 3600)
	assert.Contains(t, strings.Join(events.Lines(k, human.Times{Now: at.In(east)}, all, 60), "\n"), "00:59:58.000")
	assert.Contains(t, strings.Join(events.Lines(k, human.Times{Now: at}, nil, 60), "\n"), "Nothing was recorded")
}

func TestTheNewestRequestIsFirst(t *testing.T) {
	k := events.NewInks(tuitest.Styles(t))
	assert.Empty(t, events.Exchanges(k, human.Times{Now: at}, nil, 60))
	lines := events.Exchanges(k, human.Times{Now: at}, []jobs.Exchange{
		{At: at, Kind: "create", HTTPStatus: 200, Latency: time.Second, Path: "/v1/videos"},
		{At: at.Add(time.Second), Kind: "query", Latency: time.Second, Error: "connection reset\x1b[1m"},
	}, 60)
	text := tuitest.Plain(strings.Join(lines, "\n"))
	assert.Less(t, strings.Index(text, "connection reset"), strings.Index(text, "create 200 1"))
	assert.NotContains(t, text, "\x1b")
}
