// Package references knows the pictures, videos and sounds that a form refers to: where they stand,
// what was found out about their files, how much they weigh, and what is wrong with them.
package references

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/media"
	"darkroom/tui/widgets/items"
)

// Field is a field that holds references, as it stands in the form.
type Field struct {
	Name  string
	Kinds []string    // what a reference may be: image, video, audio
	Text  string      // as it is written
	Value any         // as it is sent
	Spec  *items.Spec // where references stand within items; nil: the value is a reference or a list of them
}

// All are the references, wherever they stand in the value.
func (f *Field) All() iter.Seq[string] {
	if f.Spec == nil {
		return strings.SplitSeq(f.Text, "\n")
	}
	return func(yield func(string) bool) {
		more := true
		f.Spec.EachReference(f.Value, func(ref string, _ []string) string {
			more = more && yield(ref)
			return ref
		})
	}
}

// Any reports whether pick accepts any of the references.
func (f *Field) Any(pick func(string) bool) bool {
	for ref := range f.All() {
		if ref = strings.TrimSpace(ref); ref != "" && pick(ref) {
			return true
		}
	}
	return false
}

// Local reports whether a reference needs something of this machine.
func Local(ref string) bool { return !media.Remote(ref) }

// standIn is what checks see in place of a path that is still being typed. The path becomes a
// reference when the field is left, and is judged then.
const standIn = "https://path.invalid/"

// Checkable is a draft as it should be checked: a path that is still being typed is not a finding,
// since it becomes a reference when the field is left.
func Checkable(d client.Draft, refs []Field) client.Draft {
	copied := false
	for i := range refs {
		v, changed := refs[i].checkable()
		if !changed {
			continue
		}
		if !copied {
			d.Values, copied = maps.Clone(d.Values), true
		}
		d.Values[refs[i].Name] = v
	}
	return d
}

// checkable is the value as it should be checked; changed says whether it differs from the field's.
func (f *Field) checkable() (v any, changed bool) {
	if f.Spec != nil {
		v = f.Spec.EachReference(f.Value, func(ref string, _ []string) string {
			if !media.Typed(ref) {
				return ref
			}
			changed = true
			return standIn
		})
		return v, changed
	}
	switch t := f.Value.(type) {
	case string:
		if media.Typed(t) {
			return standIn, true
		}
	case []any:
		var out []any
		for i, x := range t {
			s, ok := x.(string)
			if !ok || !media.Typed(s) {
				continue
			}
			if out == nil {
				out = slices.Clone(t)
			}
			out[i] = standIn
		}
		if out != nil {
			return out, true
		}
	}
	return f.Value, false
}
