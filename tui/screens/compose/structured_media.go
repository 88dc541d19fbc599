package compose

import (
	"fmt"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/tui/widgets/items"
)

// nested reports whether a field holds references within its items.
func (m *sheet) nested(name string) bool {
	spec, ok := m.spec(name)
	return ok && spec.HoldsMedia()
}

// nestedRefs is a field of items in which some reference is one that a test picks.
func (m *sheet) nestedRefs(f *catalog.Field, pick func(string) bool) (mediaField, bool) {
	spec, _ := m.spec(f.Name)
	found := false
	spec.EachReference(m.draft.Values[f.Name], func(ref string, _ []string) string {
		found = found || pick(ref)
		return ref
	})
	if !found {
		return mediaField{}, false
	}
	return mediaField{name: f.Name, text: m.form.Text(f.Name), kinds: f.MediaKinds, spec: &spec, value: m.pieceValue(f.Name)}, true
}

// resolveNested is [mediaField.resolve] for references within items.
func (f *mediaField) resolveNested() {
	f.facts = map[string]items.Fact{}
	changed := false
	kinds := f.kinds
	value := f.spec.EachReference(f.value, func(ref string, takes []string) string {
		if media.Remote(ref) || f.onlyLook && media.Typed(ref) {
			return ref
		}
		done, err := media.Reference(ref)
		f.kinds = takes
		if err == nil {
			err = f.lookAt(done)
		}
		if err != nil {
			f.facts[done] = items.Fact{Err: client.CleanLine(err.Error())}
			if f.problem == "" {
				f.problem = fmt.Sprintf("%s: %s", f.name, client.CleanLine(err.Error()))
			}
		}
		changed = changed || done != ref
		return done
	})
	f.kinds, f.done = kinds, f.text
	if changed {
		f.done = items.Format(value)
	}
}

// lookAt is [mediaField.look] with what was found kept as a fact.
func (f *mediaField) lookAt(ref string) error {
	if err := f.look(ref); err != nil {
		return err
	}
	if w, local := f.files[ref]; local {
		f.facts[ref] = items.Fact{Size: w.bytes, Type: w.mediaType}
	}
	return nil
}

// nestedWeights are the weights of the references within the items of a field.
func (m *sheet) nestedWeights(spec *items.Spec, value any) []uriSize {
	var out []uriSize
	spec.EachReference(value, func(ref string, _ []string) string {
		if w, ok := m.weightOf(ref); ok {
			out = append(out, w)
		}
		return ref
	})
	return out
}
