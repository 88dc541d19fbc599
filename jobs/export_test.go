package jobs

import (
	"context"
	"time"
)

// DueOf is when the next poll of a job is planned, as readers see it.
func (e *Engine) DueOf(id string) time.Time {
	return unpackTime(e.board.at(id).next)
}

// SubmitNow submits, and returns when every create has its answer, or ctx ends. Run has
// to be under way in another goroutine. The jobs are those of the ids, in their order; on
// an error after the journal they are as far as they came.
func (e *Engine) SubmitNow(ctx context.Context, subs []Submission) ([]Job, error) {
	ids, err := e.Submit(ctx, subs)
	if err != nil {
		return nil, err
	}
	return e.Answered(ctx, ids)
}
