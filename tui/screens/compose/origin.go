package compose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

// origin is the job that the form was filled from; what differs from it is shown.
type origin struct {
	job    string
	draft  client.Draft // values under canonical names
	format string
	texts  map[string]string // the values as the form showed them
}

// difference is a row of the form that is not as the job had it.
type difference struct {
	id, label string
	was       string // clean, "" for nothing
}

// originOf remembers the job that the form was just filled from; nil for none.
func (m *sheet) originOf(from screen.ComposeDraft) *origin {
	if from.Job == "" {
		return nil
	}
	o := &origin{job: from.Job, draft: from.Draft.Clone(), format: from.Format, texts: map[string]string{}}
	o.draft.Values = m.values.Clone()
	for name, v := range o.draft.Values {
		f, _ := m.catalog.Field(m.modality, name)
		o.texts[name] = fieldText(f, m.data.Shrink(v))
	}
	return o
}

// compareOrigin finds what differs from the job, in the order of the form.
func (m *sheet) compareOrigin() {
	m.differ = m.differ[:0]
	o := m.origin
	if o == nil {
		return
	}
	add := func(id, label, was string) {
		m.differ = append(m.differ, difference{id, label, client.CleanLine(was)})
	}
	c := m.effective()
	if o.draft.Modality != m.modality {
		add(rowKind, "Kind", string(o.draft.Modality))
	}
	for _, x := range []struct{ id, label, was, is string }{
		{client.FieldModel, "Model", o.draft.Model, c.model}, {client.FieldModelName, "Model name", o.draft.ModelName, c.modelName},
		{client.FieldMode, "Mode", o.draft.Mode, c.mode}, {rowFormat, "Format", o.format, c.format},
		{client.FieldPrompt, "Prompt", o.draft.Prompt, m.draft.Prompt},
	} {
		if x.was != x.is && (x.id != rowFormat || x.was != "") {
			add(x.id, x.label, x.was)
		}
	}
	for i := range m.fields {
		f := &m.fields[i]
		if text := strings.TrimSpace(m.form.Text(f.Name)); text != strings.TrimSpace(o.texts[f.Name]) && !m.sameValue(f, o) {
			add(f.Name, f.Label, media.Readable(o.texts[f.Name]))
		}
	}
	if !sameExtra(m.extra, o.draft.Extra) {
		add(rowExtra, "Raw additions", strings.Join(sortedKeys(o.draft.Extra), ", "))
	}
}

// sameValue compares a list or an object by what it holds, however it is written.
func (m *sheet) sameValue(f *catalog.Field, o *origin) bool {
	return structured(f.Kind) && reflect.DeepEqual(m.draft.Values[f.Name], o.draft.Values[f.Name])
}

func sameExtra(a, b map[string]json.RawMessage) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if !bytes.Equal(v, b[k]) {
			return false
		}
	}
	return true
}

// was is what the job had in a row; false when it is the same.
func (m *sheet) was(id string) (string, bool) {
	for i := range m.differ {
		if m.differ[i].id == id {
			return m.differ[i].was, true
		}
	}
	return "", false
}

// wasText says what the job had, in at most w cells.
func wasText(was string, w int) string {
	if was == "" {
		return "was not set"
	}
	return "was " + widgets.Truncate(was, max(1, w-4))
}

// originTitle is what the border of the form says about the job, "" for none.
func (m *sheet) originTitle() string {
	switch {
	case m.origin == nil:
		return ""
	case len(m.differ) == 0:
		return "as job " + client.CleanLine(short(m.origin.job))
	default:
		return fmt.Sprintf("%s from job %s", format.Plural(len(m.differ), "change"), client.CleanLine(short(m.origin.job)))
	}
}

// differs reports whether a row is not as the job had it.
func (m *sheet) differs(id string) bool {
	_, ok := m.was(id)
	return ok
}

// offRevert says why the focused row has no value of a job to bring back, "" when it has.
func (m *sheet) offRevert() string {
	switch {
	case m.origin == nil:
		return "the form was not taken from a job"
	case !m.differs(m.form.Focused()):
		return "this field is as the job had it"
	default:
		return ""
	}
}

// revert gives the focused row the value that the job had; there is one, see offRevert.
func (m *sheet) revert() {
	o, id := m.origin, m.form.Focused()
	c := m.chosen[m.modality]
	switch id {
	case client.FieldModel:
		c.model = o.draft.Model
	case client.FieldModelName:
		c.modelName = o.draft.ModelName
	case client.FieldMode:
		c.mode = o.draft.Mode
	case rowFormat:
		c.format = o.format
	case rowKind:
		m.turn(o.draft.Modality)
		return
	case client.FieldPrompt:
		m.form.SetText(id, o.draft.Prompt)
		m.set(id)
	default:
		m.form.SetText(id, o.texts[id])
		m.set(id)
	}
	m.chosen[m.modality] = c
}

// awaits is the job whose draft the form was taken from and that is still to be read, "" for none.
func (m *sheet) awaits() string {
	if m.origin != nil {
		return ""
	}
	return m.reading
}

// originRead takes the job over that was awaited, nil for one that is gone.
func (m *sheet) originRead(id string, j *jobs.Job) {
	if m.awaits() != id {
		return
	}
	m.reading = ""
	if j != nil {
		m.origin = m.originFrom(*j)
	}
}
