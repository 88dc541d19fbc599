// Package drifted looks through the answers that a history has kept for what the gateway's interface
// does not name.
package drifted

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"darkroom/client/drift"
	"darkroom/client/human"
	"darkroom/jobs"
)

// History is the part of [jobs.Store] that is needed here. It may also have a Count of its jobs.
type History interface {
	Records(ctx context.Context, after string, limit int) ([]jobs.Record, error)
}

// Look is one look through a history.
type Look struct {
	History History
	// Embedded is the profile whose gateway is the embedded one: what that adds is told apart.
	Embedded string
	// Since leaves out the jobs made before it; zero for none.
	Since time.Time
}

// Count adds what all kept answers have. far is told how far the look is, page by page. When ctx ends,
// Count does too, with its error.
func (l Look) Count(ctx context.Context, c *drift.Counter, far func(string)) error {
	lists, err := drift.Embedded()
	if err != nil {
		return err
	}
	after := ""
	total := int64(-1)
	if n, ok := l.History.(interface {
		Count(ctx context.Context) (int64, error)
	}); !l.Since.IsZero() {
		after = firstID(l.Since)
	} else if ok {
		if total, err = n.Count(ctx); err != nil {
			return err
		}
	}
	for seen := int64(0); ; {
		far(words(seen, int64(c.Answers), total))
		page, err := l.History.Records(ctx, after, 0)
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			jobs.EachAnswer(&page[i], func(a jobs.KeptAnswer) {
				all := lists.Check(a.Format, drift.Of(a.Of), a.Body)
				if page[i].Job.Profile == l.Embedded {
					all = lists.Own(all)
				}
				c.Add(all, a.At, page[i].Job.ID)
			})
			seen++
		}
		after = page[len(page)-1].Job.ID
	}
}

// words says how far the look through the history is; total is below 0 where it is not known.
func words(seen, answers, total int64) string {
	of := human.Plural(int(seen), "job")
	if total >= 0 {
		of = fmt.Sprintf("%d of %s", seen, human.Plural(int(total), "job"))
	}
	return fmt.Sprintf("%s looked through, %s", of, human.Plural(int(answers), "answer"))
}

// firstID is an id that comes before those of all jobs made from a time on: ids begin with the
// time.
func firstID(t time.Time) string {
	var id uuid.UUID
	ms := max(0, t.UnixMilli())
	for i := range 6 {
		id[i] = byte(ms >> (8 * (5 - i)))
	}
	return id.String()
}
