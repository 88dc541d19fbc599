package download

import (
	"fmt"
	"time"
)

// slowWindow is the time over which Options.MinRate is measured.
const slowWindow = time.Minute

// flow notices a body that drips: one that never stalls, and never ends.
type flow struct {
	since time.Time
	at    int64
}

func (f *flow) check(done, rate int64) error {
	took := time.Since(f.since)
	if took < slowWindow {
		return nil
	}
	if came := done - f.at; float64(came) < float64(rate)*took.Seconds() {
		return fmt.Errorf("only %s came in %s", size(came), took.Round(time.Second))
	}
	f.since, f.at = time.Now(), done
	return nil
}
