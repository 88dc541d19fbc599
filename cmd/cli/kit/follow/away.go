package follow

import (
	"time"

	"darkroom/client"
	"darkroom/jobs"
)

// AwayNote knows what was said of a history that does not answer.
type AwayNote struct{ said bool }

// News is a line about a history that stopped answering, or answers again; "" while there is
// nothing new. The engine keeps trying by itself.
func (a *AwayNote) News(f jobs.Flow) string {
	away := !f.Away.IsZero()
	if away == a.said {
		return ""
	}
	a.said = away
	if !away {
		return "darkroom: the history answers again"
	}
	return client.CleanLine("darkroom: the history has not answered since " + f.Away.Local().Format(time.TimeOnly) + "; trying again: " + f.Why)
}
