// Package sheet is the contents of the form of Compose: the choices, the values, the fields that
// show, the draft that they make, and what is wrong with it. It knows no screen, and does no I/O
// except in the commands that it returns.
package sheet

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screens/compose/internal/datauri"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/screens/compose/internal/pieces"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/rows"
	"darkroom/tui/widgets/form"
)

// Sheet is the contents of the form: the choices, the values, the fields that show, the draft that
// they make, and what is wrong with it. It does no I/O and knows nothing of its surroundings.
type Sheet struct {
	Choices
	Lineage
	findings.List

	keys  keys.Map
	clock func() time.Time // nil for none

	Form *form.Form
	Low  bool // there are few lines to show it in
	// ReadOnly: the gateway is only to be read, and the button that submits says so.
	ReadOnly bool
	// Values are all that were ever set, of all modalities and models, under their canonical names.
	// What the form shows takes precedence: see collect.
	Values   client.Values
	kinds    kinds
	carriage catalog.Carriage
	extra    map[string]json.RawMessage
	Template template        // what the prompt is taken for
	Parents  []client.Parent // the jobs whose results the values hold; see client.Draft.Descent
	More     bool            // the folded fields show
	Data     datauri.Store
	Pieces   pieces.Pieces
	Known    references.Known
	// Below are the lines below a field, such as its pictures; nil for none.
	Below func(field string) []string
	refs  []references.Field // as they were when the draft was checked

	fieldsFor fieldsKey // what the fields were made for
	Fields    []catalog.Field
	Wide      map[string]bool // the fields that the model takes in its mode, whatever the format carries
	base      []form.Field    // rows of the fields, without marks
	unlisted  rows.Unlisted
	Draft     client.Draft // what would be sent; its values are never written to

	Blocked []string // what blocks a submission, beside what the catalog says
	Fills   uint64   // how often another form took its place
	Formers []former // the form before it was cleared or filled, the newest last

	Made *client.Preview // the request as it was last made, nil for none
}

// formatter knows the wire formats; its methods contact nobody.
type formatter interface {
	// Formats are all wire formats; the form shows what they carry.
	Formats() []client.Format
	// FormatsFor are the formats that can create a draft, preferred first.
	FormatsFor(d client.Draft) []string
}

// New is an empty form, for the first kind.
func New(c *catalog.Catalog, g formatter, k keys.Map, st *themes.Styles, now func() time.Time) *Sheet {
	m := &Sheet{
		Choices: newChoices(c, g.FormatsFor), keys: k, clock: now,
		Form: form.New(ZonePrefix, st), Values: client.Values{},
		kinds: newKinds(c), carriage: catalog.NewCarriage(g.Formats()), Data: datauri.New(), Pieces: pieces.New(), Known: references.New(),
	}
	m.adopt(m.kinds.own[m.Modality])
	m.Form.SetText(RowCopies, OneCopy)
	return m
}

// Refresh brings everything up to date after a change: the fields, the draft, the findings, and the
// rows of the form.
func (m *Sheet) Refresh() {
	m.updateFields()
	own := m.collect()
	m.SetProblems(m.check(own))
	m.compare(&m.Draft, m.Effective().Format, m.Fields, m.Form.Text)
	m.Form.SetFields(m.Rows())
	c := m.Effective()
	m.Form.SetText(RowKind, string(m.Modality))
	m.Form.SetText(client.FieldModel, m.Chosen[m.Modality].Model)
	m.Form.SetText(client.FieldModelName, c.ModelName)
	m.Form.SetText(client.FieldMode, c.Mode)
	m.Form.SetText(RowFormat, c.Format)
}

// FieldNamed is the field of a name, if it shows.
func (m *Sheet) FieldNamed(name string) (catalog.Field, bool) {
	i := slices.IndexFunc(m.Fields, func(f catalog.Field) bool { return f.Name == name })
	if i < 0 {
		return catalog.Field{}, false
	}
	return m.Fields[i], true
}

// Copies is how many jobs a submission makes.
func (m *Sheet) Copies() int {
	n, err := strconv.Atoi(m.Form.Text(RowCopies))
	if err != nil {
		return 1
	}
	return max(1, min(n, MaxCopies))
}

// Short is the end of an id, which tells jobs apart.
func Short(id string) string { return jobs.ShortID(id) }

// Zones of the screen beside the form's.
const (
	ZonePrefix = "compose/"
	ZoneCheck  = "compose-check/"
	ZoneDiffer = "compose-differ/"
)

// Choice is what was chosen for one modality; it is kept while another one shows. Model name, mode
// and format are wishes: a model that lacks them has its own.
type Choice struct{ Model, ModelName, Mode, Format string }
