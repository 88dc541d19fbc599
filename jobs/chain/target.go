package chain

import (
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

// modes are the names of the modes that a use is made for, preferred first; nil for those of a
// request without a mode.
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

// Targets are the ways to go on with a result of a kind (image, video or audio; "" for an id),
// in the order of the catalog. Of a model, only the best mode is among them.
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

// Of is the way to go on with the model of a draft, in its own mode where that will do; false
// where the model has none.
func Of(c *catalog.Catalog, d client.Draft, use Use, kind string) (Target, bool) {
	return on(c, d, use, kind)
}

func on(c *catalog.Catalog, d client.Draft, use Use, kind string) (Target, bool) {
	m, ok := c.ModelFor(d.Modality, d.Model)
	if !ok {
		return Target{}, false
	}
	t := Target{Modality: d.Modality, Model: m.ID, ModelName: d.ModelName}
	if t.ModelName == "" && len(m.ModelNames) > 0 {
		t.ModelName = m.ModelNames[0]
	}
	for _, name := range candidates(&m, d, use, kind) {
		mode, ok := m.Mode(name)
		if !ok && len(m.Modes) > 0 {
			continue
		}
		try := d
		try.Mode = name
		if field, ok := fieldFor(c, try, &mode, use, kind); ok {
			t.Mode, t.Field = name, field
			return t, true
		}
	}
	return Target{}, false
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
	if i := slices.Index(names, d.Mode); i > 0 {
		names = []string{d.Mode}
	}
	return names
}

// fieldFor is the field of a mode that takes a result: one that the mode needs before others, one
// that is empty or a list before one that would be replaced, and content last.
func fieldFor(c *catalog.Catalog, d client.Draft, mode *catalog.Mode, use Use, kind string) (string, bool) {
	if use == Edit && kind == "image" && needsMedia(c, d.Modality, mode) {
		return "", false // it is made for other pictures, as trying clothes on is
	}
	fields := c.Fields(d)
	at := func(name string) *catalog.Field {
		i := slices.IndexFunc(fields, func(f catalog.Field) bool { return f.Name == name })
		if i < 0 {
			return nil
		}
		return &fields[i]
	}
	for i := range mode.Needs {
		if use == Reference && met(d, &mode.Needs[i]) {
			continue
		}
		for _, name := range mode.Needs[i].AnyOf {
			f := at(name)
			if f == nil || f.Kind == catalog.Content {
				continue
			}
			if use == Extend && len(f.MediaKinds) == 0 || use != Extend && room(d, f, kind) {
				return name, true
			}
		}
	}
	if use == Extend {
		return "", false
	}
	if use == I2V || use == Edit && kind == "video" {
		return contentOf(fields, kind)
	}
	for _, want := range order(d.Modality) {
		for i := range fields {
			if f := &fields[i]; f.Kind == want.kind && f.Basic == want.basic && room(d, f, kind) {
				return f.Name, true
			}
		}
	}
	return contentOf(fields, kind)
}

// shape is what a field is like that no mode needs.
type shape struct {
	kind  catalog.Kind
	basic bool
}

// order is that in which such fields are taken: a picture is made from one picture as long as
// it has none, a video from lists of references.
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

// met reports whether a field of a need that is no list is set already.
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
