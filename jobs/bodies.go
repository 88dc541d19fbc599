package jobs

import (
	"context"
	"fmt"
)

// Bounds of what is kept of a gateway's answers to queries; that to the create is kept as it
// is. A gateway that tells something else each time, at length, fills no disk.
const (
	maxKeptBody = 1 << 20  // bytes of one answer
	maxKeptJob  = 16 << 20 // bytes of all answers that the timeline of one job shows
)

// bodySizes is what a Store may implement to tell how much the timeline of a job keeps.
type bodySizes interface {
	// KeptBytes is the size of the bodies that the events of a job name, before compression.
	KeptBytes(ctx context.Context, id string) (int64, error)
}

// keepAnswer keeps the body of an answer to a query with a change, for the events of it to
// show, within the bounds. What is not kept is said in its place, or in the event.
func (w *worker) keepAnswer(ctx context.Context, c *Change, raw []byte) {
	if len(raw) == 0 {
		return
	}
	body := bounded(raw)
	if why := w.noRoom(ctx, c, len(body)); why != "" {
		for i := range c.Events {
			c.Events[i].Message = join(c.Events[i].Message, why)
		}
		return
	}
	c.Payloads = append(c.Payloads, Payload{Kind: PayloadAnswer, Body: body})
	for i := range c.Events {
		c.Events[i].PayloadSHA = PayloadSHA(body)
	}
}

// bounded is the body of an answer to a query as it is kept: one that is too long is told of.
func bounded(raw []byte) []byte {
	body := Elide(raw)
	if len(body) > maxKeptBody {
		return fmt.Appendf(nil, `{"darkroom": "this answer has %d bytes; of answers to queries up to %d are kept"}`, len(body), maxKeptBody)
	}
	return body
}

// noRoom says why no more of a job's answers are kept; "" while they are. The last one, with
// which the task ends, always is.
func (w *worker) noRoom(ctx context.Context, c *Change, size int) string {
	if ended(c.Job.State) {
		return ""
	}
	if f := w.e.o.Room; f != nil && !f() {
		return "the answer is not kept: the disk is nearly full"
	}
	s, ok := w.e.o.Store.(bodySizes)
	if !ok || len(c.Events) == 0 {
		return ""
	}
	if n, err := s.KeptBytes(ctx, c.Job.ID); err == nil && n+int64(size) > maxKeptJob {
		return fmt.Sprintf("the answer is not kept: those of this job have %d MiB already", maxKeptJob>>20)
	}
	return ""
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}
