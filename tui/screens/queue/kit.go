package queue

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/standing"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screens/queue/internal/brief"
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
	room   int  // width of the prompts in the list
	tall   bool // rows of the list take several lines, with a picture

	catalog *catalog.Catalog // nil knows no labels
}

// label is what the form calls a field.
func (k *kit) label(m client.Modality, field string) string {
	if k.catalog != nil {
		if f, ok := k.catalog.Field(m, field); ok && f.Label != "" {
			return upper(f.Label)
		}
	}
	return upper(client.CleanLine(strings.ReplaceAll(field, "_", " ")))
}

// unit is that of a field's values, "" for none.
func (k *kit) unit(m client.Modality, field string) string {
	if k.catalog == nil {
		return ""
	}
	f, _ := k.catalog.Field(m, field)
	return f.Unit
}

// modeLabel is the mode of a job as the form names it.
func (k *kit) modeLabel(j *jobs.Job) string {
	if k.catalog != nil {
		if model, ok := k.catalog.ModelFor(j.Draft.Modality, j.Draft.Model); ok {
			return client.CleanLine(model.ModeCalled(j.Draft.Mode))
		}
	}
	return client.CleanLine(j.Draft.Mode)
}

// upper begins a text with a capital letter.
func upper(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// clock writes points in time as the person has them.
func (k *kit) clock() human.Times { return k.times.At(k.now()) }

// Signs of jobs.
const (
	pausedSign  = "‖" // in place of a state's: a pause holds the job
	rejectSign  = "⊘" // in place of a state's: a person rejected it
	unsavedSign = "!" // in place of that of success: a result is not on the disk
	warnSign    = "⚠" // before what a person is to look at
	starSign    = "★"
	remarkSign  = "✎"
)

// stands is a job with its current standing, from which everything said of it is laid out.
type stands struct {
	*jobs.Job
	standing.Standing
	age     time.Duration
	differs string // from its siblings in the list
	inBatch bool   // it stands below the head of its batch
}

func (k *kit) stands(j *jobs.Job) stands {
	now := k.now()
	return stands{Job: j, Standing: k.scene.Of(j, now), age: now.Sub(j.CreatedAt)}
}

// rejected reports whether a person rejected the job.
func rejected(j *jobs.Job) bool { return !j.Rejected.IsZero() }

// rejectWord says that a job was rejected.
const rejectWord = "rejected"

// sign is the sign of a job's state, or of what holds the job up.
func (k *kit) sign(s *stands) inks.Sign {
	look := k.ink.Sign(s.State)
	if rejected(s.Job) {
		look = inks.Sign{Text: rejectSign, Ink: k.ink.Faint}
	} else if s.Held() {
		look.Text = pausedSign
	} else if !s.Pending && s.Failed > 0 {
		look = inks.Sign{Text: unsavedSign, Ink: k.ink.Bad}
	}
	return look
}

// profiled adds the profile where jobs of several show.
func (k *kit) profiled(j *jobs.Job, model string) string {
	if !k.mixed || j.Profile == "" {
		return model
	}
	return model + " · " + client.CleanLine(j.Profile)
}

// variantsFrom is the width of the screen from which a row has the variant of the model, too.
const variantsFrom = 160

// rowModel is the model of a job in a row of the list.
func (k *kit) rowModel(j *jobs.Job) string {
	if k.screen < variantsFrom {
		return client.CleanLine(j.Draft.Model)
	}
	return modelText(j)
}

// slowMark is said of a job that takes longer than 95 of 100 did.
const slowMark = "slow"

// Widths of the column of the prompts from which it has the bar of the progress, and all that a batch
// says.
const (
	barFrom   = 30
	roomyFrom = 44
)

// words are what a row says of how a job stands, "" for one that is done: its sign says that.
func (k *kit) words(s *stands) (text string, ink widgets.Ink) {
	ink = k.sign(s).Ink
	switch {
	case rejected(s.Job):
		return rejectWord, k.ink.Muted
	case s.Held():
		text = k.holdWord(s)
	case s.Pending && !s.Moving:
		text = "saving"
	case s.Failed > 0 && !s.Pending:
		text = fmt.Sprintf("%d not saved", s.Failed)
	case s.State == jobs.Unknown && s.RawStatus != "":
		text = inks.OneLine(s.RawStatus, brief.Most)
	case s.State == jobs.Failed || s.State == jobs.Refused:
		text = cmp.Or(brief.Why(s.Error), brief.Word(s.State))
	case !s.Moving:
		text = brief.Word(s.State)
	}
	if s.Slow {
		ink = k.ink.Warn
	}
	if !s.Moving {
		return text, ink
	}
	share := fmt.Sprintf("%5s", human.Percent(s.Share))
	switch {
	case text == "" && s.Pending:
		return "saving" + share, ink
	case k.room < barFrom && text == "":
		return strings.TrimSpace(share), ink
	case text == "":
		return k.ink.Bar(s.Share) + " " + share, ink
	}
	return text + share, ink
}

// holdWord says what holds a job up.
func (k *kit) holdWord(s *stands) string {
	for _, h := range s.Holds {
		if h.Kind != jobs.HoldFiles && h.Kind != jobs.HoldReadOnly {
			return "paused"
		}
	}
	return "held"
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
