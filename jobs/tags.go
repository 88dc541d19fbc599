package jobs

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxTag bounds a tag, in bytes; maxTags how many a job has.
const (
	maxTag  = 64
	maxTags = 50
)

// Star is the tag of a starred job. It is a tag like others: exports and imports carry it,
// searches find it, and a retention, which spares what is tagged, spares it.
const Star = "starred"

// Starred reports whether a person starred the job.
func (j *Job) Starred() bool { return slices.Contains(j.Tags, Star) }

// PlainTags are the tags without the star.
func (j *Job) PlainTags() []string {
	if !j.Starred() {
		return j.Tags
	}
	return slices.DeleteFunc(slices.Clone(j.Tags), func(t string) bool { return t == Star })
}

// CleanTags makes a person's tags what a job keeps: trimmed, sorted, each once. A tag is
// one word without commas, quotes and control characters, so that filters can name it.
func CleanTags(tags []string) ([]string, error) {
	out := make([]string, 0, len(tags))
	for _, t := range tags {
		t = strings.TrimSpace(t)
		switch {
		case t == "":
			continue
		case len(t) > maxTag:
			return nil, fmt.Errorf("tag %q has %d bytes; at most %d are allowed", t[:16]+"…", len(t), maxTag)
		case strings.ContainsFunc(t, badInTag):
			return nil, fmt.Errorf("tag %q: one word is needed, without commas and quotes", t)
		}
		out = append(out, t)
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) > maxTags {
		return nil, fmt.Errorf("%d tags; at most %d are allowed", len(out), maxTags)
	}
	return out, nil
}

// KeepOwn makes what only a person decides (Tags, Remark, Paused, and whose local files are
// sent: Installation, Proof) that of another copy of the job. Insert and Amend of a store write it, Commit keeps what is there: whoever works
// on a job has a copy from before the person's word.
func (j *Job) KeepOwn(from *Job) {
	j.Tags, j.Remark, j.Paused = slices.Clone(from.Tags), from.Remark, from.Paused
	j.Installation, j.Proof = from.Installation, from.Proof
}

// sameOwn reports whether two copies agree about what only a person decides.
func sameOwn(a, b *Job) bool {
	return a.Remark == b.Remark && a.Paused == b.Paused && slices.Equal(a.Tags, b.Tags)
}

func badInTag(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(",\"'`", r)
}
