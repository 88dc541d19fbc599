package models

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
)

// fact is one thing that a model can do or take, in a few words. Name is what the interface calls a
// mode, for those who search by that.
type fact struct {
	kind factKind
	text string
	name string
}

type factKind int

const (
	aTime factKind = iota // how long earlier jobs took
	aMode
	aLength
	aResolution
	aReference
	aSound
)

// usual is how long jobs of a model take by the history, in the first of its modes of which that is
// known; none where it is not.
func (k *Known) usual(x *catalog.Model) facts {
	if k.Usual == nil {
		return nil
	}
	for _, mode := range append(x.ModeNames(), "") {
		if d := k.Usual(x.ID, mode); d > 0 {
			return facts{{aTime, "~" + human.Left(d) + " to make", ""}}
		}
	}
	return nil
}

// facts are all that a model can do.
type facts []fact

// factsOf are drawn from the fields of a model, whatever the mode.
func factsOf(cat *catalog.Catalog, kind client.Modality, x *catalog.Model) facts {
	var out facts
	for i := range x.Modes {
		m := &x.Modes[i]
		if text := cmp.Or(client.CleanLine(m.Label), m.Name); m.Name != "" {
			out = append(out, fact{aMode, text, m.Name})
		}
	}
	t := takesOf(cat, kind, x)
	for _, f := range []fact{{aLength, t.length, ""}, {aResolution, t.resolution, ""}} {
		if f.text != "" {
			out = append(out, f)
		}
	}
	for _, k := range []string{"image", "video", "audio"} {
		switch {
		case t.media[k] && t.most[k] > 0:
			out = append(out, fact{aReference, fmt.Sprintf("%s ×%d", plural(k), t.most[k]), ""})
		case t.media[k]:
			out = append(out, fact{aReference, plural(k), ""})
		}
	}
	if t.sound {
		out = append(out, fact{aSound, "with sound", ""})
	}
	return out
}

// takes is what the fields of a model say of it.
type takes struct {
	length, resolution string
	sound              bool
	media              map[string]bool // kinds of references
	most               map[string]int  // of each kind
}

func takesOf(cat *catalog.Catalog, kind client.Modality, x *catalog.Model) takes {
	t := takes{media: map[string]bool{}, most: map[string]int{}}
	for _, f := range cat.Fields(client.Draft{Modality: kind, Model: x.ID}) {
		switch {
		case f.Name == "duration":
			t.length = span(&f)
		case f.Name == "resolution", f.Name == "size":
			if v := span(&f); v != "" && (t.resolution == "" || f.Name == "resolution") {
				t.resolution = v
			}
		case f.Kind == catalog.Boolean && strings.Contains(f.Name, "audio"):
			t.sound = true
		}
		if f.Kind.Refers() || f.Kind == catalog.Content {
			for _, k := range f.MediaKinds {
				t.media[k] = true
				t.most[k] = max(t.most[k], x.MaxRefs[k])
			}
		}
	}
	if fixed := x.Fixed["resolution"]; fixed != "" {
		t.resolution = fixed + " only"
	}
	return t
}

// plural is a kind of media as what goes into a request.
func plural(kind string) string {
	switch kind {
	case "image", "video":
		return kind + "s"
	default:
		return "sounds"
	}
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

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// shared are the facts that all models of a family have, where it has several.
func (k *Known) shared(kind client.Modality, offers []catalog.Offer) map[string]facts {
	out, seen := map[string]facts{}, map[string]int{}
	for i := range offers {
		x, known := k.catalog.ModelFor(kind, offers[i].ID)
		if !known {
			continue
		}
		family, own := offers[i].Family, factsOf(k.catalog, kind, &x)
		if seen[family]++; seen[family] == 1 {
			out[family] = own
			continue
		}
		out[family] = slices.DeleteFunc(out[family], func(f fact) bool { return !slices.Contains(own, f) })
	}
	for family, n := range seen {
		if n == 1 {
			delete(out, family)
		}
	}
	return out
}

// without are the facts that others do not have.
func (f facts) without(others facts) facts {
	return slices.DeleteFunc(slices.Clone(f), func(x fact) bool { return slices.Contains(others, x) })
}

// of are the texts of one kind of facts.
func (f facts) of(kind factKind) []string {
	var out []string
	for _, x := range f {
		if x.kind == kind {
			out = append(out, x.text)
		}
	}
	return out
}

// maxModes is how many modes a line names.
const maxModes = 3

// short is all facts in one line: first what tells models apart at a glance, then as many modes as
// fit.
func (f facts) short() string {
	var parts []string
	for _, kind := range []factKind{aTime, aLength, aResolution} {
		parts = append(parts, f.of(kind)...)
	}
	modes := f.of(aMode)
	more := 0
	if len(modes) > maxModes {
		more = len(modes) - (maxModes - 1)
		modes = modes[:maxModes-1]
	}
	if len(modes) > 0 {
		text := strings.Join(modes, ", ")
		if more > 0 {
			text += fmt.Sprintf(", %d more", more)
		}
		parts = append(parts, text)
	}
	if refs := f.of(aReference); len(refs) > 0 {
		parts = append(parts, "takes "+strings.Join(refs, ", "))
	}
	return strings.Join(append(parts, f.of(aSound)...), " · ")
}

// words are what a search finds, whether or not a line shows it: each mode by what it does and by its
// name.
func (f facts) words() []string {
	var out []string
	for _, x := range f {
		text := x.text
		if x.name != "" && !strings.Contains(text, x.name) {
			text += " (" + x.name + ")"
		}
		out = append(out, text)
	}
	return out
}

// about are all facts in full, with what else is known of the model.
func (k *Known) about(x *catalog.Model, own facts, o *catalog.Offer) []string {
	can := strings.Join(own.of(aMode), ", ")
	if can == "" {
		can = "has no modes"
	}
	known, open := own.of(aTime), []string(nil)
	for _, part := range []struct {
		kind factKind
		word string
	}{{aLength, "length"}, {aResolution, "resolution"}} {
		if said := own.of(part.kind); len(said) > 0 {
			known = append(known, part.word+" "+said[0])
		} else if x.Modality == client.Video {
			open = append(open, part.word)
		}
	}
	if refs := own.of(aReference); len(refs) > 0 {
		known = append(known, "takes "+strings.Join(refs, ", "))
	}
	known = append(known, own.of(aSound)...)
	if len(open) > 0 {
		known = append(known, strings.Join(open, " and ")+" not documented")
	}
	out := []string{can, strings.Join(known, " · "), k.originText(o) + " · formats: " + strings.Join(x.Formats, ", ")}
	if x.Note != "" {
		out = append(out, x.Note)
	}
	return out
}
