// Package say puts what is known of a trial into words: its state, its latency as an interval whose
// source is named, its facts and checks. It is pure; all words are clean, and each is one line.
package say

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// Badges behind a state.
const (
	Differs = "≠" // what was delivered is not what was asked for
	Failed  = "!" // a check failed
	Again   = "↻" // it is not the first attempt, which is the one that counts
)

// Span is an interval in words, "" for one that is not known.
func Span(i compare.Interval) string {
	if !i.Known() {
		return ""
	}
	return i.String()
}

// Total is how long a trial took, by polls or by the gateway's own stamps: as the narrower one knows it.
func Total(l *compare.Latency) compare.Interval {
	if Narrower(l) {
		return l.GatewayTotal
	}
	return l.Total
}

// Narrower reports whether the gateway's stamps tell a total more closely than polls.
func Narrower(l *compare.Latency) bool {
	g, p := l.GatewayTotal, l.Total
	return g.Known() && !g.Open && (!p.Known() || p.Open || g.Most-g.Least < p.Most-p.Least)
}

// Took is [Total] in words, with its source where that is the gateway.
func Took(l *compare.Latency) string {
	i := Total(l)
	if i.Source == compare.Stamped {
		return Span(i) + " gw"
	}
	return Span(i)
}

// Face is what a cell of the grid says in a line.
type Face struct {
	State string // as widgets.Sign knows it, "none" for a cell without a trial
	Text  string
	// Share is how far it is, from 0 to 1; below 0 for what has no progress.
	Share float64
	Badge string
	// Moving: the text changes with the time.
	Moving bool
}

// FaceOf is the face of a cell's trial, nil for one that was not sent.
func FaceOf(c *compare.Cell, t *compare.Trial, now time.Time) Face {
	switch {
	case c != nil && c.Cannot != "":
		return Face{State: "none", Text: "cannot run", Share: -1}
	case c == nil:
		return Face{Share: -1}
	case t == nil:
		return Face{State: "none", Text: "not sent", Share: -1}
	}
	f := Face{State: t.State.Coarse(), Share: -1, Badge: badges(t)}
	switch {
	case t.TimedOut:
		f.State, f.Text = "failed", strings.TrimSpace("timed out "+Span(t.Latency.Total))
	case t.OK():
		f.Text = cmp.Or(Took(&t.Latency), "completed")
	case !t.Ended():
		f.Moving = true
		f.Text = string(t.State)
		if !t.SentAt.IsZero() && !now.IsZero() {
			f.Text = human.Age(now.Sub(t.SentAt))
		}
		if t.State == jobs.Running && t.Progress >= 0 {
			f.Share = t.Progress / 100
		}
	case t.State == jobs.Failed || t.State == jobs.Refused:
		f.Text = cmp.Or(client.CleanLine(t.Code), client.CleanLine(t.Message), string(t.State))
	default:
		f.Text = string(t.State)
	}
	return f
}

// badges are the signs behind a state.
func badges(t *compare.Trial) (out string) {
	if t.Attempt > 1 {
		out = Again
	}
	if FactsDiffer(&t.Outcome) {
		out += Differs
	}
	if ChecksFail(&t.Outcome) {
		out += Failed
	}
	return out
}

// FactsDiffer reports whether something else was delivered than was asked for.
func FactsDiffer(o *compare.Outcome) bool {
	return slices.ContainsFunc(o.Facts, func(p compare.Property) bool { return p.Verdict == compare.Fail })
}

// ChecksFail reports whether a check failed.
func ChecksFail(o *compare.Outcome) bool {
	return slices.ContainsFunc(o.Checks, func(c compare.Check) bool { return c.Verdict == compare.Fail })
}

// State is the state of a trial in words.
func State(t *compare.Trial) string {
	switch {
	case t == nil:
		return "not sent"
	case t.TimedOut:
		return "timed out"
	case t.State == jobs.Running && t.Progress >= 0:
		return "running " + human.Percent(t.Progress/100)
	default:
		return string(t.State)
	}
}

// Part is a part of a latency in words.
type Part struct{ Name, Text, Source string }

// Split is where the time of a trial went, as far as it is known.
func Split(l *compare.Latency) []Part {
	var out []Part
	add := func(name string, i compare.Interval) {
		if i.Known() {
			out = append(out, Part{name, Span(i), sourceText(i.Source)})
		}
	}
	add("total", l.Total)
	add("create", l.Create)
	add("queue", l.Queue)
	add("run", l.Run)
	add("download", l.Download)
	add("total", l.GatewayTotal)
	add("queue", l.GatewayQueue)
	add("run", l.GatewayRun)
	return out
}

func sourceText(s compare.Source) string {
	switch s {
	case compare.Measured:
		return "here"
	case compare.Polled:
		return "polls"
	case compare.Stamped:
		return "gateway"
	default:
		return client.CleanLine(string(s))
	}
}

// Fact is a value, "–" for one that nobody told.
func Fact(f compare.Fact) string {
	if !f.Known {
		return "–"
	}
	return cmp.Or(client.CleanLine(f.Text), "–")
}

// Verdict is a verdict as a sign.
func Verdict(v compare.Verdict) string {
	switch v {
	case compare.Pass:
		return "✓"
	case compare.Fail:
		return "✗"
	default:
		return "·"
	}
}

// Model is the name of a cell's model, with its model_name.
func Model(c *compare.Cell) string {
	if c.ModelName == "" {
		return client.CleanLine(c.Model)
	}
	return client.CleanLine(c.Model + " " + c.ModelName)
}

// Where names a trial's place: "famA3 · p1 · 2 of 3".
func (n Names) Where(c *compare.Cell, repeat, of int, format bool) string {
	parts := []string{Model(c)}
	if format {
		parts = append(parts, client.CleanLine(c.Format))
	}
	parts = append(parts, client.CleanLine(c.Prompt.ID))
	if s := n.Settings(c); s != "" {
		parts = append(parts, s)
	}
	if of > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d", repeat, of))
	}
	return strings.Join(parts, " · ")
}

// Showpiece is the file of a trial that is looked at or listened to, and a picture that stands for it
// where there is one; "" for none. Files that this installation has not saved are not opened.
func Showpiece(o *compare.Outcome) (path, poster string, kind client.AssetKind) {
	for _, f := range o.Files {
		switch {
		case !f.Here:
		case f.Kind == client.AssetCover && poster == "":
			poster = f.Path
		case path == "" && (f.Kind == client.AssetVideo || f.Kind == client.AssetImage || f.Kind == client.AssetAudio):
			path, kind = f.Path, f.Kind
		}
	}
	return path, poster, kind
}
