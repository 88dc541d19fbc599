package sheet

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

// Resolve turns paths in media fields into file:// URLs of files that are there and hold
// a picture, a video or a sound.
func Resolve(texts []mediaField, then After) tea.Cmd {
	return func() tea.Msg {
		for i := range texts {
			texts[i].resolve()
		}
		return MediaMsg{Fields: texts, Then: then}
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
		f.files = make(map[string]Weight)
	}
	f.files[ref] = weigh(path, is.Type, is.Size)
	if len(f.kinds) > 0 && !slices.Contains(f.kinds, is.Kind()) && f.remark == "" {
		f.remark = fmt.Sprintf("%s: %s is %s, not %s", f.name, client.CleanLine(path), is.Type, strings.Join(f.kinds, " or "))
	}
	return nil
}

// Media reports whether a field that applies now holds references.
func (m *Sheet) Media(name string) bool {
	return slices.ContainsFunc(m.Fields, func(f catalog.Field) bool { return f.Name == name && HoldsMedia(&f) })
}

// HoldsMedia reports whether the value of a field is a reference or a list of them.
func HoldsMedia(f *catalog.Field) bool { return f.Kind == catalog.Media || f.Kind == catalog.Medias }

// local are the media fields, or the one of a name, in which some reference is one that
// a test picks: see [Model.localFields] and [Model.unresolved].
func (m *Sheet) local(name string, pick func(string) bool) []mediaField {
	var out []mediaField
	for i := range m.Fields {
		f := &m.Fields[i]
		if name != "" && f.Name != name {
			continue
		}
		if m.Nested(f.Name) {
			if x, ok := m.nestedRefs(f, pick); ok {
				out = append(out, x)
			}
		}
		if !HoldsMedia(f) {
			continue
		}
		t := m.Form.Text(f.Name)
		for line := range strings.SplitSeq(t, "\n") {
			if line = strings.TrimSpace(line); line != "" && pick(line) {
				out = append(out, mediaField{name: f.Name, text: t, kinds: f.MediaKinds})
				break
			}
		}
	}
	return out
}

// LocalFields are the media fields, or the one of a name, that need something of this machine.
func (m *Sheet) LocalFields(name string) []mediaField {
	return m.local(name, func(s string) bool { return !media.Remote(s) })
}

// Unresolved are the media fields in which a path stands as it was typed.
func (m *Sheet) Unresolved() []mediaField { return m.local("", media.Typed) }

// checkable is the draft as it is to be checked: a path that is being typed is no
// finding, it becomes a reference when the field is left.
func (m *Sheet) checkable() client.Draft {
	d, copied := m.Draft, false
	for i := range m.Fields {
		f := &m.Fields[i]
		if !HoldsMedia(f) && !m.Nested(f.Name) {
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

func (m *Sheet) withoutPaths(name string, v any) (any, bool) {
	if spec, ok := m.Spec(name); ok {
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

// References are those of a field, wherever in its value they stand.
func (m *Sheet) References(field string) iter.Seq[string] {
	if !m.Nested(field) {
		return strings.SplitSeq(m.Form.Text(field), "\n")
	}
	return func(yield func(string) bool) {
		spec, _ := m.Spec(field)
		more := true
		spec.EachReference(m.Draft.Values[field], func(ref string, _ []string) string {
			more = more && yield(ref)
			return ref
		})
	}
}

// Set takes over the text or choice of a row; false where nothing follows from it.
func (m *Sheet) Set(id string) bool {
	c := m.Chosen[m.Modality]
	value := m.Form.Text(id)
	switch id {
	case RowKind:
		m.Turn(client.Modality(value))
		return true
	case client.FieldModel:
		c.Model = value
	case client.FieldModelName:
		c.ModelName = value
	case client.FieldMode:
		c.Mode = value
	case RowFormat:
		c.Format = value
	case RowCopies:
		m.Form.SetFields(m.Rows())
		return false
	default:
		m.foldField(id)
		delete(m.Bad, id)
		delete(m.Odd, id)
		if m.Refusal.Field == id {
			m.Refusal = Refusal{}
		}
		return true
	}
	m.Chosen[m.Modality] = c
	return true
}

// Leave ends the writing in a field; the references in it are to be looked at.
func (m *Sheet) Leave(id string) []mediaField {
	m.shapeAgain(id)
	if !m.Media(id) && !m.Nested(id) {
		return nil
	}
	if t := m.Form.Text(id); strings.HasSuffix(t, "\n") { // lines that were begun only
		m.Form.SetText(id, strings.TrimRight(t, " \n"))
	}
	return m.LocalFields(id)
}

// Resolved takes over what was found out about references, where the text is still the one that
// was looked at. It names the fields whose text is another now.
func (m *Sheet) Resolved(list []mediaField) (changed []string) {
	for _, f := range list {
		if m.Form.Text(f.name) != f.text {
			continue
		}
		m.judge(f)
		maps.Copy(m.Files, f.files)
		if len(m.Facts)+len(f.facts) > maxFacts {
			m.Facts = map[string]items.Fact{}
		}
		maps.Copy(m.Facts, f.facts)
		if !f.onlyLook && f.done != f.text {
			m.Form.SetText(f.name, m.Data.Fold(f.done))
			changed = append(changed, f.name)
		}
	}
	return changed
}

// judge keeps what was found out about a field's references.
func (m *Sheet) judge(f mediaField) {
	delete(m.Bad, f.name)
	delete(m.Odd, f.name)
	if f.problem != "" {
		m.Bad[f.name] = f.problem
	}
	if f.remark != "" {
		m.Odd[f.name] = f.remark
	}
}

// MediaMsg brings the resolved references of fields; then is what goes on afterwards.
type MediaMsg struct {
	Fields []mediaField
	Then   After
}

// mediaField is the text of a media field, what it became, and what was found out about
// its files: a problem is in the way of a submission, a remark is not.
type mediaField struct {
	name            string
	kinds           []string // what a reference may be: image, video, audio
	text, done      string
	problem, remark string
	files           map[string]Weight // of its local files, by reference

	// Of a field whose references stand within items: its value, and what was found out.
	// onlyLook says that paths stay as they were typed.
	spec     *items.Spec
	value    any
	facts    map[string]items.Fact
	onlyLook bool
}

// After is what follows once references are resolved.
type After int

// What follows.
const (
	ThenNothing After = iota
	ThenSubmit
	ThenGoOn // with what Model.ready says
)
