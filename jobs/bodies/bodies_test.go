package bodies_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/bodies"
	"darkroom/jobs/elide"
	"darkroom/jobs/inspect"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// record is a job with these bodies; an event names each by its text.
func record(events ...jobs.Event) *jobs.Record {
	r := &jobs.Record{Job: jobs.Job{TaskID: "v-1", RawStatus: "completed", UpdatedAt: at.Add(time.Hour)}, Bodies: map[string][]byte{}, Current: map[jobs.PayloadKind]string{}}
	for i, e := range events {
		e.At = at.Add(time.Duration(i) * time.Minute)
		if e.PayloadSHA != "" {
			r.Bodies[jobs.PayloadSHA([]byte(e.PayloadSHA))] = []byte(e.PayloadSHA)
			e.PayloadSHA = jobs.PayloadSHA([]byte(e.PayloadSHA))
		}
		r.Events = append(r.Events, e)
	}
	return r
}

func TestEachBodyIsThereOnceAndInOrder(t *testing.T) {
	r := record(jobs.Event{Kind: jobs.EventPlanned},
		jobs.Event{Kind: jobs.EventSubmitting, PayloadSHA: `{"prompt":"kite"}`},
		jobs.Event{Kind: jobs.EventAccepted, PayloadSHA: `{"id":"v-1"}`, RawStatus: "queued", HTTPStatus: 200},
		jobs.Event{Kind: jobs.EventState, PayloadSHA: `{"status":"running"}`, RawStatus: "running"},
		jobs.Event{Kind: jobs.EventPollError, PayloadSHA: "<html><title>502 Bad Gateway</title>", HTTPStatus: 502},
		jobs.Event{Kind: jobs.EventState, PayloadSHA: `{"status":"running"}`},
		jobs.Event{Kind: jobs.EventState, PayloadSHA: ""})
	newest := `{"status":"completed"}`
	r.Bodies[jobs.PayloadSHA([]byte(newest))] = []byte(newest)
	r.Current[jobs.PayloadAnswer] = jobs.PayloadSHA([]byte(newest))
	r.Current[jobs.PayloadRequest] = jobs.PayloadSHA([]byte(`{"prompt":"kite"}`))
	all := bodies.Of(r)
	var labels []string
	for _, b := range all {
		labels = append(labels, b.Label())
		assert.Equal(t, len(b.Body), b.Bytes)
	}
	assert.Equal(t, []string{"1 request", "2 answer to the create queued", "3 answer running", "4 error HTTP 502", "5 newest answer completed"}, labels)
	assert.Equal(t, at.Add(time.Minute), all[0].At)

	f := &inspect.Findings{Routes: []inspect.Route{{Format: "videos", Body: []byte("{}"), Result: client.RouteResult{Task: &client.Task{RawStatus: "done"}}},
		{Format: "content"}, {Format: "history", Local: true, Body: []byte("{}")}}}
	all = append(all, bodies.Now(f)...)
	b, err := bodies.Pick(all, "videos")
	require.NoError(t, err)
	assert.Equal(t, "videos answer now done", b.Label())
	_, err = bodies.Pick(all, "9\x1b[2J")
	assert.EqualError(t, err, `there is no body "9␛[2J"; there are 1, 2, 3, 4, 5, videos`)
	_, err = bodies.Pick(nil, "1")
	assert.EqualError(t, err, `there is no body "1": none was kept`)

	changes, err := bodies.Diff(&all[2], &all[4])
	require.NoError(t, err)
	require.Len(t, changes, 1)
	assert.Equal(t, ".status", changes[0].Path)
	_, err = bodies.Diff(&all[2], &all[3])
	assert.EqualError(t, err, "4 error HTTP 502 cannot be compared: it is a web page, “502 Bad Gateway”")
}

// gateway has one address, and a path of today.
type gateway struct{ preview error }

func (gateway) Sent(path string, body []byte) (client.Sent, error) {
	method, path, _ := strings.Cut(path, " ")
	return client.Sent{Method: method, URL: "https://gw.example" + path, Header: []string{"Authorization: Bearer $DARKROOM_API_KEY"}, Body: body}, nil
}

func (g gateway) Preview(client.Draft, string) (client.Preview, error) {
	return client.Preview{Method: "POST", Path: "/v1/today"}, g.preview
}

func TestTheRequestIsThatOfThen(t *testing.T) {
	body := `{"prompt":"a  kite\n"}`
	d := &jobs.Detail{Request: []byte(body), Exchanges: []jobs.Exchange{{Kind: jobs.ExchangeCreate, Path: "POST /v1/then"}, {Kind: jobs.ExchangePoll, Path: "GET /v1/x"}}}
	r, err := bodies.Sent(gateway{}, d)
	require.NoError(t, err)
	assert.Equal(t, "https://gw.example/v1/then", r.URL)
	assert.Equal(t, body, string(r.Body))
	assert.Empty(t, r.Notes)
	curl, err := r.Curl()
	require.NoError(t, err)
	assert.Contains(t, curl, body)

	d.Exchanges, d.Request = nil, []byte("{\n  \"prompt\": \"a  kite\\n\"\n}")
	r, err = bodies.Sent(gateway{}, d)
	require.NoError(t, err)
	assert.Equal(t, body, string(r.Body), "an earlier version kept it indented")
	assert.Equal(t, "https://gw.example/v1/today", r.URL)
	require.Len(t, r.Notes, 1)
	assert.Contains(t, r.Notes[0], "the path is that of today")

	_, err = bodies.Sent(gateway{preview: errors.New("no such format")}, d)
	assert.ErrorContains(t, err, "no such format")
	_, err = bodies.Sent(gateway{}, &jobs.Detail{})
	assert.ErrorIs(t, err, bodies.ErrNoRequest)
}

func TestWhatWasLeftOutCannotBeSent(t *testing.T) {
	data := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("picture", 500)))
	for name, body := range map[string]string{
		"a file":     `{"image":"data:image/png;base64,…(my \"kite\".png, 1.2 MB)"}`,
		"a data URI": `{"image":"data:image/png;base64,QUJDREVGR0hJ…(1.2 MB)"}`,
		"elided":     string(elide.JSON([]byte(`{"image":"data:image/png;base64,` + data + `"}`))),
	} {
		r, err := bodies.Sent(gateway{}, &jobs.Detail{Request: []byte(body)})
		require.NoError(t, err, name)
		assert.Equal(t, 1, r.Elided, name)
		assert.Contains(t, r.Notes[1], "the bytes of 1 file", name)
		_, err = r.Curl()
		assert.ErrorContains(t, err, "did not keep the bytes of 1 file", name)
	}
	for _, body := range []string{`{"prompt":"data:… (a story)"}`, `{"url":"https://x/data:a,b…(c)"}`} {
		r, err := bodies.Sent(gateway{}, &jobs.Detail{Request: []byte(body)})
		require.NoError(t, err)
		assert.Zero(t, r.Elided, body)
	}
	r, err := bodies.Sent(gateway{}, &jobs.Detail{Request: []byte(`{"darkroom": "this body has 99999999 bytes; of its kind up to 1 are kept"}`)})
	require.NoError(t, err)
	_, err = r.Curl()
	assert.ErrorContains(t, err, "too long to be kept")
}
