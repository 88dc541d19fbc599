package compose

import (
	"encoding/json"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screens/compose/internal/datauri"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/items"
)

// sheet is what the form holds: what was chosen, the values, the fields that show, the draft that
// they make, and what is wrong with it. It does no I/O and knows nothing of what lies around it.
type sheet struct {
	catalog    *catalog.Catalog
	formatsFor func(client.Draft) []string // that can create a draft, preferred first
	keys       keys.Map
	clock      func() time.Time // nil for none

	form     *form.Form
	low      bool // there are few lines to show it in
	modality client.Modality
	chosen   map[client.Modality]choice
	// values are all that were ever set, of all modalities and models, under their
	// canonical names. What the form shows comes first: see collect.
	values   client.Values
	kinds    kindState
	fits     fits
	extra    map[string]json.RawMessage
	template template        // what the prompt is taken for
	parents  []client.Parent // the jobs whose results the values hold; see client.Draft.Descent
	more     bool            // the folded fields show
	data     datauri.Store
	pieced   structure
	raw      map[string]bool       // fields that show as JSON, since somebody wanted it or it is none
	facts    map[string]items.Fact // about references within items

	wished  wish      // what granted was made for
	granted choice    // see effective
	waysFor fieldsKey // what ways was made for; without a mode
	ways    []string  // formats that can create the draft, preferred first
	known   fieldsKey // what fields and base were made for
	fields  []catalog.Field
	options []form.Option     // the models of the kind, for their row
	base    []form.Field      // rows of the fields, without marks
	strays  map[string]string // values that are none of their field's choices; see withStray
	draft   client.Draft      // what would be sent; its values are never written to

	problems []catalog.Problem
	blocked  []string // what blocks a submission, beside what the catalog says
	refusal  refusal
	jumped   string             // the finding that was gone to last
	bad      map[string]string  // media fields with what is wrong with their text
	odd      map[string]string  // and with what is unusual about their files
	files    map[string]uriSize // of local files that were looked at, by reference
	asked    map[string]bool    // the references that were looked at for their files, or are

	fills   uint64  // how often another form took its place
	origin  *origin // the job that the form was filled from, nil for none
	reading string  // the job of an origin that is being read, "" for none
	differ  []difference
	formers []former // the form before it was cleared or filled, the newest last

	made *client.Preview // the request as it was last made, nil for none

}

// refusal is the last submission that the gateway refused.
type refusal struct{ text, field string }

// formatter knows the wire formats; nothing of it talks to anybody.
type formatter interface {
	// Formats are all wire formats; what they say they carry is what is drawn.
	Formats() []client.Format
	// FormatsFor are the formats that can create a draft, preferred first.
	FormatsFor(d client.Draft) []string
}

// newSheet is an empty form, for the first kind.
func newSheet(c *catalog.Catalog, g formatter, k keys.Map, st *themes.Styles, now func() time.Time) *sheet {
	m := &sheet{
		catalog: c, formatsFor: g.FormatsFor, keys: k, clock: now,
		form: form.New(zonePrefix, st), modality: client.Video, chosen: make(map[client.Modality]choice), values: client.Values{},
		kinds: newKinds(c), fits: newFits(g), data: datauri.New(),
		bad: make(map[string]string), odd: make(map[string]string), files: make(map[string]uriSize), asked: make(map[string]bool),
		raw: map[string]bool{}, facts: map[string]items.Fact{},
	}
	for _, k := range modalities() {
		def := c.Default(k)
		m.chosen[k] = choice{model: def.Model, modelName: def.ModelName, mode: def.Mode}
	}
	m.adopt(m.kinds.own[m.modality])
	m.setCopies(oneCopy)
	return m
}

// refresh brings everything in line after a change: the fields, the draft, what is
// wrong with it, and the rows of the form.
func (m *sheet) refresh() {
	m.updateFields()
	own := m.collect()
	m.problems = m.check(own)
	m.compareOrigin()
	m.form.SetFields(m.rows())
	c := m.effective()
	m.form.SetText(rowKind, string(m.modality))
	m.form.SetText(client.FieldModel, m.chosen[m.modality].model)
	m.form.SetText(client.FieldModelName, c.modelName)
	m.form.SetText(client.FieldMode, c.mode)
	m.form.SetText(rowFormat, c.format)
}
