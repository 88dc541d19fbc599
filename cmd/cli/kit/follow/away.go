package follow

import (
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
)

// AwayNote remembers what was said about a history that does not answer.
type AwayNote struct{ said bool }

// News is a line saying that the history stopped answering, or answers again; "" if nothing
// changed. The engine keeps trying by itself.
func (a *AwayNote) News(f jobs.Flow) string {
	away := !f.Away.IsZero()
	if away == a.said {
		return ""
	}
	a.said = away
	if !away {
		return "darkroom: the history answers again"
	}
	return client.CleanLine("darkroom: the history has not answered since " + human.Times{Now: time.Now()}.Clock(f.Away) + "; trying again: " + f.Why)
}
