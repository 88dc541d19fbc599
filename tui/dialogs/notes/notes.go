// Package notes asks for what a person notes on jobs: tags, a remark, the ticket that they belong to.
// The answers are [ask.Typed].
package notes

import (
	"slices"
	"strings"

	"darkroom/jobs"
	"darkroom/tui/dialogs/ask"
)

// Tags asks for tags of a subject, to be read by [SplitTags]; about comes back with them.
func Tags(subject string, about any) *ask.Line {
	return ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Tags", Hint: "A word adds a tag; with - before it, it takes one away.", Button: "Tag"},
		Prompt: "tags: ", Placeholder: "kept good -bad", Subject: subject, Check: checkTags, About: about,
	})
}

func checkTags(text string) string {
	add, remove := SplitTags(text)
	if _, err := jobs.CleanTags(slices.Concat(add, remove)); err != nil {
		return err.Error()
	}
	if len(add)+len(remove) == 0 {
		return "type a tag, or -tag to take one away"
	}
	return ""
}

// SplitTags reads "+a -b c, d": a tag with a minus is removed.
func SplitTags(text string) (add, remove []string) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		if rest, ok := strings.CutPrefix(w, "-"); ok {
			if rest != "" {
				remove = append(remove, rest)
			}
		} else if w = strings.TrimPrefix(w, "+"); w != "" {
			add = append(add, w)
		}
	}
	return add, remove
}

// Remark asks for the remark on a subject, which has one or "".
func Remark(subject, now string, about any) *ask.Line {
	return ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Remark", Hint: "Filters find it. Leave it empty to remove it.", Button: "Keep"},
		Prompt: "remark: ", Placeholder: "what to remember about it", Subject: subject, Text: now, About: about,
	})
}

// Adopt asks for the ticket of somebody else's task that is to be taken into the history, to be read by
// [jobs.Ticket].
func Adopt(subject string, about any) *ask.Line {
	return ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Take it into the history", Hint: "It is watched there to its end, and never sent.", Button: "Take it"},
		Prompt: "ticket: ", Placeholder: "77, or nothing", Subject: subject, Check: checkTicket, About: about,
	})
}

func checkTicket(text string) string {
	if _, err := jobs.CleanTags(jobs.Ticket(text)); err != nil {
		return "type the number or name of a ticket as one word, or nothing"
	}
	return ""
}
