package jobs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"darkroom/client"
	"darkroom/client/text"
)

// Notes about a job's requests go into the history with the job's next change. After a poll that
// changed nothing they wait in memory, for at most maxNoted jobs, and are written at an age of
// about flushAfter, for at most flushRate jobs a second.
const (
	flushAfter  = 30 * time.Second
	flushRate   = 20
	maxNoted    = 2 * flushRate * int(flushAfter/time.Second)
	maxExchText = 300 // bytes of an error that are kept
)

// Kinds of an [Exchange].
const (
	ExchangeCreate = "create"
	ExchangePoll   = "poll"
	ExchangeFetch  = "fetch"
)

// maxMilestones is how many of a job's exchanges stay however many follow.
const maxMilestones = MaxExchanges * 3 / 4

// Began is when the exchange was, or the first of those that it stands for.
func (x *Exchange) Began() time.Time {
	if x.First.IsZero() {
		return x.At
	}
	return x.First
}

// Times is how many requests the exchange stands for.
func (x *Exchange) Times() int { return max(1, x.Count) }

// repeats reports whether two requests failed in the same way. A create stands for itself.
func (x *Exchange) repeats(y *Exchange) bool {
	return x.Error != "" && x.Kind != ExchangeCreate && x.Kind == y.Kind && x.Format == y.Format && x.Path == y.Path &&
		x.HTTPStatus == y.HTTPStatus && x.failure() == y.failure()
}

// failure is the error without the id of its request.
func (x *Exchange) failure() string {
	if x.RequestID == "" {
		return x.Error
	}
	return strings.ReplaceAll(x.Error, x.RequestID, "")
}

// fold makes the exchange stand for one of a list, too, and returns which: -1 for none.
func (x *Exchange) fold(list []Exchange) int {
	i := slices.IndexFunc(list, func(y Exchange) bool { return x.repeats(&y) })
	if i >= 0 {
		x.Count, x.First = x.Times()+list[i].Times(), list[i].Began()
	}
	return i
}

// Renew adds exchanges to the ring of a job; every store keeps what it returns. A failure that the ring
// has becomes one line with it, which counts and moves to the end. Of more than [MaxExchanges] the
// oldest go, but not the create, nor an answer that told another state than the one before. For each
// exchange from says where in the old ring it stands unaltered; -1 is one to be written.
func Renew(ring, add []Exchange) (kept []Exchange, from []int) {
	kept = append(make([]Exchange, 0, len(ring)+len(add)), ring...)
	from = make([]int, len(ring), cap(kept))
	for i := range from {
		from[i] = i
	}
	drop := func(i int) { kept, from = slices.Delete(kept, i, i+1), slices.Delete(from, i, i+1) }
	for _, x := range add {
		if i := x.fold(kept); i >= 0 {
			drop(i)
		}
		kept, from = append(kept, x), append(from, -1)
		if len(kept) > MaxExchanges {
			drop(spare(kept))
		}
	}
	return kept, from
}

// spare is the exchange that a ring can do without: the oldest that is no milestone. Where a
// gateway invents states without end, it is the oldest of them after the create.
func spare(list []Exchange) int {
	var plain, milestones []int
	last, told := "", false
	for i := range list {
		x := &list[i]
		answer := x.Error == "" && (x.Kind == ExchangePoll || x.Kind == ExchangeCreate && x.RawStatus != "")
		if x.Kind == ExchangeCreate || answer && (!told || x.RawStatus != last) {
			milestones = append(milestones, i)
		} else {
			plain = append(plain, i)
		}
		if answer {
			last, told = x.RawStatus, true
		}
	}
	if len(milestones) > maxMilestones {
		return milestones[1]
	}
	return plain[0]
}

// pending are the exchanges of one job that the history does not have yet.
type pending []Exchange

// notebook holds the waiting notes of each job. It is safe for concurrent use.
type notebook struct {
	mu sync.Mutex
	by map[string]pending
}

// add adds exchanges to the waiting ones of a job.
func (b *notebook) add(id string, add pending) {
	if len(add) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	list, known := b.by[id]
	if !known && len(b.by) >= maxNoted {
		return
	}
	for _, x := range add {
		if n := len(list); n > 0 && list[n-1].Path == x.Path {
			x.Path = list[n-1].Path // the same text is kept once
		}
		// Those that told another state are written with it, and do not wait here.
		if i := x.fold(list); i >= 0 {
			list = slices.Delete(list, i, i+1)
		} else if len(list) == MaxExchanges {
			list = append(list[:0], list[1:]...)
		}
		list = append(list, x)
	}
	b.by[id] = list
}

// take hands over the waiting notes of a job, to be written.
func (b *notebook) take(id string) pending {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.by[id]
	delete(b.by, id)
	return list
}

