package client

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"
)

// logTransport writes each try into the exchange log and times it. Bodies of JSON and
// text answers are kept (capped); media only count.
type logTransport struct {
	next http.RoundTripper
	log  *exchangeLog
	own  func(*http.Request) bool // to the gateway itself
	now  func() time.Time
}

// RoundTrip implements http.RoundTripper.
func (t *logTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	a := attemptOf(r.Context())
	e := &logged{Exchange: Exchange{At: t.now(), Method: r.Method}, url: r.URL, own: t.own(r), reqHeader: r.Header, reqBody: requestBody(r)}
	a.begin(e.At)
	t.log.add(e)
	resp, err := t.next.RoundTrip(t.traced(r, a))
	if err != nil {
		err = tellError(err, a.secret())
		t.log.change(func() {
			e.Err, e.Latency, e.Done = err.Error(), t.now().Sub(e.At), true
		})
		return nil, err
	}
	hideKeyHeader(resp.Header, a.secret())
	took := t.now().Sub(e.At)
	t.log.mu.Lock()
	e.Status, e.respHeader, e.RequestID, e.Latency = resp.StatusCode, resp.Header, requestID(resp.Header), took
	t.log.mu.Unlock()
	resp.Body = &loggedBody{ReadCloser: resp.Body, t: t, e: e, a: a, keep: keepsBody(resp)}
	return resp, nil
}

// traced has the connection tell how far a request came, where that is asked for: of a
// create it decides whether it was sent, see [retryTransport]. Polls do without, since it
// costs as much as their decoding.
func (t *logTransport) traced(r *http.Request, a *attempt) *http.Request {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return r
	}
	return r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { a.setConn() },
		WroteRequest: func(httptrace.WroteRequestInfo) { a.setWrote(t.now()) },
	}))
}

// requestBody is what a create sends; other bodies do not exist.
func requestBody(r *http.Request) kept {
	p, ok := r.Body.(*payload)
	if !ok {
		return kept{}
	}
	return keep(p.data[:min(len(p.data), logTake)], int64(len(p.data)))
}

func keepsBody(resp *http.Response) bool {
	ct := strings.ToLower(resp.Header.Get("Content-Type"))
	return ct == "" || strings.Contains(ct, "json") || strings.HasPrefix(ct, "text/") ||
		strings.Contains(ct, "xml") || resp.StatusCode >= 400
}

// loggedBody counts what is read, keeps the beginning, and closes the log's entry at
// the end of the answer.
type loggedBody struct {
	io.ReadCloser
	t    *logTransport
	e    *logged
	a    *attempt
	keep bool
	head []byte
	n    int64
	done bool
}

func (b *loggedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	err = tellError(err, b.a.secret())
	b.n += int64(n)
	if b.keep && len(b.head) < logTake && n > 0 {
		b.head = append(b.head, p[:min(n, logTake-len(b.head))]...)
	}
	if err != nil {
		b.finish(err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *loggedBody) Close() error {
	b.finish(nil)
	return b.ReadCloser.Close()
}

func (b *loggedBody) finish(err error) {
	if b.done {
		return
	}
	b.done = true
	body := keep(hideKey(b.head, b.a.secret()), b.n)
	b.head = nil
	took := b.t.now().Sub(b.e.At)
	b.t.log.mu.Lock()
	defer b.t.log.mu.Unlock()
	b.e.respBody, b.e.RespBytes, b.e.Done, b.e.Latency = body, b.n, true, took
	if err != nil && !errors.Is(err, io.EOF) {
		b.e.Err = err.Error()
	}
}
