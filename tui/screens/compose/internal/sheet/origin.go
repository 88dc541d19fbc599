package sheet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/client/media"
	"darkroom/jobs"
	"darkroom/tui/screens/compose/internal/rows"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
)

// Origin is the job that the form was filled from; what differs from it is shown.
type Origin struct {
	Job    string
	draft  client.Draft // values under canonical names
	format string
	texts  map[string]string // the values as the form showed them
}

// Lineage is where the form comes from, and what has changed since.
type Lineage struct {
	Origin  *Origin // the job that the form was filled from, nil for none
	Reading string  // the job of an origin that is being read, "" for none
	Differ  []difference
}

// difference is a row of the form that differs from the job.
type difference struct {
	ID, label string
	Was       string // clean; what stood for nothing if the job had none
}

// origin is a job as the origin of the form, with its values under canonical names.
func (m *Sheet) origin(job string, d client.Draft, format string, values client.Values) *Origin {
	o := &Origin{Job: job, draft: d.Clone(), format: format, texts: map[string]string{}}
	o.draft.Values = values
	for name, v := range values {
		f, _ := m.catalog.Field(d.Modality, name)
		o.texts[name] = FieldText(f, m.Data.Shrink(v))
	}
	return o
}

// compare finds the differences from the job, in the order of the form: d is the draft that the
// form makes, and text returns the text of a row.
func (l *Lineage) compare(d *client.Draft, format string, fields []catalog.Field, text func(id string) string) {
	l.Differ = l.Differ[:0]
	o := l.Origin
	if o == nil {
		return
	}
	put := func(id, label, was, none string) {
		l.Differ = append(l.Differ, difference{id, label, cmp.Or(client.CleanLine(was), none)})
	}
	add := func(id, label, was string) { put(id, label, was, nothing(id)) }
	if o.draft.Modality != d.Modality {
		add(RowKind, "Kind", string(o.draft.Modality))
	}
	for _, x := range []struct{ id, label, was, is string }{
		{client.FieldModel, "Model", o.draft.Model, d.Model}, {client.FieldModelName, "Model name", o.draft.ModelName, d.ModelName},
		{client.FieldMode, "Mode", o.draft.Mode, d.Mode}, {RowFormat, "Format", o.format, format},
		{client.FieldPrompt, "Prompt", o.draft.Prompt, d.Prompt},
	} {
		if x.was != x.is && (x.id != RowFormat || x.was != "") {
			add(x.id, x.label, x.was)
		}
	}
	for i := range fields {
		f, was := &fields[i], o.texts[fields[i].Name]
		same := strings.TrimSpace(text(f.Name)) == strings.TrimSpace(was) ||
			f.Kind.IsJSON() && reflect.DeepEqual(d.Values[f.Name], o.draft.Values[f.Name]) // however it is written
		if !same {
			put(f.Name, f.Label, media.Readable(was), rows.Nothing(*f))
		}
	}
	if !sameExtra(d.Extra, o.draft.Extra) {
		add(rowExtra, "Raw additions", strings.Join(SortedKeys(o.draft.Extra), ", "))
	}
}

// nothing is what an empty row shows that no field of the catalog has.
func nothing(id string) string {
	if id == client.FieldPrompt || id == rowExtra {
		return rows.Empty
	}
	return form.Auto
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
	return "was " + widgets.Truncate(was, max(1, w-4))
}

// OffRevert says why the focused row has no value of a job to bring back, "" when it has one.
func (m *Sheet) OffRevert() string {
	switch {
	case m.Origin == nil:
		return "the form was not taken from a job"
	case !m.differs(m.Form.Focused()):
		return "this field is unchanged since the job"
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

// OriginRead takes the job that was awaited; nil means that it is gone.
func (m *Sheet) OriginRead(id string, j *jobs.Job) {
	if m.Awaits() != id {
		return
	}
	m.Reading = ""
	if j == nil {
		return
	}
	values := client.Values{}
	for name, v := range j.Draft.Values {
		if canonical, ok := m.catalog.Canonical(j.Draft.Modality, name); ok {
			name = canonical
		}
		values[name] = v
	}
	m.Origin = m.origin(j.ID, j.Draft, j.Format, values)
}

// Was is what the job had in a row; false when it is the same.
func (l *Lineage) Was(id string) (string, bool) {
	for i := range l.Differ {
		if l.Differ[i].ID == id {
			return l.Differ[i].Was, true
		}
	}
	return "", false
}

// OriginTitle is the note about the job on the border of the form, "" for none.
func (l *Lineage) OriginTitle() string {
	switch {
	case l.Origin == nil:
		return ""
	case len(l.Differ) == 0:
		return "as job " + client.CleanLine(Short(l.Origin.Job))
	default:
		return fmt.Sprintf("%s from job %s", human.Plural(len(l.Differ), "change"), client.CleanLine(Short(l.Origin.Job)))
	}
}

// differs reports whether a row differs from the job.
func (l *Lineage) differs(id string) bool {
	_, ok := l.Was(id)
	return ok
}

// Awaits is the job that the form was taken from and that is still to be read, "" for none.
func (l *Lineage) Awaits() string {
	if l.Origin != nil {
		return ""
	}
	return l.Reading
}

// OriginJob is the job that the form was taken from, even while it is still being read; "" for
// none.
func (l *Lineage) OriginJob() string {
	if l.Origin != nil {
		return l.Origin.Job
	}
	return l.Reading
}
