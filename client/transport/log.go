package transport

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"darkroom/client/secret"
	"darkroom/client/text"
)

// logTransport writes each try into the exchange log and times it. Bodies of JSON and
// text answers are kept (capped); media only count.
type logTransport struct {
	next http.RoundTripper
	log  *exchangeLog
	own  func(*url.URL) bool // to the gateway itself
	now  func() time.Time
}

// RoundTrip implements http.RoundTripper.
func (t *logTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	a := attemptOf(r.Context())
	e := &logged{Exchange: Exchange{At: t.now(), Method: r.Method}, url: r.URL, own: t.own(r.URL), reqHeader: r.Header, reqBody: requestBody(r)}
	a.begin(e.At)
	t.log.add(e)
	resp, err := t.next.RoundTrip(t.traced(r, a))
	if err != nil {
		err = tellError(err, a.Key())
		t.log.change(func() {
			e.Err, e.Latency, e.Done = err.Error(), t.now().Sub(e.At), true
		})
		return nil, err
	}
	secret.HideInHeader(resp.Header, a.Key())
	took := t.now().Sub(e.At)
	t.log.mu.Lock()
	e.Status, e.respHeader, e.RequestID, e.Latency = resp.StatusCode, resp.Header, RequestID(resp.Header), took
	t.log.mu.Unlock()
	resp.Body = &loggedBody{ReadCloser: resp.Body, t: t, e: e, a: a, keep: keepsBody(resp)}
	return resp, nil
}

// traced makes the connection report how far a request came, where that is asked for: for a create
// it decides whether it was sent, see [retryTransport]. Polls do without, since it costs as much as
// decoding them.
func (t *logTransport) traced(r *http.Request, a *Attempt) *http.Request {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return r
	}
	return r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { a.setConn() },
		WroteRequest: func(httptrace.WroteRequestInfo) { a.setWrote(t.now()) },
	}))
}

// requestBody is the body of a create; no other request has one.
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

// loggedBody counts what is read, keeps the beginning, and completes the log entry at the end of
// the answer.
type loggedBody struct {
	io.ReadCloser
	t    *logTransport
	e    *logged
	a    *Attempt
	keep bool
	head []byte
	n    int64
	done bool
}

func (b *loggedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	err = tellError(err, b.a.Key())
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
	body := keep(secret.Hide(b.head, b.a.Key()), b.n)
	b.head = nil
	took := b.t.now().Sub(b.e.At)
	b.t.log.mu.Lock()
	defer b.t.log.mu.Unlock()
	b.e.respBody, b.e.RespBytes, b.e.Done, b.e.Latency = body, b.n, true, took
	if err != nil && !errors.Is(err, io.EOF) {
		b.e.Err = err.Error()
	}
}

const maxTold = 2000 // bytes of an error text

// toldError is an error of the transport, which may quote what the server sent: its text is clean,
// bounded, and without the key.
type toldError struct {
	err  error
	text string
}

func (e *toldError) Error() string { return e.text }
func (e *toldError) Unwrap() error { return e.err }

func tellError(err error, key string) error {
	if err == nil || err == io.EOF {
		return err
	}
	was := err.Error()
	said := text.CleanLine(text.Cap(string(secret.Hide([]byte(was), key)), maxTold))
	if said == was {
		return err
	}
	return &toldError{err, said}
}
