package remote

import (
	"fmt"
	"time"

	"darkroom/client"
	"darkroom/jobs"
)

// Word is what [Toggle] does next with a job's result, for a button.
func (r *Remote) Word(j *jobs.Job) string {
	if r.plays(j) && !r.state.Paused {
		return "pause player"
	}
	return "player"
}

// Text says what plays, at what position, and which keys control it; "" for nothing. The job is
// the one that the screen is about.
func (r *Remote) Text(j *jobs.Job) string {
	s := &r.state
	if !s.Running {
		return ""
	}
	sign := "▶"
	if s.Paused {
		sign = "‖"
	}
	text := sign + " " + s.Program
	if s.Told {
		text = fmt.Sprintf("%s %s of %s · %s", sign, clock(s.Pos), clock(s.Length), s.Program)
	}
	switch id := s.Target.Job; {
	case !r.plays(j) && id != "":
		text += " · job " + jobs.ShortID(id)
	case s.Told:
		text += fmt.Sprintf(" · %s pauses, %s %s 5 s", r.key(Toggle), r.key(Back), r.key(Forward))
	}
	return client.CleanLine(text + ", " + r.key(Stop) + " ends it")
}

// clock is a time as "1:05".
func clock(d time.Duration) string {
	n := int(d.Seconds())
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}
