package queue

import (
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/standing"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/times"
	"darkroom/tui/widgets"
)

// kit is what all parts of the screen use to draw.
type kit struct {
	st     *themes.Styles
	ink    inks.Set
	keys   keys.Map
	now    func() time.Time
	times  *times.Choice
	scene  standing.Scene
	screen int  // width of the screen
	mixed  bool // jobs of several profiles are listed
}

// clock writes points in time as the person has them.
func (k *kit) clock() human.Times { return k.times.At(k.now()) }

// Signs of jobs.
const (
	pausedSign  = "‖" // in place of a state's: a pause holds the job
	unsavedSign = "!" // in place of that of success: a result is not on the disk
	warnSign    = "⚠" // before what a person is to look at
	starSign    = "★"
	remarkSign  = "✎"
)

// stands is a job with its current standing, from which everything said of it is laid out.
type stands struct {
	*jobs.Job
	standing.Standing
	age time.Duration
}

func (k *kit) stands(j *jobs.Job) stands {
	now := k.now()
	return stands{Job: j, Standing: k.scene.Of(j, now), age: now.Sub(j.CreatedAt)}
}

// sign is the sign of a job's state, or of what holds the job up.
func (k *kit) sign(s *stands) inks.Sign {
	look := k.ink.Sign(s.State)
	if s.Held() {
		look.Text = pausedSign
	} else if !s.Pending && s.Failed > 0 {
		look = inks.Sign{Text: unsavedSign, Ink: k.ink.Bad}
	}
	return look
}

// model is the model of a job in a list, with the profile where there are several.
func (k *kit) model(j *jobs.Job) string {
	if !k.mixed || j.Profile == "" {
		return modelText(j)
	}
	return modelText(j) + " · " + client.CleanLine(j.Profile)
}

// Parts of the text about a forecast.
const (
	slowMark  = "slow"           // behind the state of a job that takes longer than 95 of 100 did
	leftWidth = len("~1 m 20 s") // room that is kept for what is left, so that columns stay while it shrinks
	shareFrom = 50               // width of the screen from which there is room for the share too
)

// state is the text of a job's state in the table, and the width to reserve for it. The time left
// replaces the state's word, which the sign tells too.
func (k *kit) state(s *stands) (text string, width int) {
	text = shortState(s)
	share := ""
	if s.Moving && k.screen >= shareFrom {
		share = human.Percent(s.Share) + " "
	}
	switch {
	case s.Slow && share != "":
		text = share + slowMark
	case s.Slow:
		text = string(s.State) + " " + slowMark
	case s.Told:
		width = widgets.Width(share) + leftWidth
		text = share + "~" + human.Left(s.Left)
	}
	return text, max(width, widgets.Width(text))
}

// lasts is how long the shown forecast of a job stays true, 0 for always.
func (k *kit) lasts(j *jobs.Job) time.Duration {
	if len(k.scene.Holds(j)) > 0 {
		return 0
	}
	f := k.scene.Forecast(j, k.now())
	d := f.Step()
	if f.Told {
		d = sooner(d, human.LeftChange(f.Left))
	}
	return d
}

// sooner is the shorter of two times, 0 meaning never.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
