package store

import (
	"fmt"
	"strings"

	"darkroom/client/human"
)

// String tells a person all of it, what counts most first: it may be cut.
func (r *Restored) String() string {
	var b strings.Builder
	b.WriteString(r.head())
	stamp := human.Times{Now: r.From}.Stamp
	if r.From.Before(r.To) {
		fmt.Fprintf(&b, " What was submitted or seen from %s to %s may be missing.", stamp(r.From), stamp(r.To))
	} else {
		fmt.Fprintf(&b, " It is as new as what was there, of %s.", stamp(r.From))
	}
	b.WriteString(r.newer())
	if r.Doubt > 0 {
		fmt.Fprintf(&b, " May have been sent since, and ambiguous now: %s.", human.Plural(r.Doubt, "job"))
	}
	b.WriteString(r.aside())
	if r.Cause != "" {
		fmt.Fprintf(&b, " The damage: %s.", r.Cause)
	}
	if r.Unread != "" {
		fmt.Fprintf(&b, " What ended the reading of it: %s.", r.Unread)
	}
	fmt.Fprintf(&b, " The backup: %s", r.Backup)
	return b.String()
}

// head says what stands where the history was. One of which nothing is left was not damaged,
// but gone.
func (r *Restored) head() string {
	jobs := human.Plural(r.Jobs, "job")
	switch {
	case r.Cause != "" && len(r.Aside) == 0:
		return "the history was gone; a backup with " + jobs + " is in its place."
	case r.Cause != "":
		return "the history was damaged; a backup with " + jobs + " is in its place."
	case len(r.Aside) == 0:
		return "the history is a backup with " + jobs + " now; there was none before."
	default:
		return "a backup with " + jobs + " is in the place of the history."
	}
}

// newer says what became of the jobs that the backup does not have.
func (r *Restored) newer() string {
	switch {
	case len(r.Aside) == 0:
		return "" // there was nothing that could have them
	case r.Saved > 0:
		return " Newer jobs that could still be read are there too: " + fmt.Sprint(r.Saved) + "."
	case r.Unread != "":
		return " No newer jobs could be read from what was there."
	default:
		return " No newer jobs were found in what was there."
	}
}

// aside says where what was there lies now: all of it, since a log may hold the newest jobs.
func (r *Restored) aside() string {
	if len(r.Aside) == 0 {
		return ""
	}
	first, beside := r.Aside[0], []string{}
	for _, a := range r.Aside[1:] {
		beside = append(beside, strings.TrimPrefix(a, first))
	}
	text := " What was there is set aside as " + first
	if len(beside) > 0 {
		text += ", with " + strings.Join(beside, " and ") + " beside it"
	}
	return text + "."
}