// giveBack returns notes that could not be written; they go before any noted since.
func (b *notebook) giveBack(id string, list pending) {
	if len(list) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.by[id], _ = Renew(nil, append(list, b.by[id]...))
}

// of returns a copy of the waiting notes of a job.
func (b *notebook) of(id string) pending {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append(pending(nil), b.by[id]...)
}

// old returns the ids of at most n jobs whose notes have waited since before a time.
func (b *notebook) old(before time.Time, n int) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var ids []string
	for id, list := range b.by {
		if slices.ContainsFunc(list, func(x Exchange) bool { return x.Began().Before(before) }) {
			if ids = append(ids, id); len(ids) == n {
				break
			}
		}
	}
	return ids
}

// exchanged notes the outcome of a request, from the answer or the error.
func (w *worker) exchanged(kind, format string, began time.Time, t *client.Task, err error) {
	x := Exchange{
		At: began, Kind: kind, Format: format, Path: t.Meta.Path, HTTPStatus: t.Meta.HTTPStatus,
		Latency: t.Meta.Latency, RequestID: client.CleanLine(t.Meta.RequestID), RawStatus: client.CleanLine(t.RawStatus),
	}
	var create *client.CreateError
	if errors.As(err, &create) && x.Path == "" {
		x.Path, x.HTTPStatus, x.Latency = create.Meta.Path, create.Meta.HTTPStatus, create.Meta.Latency
		x.RequestID = client.CleanLine(create.Meta.RequestID)
	}
	if api, ok := errors.AsType[*client.APIError](err); ok {
		x.HTTPStatus, x.RequestID = api.HTTPStatus, client.CleanLine(api.RequestID)
		if x.Path == "" {
			x.Path = api.Method + " " + api.Path
		}
	}
	if x.Latency <= 0 {
		x.Latency = max(0, w.e.now().Sub(began))
	}
	if err != nil {
		x.Error = text.Cap(client.CleanLine(err.Error()), maxExchText)
	}
	w.notes = append(w.notes, x)
}

// ask queries one route and notes it.
func (w *worker) ask(ctx context.Context, format, id string) (client.Task, error) {
	w.asked = w.e.now()
	t, err := w.e.o.Gateway.Query(client.KnownAs(ctx, w.work.Job.AltIDs), format, id)
	if err == nil || ctx.Err() == nil {
		w.exchanged(ExchangePoll, format, w.asked, &t, err)
	}
	return t, err
}

// fetched notes that a place was asked for a file's bytes since began.
func (w *worker) fetched(from string, began time.Time, err error) {
	x := Exchange{
		At: began, Kind: ExchangeFetch, Format: w.work.Job.QueryFormat, Latency: max(0, w.e.now().Sub(began)),
		Path: text.Cap(client.CleanLine("GET "+from), maxExchText), RawStatus: string(FileSaved),
	}
	if err != nil {
		x.RawStatus, x.Error = "", text.Cap(client.CleanLine(err.Error()), maxExchText)
	}
	if api, ok := errors.AsType[*client.APIError](err); ok {
		x.HTTPStatus, x.RequestID = api.HTTPStatus, client.CleanLine(api.RequestID)
	}
	w.notes = append(w.notes, x)
}

// flushLimit bounds the writing of the remaining notes at the end.
const flushLimit = 3 * time.Second

// flusher writes notes that have waited long, one job after another and in a goroutine of its own,
// so that polls do not wait for a slow disk.
func (e *Engine) flusher(ctx context.Context) {
	tick := time.NewTicker(flushAfter / 10)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		e.flush(ctx, e.notes.old(e.now().Add(-flushAfter), flushRate*int(flushAfter/time.Second)/10))
	}
}

// flush adds notes to the history, whoever works on the jobs.
func (e *Engine) flush(ctx context.Context, ids []string) {
	for _, id := range ids {
		notes := e.notes.take(id)
		if len(notes) == 0 {
			continue
		}
		known := false
		w, err := e.o.Store.Amend(ctx, id, func(w Work) (Change, error) {
			// If nobody else wrote, the news of the last polls known here goes with it.
			h := e.board.recall(&w)
			c := change(&w)
			c.Exchanges = notes
			if known = h != nil; known {
				if next := unpackTime(h.next); next.After(w.Due) {
					c.Due, c.Job.NextPollAt = next, next
				}
			}
			return c, nil
		})
		switch {
		case errors.Is(err, ErrNotFound): // it was removed from the history
		case err != nil:
			e.notes.giveBack(id, notes)
			return // the history cannot be written now
		default:
			e.inbox.hand(handed{Work: w, own: true, known: known})
		}
	}
}

// flushAll writes the remaining notes, at the end.
func (e *Engine) flushAll(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, flushLimit)
	defer cancel()
	e.flush(ctx, e.notes.old(e.now().Add(time.Hour), maxRoom))
}
