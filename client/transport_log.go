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
	a.begin(t.now())
	e := &Exchange{
		At: t.now(), Method: r.Method, URL: redactURL(r.URL, t.own(r)),
		ReqHeader: redactHeader(r.Header), ReqBody: requestBody(r),
	}
	t.log.add(e)
	trace := &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { a.setConn() },
		WroteRequest: func(httptrace.WroteRequestInfo) { a.setWrote(t.now()) },
	}
	resp, err := t.next.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
	if err != nil {
		err = tellError(err, a.secret())
		t.log.change(func() {
			e.Err, e.Latency, e.Done = err.Error(), t.now().Sub(e.At), true
		})
		return nil, err
	}
	hideKeyHeader(resp.Header, a.secret())
	t.log.change(func() {
		e.Status, e.RespHeader, e.RequestID = resp.StatusCode, redactHeader(resp.Header), requestID(resp.Header)
		e.Latency = t.now().Sub(e.At)
	})
	resp.Body = &loggedBody{ReadCloser: resp.Body, t: t, e: e, a: a, keep: keepsBody(resp)}
	return resp, nil
}

// requestBody shows what a create sends; other bodies do not exist.
func requestBody(r *http.Request) string {
	p, ok := r.Body.(*payload)
	if !ok {
		return ""
	}
	head := p.data
	if len(head) > logTake {
		head = head[:logTake]
	}
	return redactBody(head, int64(len(p.data)))
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
	e    *Exchange
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
	if b.keep && len(b.head) < logTake {
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
	body := redactBody(hideKey(b.head, b.a.secret()), b.n)
	b.t.log.change(func() {
		b.e.RespBody, b.e.RespBytes, b.e.Done = body, b.n, true
		b.e.Latency = b.t.now().Sub(b.e.At)
		if err != nil && !errors.Is(err, io.EOF) {
			b.e.Err = err.Error()
		}
	})
	b.head = nil
}
