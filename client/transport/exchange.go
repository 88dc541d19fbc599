package transport

import (
	"net/http"
	"net/url"
	"sync"
	"time"

	"darkroom/client/secret"
)

// Exchange is one request and its answer as the log keeps them: without the key and Authorization,
// bodies capped and media elided.
type Exchange struct {
	// Seq counts from 1 and never repeats in one client.
	Seq    uint64    `json:"seq"`
	At     time.Time `json:"at"` // when the request was begun
	Method string    `json:"method"`
	// URL is the whole address for the gateway; for any other host its query values,
	// which are often signatures, are elided.
	URL        string        `json:"url"`
	Status     int           `json:"status,omitempty"`
	Latency    time.Duration `json:"latency,omitempty"` // to the last byte read
	RequestID  string        `json:"request_id,omitempty"`
	ReqHeader  http.Header   `json:"request_header,omitempty"`
	ReqBody    string        `json:"request_body,omitempty"`
	RespHeader http.Header   `json:"response_header,omitempty"`
	RespBody   string        `json:"response_body,omitempty"`
	// RespBytes is the length of the answer as read, after decompression.
	RespBytes int64  `json:"response_bytes,omitempty"`
	Err       string `json:"error,omitempty"`
	// Done says that the answer was read to its end or abandoned.
	Done bool `json:"done"`
}

// logged is an exchange as the log holds it. Redaction costs time and few entries are ever looked
// at, so [exchangeLog.all] does it. Nobody changes the headers.
type logged struct {
	Exchange
	url                   *url.URL
	own                   bool // to the gateway itself
	reqHeader, respHeader http.Header
	reqBody, respBody     kept
}

// kept is a body as the log holds it: a short one as it came, to be redacted when somebody looks; a
// large one already redacted, so that the log does not hold its media.
type kept struct {
	short []byte
	text  string
}

// keep takes the beginning of a body, and its whole length.
func keep(head []byte, n int64) kept {
	if len(head) <= logBody && int64(len(head)) == n {
		return kept{short: head}
	}
	return kept{text: redactBody(head, n)}
}

func (k kept) String() string {
	if k.short != nil {
		return redactBody(k.short, int64(len(k.short)))
	}
	return k.text
}

// shown is the exchange, redacted.
func (e *logged) shown() Exchange {
	x := e.Exchange
	x.URL = secret.RedactURL(e.url, e.own)
	x.ReqHeader, x.ReqBody = secret.RedactHeader(e.reqHeader), e.reqBody.String()
	if e.respHeader != nil {
		x.RespHeader = secret.RedactHeader(e.respHeader)
	}
	x.RespBody = e.respBody.String()
	return x
}

// exchangeLog is a ring of the last exchanges. The entries are changed only under mu.
type exchangeLog struct {
	mu   sync.Mutex
	ring []*logged
	next int
	seq  uint64
	now  func() time.Time
}

func newExchangeLog(size int, now func() time.Time) *exchangeLog {
	return &exchangeLog{ring: make([]*logged, size), now: now}
}

func (l *exchangeLog) add(e *logged) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	e.Seq = l.seq
	l.ring[l.next] = e
	l.next = (l.next + 1) % len(l.ring)
}

func (l *exchangeLog) change(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

// all returns the exchanges, oldest first.
func (l *exchangeLog) all() []Exchange {
	l.mu.Lock()
	held := make([]logged, 0, len(l.ring))
	for i := range l.ring {
		if e := l.ring[(l.next+i)%len(l.ring)]; e != nil {
			held = append(held, *e)
		}
	}
	l.mu.Unlock()
	out := make([]Exchange, len(held))
	for i := range held {
		out[i] = held[i].shown()
	}
	return out
}
