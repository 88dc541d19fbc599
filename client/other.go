package client

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"darkroom/client/text"
)

// Own are the ids by which an answer names the task that it is about, at the places that its
// format has for that. Empty for an answer that names none: not the row of an envelope, not a
// song, not what a vendor behind the gateway says of its own task.
type Own struct {
	Texts   []string
	Numbers []string // written as JSON numbers, which may be rows of the gateway's tables
}

// OtherTaskError is an answer about another task than the one that was asked for. Nothing of
// it is to be taken for that one.
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

// KnownAs returns a context in which a query takes answers about other ids, too, that the task
// is known by, as those that the answer to its create had.
func KnownAs(ctx context.Context, ids []string) context.Context {
	if len(ids) == 0 {
		return ctx
	}
	return context.WithValue(ctx, knownKey{}, ids)
}

// about checks that a decoded answer is about the task that was asked for: one of its ids is
// that one, or one that is known for it, or it names none.
func about(ctx context.Context, t *Task, asked string, m Meta) error {
	known, _ := ctx.Value(knownKey{}).([]string)
	if t.About(append([]string{asked}, known...)...) {
		return nil
	}
	return &OtherTaskError{Asked: asked, Named: append(slices.Clone(t.Own.Texts), t.Own.Numbers...)[0], Meta: m}
}

// About reports whether an answer can be one about a task with these ids. Of two ids of which
// one ends with the other behind a slash, as names of operations do, either is the other.
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
	// A number says nothing against an id that is none.
	return len(t.Own.Texts) == 0 && !slices.ContainsFunc(ids, allDigits)
}

// sameID compares without regard to case, as UUIDs are written.
func sameID(a, b string) bool {
	a, b = strings.ToLower(strings.TrimSpace(a)), strings.ToLower(strings.TrimSpace(b))
	return a == b || a != "" && b != "" && (strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a))
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
