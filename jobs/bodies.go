package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"darkroom/client"
	"darkroom/jobs/elide"
)

// Bounds of what is kept of a job, in bytes: a gateway that sends something long and different
// each time must not fill the disk.
const (
	maxKeptBody   = 1 << 20  // of one answer to a query
	maxKeptCreate = 16 << 20 // of the request that creates, and of the answer to it
	maxKeptJob    = 16 << 20 // of all bodies that the timeline shows, from which on no more are kept
)

// MaxDraft bounds the draft of a job, in bytes of JSON: its request is at least as long, and a
// longer one is not sent.
const MaxDraft = client.DefaultMaxBody

// MaxRecord is the greatest length of a [Record] as JSON, in which bodies are base64.
const MaxRecord = MaxDraft +
	(2*maxKeptCreate+2*maxKeptBody)/3*4 + // when they are above maxKeptJob only the last answers are added
	client.DefaultMaxBody + // what one answer carries: assets, texts, and bytes that wait for a disk, base64 there as well
	16<<20 // texts, events and exchanges

// checkDraft refuses a draft that is too long to be sent.
func checkDraft(d client.Draft, most int64) error {
	var n length
	enc := json.NewEncoder(&n)
	enc.SetEscapeHTML(false) // which an export does not do either
	if err := enc.Encode(d); err != nil {
		return err
	}
	if int64(n) > most {
		return fmt.Errorf("the draft has %d MiB; up to %d MiB are taken: use smaller values or URLs", n>>20, most>>20)
	}
	return nil
}

// length counts the bytes written to it.
type length int64

func (n *length) Write(b []byte) (int, error) {
	*n += length(len(b))
	return len(b), nil
}

// bodySizes is what a Store may implement to tell how much the timeline of a job keeps.
type bodySizes interface {
	// KeptBytes is the size of the bodies that the events of a job name, before compression.
	KeptBytes(ctx context.Context, id string) (int64, error)
}

// keepAnswer keeps the body of an answer to a query with a change, within the bounds, so that its
// events can show it. What is not kept is noted in its place, or in the event.
func (w *worker) keepAnswer(ctx context.Context, c *Change, raw []byte) {
	if len(raw) == 0 {
		return
	}
	body := bounded(raw, maxKeptBody)
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

// bounded is a body as it is kept: a note stands in for one that is too long.
func bounded(raw []byte, most int) []byte {
	body := elide.JSON(raw)
	if len(body) > most {
		return fmt.Appendf(nil, replaced+`%d bytes; of its kind up to %d are kept"}`, len(body), most)
	}
	return body
}

// replaced begins the note that stands in for a body.
const replaced = `{"darkroom": "this body has `

// Replaced reports whether a kept body is the note that stands in for one that was too long.
func Replaced(body []byte) bool { return bytes.HasPrefix(body, []byte(replaced)) }

// noRoom says why no more of a job's answers are kept; "" while they are. The last answer, the one
// that ends the task, is always kept.
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
