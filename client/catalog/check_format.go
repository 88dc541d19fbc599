package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
)

// Formats returns what is known about the wire formats, in catalog order.
func (c *Catalog) Formats() []FormatInfo { return slices.Clone(c.doc.Formats) }

// Format returns what is known about a wire format.
func (c *Catalog) Format(name string) (FormatInfo, bool) {
	if f := c.format(name); f != nil {
		return *f, true
	}
	return FormatInfo{}, false
}

func (c *Catalog) format(name string) *FormatInfo {
	for i := range c.doc.Formats {
		if c.doc.Formats[i].Name == name {
			return &c.doc.Formats[i]
		}
	}
	return nil
}

// DraftFormat returns the preferred format of a draft: its model's, or, for a modality whose models
// are not documented, the first that can create it. "" if there is none.
func (c *Catalog) DraftFormat(d client.Draft) string {
	if m := c.find(d.Modality, d.Model); m != nil {
		if len(m.Formats) > 0 {
			return m.Formats[0]
		}
		return ""
	}
	if slices.Contains(c.doc.Open, d.Modality) {
		for i := range c.doc.Formats {
			if slices.Contains(c.doc.Formats[i].Modalities, d.Modality) {
				return c.doc.Formats[i].Name
			}
		}
	}
	return ""
}

// Routes returns the formats that may know a task of a model, likeliest first; nil for an unknown
// model.
func (c *Catalog) Routes(model string) []string {
	m, ok := c.Model(model)
	if !ok {
		return nil
	}
	return m.Routes
}

// ContentTypes returns the values of type in a content item (GATEWAY: Content item). Except for
// text, each also names the key that holds {url}.
func ContentTypes() []string { return slices.Clone(itemTypes) }

// ContentRoles returns the values of role seen in content items; others may work too (GATEWAY:
// Content item).
func ContentRoles() []string { return slices.Clone(roles) }

// Parts returns the named keys of an object field, or of the items of a list field, for editing
// them one by one; nil if the interface names none.
func (c *Catalog) Parts(m client.Modality, field string) []Part {
	f, ok := c.Field(m, field)
	if !ok {
		return nil
	}
	var out []Part
	for _, name := range slices.Sorted(maps.Keys(f.Keys)) {
		p := Part{Name: name, Canonical: f.Keys[name], Kind: Text, Values: slices.Clone(f.KeyValues[name])}
		if k, ok := f.KeyKinds[name]; ok {
			p.Kind = k
		} else if other, ok := c.Field(m, p.Canonical); ok {
			p.Kind = other.Kind
		}
		out = append(out, p)
	}
	return out
}

// dependsOnFormat reports whether a model's needs or limits differ between formats.
func dependsOnFormat(m *Model) bool {
	return slices.ContainsFunc(m.limits, func(l limit) bool { return len(l.Formats) > 0 }) ||
		slices.ContainsFunc(m.Modes, func(x Mode) bool {
			return slices.ContainsFunc(x.Needs, func(n Need) bool { return len(n.Formats) > 0 })
		})
}

// narrow reduces the model to what it is in the draft's format. The catalog itself stays unchanged.
func (k *checker) narrow() {
	without := k.info != nil && len(k.info.Without) > 0
	if k.m == nil || !k.m.perFormat && !without {
		return
	}
	m := *k.m
	m.limits = nil
	for _, l := range k.m.limits {
		if len(l.Formats) == 0 || slices.Contains(l.Formats, k.format) {
			l.Formats = nil
			m.limits = append(m.limits, l)
		}
	}
	m.Modes = slices.Clone(m.Modes)
	for i := range m.Modes {
		var needs []Need
		for _, n := range m.Modes[i].Needs {
			if len(n.Formats) > 0 && !slices.Contains(n.Formats, k.format) {
				continue
			}
			if without {
				n.AnyOf = slices.DeleteFunc(slices.Clone(n.AnyOf), func(f string) bool { return slices.Contains(k.info.Without, f) })
			}
			if len(n.AnyOf) > 0 {
				needs = append(needs, n)
			}
		}
		m.Modes[i].Needs = needs
	}
	k.m = &m
}

// checkFormat checks what the chosen format itself requires.
func (k *checker) checkFormat() {
	add := func(sev Severity, text string, allowed []string, source string) {
		k.add(rankModel, Problem{Field: "format", Value: show(k.format), Severity: sev, Message: text, Allowed: allowed, Source: source})
	}
	if k.info == nil {
		if k.format != "" {
			add(Warn, fmt.Sprintf("format %q is not in the catalog", show(k.format)), nil, "")
		}
		return
	}
	if k.chosen {
		switch {
		case k.m != nil && !slices.Contains(k.m.Formats, k.format):
			add(Block, fmt.Sprintf("format %s does not reach %s; allowed: %s", k.format, k.m.ID, strings.Join(k.m.Formats, ", ")), k.m.Formats, k.info.Source)
			return
		case k.info.Reserved:
			add(Warn, "format "+k.format+": "+k.info.Note, nil, k.info.Source)
		case k.info.Configured:
			add(Info, "format "+k.format+": "+k.info.Note, nil, k.info.Source)
		}
	}
	k.checkBare()
	for i := range k.info.Needs {
		n := &k.info.Needs[i]
		if k.met(n) {
			continue
		}
		sev := cmp.Or(n.Severity, Block)
		k.add(k.rank(n.AnyOf[0]), Problem{Field: n.AnyOf[0], Severity: sev, Allowed: n.AnyOf,
			Message: fmt.Sprintf("%s is missing: the %s format %s %s", n.AnyOf[0], k.format, verb(sev), n.Text),
			Source:  cmp.Or(n.Source, k.info.Source)})
	}
}

// checkBare refuses references in a mode that the format takes only without them. The mode is not
// sent, so the references would select another, and that would be made and charged for.
func (k *checker) checkBare() {
	if !slices.Contains(k.info.Bare, k.own.Mode) {
		return
	}
	for i := range k.set.list {
		f := &k.set.list[i]
		if !k.carries(f) || k.refs(k.own, f, "image")+k.refs(k.own, f, "video") == 0 {
			continue
		}
		k.add(k.rank(f.Name), Problem{Field: f.Name, Severity: Block, Source: k.info.Source,
			Message: fmt.Sprintf("%s: mode %s takes no references through the %s format, where their number says the mode; choose another mode", f.Name, k.own.Mode, k.format)})
	}
}

// checkCarried warns about a field that the model takes but the format does not carry.
func (k *checker) checkCarried(f *Field) {
	if k.m == nil || k.info == nil || !takesModel(f, k.m) {
		return
	}
	switch {
	case slices.Contains(k.info.Without, f.Name):
		sev := Warn
		if len(f.MediaKinds) > 0 && isSet(k.own.Values[f.Name]) {
			sev = Block // without its references it would be a different request, and be charged for
		}
		k.add(k.rank(f.Name), Problem{Field: f.Name, Severity: sev, Source: k.info.Source,
			Message: fmt.Sprintf("%s is not carried by the %s format", f.Name, k.format)})
	case len(f.Formats) > 0 && !slices.Contains(f.Formats, k.format):
		k.add(k.rank(f.Name), Problem{Field: f.Name, Severity: Warn, Allowed: f.Formats, Source: f.Source,
			Message: fmt.Sprintf("%s is not carried by the %s format; carried by %s", f.Name, k.format, strings.Join(f.Formats, ", "))})
	}
}
