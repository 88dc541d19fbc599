package lookup

import (
	"context"
	"errors"
	"strings"

	"darkroom/jobs"
)

// Namer is what [Named] reads.
type Namer interface {
	Get(ctx context.Context, id string) (jobs.Job, error)
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
}

// Bounds of the search for ids that end in some way: 5,000 hits, since a short id is for what one has
// just seen.
const (
	namedPage  = 200
	namedPages = 25
)

// Named are the jobs that a word names: the one with that id; else those of the task with it, the newest
// first, and two at most; else those whose id ends so, if the word has at least so many characters, 0 for
// none. Ended says that it was the last. The jobs may be as lists have them, see [Whole].
func Named(ctx context.Context, h Namer, word string, least int) (found []jobs.Job, ended bool, err error) {
	j, err := h.Get(ctx, word)
	if err == nil {
		return []jobs.Job{j}, false, nil
	}
	if !errors.Is(err, jobs.ErrNotFound) {
		return nil, false, err
	}
	page, err := h.List(ctx, jobs.Query{TaskID: word, Limit: 2})
	if err != nil || len(page.Jobs) > 0 || least <= 0 || len(word) < least {
		return page.Jobs, false, err
	}
	q := jobs.Query{Text: word, Limit: namedPage, Rejected: jobs.RejectedToo} // the search covers ids
	for range namedPages {
		page, err := h.List(ctx, q)
		if err != nil {
			return nil, true, err
		}
		for _, j := range page.Jobs {
			if strings.HasSuffix(j.ID, word) {
				found = append(found, j)
			}
		}
		if page.Next == "" {
			break
		}
		q.Before = page.Next
	}
	return found, true, nil
}

// Whole is a job with its whole draft: a list has only the beginning of a long one.
func Whole(ctx context.Context, h Namer, j jobs.Job) (jobs.Job, error) {
	if j.Draft.Cut {
		return h.Get(ctx, j.ID)
	}
	return j, nil
}
