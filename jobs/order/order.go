// Package order puts jobs in the orders that a query can ask for, as the histories do; pure.
package order

import (
	"cmp"
	"strings"

	"darkroom/jobs"
)

// Compare tells which of two jobs comes first in an order, as for [slices.SortFunc]. Two different
// jobs are never equal.
func Compare(s jobs.Sort, a, b *jobs.Job) int {
	if s.Back {
		a, b = b, a
	}
	up, ids := 1, cmp.Compare(b.ID, a.ID)
	if s.Down {
		up = -1
	}
	none := func(known, also bool) int { // what is not known comes last, up or down
		switch {
		case known == also:
			return 0
		case known:
			return -up
		default:
			return up
		}
	}
	var by int
	switch s.By {
	case jobs.SortAge:
		return up * ids
	case jobs.SortState:
		by = cmp.Compare(a.State, b.State)
	case jobs.SortModel:
		by = cmp.Compare(a.Draft.Model, b.Draft.Model)
	case jobs.SortKind:
		by = cmp.Compare(a.Draft.Modality, b.Draft.Modality)
	case jobs.SortProfile:
		by = cmp.Compare(a.Profile, b.Profile)
	case jobs.SortProgress:
		by = cmp.Or(none(a.Progress >= 0, b.Progress >= 0), cmp.Compare(a.Progress, b.Progress))
	case jobs.SortPrompt:
		by = cmp.Compare(begin(a.Draft.Prompt), begin(b.Draft.Prompt))
	case jobs.SortTook:
		of, aEnded := a.Took()
		than, bEnded := b.Took()
		by = cmp.Or(none(aEnded, bEnded), cmp.Compare(of, than))
	}
	return cmp.Or(up*by, ids)
}

// maxPrompt is how much of a prompt counts, in characters: histories compare no more, and lists hold
// no less.
const maxPrompt = 100

// begin is the beginning of a prompt, in lower case.
func begin(s string) string {
	n := 0
	for i := range s {
		if n++; n > maxPrompt {
			return strings.ToLower(s[:i])
		}
	}
	return strings.ToLower(s)
}

// Text is an order as a filter writes it behind sort:, "" for the usual one.
func Text(s jobs.Sort) string {
	if s == (jobs.Sort{}) {
		return ""
	}
	by := cmp.Or(string(s.By), "age")
	if s.Down {
		return "-" + by
	}
	return by
}
