package models

import (
	"cmp"
	"slices"
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
	shared := k.shared(d.o.Kind, offers)
	for family, facts := range shared {
		if said := facts.short(); said != "" {
			titles[family] += "  " + said
		}
	}
	out := make([]picker.Item, 0, len(offers))
	for i := range offers {
		out = append(out, d.item(&offers[i], titles, shared[offers[i].Family]))
	}
	k.order(out)
	return out
}

// item is one model to pick: below its family its line says what that does not have throughout, and
// elsewhere all.
func (d *Dialog) item(o *catalog.Offer, titles map[string]string, shared facts) picker.Item {
	k := d.o.Known
	it := picker.Item{ID: o.ID, Title: client.CleanLine(widgets.Truncate(o.ID, 80)), Sign: " ", Keys: k.originSign(o)}
	x, known := k.catalog.ModelFor(d.o.Kind, o.ID)
	if !known {
		it.Group = groupLive
		it.About = d.aboutLive(o)
		switch {
		case o.ID != client.CleanLine(o.ID):
			it.ID, it.Off = "", "its name has invisible characters"
		case !d.o.Free:
			it.Detail = "its kind and fields are not known"
		}
		return it
	}
	it.Group = titles[o.Family]
	own := append(k.usual(&x), factsOf(k.catalog, d.o.Kind, &x)...)
	it.Detail, it.Alone, it.Words, it.About = own.without(shared).short(), own.short(), own.words(), k.about(&x, own, o)
	if len(k.gateway.FormatsFor(client.Draft{Modality: d.o.Kind, Model: x.ID})) == 0 {
		it.Off = "no request format can create with it"
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
		default:
			continue
		}
		it.Detail = cmp.Or(it.Alone, it.Detail)
	}
	slices.SortStableFunc(list, func(a, b picker.Item) int { return cmp.Compare(rank(&a), rank(&b)) })
}

// originSign says by a sign and in words what is unusual about where a model is known from: nothing of
// one that the catalog knows and the gateway offers, or of which nobody knows yet what it offers.
func (k *Known) originSign(o *catalog.Offer) string {
	switch origin := o.Origin(); {
	case origin == catalog.FromOverlay:
		return "✎ yours"
	case origin == catalog.FromLive:
		return "◇ not in the catalog"
	case origin != catalog.FromBoth && k.listed != nil:
		return "○ not offered here"
	default:
		return ""
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
		return "in your catalog.yaml, " + offered
	default:
		return "in the catalog, " + offered
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

// freeItems are the items where any name will do: the typed text, the models of the catalog, if
// any, and those that the gateway lists and the catalog does not know. The gateway does not say
// which of them fit.
func (d *Dialog) freeItems() []picker.Item {
	k := d.o.Known
	var out []picker.Item
	if q := strings.TrimSpace(d.list.Query()); q != "" {
		// The typed text stands in the detail, so that the item ranks below all matches by name.
		out = append(out, picker.Item{ID: typed, Title: "❯", Detail: client.CleanLine(q) + "  exactly as typed"})
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
