package sheet

import (
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
)

// kinds are the values that each kind of request keeps for itself, and which kind was chosen last.
type kinds struct {
	catalog *catalog.Catalog
	// presets are values that a kind begins with because it cannot do without them: speech has its
	// engine.
	presets map[client.Modality]client.Values
	// own are the values that kinds do not share, for the kinds that do not show.
	own map[client.Modality]client.Values
	// turned is when each kind was last chosen. The newest one shows after the next start.
	turned map[client.Modality]time.Time
}

func newKinds(c *catalog.Catalog) kinds {
	k := kinds{c, map[client.Modality]client.Values{}, map[client.Modality]client.Values{}, map[client.Modality]time.Time{}}
	for _, m := range client.Modalities() {
		k.presets[m] = c.Default(m).Values
		k.own[m] = k.presets[m].Clone()
	}
	return k
}

// has reports whether a kind has a field.
func (k *kinds) has(kind client.Modality, field string) bool {
	_, ok := k.catalog.Field(kind, field)
	return ok
}

// keeps reports whether a kind keeps its own value of a field.
func (k *kinds) keeps(kind client.Modality, field string) bool {
	return k.has(kind, field) && k.catalog.Apart(field)
}

// stow puts away those values that belong to the kind that shows, and names them.
func (k *kinds) stow(kind client.Modality, values client.Values) []string {
	own := client.Values{}
	for name, v := range values {
		if k.keeps(kind, name) {
			own[name] = v
			delete(values, name)
		}
	}
	k.own[kind] = own
	return own.Names()
}

// of are the values of a kind that does not show, including the shared ones.
func (k *kinds) of(kind client.Modality, values client.Values) client.Values {
	out := make(client.Values, len(values))
	for name, v := range values {
		if !k.keeps(kind, name) {
			out[name] = v
		}
	}
	for name, v := range k.own[kind] {
		out[name] = v
	}
	return out
}

// restore restores a saved value of a kind that does not show; false for a shared value.
func (k *kinds) restore(kind client.Modality, field string, v any) bool {
	if !k.keeps(kind, field) {
		return false
	}
	if now, set := k.own[kind][field]; !set || now == k.presets[kind][field] {
		if k.own[kind] == nil {
			k.own[kind] = client.Values{}
		}
		k.own[kind][field] = v
	}
	return true
}

// blank reports whether values are only what a kind begins with.
func (k *kinds) blank(kind client.Modality, values client.Values) bool {
	if len(values) > len(k.presets[kind]) {
		return false
	}
	for name, v := range values {
		preset, ok := k.presets[kind][name].(string)
		if !ok || v != any(preset) {
			return false
		}
	}
	return true
}

// turn records a kind as the newest, whatever the clock says.
func (k *kinds) turn(to client.Modality, at time.Time) {
	for _, t := range k.turned {
		if !t.Before(at) {
			at = t.Add(1)
		}
	}
	k.turned[to] = at
}

// newest takes over when each kind was chosen before this start, and returns the last one; "" if
// one was chosen since.
func (k *kinds) newest(drafts map[client.Modality]screen.ComposeDraft) client.Modality {
	since := len(k.turned) > 0
	var newest client.Modality
	for _, m := range client.Modalities() {
		if t := drafts[m].Turned; t.After(k.turned[m]) {
			k.turned[m] = t
			if !since && (newest == "" || t.After(k.turned[newest])) {
				newest = m
			}
		}
	}
	return newest
}

// Turn changes the kind. What kinds share stays in the form; what belongs to one kind is put away,
// and comes back with it.
func (m *Sheet) Turn(to client.Modality) {
	if to == m.Modality {
		return
	}
	m.stow(to)
	m.adopt(m.kinds.own[to])
	delete(m.kinds.own, to)
}

// stow puts away what is the own of the kind that shows; another one shows from now on.
func (m *Sheet) stow(to client.Modality) {
	for _, name := range m.kinds.stow(m.Modality, m.Values) {
		m.Form.Forget(name)
	}
	m.Form.Forget(client.FieldModel) // undoing in one kind does not bring another's model
	at := time.Time{}
	if m.clock != nil {
		at = m.clock().UTC()
	}
	m.Modality = to
	m.kinds.turn(to, at)
}

// restoreKind returns to the kind that was chosen last before this start, unless the form was
// filled or turned meanwhile, or is to stay.
func (m *Sheet) restoreKind(drafts map[client.Modality]screen.ComposeDraft, stay bool) {
	newest := m.kinds.newest(drafts)
	if newest == "" || newest == m.Modality || stay || m.Fills > 0 {
		return
	}
	at := m.kinds.turned[newest]
	m.Turn(newest)
	m.kinds.turned[newest] = at
}
