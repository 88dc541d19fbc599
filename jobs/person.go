package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"darkroom/client"
)

// maxTag bounds a tag, in bytes; maxTags how many a job has.
const (
	maxTag  = 64
	maxTags = 50
)

// Star is the tag of a starred job. It is a tag like others: exports and imports carry it,
// searches find it, and a retention, which spares tagged jobs, spares it.
const Star = "starred"

// ticketTag is what the tag of a ticket begins with.
const ticketTag = "ticket:"

// Ticket is the tag of a ticket as a person types it: ticket:77 for 77, nil for nothing.
func Ticket(text string) []string {
	text = strings.TrimPrefix(strings.TrimSpace(text), ticketTag)
	if text == "" {
		return nil
	}
	return []string{ticketTag + text}
}

// Starred reports whether a person starred the job.
func (j *Job) Starred() bool { return slices.Contains(j.Tags, Star) }

// PlainTags are the tags without the star.
func (j *Job) PlainTags() []string {
	if !j.Starred() {
		return j.Tags
	}
	return slices.DeleteFunc(slices.Clone(j.Tags), func(t string) bool { return t == Star })
}

// CleanTags normalises a person's tags as a job keeps them: trimmed, sorted, each once. A tag is
// one word without commas, quotes and control characters, so that filters can name it.
func CleanTags(tags []string) ([]string, error) {
	out := make([]string, 0, len(tags))
	for _, t := range tags {
		t = strings.TrimSpace(t)
		switch {
		case t == "":
			continue
		case len(t) > maxTag:
			return nil, fmt.Errorf("tag %q has %d bytes; at most %d are allowed", t[:16]+"…", len(t), maxTag)
		case strings.ContainsFunc(t, badInTag):
			return nil, fmt.Errorf("tag %q: give one word, without commas and quotes", t)
		}
		out = append(out, t)
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) > maxTags {
		return nil, fmt.Errorf("%d tags; at most %d are allowed", len(out), maxTags)
	}
	return out, nil
}

// KeepOwn takes what only a person decides (Tags, Remark, Paused, Rejected, and whose local files are
// sent: Installation, Proof) from another copy of the job. A store's Insert and Amend write these, its
// Commit keeps what is there, since a worker's copy may be older than the person's word.
func (j *Job) KeepOwn(from *Job) {
	j.Tags, j.Remark, j.Paused = slices.Clone(from.Tags), from.Remark, from.Paused
	j.Rejected, j.RejectedBy = from.Rejected, from.RejectedBy
	j.Installation, j.Proof = from.Installation, from.Proof
}

// sameOwn reports whether two copies agree on what only a person decides.
func sameOwn(a, b *Job) bool {
	return a.Remark == b.Remark && a.Paused == b.Paused && slices.Equal(a.Tags, b.Tags) &&
		a.Rejected.Equal(b.Rejected) && a.RejectedBy == b.RejectedBy
}

func badInTag(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(",\"'`", r)
}

// maxRemark bounds a remark, in bytes.
const maxRemark = 10_000

// Tag implements Keeper.
func (e *Engine) Tag(ctx context.Context, id string, add, remove []string) error {
	_, err := e.say(ctx, id, func(j *Job) (string, error) {
		gone, err := CleanTags(remove)
		if err != nil {
			return "", err
		}
		kept := slices.DeleteFunc(slices.Clone(j.Tags), func(t string) bool { return slices.Contains(gone, t) })
		tags, err := CleanTags(append(kept, add...))
		if err != nil || slices.Equal(tags, j.Tags) {
			return "", err
		}
		if j.Tags = tags; len(tags) == 0 {
			j.Tags = nil
			return "took the tags away", nil
		}
		return "tags: " + strings.Join(tags, ", "), nil
	})
	return err
}

// cleanRemark is a person's remark as a job keeps it.
func cleanRemark(text string) (string, error) {
	if text = strings.TrimSpace(client.Clean(text)); len(text) > maxRemark {
		return "", fmt.Errorf("remark: %d bytes; at most %d are allowed", len(text), maxRemark)
	}
	return text, nil
}

// Remark implements Keeper.
func (e *Engine) Remark(ctx context.Context, id, text string) error {
	text, err := cleanRemark(text)
	if err != nil {
		return err
	}
	_, err = e.say(ctx, id, func(j *Job) (string, error) {
		if j.Remark == text {
			return "", nil
		}
		if j.Remark = text; text == "" {
			return "took the remark away", nil
		}
		return "remarked", nil
	})
	return err
}

// Reject implements Keeper. The files are left to [rejected.Purge], which the owner of this engine's
// name calls at its end, or whoever finds that it is dead.
func (e *Engine) Reject(ctx context.Context, ids []string, on bool) error {
	var failed []error
	for _, id := range ids {
		if ctx.Err() != nil {
			return errors.Join(append(failed, ctx.Err())...)
		}
		_, err := e.say(ctx, id, func(j *Job) (string, error) {
			switch {
			case on != j.Rejected.IsZero():
				return "", nil
			case !on:
				j.Rejected, j.RejectedBy = time.Time{}, ""
				return "taken back: no longer rejected", nil
			}
			judged := e.Judge(copyJob(*j))
			if err := Allowed(ActReject, &judged); err != nil {
				return "", err
			}
			j.Rejected, j.RejectedBy = e.now(), e.o.Owner
			return "rejected", nil
		})
		if err != nil {
			failed = append(failed, err)
		} else if on {
			e.rejected.Store(true)
		}
	}
	return errors.Join(failed...)
}

// HasRejected reports whether an engine has rejected a job, so that files may be left to be removed.
func HasRejected(e *Engine) bool { return e.rejected.Load() }

// errSame ends an amendment that would change nothing.
var errSame = errors.New("jobs: nothing changes")

// say changes what only a person decides about a job. It leaves the work and its lease as they
// are, whoever holds it, and the gateway hears nothing of it.
func (e *Engine) say(ctx context.Context, id string, change func(*Job) (string, error)) (Work, error) {
	return e.tell(ctx, id, EventPerson, change)
}

// tell is say with the kind of the event to record.
func (e *Engine) tell(ctx context.Context, id string, kind EventKind, change func(*Job) (string, error)) (Work, error) {
	w, err := e.o.Store.Amend(ctx, id, func(w Work) (Change, error) {
		e.board.recall(&w)
		c := Change{Job: copyJob(w.Job), Due: w.Due, Attempts: w.Attempts, Backoff: w.Backoff, Token: w.Token}
		what, err := change(&c.Job)
		if err != nil {
			return c, err
		}
		if sameOwn(&w.Job, &c.Job) {
			return c, errSame
		}
		s := w.Job.State
		c.Events = []Event{{At: e.now(), Kind: kind, From: s, To: s, Message: client.CleanLine(what)}}
		return c, nil
	})
	if errors.Is(err, errSame) {
		return e.o.Store.Get(ctx, id)
	}
	if err != nil {
		return Work{}, fmt.Errorf("job %s: %w", client.CleanLine(id), err)
	}
	e.board.read(&w, e.o.Profile)
	e.inbox.hand(handed{Work: w, own: true})
	return w, nil
}
