package sheet

import (
	"slices"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
)

// Modalities are those that the screen makes requests of, in order.
func Modalities() []client.Modality {
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
}

func newKinds(c *catalog.Catalog) kindState {
	k := kindState{presets: map[client.Modality]client.Values{}, own: map[client.Modality]client.Values{}, isApart: map[string]bool{}, turned: map[client.Modality]time.Time{}}
	for _, m := range Modalities() {
		k.presets[m] = c.Default(m).Values
		k.own[m] = k.presets[m].Clone()
	}
	return k
}

// Apart reports whether a field takes other values in one kind than in another, as the
// engine of music and of speech. Each kind keeps its own value of such a field.
func (m *Sheet) Apart(name string) bool {
	if known, ok := m.Kinds.isApart[name]; ok {
		return known
	}
	found, first := 0, catalog.Field{}
	differ := false
	for _, k := range Modalities() {
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
	m.Kinds.isApart[name] = differ
	return differ
}

// Has reports whether a kind has a field.
func (m *Sheet) Has(k client.Modality, name string) bool {
	_, ok := m.catalog.Field(k, name)
	return ok
}

// Turn changes the kind. What the kinds share stays in the form; what is a kind's own is
// put away, and comes back with it.
func (m *Sheet) Turn(to client.Modality) {
	if to == m.Modality {
		return
	}
	m.stow()
	m.setKind(to)
	m.Form.Forget(client.FieldModel) // undoing in one kind does not bring another's model
	m.adopt(m.Kinds.own[to])
	delete(m.Kinds.own, to)
}

// setKind makes a kind the one that shows, and remembers that it is the newest, whatever the
// clock says.
func (m *Sheet) setKind(to client.Modality) {
	if to == m.Modality {
		return
	}
	at := m.now().UTC()
	for _, t := range m.Kinds.turned {
		if !t.Before(at) {
			at = t.Add(1)
		}
	}
	m.Modality, m.Kinds.turned[to] = to, at
}

func (m *Sheet) now() time.Time {
	if m.clock == nil {
		return time.Time{}
	}
	return m.clock()
}

// restoreKind comes back to the kind that was chosen last before this start, unless the form
// was filled or turned meanwhile, or is to stay.
func (m *Sheet) restoreKind(drafts map[client.Modality]screen.ComposeDraft, stay bool) {
	here := stay || len(m.Kinds.turned) > 0 || m.Fills > 0
	var newest client.Modality
	for _, k := range Modalities() {
		if t := drafts[k].Turned; t.After(m.Kinds.turned[k]) {
			m.Kinds.turned[k] = t
			if !here && (newest == "" || t.After(m.Kinds.turned[newest])) {
				newest = k
			}
		}
	}
	if newest != "" && newest != m.Modality {
		at := m.Kinds.turned[newest]
		m.Turn(newest)
		m.Kinds.turned[newest] = at
	}
}

// stow puts away what is the own of the kind that shows.
func (m *Sheet) stow() {
	own := client.Values{}
	for name, v := range m.Values {
		if m.Apart(name) && m.Has(m.Modality, name) {
			own[name] = v
			delete(m.Values, name)
			m.Form.Forget(name)
		}
	}
	m.Kinds.own[m.Modality] = own
}

// valuesOf are the values of a kind, with all that it shares with others.
func (m *Sheet) valuesOf(k client.Modality) client.Values {
	if k == m.Modality {
		return m.Values
	}
	out := make(client.Values, len(m.Values))
	for name, v := range m.Values {
		if !m.Apart(name) || !m.Has(k, name) {
			out[name] = v
		}
	}
	for name, v := range m.Kinds.own[k] {
		out[name] = v
	}
	return out
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
