package pieces

import (
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screens/compose/internal/rows"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/items"
)

// builder works out what values consist of, for the fields of a form.
type builder struct {
	catalog *catalog.Catalog
	kind    client.Modality
	fields  []catalog.Field
}

// spec is what the value of a field consists of, from the catalog alone, so that a field added by a
// person's own catalog is edited like any other. It is false where no keys are named.
func (b builder) spec(f catalog.Field) (items.Spec, bool) {
	switch f.Kind {
	case catalog.Content:
		return contentSpec(f), true
	case catalog.List, catalog.Object:
	default:
		return items.Spec{}, false
	}
	parts := b.catalog.Parts(b.kind, f.Name)
	if len(parts) == 0 {
		return items.Spec{}, false
	}
	spec := items.Spec{Title: client.CleanLine(f.Label), List: f.Kind == catalog.List}
	for _, p := range parts {
		spec.Parts = append(spec.Parts, b.part(f, p))
	}
	// What there are few values of comes first, long text last.
	slices.SortStableFunc(spec.Parts, func(a, b items.Part) int { return partRank(a) - partRank(b) })
	return spec, true
}

// partRank sorts the parts of an item.
func partRank(p items.Part) int {
	switch {
	case p.Kind == items.Lines || p.Kind == items.JSON:
		return 2
	case len(p.Options) > 0 && p.Seen != "":
		return 0
	default:
		return 1
	}
}

// part is how a named key is edited: with the values and the words of the field that means the
// same, if there is one.
func (b builder) part(f catalog.Field, p catalog.Part) items.Part {
	out := items.Part{Path: []string{p.Name}, Kind: pieceKind(p.Kind), Media: f.MediaKinds, Help: f.Says()}
	if len(p.Values) > 0 {
		out.Options, out.Seen = p.Values, "shown are"
		out.Expected = f.Kind == catalog.List
	}
	if out.Kind == items.Media {
		out.Hint = mediaHint
	}
	i := slices.IndexFunc(b.fields, func(x catalog.Field) bool { return x.Name == p.Canonical })
	var same catalog.Field
	if i >= 0 {
		same = b.fields[i]
	} else if x, ok := b.catalog.Field(b.kind, p.Canonical); ok {
		same = x
	} else {
		return out
	}
	out.Unit, out.Help, out.Hint, out.Media = same.Unit, same.Help, rows.Hint(same), same.MediaKinds
	if out.Options == nil {
		out.Options = same.Offered()
	}
	return out
}

const mediaHint = "path or URL; a file is sent as a data URI"

func pieceKind(k catalog.Kind) items.Kind {
	switch k {
	case catalog.Integer:
		return items.Integer
	case catalog.Number:
		return items.Number
	case catalog.Boolean:
		return items.Boolean
	case catalog.Lines:
		return items.Lines
	case catalog.Media:
		return items.Media
	case catalog.Medias, catalog.List, catalog.Object, catalog.Content:
		return items.JSON
	default:
		return items.Text
	}
}

// contentSpec is that of content items (GATEWAY: Content item).
func contentSpec(f catalog.Field) items.Spec {
	spec := items.Spec{Title: client.CleanLine(f.Label), List: true, Tag: "type", Tags: catalog.ContentTypes()}
	for _, t := range spec.Tags {
		p := items.Part{Path: []string{t}, Only: t, Required: true, Kind: items.Lines, Hint: "what it says"}
		if kind, ok := strings.CutSuffix(t, "_url"); ok {
			p.Path, p.Kind, p.Media, p.Hint = []string{t, "url"}, items.Media, []string{kind}, mediaHint
			p.Help = "http(s) URL, data: URI or a file on this machine; a file goes as a data URI, which is not documented as accepted"
		}
		spec.Parts = append(spec.Parts, p)
	}
	spec.Parts = append(spec.Parts,
		items.Part{Path: []string{"role"}, Options: catalog.ContentRoles(), Seen: "seen are", Hint: form.Auto,
			Help: "purpose of the asset; these values were seen, others may do too"},
		items.Part{Path: []string{"name"}, Hint: form.Auto, Help: "label of the asset, usable for reference from text"})
	return spec
}
