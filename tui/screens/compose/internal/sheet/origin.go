package sheet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/client/media"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// Origin is the job that the form was filled from; what differs from it is shown.
type Origin struct {
	Job    string
	draft  client.Draft // values under canonical names
	format string
	texts  map[string]string // the values as the form showed them
}

// difference is a row of the form that is not as the job had it.
type difference struct {
	ID, label string
	Was       string // clean, "" for nothing
}

// originOf remembers the job that the form was just filled from; nil for none.
func (m *Sheet) originOf(from screen.ComposeDraft) *Origin {
	if from.Job == "" {
		return nil
	}
	o := &Origin{Job: from.Job, draft: from.Draft.Clone(), format: from.Format, texts: map[string]string{}}
	o.draft.Values = m.Values.Clone()
	for name, v := range o.draft.Values {
		f, _ := m.catalog.Field(m.Modality, name)
		o.texts[name] = FieldText(f, m.Data.Shrink(v))
	}
	return o
}

// compareOrigin finds what differs from the job, in the order of the form.
func (m *Sheet) compareOrigin() {
	m.Differ = m.Differ[:0]
	o := m.Origin
	if o == nil {
		return
	}
	add := func(id, label, was string) {
		m.Differ = append(m.Differ, difference{id, label, client.CleanLine(was)})
	}
	c := m.Effective()
	if o.draft.Modality != m.Modality {
		add(RowKind, "Kind", string(o.draft.Modality))
	}
	for _, x := range []struct{ id, label, was, is string }{
		{client.FieldModel, "Model", o.draft.Model, c.Model}, {client.FieldModelName, "Model name", o.draft.ModelName, c.ModelName},
		{client.FieldMode, "Mode", o.draft.Mode, c.Mode}, {RowFormat, "Format", o.format, c.Format},
		{client.FieldPrompt, "Prompt", o.draft.Prompt, m.Draft.Prompt},
	} {
		if x.was != x.is && (x.id != RowFormat || x.was != "") {
			add(x.id, x.label, x.was)
		}
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		if text := strings.TrimSpace(m.Form.Text(f.Name)); text != strings.TrimSpace(o.texts[f.Name]) && !m.sameValue(f, o) {
			add(f.Name, f.Label, media.Readable(o.texts[f.Name]))
		}
	}
	if !sameExtra(m.extra, o.draft.Extra) {
		add(rowExtra, "Raw additions", strings.Join(SortedKeys(o.draft.Extra), ", "))
	}
}

// sameValue compares a list or an object by what it holds, however it is written.
func (m *Sheet) sameValue(f *catalog.Field, o *Origin) bool {
	return Structured(f.Kind) && reflect.DeepEqual(m.Draft.Values[f.Name], o.draft.Values[f.Name])
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

// wasText says what the job had, in at most w cells.
func wasText(was string, w int) string {
	if was == "" {
		return "was not set"
	}
	return "was " + widgets.Truncate(was, max(1, w-4))
}

// OffRevert says why the focused row has no value of a job to bring back, "" when it has.
func (m *Sheet) OffRevert() string {
	switch {
	case m.Origin == nil:
		return "the form was not taken from a job"
	case !m.differs(m.Form.Focused()):
		return "this field is as the job had it"
	default:
		return ""
	}
}

// Revert gives the focused row the value that the job had; there is one, see offRevert.
func (m *Sheet) Revert() {
	o, id := m.Origin, m.Form.Focused()
	c := m.Chosen[m.Modality]
	switch id {
	case client.FieldModel:
		c.Model = o.draft.Model
	case client.FieldModelName:
		c.ModelName = o.draft.ModelName
	case client.FieldMode:
		c.Mode = o.draft.Mode
	case RowFormat:
		c.Format = o.format
	case RowKind:
		m.Turn(o.draft.Modality)
		return
	case client.FieldPrompt:
		m.Form.SetText(id, o.draft.Prompt)
		m.Set(id)
	default:
		m.Form.SetText(id, o.texts[id])
		m.Set(id)
	}
	m.Chosen[m.Modality] = c
}

// OriginRead takes the job over that was awaited, nil for one that is gone.
func (m *Sheet) OriginRead(id string, j *jobs.Job) {
	if m.Awaits() != id {
		return
	}
	m.Reading = ""
	if j != nil {
		m.Origin = m.originFrom(*j)
	}
}

// originFrom is the job itself as the origin of the form, whatever the form holds by now.
func (m *Sheet) originFrom(j jobs.Job) *Origin {
	o := &Origin{Job: j.ID, draft: j.Draft.Clone(), format: j.Format, texts: map[string]string{}}
	o.draft.Values = client.Values{}
	for name, v := range j.Draft.Values {
		if canonical, ok := m.catalog.Canonical(j.Draft.Modality, name); ok {
			name = canonical
		}
		o.draft.Values[name] = v
		f, _ := m.catalog.Field(j.Draft.Modality, name)
		o.texts[name] = FieldText(f, m.Data.Shrink(v))
	}
	return o
}

// Lineage is where the form comes from, and what is another by now.
type Lineage struct {
	Origin  *Origin // the job that the form was filled from, nil for none
	Reading string  // the job of an origin that is being read, "" for none
	Differ  []difference
}

// Was is what the job had in a row; false when it is the same.
func (m *Lineage) Was(id string) (string, bool) {
	for i := range m.Differ {
		if m.Differ[i].ID == id {
			return m.Differ[i].Was, true
		}
	}
	return "", false
}

// OriginTitle is what the border of the form says about the job, "" for none.
func (m *Lineage) OriginTitle() string {
	switch {
	case m.Origin == nil:
		return ""
	case len(m.Differ) == 0:
		return "as job " + client.CleanLine(Short(m.Origin.Job))
	default:
		return fmt.Sprintf("%s from job %s", human.Plural(len(m.Differ), "change"), client.CleanLine(Short(m.Origin.Job)))
	}
}

// differs reports whether a row is not as the job had it.
func (m *Lineage) differs(id string) bool {
	_, ok := m.Was(id)
	return ok
}

// Awaits is the job whose draft the form was taken from and that is still to be read, "" for none.
func (m *Lineage) Awaits() string {
	if m.Origin != nil {
		return ""
	}
	return m.Reading
}

// OriginJob is the job that the form was taken from, "" for none; one that is still being read
// is not forgotten.
func (m *Lineage) OriginJob() string {
	if m.Origin != nil {
		return m.Origin.Job
	}
	return m.Reading
}
