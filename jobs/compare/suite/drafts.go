package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/expand"
)

// Drafted is a draft with the format that was chosen for it, "" for its model's own.
type Drafted struct {
	Draft  client.Draft
	Format string
}

// FromDrafts makes a suite of drafts: their prompts, models and formats, the values that they share,
// and axes where they differ. Where they differ in several
// ways the suite has more cells than there are drafts, since it has all combinations. The notes say that, and what does not fit a suite.
func FromDrafts(name string, drafts []Drafted) (Suite, []string) {
	g := gathering{s: New(name, "")}
	for _, d := range drafts {
		g.take(d)
	}
	if len(g.drafts) == 0 {
		return g.s, append(g.notes, "there is no draft")
	}
	g.prompts()
	g.models()
	g.modes()
	g.formats()
	g.fields()
	if n := g.cells(); n > len(g.distinct()) {
		g.note("the drafts are %d different requests, the suite has all %d combinations: exclude: leaves some out", len(g.distinct()), n)
	}
	return g.s, g.notes
}

type gathering struct {
	s      Suite
	drafts []Drafted
	notes  []string
}

func (g *gathering) note(format string, args ...any) {
	if text := client.CleanLine(fmt.Sprintf(format, args...)); !slices.Contains(g.notes, text) {
		g.notes = append(g.notes, text)
	}
}

// take takes a draft in, without what no suite has.
func (g *gathering) take(d Drafted) {
	if g.s.Kind == "" {
		g.s.Kind = d.Draft.Modality
	}
	switch {
	case d.Draft.Modality != g.s.Kind:
		g.note("a draft for %s is left out: the suite is for %s", d.Draft.Modality, g.s.Kind)
		return
	case d.Draft.Cut:
		g.note("a draft is left out of which only the beginning was read")
		return
	case d.Draft.Model == "":
		g.note("a draft without a model is left out")
		return
	}
	d.Draft = d.Draft.Clone()
	for _, name := range []string{client.FieldExternalTaskID, "callback_url"} {
		if _, ok := d.Draft.Values[name]; ok {
			g.note("%s is left out: it is about one task", name)
			delete(d.Draft.Values, name)
		}
	}
	if len(d.Draft.Extra) > 0 {
		g.note("raw additions do not fit a suite: %s is left out", strings.Join(slices.Sorted(maps.Keys(d.Draft.Extra)), ", "))
	}
	g.drafts = append(g.drafts, d)
}

func (g *gathering) prompts() {
	for _, d := range g.drafts {
		text := expand.Escape(d.Draft.Prompt)
		if !slices.ContainsFunc(g.s.Prompts, func(p Prompt) bool { return p.Text == text }) {
			g.s.Prompts = append(g.s.Prompts, Prompt{Text: text})
		}
	}
}

func (g *gathering) models() {
	for _, d := range g.drafts {
		m := Model{Model: d.Draft.Model, ModelName: d.Draft.ModelName}
		if !slices.ContainsFunc(g.s.Models, m.is) {
			g.s.Models = append(g.s.Models, m)
		}
	}
}

func (m Model) is(o Model) bool { return m.Model == o.Model && m.ModelName == o.ModelName }

// modes are one for all, one for each model where it always has the same, or an axis.
func (g *gathering) modes() {
	modes := g.texts(func(d Drafted) string { return d.Draft.Mode })
	if len(modes) == 1 {
		g.s.Mode = modes[0]
		return
	}
	own := make([]string, len(g.s.Models))
	for i, m := range g.s.Models {
		for _, d := range g.drafts {
			if !m.is(Model{Model: d.Draft.Model, ModelName: d.Draft.ModelName}) {
				continue
			}
			if own[i] != "" && own[i] != d.Draft.Mode || d.Draft.Mode == "" {
				g.modeAxis(modes)
				return
			}
			own[i] = d.Draft.Mode
		}
	}
	for i := range own {
		g.s.Models[i].Mode = own[i]
	}
}

func (g *gathering) modeAxis(modes []string) {
	a := Axis{Field: client.FieldMode}
	for _, x := range modes {
		if x == "" {
			a.Values = append(a.Values, Value{})
			continue
		}
		a.Values = append(a.Values, Value{Value: x})
	}
	g.s.Axes = append(g.s.Axes, a)
}

