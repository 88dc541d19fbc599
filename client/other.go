package client

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"darkroom/client/text"
)

// Own are the ids by which an answer names its own task, at the places that its format has for
// that. Empty for an answer that names none: neither the row id of an envelope, nor a song's id,
// nor the id that a vendor behind the gateway gives its own task counts.
type Own struct {
	Texts   []string
	Numbers []string // written as JSON numbers, which may be rows of the gateway's tables
}

// OtherTaskError is an answer about another task than the one asked for. None of it may be taken
// for that one.
type OtherTaskError struct {
	Asked, Named string
	Meta         Meta
}

// Error implements error.
func (e *OtherTaskError) Error() string {
	return fmt.Sprintf("%s: the answer is about another task, %q, and not about %q: it is not taken; if it goes on, tell whoever runs the gateway",
		CleanLine(e.Meta.Path), CleanLine(text.Cap(e.Named, maxTerm)), CleanLine(text.Cap(e.Asked, maxTerm)))
}

type knownKey struct{}

// KnownAs returns a context in which a query also accepts answers under other ids by which the task
// is known, such as those in the answer to its create.
func KnownAs(ctx context.Context, ids []string) context.Context {
	if len(ids) == 0 {
		return ctx
	}
	return context.WithValue(ctx, knownKey{}, ids)
}

// about checks that a decoded answer is about the task asked for: one of its ids is that task's, or
// is known for it, or it names none.
func about(ctx context.Context, t *Task, asked string, m Meta) error {
	known, _ := ctx.Value(knownKey{}).([]string)
	if t.About(append([]string{asked}, known...)...) {
		return nil
	}
	return &OtherTaskError{Asked: asked, Named: append(slices.Clone(t.Own.Texts), t.Own.Numbers...)[0], Meta: m}
}

// About reports whether an answer can be about a task with these ids. Two ids are the same when one
// ends with the other after a slash, as names of operations do.
func (t *Task) About(ids ...string) bool {
	if len(t.Own.Texts)+len(t.Own.Numbers) == 0 {
		return true
	}
	for _, list := range [][]string{t.Own.Texts, t.Own.Numbers, t.AltIDs} {
		if slices.ContainsFunc(list, func(own string) bool {
			return slices.ContainsFunc(ids, func(id string) bool { return sameID(own, id) })
		}) {
			return true
		}
	}
	// A number does not contradict an id that is not a number.
	return len(t.Own.Texts) == 0 && !slices.ContainsFunc(ids, allDigits)
}

// sameID compares without regard to case, as UUIDs are written in either.
func sameID(a, b string) bool {
	a, b = strings.ToLower(strings.TrimSpace(a)), strings.ToLower(strings.TrimSpace(b))
	return a == b || a != "" && b != "" && (strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a))
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
