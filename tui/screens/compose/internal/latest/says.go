package latest

import (
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/tui/gallery"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

// maxWhy bounds how much of the gateway's words is shown, in bytes.
const maxWhy = 400

// says is how a job stands, in a person's words.
func (p *Pane) says(j *jobs.Job) (string, widgets.Ink) {
	now := p.o.Now()
	s := p.scene.Of(j, now)
	if s.Held() {
		return "paused: nothing goes on until the pause ends", p.ink.warn
	}
	why := ""
	switch {
	case j.Error != nil:
		why = strings.TrimSpace(j.Error.Message)
	case j.Note != "":
		why = j.Note
	}
	why = client.CleanLine(text.Cap(why, maxWhy))
	switch j.State {
	case jobs.Planned:
		return "waits to be sent", p.ink.text
	case jobs.Submitting:
		return "is being sent", p.ink.text
	case jobs.Queued:
		return "waits at the gateway" + p.left(j, now), p.ink.text
	case jobs.Running:
		return "is being made" + p.left(j, now), p.ink.text
	case jobs.Unknown:
		return "is under way, in a state that nobody knows: " + client.CleanLine(j.RawStatus), p.ink.warn
	case jobs.Ambiguous:
		return "its answer was lost: it may be under way, and nothing was sent again", p.ink.warn
	case jobs.Refused:
		return with("was refused", why), p.ink.bad
	case jobs.Failed:
		return with("failed", why), p.ink.bad
	case jobs.Lost:
		return with("the gateway does not know it any more", why), p.ink.warn
	case jobs.Dropped:
		return "was dropped: nobody asks for it any more", p.ink.muted
	}
	return p.ink.ended(j)
}

func with(said, why string) string { return strings.TrimSuffix(said+": "+why, ": ") }

// ended says how the files of a completed job stand.
func (k *inks) ended(j *jobs.Job) (string, widgets.Ink) {
	for i := range j.Files {
		if f := &j.Files[i]; f.State == jobs.FileFailed {
			return "the file was not saved: " + client.CleanLine(text.Cap(f.Error, maxWhy)), k.bad
		}
	}
	switch {
	case j.Saving():
		return "is made, and being saved", k.text
	case j.Saved():
		return "is made and saved", k.text
	case j.Wordy():
		return "answered in words", k.text
	case len(j.Assets) > 0:
		return "is made, and not saved yet", k.text
	}
	return "is made", k.text
}

// left is what earlier jobs tell of the time that is left.
func (p *Pane) left(j *jobs.Job, now time.Time) string {
	f := p.scene.Forecast(j, now)
	switch {
	case f.Slow:
		return ", slower than usual"
	case f.Told:
		return ", ~" + human.Left(f.Left) + " left"
	}
	return ""
}

// lasts is how long what is said of the time left stays true, 0 for always.
func (p *Pane) lasts(j *jobs.Job) time.Duration {
	if !j.State.Active() || len(p.scene.Holds(j)) > 0 {
		return 0
	}
	f := p.scene.Forecast(j, p.o.Now())
	d := f.Step()
	if f.Told {
		if c := human.LeftChange(f.Left); d == 0 || c < d {
			d = c
		}
	}
	return d
}

// next is which key does what about a job that came to nothing, "" for one that goes well.
func (p *Pane) next(j *jobs.Job) string {
	queue := p.commands.Key(actQueue)
	if !p.focused {
		queue = p.o.Keys.Keys(p.o.Focus) + " " + queue
	}
	switch j.State {
	case jobs.Failed, jobs.Refused, jobs.Lost:
		return "change the form and submit again; " + queue + " shows it in Queue"
	case jobs.Ambiguous, jobs.Unknown:
		return queue + " shows it in Queue, with what can be done"
	}
	if j.State == jobs.Completed && j.Face().Path == "" && !j.Saving() {
		return queue + " shows it in Queue"
	}
	return ""
}

// brief is how a job stands, in a word or two.
func (p *Pane) brief(j *jobs.Job) string {
	now := p.o.Now()
	if f := p.scene.Forecast(j, now); f.Told && len(p.scene.Holds(j)) == 0 {
		return "~" + human.Left(f.Left)
	}
	if share, ok := j.Done(); ok && j.State.Active() {
		return human.Percent(share)
	}
	if took, ok := j.Took(); ok && j.State == jobs.Completed {
		if took >= 10*time.Second { // tenths take the room of the star
			return strings.Replace(human.Dur(took.Truncate(time.Second)), ".0 s", " s", 1)
		}
		return human.Dur(took)
	}
	switch j.State {
	case jobs.Completed:
		return "done"
	case jobs.Ambiguous:
		return "unclear"
	default:
		return string(j.State)
	}
}

// facts are what tells a result from its siblings.
func facts(j *jobs.Job, face *preview.Awaited) string {
	d := &j.Draft
	name := d.Model
	if d.ModelName != "" && d.ModelName != d.Model {
		name = d.ModelName
	}
	parts := []string{name}
	for _, f := range []struct{ field, before, after string }{
		{"duration", "", " s"}, {"aspect_ratio", "", ""}, {"resolution", "", ""}, {"size", "", ""}, {"seed", "seed ", ""},
	} {
		if v, ok := d.Values.Text(f.field); ok && v != "" {
			parts = append(parts, f.before+v+f.after)
		} else if f.field == "duration" && face.Have && face.Got.Info.Duration > 0 { // what was made
			parts = append(parts, gallery.Plays(face.Got.Info))
		}
	}
	if n := len(j.Results()); n > 1 {
		parts = append(parts, human.Plural(n, "file"))
	}
	return client.CleanLine(strings.Join(parts, " · "))
}
