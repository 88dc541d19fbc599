package queue

import (
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/standing"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/times"
	"darkroom/tui/widgets"
)

// kit is what all parts of the screen use to draw.
type kit struct {
	st     *themes.Styles
	ink    inks
	keys   keys.Map
	now    func() time.Time
	times  *times.Choice
	scene  standing.Scene
	screen int  // width of the screen
	mixed  bool // jobs of several profiles are listed
}

// clock writes points in time as the person has them.
func (k *kit) clock() human.Times { return k.times.At(k.now()) }

// inks are the styles of what is drawn on every key.
type inks struct {
	text, muted, faint, accent, bad, warn, good, code, label, marked widgets.Ink
	states                                                           map[jobs.State]sign
	bars                                                             [2*barWidth + 1]string // by halves of a cell
}

// sign is how a state looks.
type sign struct {
	text string
	ink  widgets.Ink
}

// Signs of jobs.
const (
	pausedSign  = "‖" // in place of a state's: a pause holds the job
	unsavedSign = "!" // in place of that of success: a result is not on the disk
	warnSign    = "⚠" // before what a person is to look at
	starSign    = "★"
	remarkSign  = "✎"
)

const barWidth = 8

func newInks(st *themes.Styles) inks {
	k := inks{
		text: widgets.NewInk(st.Text), muted: widgets.NewInk(st.Muted), faint: widgets.NewInk(st.Faint),
		accent: widgets.NewInk(st.Accent), bad: widgets.NewInk(st.Bad), warn: widgets.NewInk(st.Warn),
		good: widgets.NewInk(st.Good), code: widgets.NewInk(st.Code), label: widgets.NewInk(st.Label), marked: widgets.NewInk(st.RowMarked),
		states: map[jobs.State]sign{},
	}
	for _, s := range jobs.States() {
		text, style := widgets.Sign(st, s.Coarse())
		if s == jobs.Dropped {
			text, style = "–", st.Muted
		}
		k.states[s] = sign{text, widgets.NewInk(style)}
	}
	for i := range k.bars {
		k.bars[i] = strings.Repeat("━", i/2) + strings.Repeat("╸", i%2) + strings.Repeat("·", barWidth-i/2-i%2)
	}
	return k
}

// sign is that of a state; one that nobody listed looks unknown.
func (k *inks) sign(s jobs.State) sign {
	if x, ok := k.states[s]; ok {
		return x
	}
	return k.states[jobs.Unknown]
}

// bar is a progress bar.
func (k *inks) bar(share float64) string { return k.bars[int(share*2*barWidth)] }

// wrapped are at most h lines of w cells of a text in one ink.
func wrapped(ink widgets.Ink, text string, w, h int) []string {
	lines := widgets.WrapLines(text, max(1, w), max(1, h))
	for i, l := range lines {
		lines[i] = ink.Text(l)
	}
	return lines
}

// failure is what went wrong, in at most h lines of w cells.
func (k *inks) failure(err error, w, h int) []string {
	return wrapped(k.bad, "✗ "+client.Clean(err.Error()), w, h)
}

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
func (k *kit) sign(s *stands) sign {
	look := k.ink.sign(s.State)
	if s.Held() {
		look.text = pausedSign
	} else if !s.Pending && s.Failed > 0 {
		look = sign{unsavedSign, k.ink.bad}
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
