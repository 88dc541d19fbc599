package client

import (
	"net/http"
	"sync"
	"time"
)

// Exchange is one request and its answer as the log keeps them: without key and
// Authorization, bodies capped and media elided.
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
	// Done says that the answer was read to its end or given up.
	Done bool `json:"done"`
}

// exchangeLog is a ring of the last exchanges. The entries are changed only under mu.
type exchangeLog struct {
	mu   sync.Mutex
	ring []*Exchange
	next int
	seq  uint64
	now  func() time.Time
}

func newExchangeLog(size int, now func() time.Time) *exchangeLog {
	return &exchangeLog{ring: make([]*Exchange, size), now: now}
}

func (l *exchangeLog) add(e *Exchange) {
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

// all copies the entries, oldest first. Headers are shared: nobody changes them.
func (l *exchangeLog) all() []Exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]Exchange, 0, len(l.ring))
	for i := range l.ring {
		if e := l.ring[(l.next+i)%len(l.ring)]; e != nil {
			out = append(out, *e)
		}
	}
	return out
}
