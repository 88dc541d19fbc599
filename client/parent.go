package client

import (
	"slices"
	"strings"
)

// Parent is a job whose result a draft begins with. It is kept with the draft, in the history
// too, and never sent.
type Parent struct {
	// Job is the id of the job.
	Job string `json:"job"`
	// As says what was made of its result: "reference", "i2v", "extend" or "edit".
	As string `json:"as,omitempty"`
	// Ref is the value of the draft that stands for the result: a reference, or a task id.
	// A draft in which it does not stand any more was not made from that job.
	Ref string `json:"ref"`
}

// MaxParents bounds the parents of a draft.
const MaxParents = 32

// Descent are the parents of a draft whose results it still uses, each job once.
func (d Draft) Descent() []Parent {
	var out []Parent
	for _, p := range d.Parents {
		if p.Job == "" || p.Ref == "" || len(out) == MaxParents ||
			slices.ContainsFunc(out, func(x Parent) bool { return x.Job == p.Job }) || !d.Values.holds(p.Ref) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// holds reports whether a text stands anywhere in the values.
func (v Values) holds(text string) bool {
	for _, x := range v {
		if holdsText(x, text) {
			return true
		}
	}
	return false
}

func holdsText(v any, text string) bool {
	switch t := v.(type) {
	case string:
		return strings.TrimSpace(t) == text
	case []any:
		return slices.ContainsFunc(t, func(x any) bool { return holdsText(x, text) })
	case map[string]any:
		for _, x := range t {
			if holdsText(x, text) {
				return true
			}
		}
	}
	return false
}