// texts are the different texts of the drafts, in their order.
func (g *gathering) texts(of func(Drafted) string) []string {
	var out []string
	for _, d := range g.drafts {
		if s := of(d); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (g *gathering) formats() {
	all := g.texts(func(d Drafted) string { return d.Format })
	switch {
	case len(all) == 1 && all[0] == "":
	case slices.Contains(all, ""):
		g.note("some drafts name a format, others do not: each model goes through its own")
	default:
		g.s.Formats = all
	}
}

// fields shares out the values: those that all drafts have, those that go with the prompt, and axes.
func (g *gathering) fields() {
	var names []string
	for _, d := range g.drafts {
		for _, n := range d.Draft.Values.Names() {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		all := g.texts(func(d Drafted) string { return jsonText(d.Draft.Values[name]) })
		switch {
		case name == expand.FieldSeed:
			g.seed(all)
		case ownKey(name) != "":
			g.note("%s is left out: %s", name, ownKey(name))
		case len(all) == 1:
			g.put(&g.s.Values, name, g.drafts[0].Draft.Values[name])
		case g.scalar(name):
			g.axis(name)
		case g.withPrompts(name):
		default:
			g.note("%s is left out: it differs, and goes with no prompt", name)
		}
	}
}

func (g *gathering) put(to *client.Values, name string, v any) {
	if v == nil {
		return
	}
	if *to == nil {
		*to = client.Values{}
	}
	(*to)[name] = v
}

func (g *gathering) seed(all []string) {
	text, _ := g.drafts[0].Draft.Values.Text(expand.FieldSeed)
	if len(all) == 1 && isSeed(text) {
		g.s.Seed = text
		return
	}
	g.note("the drafts' seeds are left out: every repeat gets one of its own, the same for all models")
}

// scalar reports whether every draft that has a field has a plain value, which no reference is.
func (g *gathering) scalar(name string) bool {
	for _, d := range g.drafts {
		v, set := d.Draft.Values[name]
		s, ok := scalarText(v)
		low := strings.ToLower(s)
		refers := slices.ContainsFunc([]string{"file:", "data:", "http:", "https:"}, func(p string) bool { return strings.HasPrefix(low, p) })
		if set && v != nil && (!ok || refers || len(s) > 200 || strings.HasPrefix(s, skip)) {
			return false
		}
	}
	return true
}

func (g *gathering) axis(name string) {
	a := Axis{Field: name}
	for _, d := range g.drafts {
		v := Value{Value: d.Draft.Values[name]}
		if v.Value == "" {
			v.Value = nil
		}
		if !slices.ContainsFunc(a.Values, func(o Value) bool { return o.String() == v.String() }) {
			a.Values = append(a.Values, v)
		}
	}
	if len(g.s.Axes) == maxAxes {
		g.note("%s is left out: a suite has up to %d axes", name, maxAxes)
		return
	}
	g.s.Axes = append(g.s.Axes, a)
}

// withPrompts gives each prompt its value of a field, if each always has the same.
func (g *gathering) withPrompts(name string) bool {
	own := make([]any, len(g.s.Prompts))
	seen := make([]bool, len(g.s.Prompts))
	for _, d := range g.drafts {
		text := expand.Escape(d.Draft.Prompt)
		i := slices.IndexFunc(g.s.Prompts, func(p Prompt) bool { return p.Text == text })
		v := d.Draft.Values[name]
		if seen[i] && jsonText(own[i]) != jsonText(v) {
			return false
		}
		own[i], seen[i] = v, true
	}
	for i := range own {
		g.put(&g.s.Prompts[i].Values, name, own[i])
	}
	return true
}

// cells is how many combinations the suite has.
func (g *gathering) cells() int {
	n := len(g.s.Prompts) * len(g.s.Models) * len(g.s.Formats)
	for _, a := range g.s.Axes {
		n = min(n*len(a.Values), MaxTrials)
	}
	return n
}

// distinct are the drafts without repetitions.
func (g *gathering) distinct() []string {
	return g.texts(func(d Drafted) string {
		v := d.Draft.Values.Clone()
		delete(v, expand.FieldSeed)
		return jsonText([]any{d.Draft.Model, d.Draft.ModelName, d.Draft.Mode, d.Draft.Prompt, d.Format, map[string]any(v)})
	})
}
