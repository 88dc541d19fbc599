package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// stage is a moment in the life of a create at which the program is killed.
type stage string

const (
	atJournal stage = "planned"   // the job is in the history
	atIntent  stage = "announced" // the history says that the POST is about to begin
	atSend    stage = "sent"      // the POST has left the program and never gets to the gateway
	atCount   stage = "counted"   // the POST gets to the gateway, whose answer finds nobody
	atAnswer  stage = "answered"  // the program has read the answer, and the id is not written
	atKept    stage = "kept"      // the id is in the history
	atAny     stage = "any"       // at any moment from the start on
)

// tap lies between the program and the gateway. At the chosen create of an ambush it has the
// program killed at the ambush's stage, so that the test does not depend on how fast
// anything goes.
type tap struct {
	*httptest.Server
	gateway *url.URL
	pass    http.Handler
	history jobs.Store

	mu    sync.Mutex
	open  map[net.Conn]bool // connections
	trips map[string]stage  // how far the create of each job came, as far as the gateway knows
	next  *ambush
}

// ambush waits for the nth create that comes.
type ambush struct {
	stage stage
	nth   int
	kill  func() // returns when the program is dead
}

func newTap(t *testing.T, gateway string, history jobs.Store) *tap {
	t.Helper()
	u, err := url.Parse(gateway)
	require.NoError(t, err)
	x := &tap{gateway: u, history: history, open: map[net.Conn]bool{}, trips: map[string]stage{}, pass: &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(u); r.Out.Host = r.In.Host },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }, // its client is dead
	}}
	x.Server = httptest.NewUnstartedServer(x)
	x.Config.ConnState = x.connected
	x.Start()
	t.Cleanup(x.Close)
	return x
}

func (x *tap) connected(c net.Conn, s http.ConnState) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if s == http.StateClosed || s == http.StateHijacked {
		delete(x.open, c)
		return
	}
	x.open[c] = true
}

// settle waits until everything is through that dead programs have sent.
func (x *tap) settle(t *testing.T) {
	t.Helper()
	c, err := net.Dial("tcp", x.Listener.Addr().String()) // what came before it is accepted before it
	require.NoError(t, err)
	_, err = io.WriteString(c, "GET /settle HTTP/1.1\r\nHost: tap\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, c)
	require.NoError(t, err)
	require.NoError(t, c.Close())
	require.Eventually(t, func() bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		return len(x.open) == 0
	}, patience, time.Millisecond)
}

// set lays an ambush; nil ends the last one.
func (x *tap) set(a *ambush) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.next = a
}

// trip is how far a job's create came; "" for one that never left the program.
func (x *tap) trip(id string) stage {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.trips[id]
}

func (x *tap) came(id string, s stage) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.trips[id] = s
}

// turn returns the ambush that this create walks into, or one that does nothing.
func (x *tap) turn() ambush {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.next == nil {
		return ambush{}
	}
	if x.next.nth--; x.next.nth != 0 {
		return ambush{}
	}
	return *x.next
}

// ServeHTTP passes everything on. A create that the gateway was sent gets there also when its
// sender is killed meanwhile.
func (x *tap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		x.pass.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	var sent struct {
		ID string `json:"external_task_id"`
	}
	if err != nil || json.Unmarshal(body, &sent) != nil || sent.ID == "" {
		return // half a request of a killed sender
	}
	a := x.turn()
	x.came(sent.ID, atSend)
	if a.stage == atSend {
		a.kill()
		return
	}
	answer, err := x.forward(r, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	x.came(sent.ID, atCount)
	switch a.stage {
	case atCount:
		a.kill()
		return
	case atAnswer:
		x.answerWhileLocked(w, r, answer, sent.ID, a.kill)
		return
	}
	answer.write(w)
	x.came(sent.ID, atAnswer)
	if a.stage == atKept {
		x.untilKept(sent.ID)
		a.kill()
	}
}

// answered is an answer of the gateway.
type answered struct {
	status int
	header http.Header
	body   []byte
}

func (a answered) write(w http.ResponseWriter) {
	for k, v := range a.header {
		w.Header()[k] = v
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)                    // the program may be dead
	_ = http.NewResponseController(w).Flush() // likewise
}

// forward sends a create to the gateway, whatever becomes of its sender.
func (x *tap) forward(r *http.Request, body []byte) (answered, error) {
	req, err := http.NewRequestWithContext(context.WithoutCancel(r.Context()), r.Method, x.gateway.JoinPath(r.URL.Path).String(), bytes.NewReader(body))
	if err != nil {
		return answered{}, err
	}
	req.Header, req.Host = r.Header.Clone(), r.Host
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return answered{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return answered{resp.StatusCode, resp.Header, b}, err
}

// answerWhileLocked delivers the answer while the history is locked for writing, and has the
// program killed when it has read it: it closes the connection then.
func (x *tap) answerWhileLocked(w http.ResponseWriter, r *http.Request, answer answered, id string, kill func()) {
	for locked := false; !locked; { // the program may be writing for longer than a lock is waited for
		_, _ = x.history.Amend(context.WithoutCancel(r.Context()), id, func(jobs.Work) (jobs.Change, error) {
			locked = true
			answer.write(w)
			<-r.Context().Done()
			x.came(id, atAnswer)
			kill()
			return jobs.Change{}, jobs.ErrNotFound // so that nothing is written
		})
	}
}

// untilKept waits until the history has the id of a job's task.
func (x *tap) untilKept(id string) {
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for range look.C {
		w, err := x.history.Get(context.Background(), id)
		if err != nil || w.Job.TaskID != "" {
			return // an error shows in the windows that were hit
		}
	}
}
