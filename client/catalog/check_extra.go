package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/places"
)

// checkExtra names what is sent on top: known names there override the form.
func (k *checker) checkExtra() {
	for _, name := range slices.Sorted(maps.Keys(k.own.Extra)) {
		p := Problem{Field: name, Value: show(string(k.own.Extra[name])), Severity: Info,
			Message: fmt.Sprintf("%s is not in the catalog for %s; it is sent as it stands", show(name), k.d.Modality)}
		member, err := places.Check(name)
		if err != nil {
			p.Severity, p.Message = Block, client.CleanLine(err.Error())
		} else if canonical := k.rawField(name, member); canonical != "" {
			p.Severity = Warn
			p.Message = fmt.Sprintf("%s is a raw addition, sent as it stands on top of field %s", name, canonical)
		} else if slices.Contains(ownFields, member) {
			p.Severity = Warn
			p.Message = fmt.Sprintf("%s is a raw addition, sent as it stands on top of the draft's own", name)
		}
		p.Field = show(name)
		k.add(rankUnknown, p)
	}
}

// rawField is the field that a raw addition goes on top of, "" for none.
func (k *checker) rawField(place, member string) string {
	if canonical, ok := k.c.Canonical(k.own.Modality, member); ok {
		return canonical
	}
	place, _, _ = strings.Cut(place, "[")
	if a, ok := k.placed(place, nil); ok {
		return a.canonical
	}
	return ""
}
