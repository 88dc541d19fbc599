package compose

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
)

// modalities are those that the screen makes requests of, in order.
func modalities() []client.Modality {
	return []client.Modality{client.Video, client.Image, client.Music, client.Speech, client.Chat}
}

// kindState is what belongs to one kind of request, and what depends on the kind alone.
type kindState struct {
	// presets are values that a kind begins with, since it can not do without: speech has
	// its engine.
	presets map[client.Modality]client.Values
	// own are the values that are not shared between kinds, of those kinds that do not
	// show: see apart.
	own map[client.Modality]client.Values
	// isApart remembers what apart found.
	isApart map[string]bool
	// turned is when each kind was chosen last. The newest one shows after the next start.
	turned map[client.Modality]time.Time
	// free says that any model will do, since the interface shows none of this kind.
	free bool
}

func newKinds(c *catalog.Catalog) kindState {
	k := kindState{presets: map[client.Modality]client.Values{}, own: map[client.Modality]client.Values{}, isApart: map[string]bool{}, turned: map[client.Modality]time.Time{}}
	for _, m := range modalities() {
		k.presets[m] = c.Default(m).Values
		k.own[m] = k.presets[m].Clone()
	}
	return k
}

// apart reports whether a field takes other values in one kind than in another, as the
// engine of music and of speech. Each kind keeps its own value of such a field.
func (m *sheet) apart(name string) bool {
	if known, ok := m.kinds.isApart[name]; ok {
		return known
	}
	found, first := 0, catalog.Field{}
	differ := false
	for _, k := range modalities() {
		f, ok := m.catalog.Field(k, name)
		if !ok {
			continue
		}
		if found++; found == 1 {
			first = f
		} else if !slices.Equal(first.Allowed, f.Allowed) {
			differ = true
		}
	}
	m.kinds.isApart[name] = differ
	return differ
}

// has reports whether a kind has a field.
func (m *sheet) has(k client.Modality, name string) bool {
	_, ok := m.catalog.Field(k, name)
	return ok
}

// turn changes the kind. What the kinds share stays in the form; what is a kind's own is
// put away, and comes back with it.
func (m *sheet) turn(to client.Modality) {
	if to == m.modality {
		return
	}
	m.stow()
	m.setKind(to)
	m.form.Forget(client.FieldModel) // undoing in one kind does not bring another's model
	m.adopt(m.kinds.own[to])
	delete(m.kinds.own, to)
}

// setKind makes a kind the one that shows, and remembers that it is the newest, whatever the
// clock says.
func (m *sheet) setKind(to client.Modality) {
	if to == m.modality {
		return
	}
	at := m.now().UTC()
	for _, t := range m.kinds.turned {
		if !t.Before(at) {
			at = t.Add(1)
		}
	}
	m.modality, m.kinds.turned[to] = to, at
}

func (m *sheet) now() time.Time {
	if m.clock == nil {
		return time.Time{}
	}
	return m.clock()
}

// restoreKind comes back to the kind that was chosen last before this start, unless the form
// was filled or turned meanwhile, or is to stay.
func (m *sheet) restoreKind(drafts map[client.Modality]screen.ComposeDraft, stay bool) {
	here := stay || len(m.kinds.turned) > 0 || m.fills > 0
	var newest client.Modality
	for _, k := range modalities() {
		if t := drafts[k].Turned; t.After(m.kinds.turned[k]) {
			m.kinds.turned[k] = t
			if !here && (newest == "" || t.After(m.kinds.turned[newest])) {
				newest = k
			}
		}
	}
	if newest != "" && newest != m.modality {
		at := m.kinds.turned[newest]
		m.turn(newest)
		m.kinds.turned[newest] = at
	}
}

// stow puts away what is the own of the kind that shows.
func (m *sheet) stow() {
	own := client.Values{}
	for name, v := range m.values {
		if m.apart(name) && m.has(m.modality, name) {
			own[name] = v
			delete(m.values, name)
			m.form.Forget(name)
		}
	}
	m.kinds.own[m.modality] = own
}

// valuesOf are the values of a kind, with all that it shares with others.
func (m *sheet) valuesOf(k client.Modality) client.Values {
	if k == m.modality {
		return m.values
	}
	out := make(client.Values, len(m.values))
	for name, v := range m.values {
		if !m.apart(name) || !m.has(k, name) {
			out[name] = v
		}
	}
	for name, v := range m.kinds.own[k] {
		out[name] = v
	}
	return out
}

// updateKind finds what depends on the kind and the model alone.
func (m *sheet) updateKind(model string) {
	key := fieldsKey{modality: m.modality, model: model}
	if m.waysFor == key {
		return
	}
	if m.waysFor.modality != m.modality {
		m.options = m.modelOptions()
		m.kinds.free = m.catalog.DraftFormat(client.Draft{Modality: m.modality}) != ""
	}
	m.waysFor = key
	m.ways = m.formatsFor(client.Draft{Modality: m.modality, Model: model})
	if len(m.ways) == 0 && m.catalog.Unlisted(m.modality, model) {
		m.ways = m.catalog.WaysOfKind(m.modality, m.formatsFor)
	}
}

// modelRow is the row of the model: to be picked, or to be typed where any will do.
func (m *sheet) modelRow() form.Field {
	if m.kinds.free {
		return form.Field{ID: client.FieldModel, Label: "Model", Kind: form.Text, Options: m.options,
			Hint: "name of a " + string(m.modality) + " model (any; none is shown)"}
	}
	return form.Field{ID: client.FieldModel, Label: "Model", Kind: form.Pick, Hint: "choose a model", Options: m.options}
}

func promptHint(k client.Modality) string {
	switch k {
	case client.Music:
		return "style, mood, scene"
	case client.Speech:
		return "the text to speak"
	case client.Chat:
		return "the message"
	default:
		return "what it shows"
	}
}

// compareOff says why a draft of this kind can not be compared, "" when it can.
func (m *sheet) compareOff() string {
	if m.kinds.free && len(m.options) == 0 {
		return "nothing to compare: the models of " + string(m.modality) + " are not shown, so there is none to choose beside this one"
	}
	return ""
}

// chosenFormat is the format that was wished for and is had, "" for none.
func (m *sheet) chosenFormat() string {
	if c := m.chosen[m.modality]; c.format == m.effective().format {
		return c.format
	}
	return ""
}

// askCompare hands the draft to Compare once its files were looked at, or says why not.
func (m *Model) askCompare() tea.Cmd {
	if off := m.compareOff(); off != "" {
		return screen.Toast(screen.Info, off)
	}
	if off := m.barred("not handed to Compare"); off != nil {
		return off
	}
	m.pasting.barRest("Compare was asked for before") // what was pressed then is meant for that
	if list := m.localFields(""); len(list) > 0 {
		m.ready = m.toCompare
		return resolve(list, goOn)
	}
	return m.toCompare()
}

// toCompare opens Compare with the draft as it is.
func (m *Model) toCompare() tea.Cmd {
	open := screen.Open(screen.Compare, screen.CompareDraft{Draft: m.wideDraft(), Format: m.chosenFormat()})
	if m.asksFirst() {
		return tea.Batch(open, screen.Toast(screen.Warn, "the prompt goes to Compare as it stands: templates are filled in when they are submitted from Compose"))
	}
	return open
}
