// Package delivered compares what a draft asked for with what came of it, as the gateway's answer
// and the saved file tell. It knows no catalog and no format: it reads the facts that such answers
// have in common, wherever they stand, and says nothing where an answer says nothing.
package delivered

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
)

// Canonical names of what is compared.
const (
	fieldDuration   = "duration"
	fieldSize       = "size"
	fieldResolution = "resolution"
	fieldRatio      = "aspect_ratio"
	fieldSeed       = "seed"
	fieldNumber     = "n"
	fieldParameters = "parameters" // an object with some of them
)

// File is what a saved file says of itself; zero where it does not say.
type File struct {
	Duration      time.Duration
	Width, Height int
}

// Wish is a draft, and what else is known of what the gateway makes of it.
type Wish struct {
	Draft client.Draft
	// Mapped lists the durations, in seconds, to which the gateway maps all others; nil where it is
	// not known to map any.
	Mapped []float64
}

// Answer compares a draft with what an answer about its task tells, in plain words; results is how
// many pictures came, -1 where it is not the last answer.
func Answer(w Wish, body []byte, results int) []string {
	r := read(body)
	var out []string
	reports := func(text string) string { return "the task reports " + text }
	if w.timed() {
		for _, s := range r.seconds {
			if text := w.wrongLength(s); text != "" && w.mayLast(s) {
				out = append(out, text+reports(number(s)+" s"))
				break
			}
		}
	}
	for _, p := range r.pictures {
		if text := w.wrongPicture(p, r.scaledFrom); text != "" {
			out = append(out, text+reports(p.String()))
			break
		}
	}
	if asked, ok := w.text(fieldSeed); ok && r.seed != "" && isWhole(asked) && asked != r.seed {
		out = append(out, "asked for seed "+asked+", "+reports(r.seed))
	}
	if text := w.lostImages(r); text != "" {
		out = append(out, text)
	}
	if n := w.number(); results >= 0 && results < n {
		out = append(out, fmt.Sprintf("asked for %s, got %d", human.Plural(n, "picture"), results))
	}
	return out
}

// Saved compares a draft with a file that came of it; body is the answer that named the file.
func Saved(w Wish, f File, body []byte) []string {
	var out []string
	if s := f.Duration.Seconds(); s > 0 && w.timed() {
		if text := w.wrongLength(s); text != "" {
			out = append(out, text+fmt.Sprintf("got %.1f s", s))
		}
	}
	if f.Width > 0 && f.Height > 0 {
		p := picture{w: float64(f.Width), h: float64(f.Height)}
		if text := w.wrongPicture(p, read(body).scaledFrom); text != "" {
			out = append(out, text+"got "+p.String())
		}
	}
	return out
}

// Seed is the seed that an answer tells its result was made with, "" for none.
func Seed(body []byte) string { return read(body).seed }

// New returns those of the warnings in texts whose subject none of the old ones has.
func New(old, texts []string) []string {
	about := func(text string) string {
		what, _, _ := strings.Cut(text, ", ")
		return what
	}
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool {
		return slices.ContainsFunc(old, func(o string) bool { return about(o) == about(text) })
	})
}

// spelled are the names of fields in an object that is sent as it stands.
var spelled = map[string][]string{fieldDuration: {"duration", "seconds"}, fieldRatio: {"aspect_ratio", "ratio"}}

// text returns a value that was asked for, if it is a scalar: from the form, the parameters object,
// or what is sent as it stands.
func (w *Wish) text(name string) (string, bool) {
	if t, ok := w.Draft.Values.Text(name); ok && strings.TrimSpace(t) != "" {
		return strings.TrimSpace(t), true
	}
	names := spelled[name]
	if names == nil {
		names = []string{name}
	}
	p, _ := w.Draft.Values[fieldParameters].(map[string]any)
	for _, n := range names {
		if t, ok := client.Values(p).Text(n); ok && strings.TrimSpace(t) != "" {
			return strings.TrimSpace(t), true
		}
		if t := strings.TrimSpace(strings.Trim(string(w.Draft.Extra[n]), `"`)); t != "" && t[0] != '{' && t[0] != '[' && t != "null" {
			return t, true
		}
	}
	return "", false
}

// timed reports whether the duration asked for is that of the result: a video made from another may
// be as long as both.
func (w *Wish) timed() bool {
	d := w.Draft
	if d.Modality != client.Video || slices.Contains([]string{"extend", "edit", "video_edit"}, d.Mode) {
		return false
	}
	_, extends := d.Values["video_id"]
	return !extends && len(d.Values.List("videos")) == 0 && !holdsType(d.Values.List("content"), "video_url")
}

func (w *Wish) number() int {
	t, ok := w.text(fieldNumber)
	n, err := strconv.Atoi(t)
	if !ok || err != nil || w.Draft.Modality != client.Image {
		return 0
	}
	return n
}

// How much longer or shorter a video may be than asked for: encoders count in frames.
const (
	slackSeconds = 0.75
	slackPart    = 0.1
)

// wrongLength returns the beginning of a warning, "" if the length is the one asked for.
func (w *Wish) wrongLength(got float64) string {
	t, ok := w.text(fieldDuration)
	asked, err := strconv.ParseFloat(strings.TrimSuffix(t, "s"), 64)
	if !ok || err != nil || !(asked > 0) || math.IsInf(asked, 0) {
		return ""
	}
	near := func(to float64) bool { return math.Abs(got-to) <= max(slackSeconds, slackPart*to) }
	if near(asked) || slices.ContainsFunc(w.neighbours(asked), near) {
		return ""
	}
	return "asked for " + number(asked) + " s, "
}

// mayLast reports whether a number that is called a duration may be that of the result: a much
// greater one is the time that it took to make.
func (w *Wish) mayLast(got float64) bool {
	const times, more = 4, 30
	t, _ := w.text(fieldDuration)
	asked, err := strconv.ParseFloat(strings.TrimSuffix(t, "s"), 64)
	return err == nil && got <= times*asked+more
}

// neighbours returns the durations to which another may be mapped: the gateway does not say which.
func (w *Wish) neighbours(asked float64) []float64 {
	if slices.Contains(w.Mapped, asked) {
		return nil
	}
	var below, above []float64
	for _, m := range w.Mapped {
		if m < asked {
			below = append(below, m)
		} else {
			above = append(above, m)
		}
	}
	var out []float64
	if len(below) > 0 {
		out = append(out, slices.Max(below))
	}
	if len(above) > 0 {
		out = append(out, slices.Min(above))
	}
	return out
}

func isWhole(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

func number(f float64) string {
	return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64)
}
