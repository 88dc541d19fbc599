package jobs

import "time"

// DueOf is when the next poll of a job is planned, as readers see it.
func (e *Engine) DueOf(id string) time.Time {
	return unpackTime(e.board.at(id).next)
}
