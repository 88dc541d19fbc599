package compose

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/tui/widgets/items"
)

// standIn is what checks see in the place of a path that is still being typed: it is
// made a reference when the field is left, and judged then.
const standIn = "https://path.invalid/"

// resolve turns paths in media fields into file:// URLs of files that are there and hold
// a picture, a video or a sound.
func resolve(texts []mediaField, then after) tea.Cmd {
	return func() tea.Msg {
		for i := range texts {
			texts[i].resolve()
		}
		return mediaMsg{fields: texts, then: then}
	}
}

func (f *mediaField) resolve() {
	if f.spec != nil {
		f.resolveNested()
		return
	}
	lines := strings.Split(f.text, "\n")
	for i, line := range lines {
		done, err := media.Reference(line)
		lines[i] = done
		if err == nil {
			err = f.look(done)
		}
		if err != nil && f.problem == "" {
			f.problem = fmt.Sprintf("%s: %s", f.name, client.CleanLine(err.Error()))
		}
	}
	f.done = strings.Join(lines, "\n")
}

// look tells what a file of this machine holds from its first bytes: an error when it is
// nothing to send, a remark when the field is for something else.
func (f *mediaField) look(ref string) error {
	is, local, err := media.Look(ref)
	if err != nil || !local {
		return err
	}
	path, _ := client.FilePath(ref)
	if f.files == nil {
		f.files = make(map[string]uriSize)
	}
	f.files[ref] = weigh(path, is.Type, is.Size)
	if len(f.kinds) > 0 && !slices.Contains(f.kinds, is.Kind()) && f.remark == "" {
		f.remark = fmt.Sprintf("%s: %s is %s, not %s", f.name, client.CleanLine(path), is.Type, strings.Join(f.kinds, " or "))
	}
	return nil
}

// media reports whether a field that applies now holds references.
func (m *sheet) media(name string) bool {
	return slices.ContainsFunc(m.fields, func(f catalog.Field) bool { return f.Name == name && holdsMedia(&f) })
}

func holdsMedia(f *catalog.Field) bool { return f.Kind == catalog.Media || f.Kind == catalog.Medias }

// local are the media fields, or the one of a name, in which some reference is one that
// a test picks: see [Model.localFields] and [Model.unresolved].
func (m *sheet) local(name string, pick func(string) bool) []mediaField {
	var out []mediaField
	for i := range m.fields {
		f := &m.fields[i]
		if name != "" && f.Name != name {
			continue
		}
		if m.nested(f.Name) {
			if x, ok := m.nestedRefs(f, pick); ok {
				out = append(out, x)
			}
		}
		if !holdsMedia(f) {
			continue
		}
		t := m.form.Text(f.Name)
		for line := range strings.SplitSeq(t, "\n") {
			if line = strings.TrimSpace(line); line != "" && pick(line) {
				out = append(out, mediaField{name: f.Name, text: t, kinds: f.MediaKinds})
				break
			}
		}
	}
	return out
}

// localFields are the media fields, or the one of a name, that need something of this machine.
func (m *sheet) localFields(name string) []mediaField {
	return m.local(name, func(s string) bool { return !media.Remote(s) })
}

// unresolved are the media fields in which a path stands as it was typed.
func (m *sheet) unresolved() []mediaField { return m.local("", media.Typed) }

// checkable is the draft as it is to be checked: a path that is being typed is no
// finding, it becomes a reference when the field is left.
func (m *sheet) checkable() client.Draft {
	d, copied := m.draft, false
	for i := range m.fields {
		f := &m.fields[i]
		if !holdsMedia(f) && !m.nested(f.Name) {
			continue
		}
		v, changed := m.withoutPaths(f.Name, d.Values[f.Name])
		if !changed {
			continue
		}
		if !copied {
			d.Values, copied = maps.Clone(d.Values), true
		}
		d.Values[f.Name] = v
	}
	return d
}

func (m *sheet) withoutPaths(name string, v any) (any, bool) {
	if spec, ok := m.spec(name); ok {
		changed := false
		v = spec.EachReference(v, func(ref string, _ []string) string {
			if !media.Typed(ref) {
				return ref
			}
			changed = true
			return standIn
		})
		return v, changed
	}
	switch t := v.(type) {
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
	return v, false
}

// references are those of a field, wherever in its value they stand.
func (m *sheet) references(field string) iter.Seq[string] {
	if !m.nested(field) {
		return strings.SplitSeq(m.form.Text(field), "\n")
	}
	return func(yield func(string) bool) {
		spec, _ := m.spec(field)
		more := true
		spec.EachReference(m.draft.Values[field], func(ref string, _ []string) string {
			more = more && yield(ref)
			return ref
		})
	}
}

// set takes over the text or choice of a row; false where nothing follows from it.
func (m *sheet) set(id string) bool {
	c := m.chosen[m.modality]
	value := m.form.Text(id)
	switch id {
	case rowKind:
		m.turn(client.Modality(value))
		return true
	case client.FieldModel:
		c.model = value
	case client.FieldModelName:
		c.modelName = value
	case client.FieldMode:
		c.mode = value
	case rowFormat:
		c.format = value
	case rowCopies:
		m.form.SetFields(m.rows())
		return false
	default:
		m.foldField(id)
		delete(m.bad, id)
		delete(m.odd, id)
		if m.refusal.field == id {
			m.refusal = refusal{}
		}
		return true
	}
	m.chosen[m.modality] = c
	return true
}

// leave ends the writing in a field; the references in it are to be looked at.
func (m *sheet) leave(id string) []mediaField {
	m.shapeAgain(id)
	if !m.media(id) && !m.nested(id) {
		return nil
	}
	if t := m.form.Text(id); strings.HasSuffix(t, "\n") { // lines that were begun only
		m.form.SetText(id, strings.TrimRight(t, " \n"))
	}
	return m.localFields(id)
}

// resolved takes over what was found out about references, where the text is still the one that
// was looked at. It names the fields whose text is another now.
func (m *sheet) resolved(list []mediaField) (changed []string) {
	for _, f := range list {
		if m.form.Text(f.name) != f.text {
			continue
		}
		m.judge(f)
		maps.Copy(m.files, f.files)
		if len(m.facts)+len(f.facts) > maxFacts {
			m.facts = map[string]items.Fact{}
		}
		maps.Copy(m.facts, f.facts)
		if !f.onlyLook && f.done != f.text {
			m.form.SetText(f.name, m.data.Fold(f.done))
			changed = append(changed, f.name)
		}
	}
	return changed
}

// judge keeps what was found out about a field's references.
func (m *sheet) judge(f mediaField) {
	delete(m.bad, f.name)
	delete(m.odd, f.name)
	if f.problem != "" {
		m.bad[f.name] = f.problem
	}
	if f.remark != "" {
		m.odd[f.name] = f.remark
	}
}
