package models

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/picker"
)

// Groups of models beside the families.
const (
	groupStars  = "★ Starred"
	groupRecent = "Recent"
	groupLive   = "Offered by the gateway and not in the catalog"
)

// Bonuses that a star and a use give a model over others that match equally well.
const (
	boostStar   = 400
	boostRecent = 200
)

// items are the models of the kind to pick from: starred ones first, then recent ones, then the
// others by family, and last those known only from the gateway's lists.
func (d *Dialog) items() []picker.Item {
	k := d.o.Known
	titles := make(map[string]string)
	for _, f := range k.catalog.Families() {
		if titles[f.Token] = f.Token; f.Title != f.Token {
			titles[f.Token] = strings.TrimSpace(f.Token + "  " + f.Title)
		}
	}
	offers := k.offers(d.o.Kind)
	out := make([]picker.Item, 0, len(offers))
	for i := range offers {
		out = append(out, d.item(&offers[i], titles))
	}
	k.order(out)
	return out
}

// item is one model to pick.
func (d *Dialog) item(o *catalog.Offer, titles map[string]string) picker.Item {
	k := d.o.Known
	it := picker.Item{ID: o.ID, Title: client.CleanLine(widgets.Truncate(o.ID, 80)), Sign: " ", Keys: k.originSign(o)}
	x, known := k.catalog.ModelFor(d.o.Kind, o.ID)
	if !known {
		it.Group = groupLive
		it.About = d.aboutLive(o)
		switch {
		case o.ID != client.CleanLine(o.ID):
			it.ID, it.Off = "", "its name has characters that do not show"
		case !d.o.Free:
			it.Detail = "its kind and fields are not known"
		}
		return it
	}
	it.Group = titles[o.Family]
	c := chipsOf(k.catalog, d.o.Kind, &x)
	it.Detail, it.About = c.short(), k.about(&x, &c, o)
	if len(k.gateway.FormatsFor(client.Draft{Modality: d.o.Kind, Model: x.ID})) == 0 {
		it.Off = "no format here creates with it"
	}
	return it
}

// order puts starred and recent models first; each stays in the list once.
func (k *Known) order(list []picker.Item) {
	rank := func(it *picker.Item) int {
		if i := slices.Index(k.marks.Stars, it.ID); i >= 0 {
			return i - 2000
		}
		if i := slices.Index(k.marks.Recent, it.ID); i >= 0 {
			return i - 1000
		}
		return 0
	}
	for i := range list {
		it := &list[i]
		switch r := rank(it); {
		case r < -1000:
			it.Sign, it.Group, it.Boost = "★", groupStars, boostStar
		case r < 0:
			it.Group, it.Boost = groupRecent, boostRecent
		}
	}
	slices.SortStableFunc(list, func(a, b picker.Item) int { return cmp.Compare(rank(&a), rank(&b)) })
}

// originSign says by a sign and a word where a model is known from. Until a list has answered, the
// gateway's models are unknown.
func (k *Known) originSign(o *catalog.Offer) string {
	switch origin := o.Origin(); {
	case origin == catalog.FromOverlay:
		return "✎ overlay"
	case origin == catalog.FromLive:
		return "◇ live"
	case origin == catalog.FromBoth:
		return "● both"
	case k.listed != nil:
		return "○ catalog"
	default:
		return "· catalog"
	}
}

// originText is the same in a sentence.
func (k *Known) originText(o *catalog.Offer) string {
	offered := "offered by the gateway"
	switch {
	case k.listed == nil:
		offered = "what the gateway offers is not known"
	case o.Live == nil:
		offered = "not in the gateway's lists"
	}
	switch o.Origin() {
	case catalog.FromLive:
		return "offered by the gateway, not in the catalog"
	case catalog.FromOverlay:
		return "of your catalog.yaml; " + offered
	default:
		return "of the catalog; " + offered
	}
}

// aboutLive is all that is known of a model found only in the lists.
func (d *Dialog) aboutLive(o *catalog.Offer) []string {
	out := []string{d.o.Known.originText(o)}
	if o.Live != nil {
		facts := []string{}
		for _, s := range []string{o.Live.DisplayName, o.Live.Version, o.Live.Owner, o.Live.Description} {
			if s = client.CleanLine(bounded(s)); s != "" && s != o.ID {
				facts = append(facts, s)
			}
		}
		if len(facts) > 0 {
			out = append(out, strings.Join(facts, " · "))
		}
	}
	if !d.o.Free {
		out = append(out, "nothing else is known of it: enter takes it for "+string(d.o.Kind)+", with any format of that kind",
			catalog.Describes+": its kind, modes and formats")
	}
	return out
}

