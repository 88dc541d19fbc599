package body_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/bodies"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

var (
	bound = keys.New(screen.Rows(body.Commands()))
	at    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

const (
	request = `{"model":"famI-omni","prompt":"a red kite over a salt flat at dawn","seconds":"6"}`
	queued  = `{"id":"vid_1","status":"queued","progress":0}`
	done    = `{"id":"vid_1","status":"completed","progress":100,"video_url":"https://media.example.org/v/vid_1.mp4?sign=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","usage":{"seconds":6,"tokens":[1,2,3]},"seed":9007199254740993}`
	page    = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>"
)

// history has one job with the given request.
type history struct {
	request string
	profile string
	err     error
}

func (h history) Record(context.Context, string) (jobs.Record, error) {
	if h.err != nil {
		return jobs.Record{}, h.err
	}
	r := jobs.Record{Job: jobs.Job{ID: "j-1", Profile: h.profile, TaskID: "vid_1", Format: "videos"}, Bodies: map[string][]byte{}, Current: map[jobs.PayloadKind]string{},
		Exchanges: []jobs.Exchange{{Kind: jobs.ExchangeCreate, Path: "POST /v1/videos"}}}
	add := func(e jobs.Event, text string) {
		e.At = at.Add(time.Duration(len(r.Events)) * time.Minute)
		if text != "" {
			e.PayloadSHA = jobs.PayloadSHA([]byte(text))
			r.Bodies[e.PayloadSHA] = []byte(text)
		}
		r.Events = append(r.Events, e)
	}
	add(jobs.Event{Kind: jobs.EventSubmitting}, h.request)
	r.Current[jobs.PayloadRequest] = r.Events[0].PayloadSHA
	add(jobs.Event{Kind: jobs.EventAccepted, RawStatus: "queued", HTTPStatus: 200}, queued)
	add(jobs.Event{Kind: jobs.EventPollError, HTTPStatus: 502}, page)
	add(jobs.Event{Kind: jobs.EventState, RawStatus: "completed"}, done)
	return r, nil
}

type gateway struct{ bodies.Requester }

func (gateway) Sent(path string, body []byte) (client.Sent, error) {
	method, path, _ := strings.Cut(path, " ")
	return client.Sent{Method: method, URL: "https://gw.example" + path, Body: body,
		Header: []string{"Authorization: Bearer $DARKROOM_API_KEY", "Content-Type: application/json", "Accept: application/json"}}, nil
}

// filters are kept in the test.
type filters struct{ all []string }

func (f *filters) Load() ([]string, error) { return f.all, nil }
func (f *filters) Used(s string) ([]string, error) {
	f.all = append([]string{s}, f.all...)
	return f.all, nil
}

func options() body.Options {
	return body.Options{Title: "Job 0000a11c", Job: "j-1", History: history{request: request, profile: "main"}, Gateway: gateway{}, Profile: "main", Keys: bound, Filters: &filters{}}
}

func open(t testing.TB, o body.Options, w, h int) *tuitest.Host {
	t.Helper()
	return tuitest.NewDialog(t, bound, body.New(o), w, h)
}

// copied is what was copied last.
func copied(t *testing.T, b *tuitest.Host) string {
	t.Helper()
	msg, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	return msg.Text
}

func TestGoldens(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}} {
		size := fmt.Sprintf("-%dx%d", s[0], s[1])
		b := open(t, options(), s[0], s[1])
		b.Golden("answer" + size)
		b.Key("w", "/")
		b.Type("VIDEO")
		b.Key("enter")
		b.Golden("found" + size)
		b.Key("f")
		b.Type(".usage.tokens[]")
		b.Key("enter")
		b.Golden("filtered" + size)
		b.Key("esc", "d", "up", "enter")
		b.Golden("compared" + size)
		b.Key("esc", "shift+tab")
		b.Golden("page" + size)
		o := options()
		o.Request = true
		open(t, o, s[0], s[1]).Golden("request" + size)
	}
}

func TestValuesAndPathsAreCopiedWhole(t *testing.T) {
	b := open(t, options(), 80, 24)
	b.Key("/")
	b.Type("mp4")
	b.Key("enter", "y")
	assert.True(t, strings.HasSuffix(copied(t, b), "0123456789abcdef"), "never shortened")
	assert.NotContains(t, copied(t, b), "…")
	b.Key("Y")
	assert.Equal(t, ".video_url", copied(t, b))
	b.Key("a")
	assert.Equal(t, done, copied(t, b))
	b.Key("C")
	assert.Equal(t, done, copied(t, b), "an answer is no request")
	b.Key("d", "up", "up", "enter", "/")
	b.Type("mp4")
	b.Key("enter", "y")
	assert.True(t, strings.HasPrefix(copied(t, b), "https://") && strings.HasSuffix(copied(t, b), "0123456789abcdef"), "the value alone: %s", copied(t, b))
	b.Key("up", "y")
	assert.Equal(t, ".video_url", copied(t, b))
}

