// Package brief says in a few words what a row of the list has no room to say at length: why a job
// failed, and how long it took.
package brief

import (
	"strconv"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/screens/queue/internal/inks"
)

// Most is the width of a reason, in cells.
const Most = 22

// reason is what an error is about, and the words, statuses and codes that tell so.
type reason struct {
	text string
	of   []string
}

// reasons are the errors that gateways have in common, the surest first.
func reasons() []reason {
	return []reason{
		{"rate limit", []string{"429", "rate limit", "ratelimit", "too many requests", "throttl"}},
		{"safety filter", []string{"content policy", "content filter", "moderation", "safety", "sensitive", "nsfw"}},
		{"timed out", []string{"408", "504", "timeout", "timed out", "deadline"}},
		{"key refused", []string{"401", "unauthorized", "api key", "invalid key"}},
		{"no credit left", []string{"402", "quota", "insufficient", "balance"}},
		{"not allowed", []string{"403", "forbidden", "permission"}},
		{"gateway busy", []string{"503", "529", "overloaded", "unavailable", "too busy"}},
		{"not found", []string{"404", "not found"}},
		{"cancelled", []string{"cancel"}},
	}
}

// Why says why a job has failed, in a clean line of at most Most cells; "" where nothing is known.
func Why(e *client.TaskError) string {
	if e == nil {
		return ""
	}
	code, message := plain(e.Code), plain(e.Message)
	if text := named(code); text != "" {
		return text
	}
	if _, err := strconv.Atoi(code); code != "" && err != nil {
		return inks.OneLine(code, Most)
	}
	if text := named(message); text != "" {
		return text
	}
	return inks.OneLine(strings.TrimSuffix(client.CleanLine(inks.OneLine(e.Message, 200)), "."), Most)
}

// plain is a code or a message in words.
func plain(text string) string {
	return strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(inks.OneLine(text, 200)))
}

// named is the reason that a text tells, "" for none.
func named(text string) string {
	for _, r := range reasons() {
		for _, of := range r.of {
			if _, err := strconv.Atoi(of); err == nil && text == of || err != nil && strings.Contains(text, of) {
				return r.text
			}
		}
	}
	return ""
}

// TimeWidth is the width of [Took] and [Left].
const TimeWidth = 7

// Took is how long something took: "850 ms", "4.2 s", "1:05", "2:03:10".
func Took(d time.Duration) string {
	switch {
	case d < time.Minute:
		return human.Dur(d)
	case d < 10*time.Hour:
		return human.Clock(d)
	default:
		return human.Age(d)
	}
}

// Left is [human.Left] with fewer cells, and roughly: "~12 s", "~1:20", "~12 m", "~2 h".
func Left(d time.Duration) string {
	text := human.Left(d)
	if m, s, ok := strings.Cut(text, " m "); ok {
		return "~" + m + ":" + strings.TrimSuffix(s, " s")
	}
	for _, unit := range []string{" h", " d"} {
		if n, _, ok := strings.Cut(text, unit+" "); ok {
			return "~" + n + unit
		}
	}
	return "~" + text
}

// Word is the word for a state in a row; "" for what a sign says well enough.
func Word(s jobs.State) string {
	if s == jobs.Completed {
		return ""
	}
	return string(s)
}
