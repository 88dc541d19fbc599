package chain

import (
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// Target is a way to go on with a result: a model in a mode, and the field that takes it.
type Target struct {
	Modality         client.Modality
	Model, ModelName string
	Mode, Field      string
}

// modes returns the names of the modes that are made for a use, preferred first; nil if a request
// without a mode serves it.
func modes(use Use, kind string) []string {
	switch use {
	case I2V:
		return []string{"i2v"}
	case Extend:
		return []string{"extend"}
	case Edit:
		if kind == "video" {
			return []string{"video_edit", "edit"}
		}
		return nil
	default:
		return []string{"reference_images", "reference_material", "r2v", "i2v", "video_edit", "edit"}
	}
}

// Targets returns the ways to go on with a result of a kind (image, video or audio; "" for an id),
// in the order of the catalog: one for each model, in its best mode.
func Targets(c *catalog.Catalog, use Use, kind string) []Target {
	var out []Target
	for _, modality := range []client.Modality{client.Video, client.Image} {
		for _, m := range c.Models(modality) {
			if t, ok := on(c, client.Draft{Modality: modality, Model: m.ID}, use, kind); ok {
				out = append(out, t)
			}
		}
	}
	return out
}

// Of returns the way to go on with the model of a draft, in its own mode where that will do; false
// if the model offers none.
func Of(c *catalog.Catalog, d client.Draft, use Use, kind string) (Target, bool) {
	return on(c, d, use, kind)
}

func on(c *catalog.Catalog, d client.Draft, use Use, kind string) (Target, bool) {
	m, ok := c.ModelFor(d.Modality, d.Model)
	if !ok {
		return Target{}, false
	}
	if use != Reference {
		d.Values = nil // the references that were its own do not come along: see Next
	}
	t := Target{Modality: d.Modality, Model: m.ID, ModelName: d.ModelName}
	if t.ModelName == "" && len(m.ModelNames) > 0 {
		t.ModelName = m.ModelNames[0]
	}
	names := candidates(&m, d, use, kind)
	for _, how := range ways(use) {
		least := -1
		for i, name := range names {
			mode, ok := m.Mode(name)
			if !ok && len(m.Modes) > 0 && name != "" || how == elsewhere && i > 0 {
				continue
			}
			try := d
			try.Mode = name
			field, ok := fieldFor(c, try, &mode, use, kind, how == needed && i > 0, how == elsewhere)
			if !ok {
				continue
			}
			if use != Reference || name == d.Mode {
				t.Mode, t.Field = name, field
				return t, true
			}
			if n := lacks(c, try, field, kind); least < 0 || n < least {
				least, t.Mode, t.Field = n, name, field
			}
		}
		if least >= 0 {
			return t, true
		}
	}
	return Target{}, false
}

// lacks returns how many media a draft still lacks in its mode once a field holds one of a kind: of
// the modes that take a reference, the one that it completes is wanted.
func lacks(c *catalog.Catalog, d client.Draft, field, kind string) int {
	f, _ := c.Field(d.Modality, field)
	d.Values = maps.Clone(d.Values)
	if d.Values == nil {
		d.Values = client.Values{}
	}
	d.Values[field] = Put(f, d.Values[field], Reference, kind, "https://reference.invalid/")
	n := 0
	for _, p := range c.Check(d) {
		if about, ok := c.Field(d.Modality, p.Field); ok && p.Severity == catalog.Block && len(about.MediaKinds) > 0 {
			n++
		}
	}
	return n
}

// way is where a result goes: into the first mode's own fields or what another mode needs, into
// any field, or into content.
type way int

const (
	needed way = iota
	anywhere
	elsewhere
)

// ways are tried in their order. A reference goes into content only where no mode has a field
// for it; what another mode is made for goes where that mode wants it.
func ways(use Use) []way {
	if use == Reference {
		return []way{needed, anywhere, elsewhere}
	}
	return []way{anywhere, elsewhere}
}

// candidates are the modes of a model to try, best first.
func candidates(m *catalog.Model, d client.Draft, use Use, kind string) []string {
	names := modes(use, kind)
	if names == nil || d.Modality == client.Image && use == Reference {
		if d.Modality != client.Image {
			return nil
		}
		return []string{""}
	}
	if use == Reference {
		if _, known := m.Mode(d.Mode); known || d.Mode == "" {
			names = append([]string{d.Mode}, names...)
		}
		return names
	}
	if slices.Contains(names, d.Mode) {
		return []string{d.Mode}
	}
	return names
}

// fieldFor returns the field of a mode that takes a result: one that the mode needs before others,
// one that is empty or a list before one that would be replaced, and content last.
func fieldFor(c *catalog.Catalog, d client.Draft, mode *catalog.Mode, use Use, kind string, need, content bool) (string, bool) {
	if use == Edit && kind == "image" && needsMedia(c, d.Modality, mode) {
		return "", false // it is made for other pictures, such as those of clothes to try on
	}
	fields := c.Fields(d)
	if content {
		return contentOf(fields, kind)
	}
	if name, ok := neededField(fields, d, mode, use, kind); ok {
		return name, true
	}
	if need || use == Extend || use == I2V || use == Edit && kind == "video" {
		return "", false
	}
	for _, want := range order(d.Modality) {
		for i := range fields {
			if f := &fields[i]; f.Kind == want.kind && f.Basic == want.basic && room(d, f, kind) {
				return f.Name, true
			}
		}
	}
	return "", false
}

// neededField returns a field that a mode needs and that takes a result; for an extension, the one
// that takes an id.
func neededField(fields []catalog.Field, d client.Draft, mode *catalog.Mode, use Use, kind string) (string, bool) {
	for i := range mode.Needs {
		if use == Reference && met(d, &mode.Needs[i]) {
			continue
		}
		for _, name := range mode.Needs[i].AnyOf {
			at := slices.IndexFunc(fields, func(f catalog.Field) bool { return f.Name == name })
			if at < 0 || fields[at].Kind == catalog.Content {
				continue
			}
			if use == Extend && len(fields[at].MediaKinds) == 0 || use != Extend && room(d, &fields[at], kind) {
				return name, true
			}
		}
	}
	return "", false
}

// shape describes a field that no mode needs.
type shape struct {
	kind  catalog.Kind
	basic bool
}

// order returns the shapes of such fields, preferred first: a picture takes a single reference
// first, a video a list.
func order(m client.Modality) []shape {
	if m == client.Image {
		return []shape{{catalog.Media, true}, {catalog.Medias, true}, {catalog.Medias, false}}
	}
	return []shape{{catalog.Medias, true}, {catalog.Media, true}, {catalog.Medias, false}}
}

// needsMedia reports whether a mode asks for media.
func needsMedia(c *catalog.Catalog, m client.Modality, mode *catalog.Mode) bool {
	return slices.ContainsFunc(mode.Needs, func(n catalog.Need) bool {
		f, ok := c.Field(m, n.AnyOf[0])
		return ok && len(f.MediaKinds) > 0
	})
}

// met reports whether a field of a need, other than a list, is set already.
func met(d client.Draft, n *catalog.Need) bool {
	return slices.ContainsFunc(n.AnyOf, func(name string) bool {
		s, ok := d.Values[name].(string)
		return ok && strings.TrimSpace(s) != ""
	})
}

// room reports whether a field takes one more reference of a kind.
func room(d client.Draft, f *catalog.Field, kind string) bool {
	if !slices.Contains(f.MediaKinds, kind) {
		return false
	}
	switch f.Kind {
	case catalog.Media:
		s, text := d.Values[f.Name].(string)
		return d.Values[f.Name] == nil || text && strings.TrimSpace(s) == ""
	case catalog.Medias:
		return f.MaxItems == 0 || len(d.Values.List(f.Name)) < f.MaxItems
	default:
		return false
	}
}

func contentOf(fields []catalog.Field, kind string) (string, bool) {
	for i := range fields {
		if f := &fields[i]; f.Kind == catalog.Content && slices.Contains(f.MediaKinds, kind) {
			return f.Name, true
		}
	}
	return "", false
}