// bounded cuts a list's text about a model before it is cleaned.
func bounded(s string) string {
	if len(s) > 400 {
		return strings.ToValidUTF8(s[:400], "")
	}
	return s
}

// chips are the capabilities of a model, in a few words each; empty where unknown.
type chips struct {
	modes                            []string
	duration, resolution, references string
}

// chips of a model are drawn from its fields, whatever the mode.
func chipsOf(cat *catalog.Catalog, kind client.Modality, x *catalog.Model) chips {
	c := chips{modes: x.ModeNames()}
	media := map[string]bool{}
	most := map[string]int{}
	for _, f := range cat.Fields(client.Draft{Modality: kind, Model: x.ID}) {
		switch f.Name {
		case "duration":
			c.duration = span(&f)
		case "resolution", "size":
			if v := span(&f); v != "" && (c.resolution == "" || f.Name == "resolution") {
				c.resolution = v
			}
		}
		if f.Kind.Refers() || f.Kind == catalog.Content {
			for _, k := range f.MediaKinds {
				media[k] = true
				most[k] = max(most[k], x.MaxRefs[k])
			}
		}
	}
	var refs []string
	for _, k := range []string{"image", "video", "audio"} {
		switch {
		case media[k] && most[k] > 0:
			refs = append(refs, fmt.Sprintf("%s×%d", k, most[k]))
		case media[k]:
			refs = append(refs, k)
		}
	}
	c.references = strings.Join(refs, " ")
	return c
}

// span is the known range of a field, "" for none: values that are only suggested are no
// capability.
func span(f *catalog.Field) string {
	unit := ""
	if f.Unit != "" {
		unit = " " + f.Unit
	}
	switch {
	case len(f.Allowed) > 0:
		return strings.Join(f.Allowed, " ") + unit
	case f.Min != nil && f.Max != nil:
		return number(*f.Min) + "–" + number(*f.Max) + unit
	default:
		return ""
	}
}

// short is all chips in one line, with as many modes as fit.
func (c *chips) short() string {
	modes := strings.Join(c.modes, " ")
	if len(c.modes) > 3 {
		modes = strings.Join(c.modes[:2], " ") + fmt.Sprintf(" +%d", len(c.modes)-2)
	}
	var parts []string
	for _, s := range []string{modes, c.duration, c.resolution} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if c.references != "" {
		parts = append(parts, "refs "+c.references)
	}
	return strings.Join(parts, " · ")
}

// about are all chips in full, with what else is known of the model.
func (k *Known) about(x *catalog.Model, c *chips, o *catalog.Offer) []string {
	told := func(s string) string {
		if s == "" {
			return "not shown"
		}
		return s
	}
	modes := strings.Join(c.modes, " ")
	if modes == "" {
		modes = "requests carry none"
	}
	refs := c.references
	if refs == "" {
		refs = "none"
	}
	out := []string{
		"modes " + modes,
		"duration " + told(c.duration) + " · resolution " + told(c.resolution) + " · references " + refs,
		k.originText(o) + " · formats " + strings.Join(x.Formats, " "),
	}
	if x.Note != "" {
		out = append(out, x.Note)
	}
	return out
}

// freeItems are the items where any name will do: the typed text, the models of the catalog, if
// any, and those that the gateway lists and the catalog does not know. The gateway does not say
// which of them fit.
func (d *Dialog) freeItems() []picker.Item {
	k := d.o.Known
	var out []picker.Item
	if q := strings.TrimSpace(d.list.Query()); q != "" {
		// The typed text stands in the detail, so that the item ranks below all matches by name.
		out = append(out, picker.Item{ID: typed, Title: "❯", Detail: client.CleanLine(q) + "  as it is typed"})
	}
	out = append(out, d.items()...)
	switch {
	case len(out) > 0:
	case k.busy:
		out = append(out, picker.Item{ID: "", Title: "asking the gateway …", Off: "the list is on its way", Group: groupLive})
	case k.err != nil:
		out = append(out, picker.Item{ID: "", Title: "the gateway's list did not come", Off: "type the name, enter takes it", Group: groupLive})
	default:
		out = append(out, picker.Item{ID: "", Title: "none", Off: "the gateway lists no other model: type the name, enter takes it", Group: groupLive})
	}
	return out
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
