// Package ahead reads a page of the history before somebody asks for it: who goes to Queue right after
// the start finds the jobs there.
package ahead

import (
	"context"
	"math"
	"reflect"
	"sync/atomic"
	"time"

	"darkroom/jobs"
)

// good is how long a page is given away. What other processes remove meanwhile is no news of an engine.
const good = 3 * time.Second

// Source is what the page is of.
type Source interface {
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
	Changes(seq uint64) ([]jobs.Job, uint64)
}

// Page is the page of a query. It is given away once, and only as it would be read then. The nil Page
// is never given. Its methods may be called from several goroutines.
type Page struct {
	query jobs.Query
	gone  atomic.Bool
	done  chan struct{} // closed when it is read, or will not be
	since uint64        // the news before that
	page  jobs.Page
	err   error
}

// Of is the page of a query, still to be read.
func Of(q jobs.Query) *Page {
	return &Page{query: q, done: make(chan struct{}), err: context.Canceled}
}

// Read reads the page, unless somebody already waits, who does that himself then. For a few seconds it
// is given away. It is called once.
func (p *Page) Read(ctx context.Context, s Source) {
	defer close(p.done)
	if p.gone.Load() {
		return
	}
	p.since = news(s)
	p.page, p.err = s.List(ctx, p.query)
	time.AfterFunc(good, func() {
		if p.gone.CompareAndSwap(false, true) {
			p.page = jobs.Page{}
		}
	})
}

// Take gives the page away, if it is that of the query and nothing has changed since it was read. It
// waits for the page until ctx ends.
func (p *Page) Take(ctx context.Context, s Source, q jobs.Query) (jobs.Page, bool) {
	if p == nil || !reflect.DeepEqual(p.query, q) || !p.gone.CompareAndSwap(false, true) {
		return jobs.Page{}, false
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		return jobs.Page{}, false
	}
	page := p.page
	p.page = jobs.Page{}
	return page, p.err == nil && p.since == news(s)
}

// news is how far the news of a source have come.
func news(s Source) uint64 {
	_, seq := s.Changes(math.MaxUint64 - 1)
	return seq
}
