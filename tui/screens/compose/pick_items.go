package compose

import (
	"cmp"
	"fmt"
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

// modelItems are the models of a kind to pick from: the starred first, then the recent ones,
// then the others by family, and last those that only the gateway's lists have.
func (m *Model) modelItems(kind client.Modality) []picker.Item {
	titles := make(map[string]string)
	for _, f := range m.deps.Catalog.Families() {
		if titles[f.Token] = f.Token; f.Title != f.Token {
			titles[f.Token] = strings.TrimSpace(f.Token + "  " + f.Title)
		}
	}
	offers := m.offers(kind)
	out := make([]picker.Item, 0, len(offers))
	for i := range offers {
		out = append(out, m.modelItem(kind, &offers[i], titles))
	}
	m.order(out)
	return out
}

// modelItem is one model to pick.
func (m *Model) modelItem(kind client.Modality, o *catalog.Offer, titles map[string]string) picker.Item {
	it := picker.Item{ID: o.ID, Title: client.CleanLine(widgets.Truncate(o.ID, 80)), Sign: " ", Keys: m.originSign(o)}
	x, known := m.deps.Catalog.ModelFor(kind, o.ID)
	if !known {
		it.Group = groupLive
		it.About = m.aboutLive(o)
		switch {
		case o.ID != client.CleanLine(o.ID):
			it.ID, it.Off = "", "its name has characters that do not show"
		case !m.picksFree():
			it.Detail = "its kind and fields are not told"
		}
		return it
	}
	it.Group = titles[o.Family]
	c := m.chips(kind, &x)
	it.Detail, it.About = c.short(), m.about(&x, &c, o)
	if len(m.deps.Gateway.FormatsFor(client.Draft{Modality: kind, Model: x.ID})) == 0 {
		it.Off = "no format here creates with it"
	}
	return it
}

// order puts starred and recent models first; each stays in the list once.
func (m *Model) order(list []picker.Item) {
	rank := func(it *picker.Item) int {
		if i := slices.Index(m.marks.Stars, it.ID); i >= 0 {
			return i - 2000
		}
		if i := slices.Index(m.marks.Recent, it.ID); i >= 0 {
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

// originSign says where a model is known from, by a sign and a word. Before a list has
// answered nobody knows what the gateway offers.
func (m *Model) originSign(o *catalog.Offer) string {
	switch origin := o.Origin(); {
	case origin == catalog.FromOverlay:
		return "✎ overlay"
	case origin == catalog.FromLive:
		return "◇ live"
	case origin == catalog.FromBoth:
		return "● both"
	case m.listed.models != nil:
		return "○ catalog"
	default:
		return "· catalog"
	}
}

// originText is the same in a sentence.
func (m *Model) originText(o *catalog.Offer) string {
	offered := "offered by the gateway"
	switch {
	case m.listed.models == nil:
		offered = "what the gateway offers is not known"
	case o.Live == nil:
		offered = "not offered by the gateway's lists"
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

// aboutLive is all that is known of a model that only the lists have.
func (m *Model) aboutLive(o *catalog.Offer) []string {
	out := []string{m.originText(o)}
	if o.Live != nil {
		said := []string{}
		for _, s := range []string{o.Live.DisplayName, o.Live.Version, o.Live.Owner, o.Live.Description} {
			if s = client.CleanLine(bounded(s)); s != "" && s != o.ID {
				said = append(said, s)
			}
		}
		if len(said) > 0 {
			out = append(out, strings.Join(said, " · "))
		}
	}
	if !m.picksFree() {
		out = append(out, "nothing else is known of it: enter takes it for "+string(m.modality)+", with any format of that kind",
			catalog.Describes+": its kind, modes and formats")
	}
	return out
}

// bounded cuts what a list says of a model before it is cleaned.
func bounded(s string) string {
	if len(s) > 400 {
		return strings.ToValidUTF8(s[:400], "")
	}
	return s
}

// chips are what a model can do, in a few words each; empty for what is not told.
type chips struct {
	modes                            []string
	duration, resolution, references string
}

// chips of a model are drawn from its fields, whatever the mode.
func (m *Model) chips(kind client.Modality, x *catalog.Model) chips {
	c := chips{modes: x.ModeNames()}
	media := map[string]bool{}
	most := map[string]int{}
	for _, f := range m.deps.Catalog.Fields(client.Draft{Modality: kind, Model: x.ID}) {
		switch f.Name {
		case "duration":
			c.duration = span(&f)
		case "resolution", "size":
			if v := span(&f); v != "" && (c.resolution == "" || f.Name == "resolution") {
				c.resolution = v
			}
		}
		if f.Kind == catalog.Media || f.Kind == catalog.Medias || f.Kind == catalog.Content {
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

// span is what a field is known to take, "" when nothing is told: values that are only
// suggested are no capability.
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

// short is all in one line, with as many modes as have room.
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

// about are the same, whole, with what else is known of the model.
func (m *Model) about(x *catalog.Model, c *chips, o *catalog.Offer) []string {
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
		m.originText(o) + " · formats " + strings.Join(x.Formats, " "),
	}
	if x.Note != "" {
		out = append(out, x.Note)
	}
	return out
}