func TestTheRequestIsCopiedAsItWasSent(t *testing.T) {
	o := options()
	o.Request = true
	b := open(t, o, 120, 34)
	assert.Contains(t, b.View(), "POST https://gw.example/v1/videos")
	b.Key("C")
	assert.Contains(t, copied(t, b), "--data-raw '"+request+"'")
	assert.Contains(t, copied(t, b), `"Authorization: Bearer $DARKROOM_API_KEY"`)

	o.History = history{request: `{"image":"data:image/png;base64,…(kite.png, 3.0 kB)"}`, profile: "main"}
	b = open(t, o, 120, 34)
	assert.Contains(t, b.View(), "did not keep the bytes of 1 file")
	b.Key("C")
	msg, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, msg.Text, "no command sends this")

	o.History = history{request: request, profile: "other"}
	b = open(t, o, 120, 34)
	assert.NotContains(t, b.View(), "gw.example", "that is another profile's")
	b.Key("C")
	msg, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, msg.Text, "the profile other")
}

func TestFiltersAreRememberedWhenTheyWork(t *testing.T) {
	kept := &filters{all: []string{".id"}}
	o := options()
	o.Filters = kept
	b := open(t, o, 120, 34)
	b.Key("f")
	b.Type(".status |")
	b.Key("enter")
	assert.Contains(t, b.View(), "✗ the filter ends early")
	assert.Contains(t, b.View(), `"status": "completed"`, "what showed before stays")
	assert.Equal(t, []string{".id"}, kept.all)
	b.Key("esc", "f")
	b.Type(".status")
	b.Key("enter")
	assert.Contains(t, b.View(), "jq .status")
	assert.Equal(t, []string{".status", ".id"}, kept.all)
	b.Key("esc", "f", "up", "up", "enter")
	assert.Contains(t, b.View(), `"vid_1"`)
	assert.Contains(t, b.View(), "jq .id")
	b.Key("esc")
	require.NotNil(t, b.Top())
	b.Key("shift+tab", "f")
	b.Type(".x")
	b.Key("enter")
	assert.Contains(t, b.View(), "it cannot be filtered: it is a web page, “502 Bad Gateway”")
}

func TestAFilterThatRunsIsGivenUp(t *testing.T) {
	b := open(t, options(), 120, 34)
	b.Limit, b.Busy = time.Millisecond, 0
	b.Key("f")
	b.Type("def f: f; f")
	b.Key("enter")
	assert.Contains(t, b.View(), "filtering …")
	b.Key("esc")
	require.NotNil(t, b.Top(), "esc gives the filter up")
	assert.NotContains(t, b.View(), "filtering …")
	b.Settle(30*time.Second, "the filter ends", func() bool { return b.Waiting() == 0 })
	assert.Contains(t, b.View(), `"status": "completed"`)
	assert.NotContains(t, b.View(), "canceled", "nobody asks any more what came of it")
}

func TestLettersAreLettersWhileTyping(t *testing.T) {
	b := open(t, options(), 120, 34)
	assert.False(t, b.Capturing())
	b.Key("/")
	assert.True(t, b.Capturing())
	b.Type("ndyY/")
	assert.Contains(t, b.View(), "search ndyY/")
	b.Key("enter")
	assert.Contains(t, b.View(), `"ndyY/" was not found`)
	b.Key("n")
	msg, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, msg.Text, "nothing was searched for, or found")
	b.Key("/", "esc")
	require.NotNil(t, b.Top(), "esc ends the typing alone")
}

func TestAWebPageIsText(t *testing.T) {
	o := options()
	o.Job, o.Now, o.Show = "", []bodies.Body{{Name: "videos", What: bodies.WhatNow, HTTP: 502, Body: []byte(page), Bytes: len(page)}}, "videos"
	b := open(t, o, 80, 24)
	assert.Contains(t, b.View(), "a web page in place of JSON: “502 Bad Gateway”")
	assert.NotContains(t, b.View(), "<h1>")
	b.Key("s")
	assert.Contains(t, b.View(), "<h1>")
	b.Key("Y", "d", "tab")
	assert.Len(t, b.Sent, 3, "no path, no other body")
	b.Key("esc")
	assert.Nil(t, b.Top())
}

func TestWhatCannotBeRead(t *testing.T) {
	o := options()
	o.History = history{err: errors.New("the disk is gone\x1b[2J")}
	b := open(t, o, 80, 24)
	assert.Contains(t, b.View(), "the history could not be read: the disk is gone")
	for _, k := range []string{"/", "f", "d", "tab", "y", "Y", "a", "C", "s", "n", "enter", "w"} {
		b.Key(k)
	}
	o.Job = ""
	assert.Contains(t, open(t, o, 80, 24).View(), "No body of this job was kept.")
}

func TestFramesFit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	names := []string{"down", "up", "tab", "shift+tab", "w", "s", "/", "f", "enter", "esc", "n", "N", "d", "left", "right", " ", "-", "+", "a", "C", "G", "x", "."}
	b := open(t, options(), 80, 24)
	for range 300 {
		w, h := 1+r.IntN(140), 1+r.IntN(50)
		b.Resize(w, h)
		if b.Top() == nil {
			b.Show(body.New(options()))
		}
		b.Key(names[r.IntN(len(names))])
		if top := b.Top(); top != nil {
			tuitest.CheckWithin(t, top.View(), w, h)
		}
	}
}
