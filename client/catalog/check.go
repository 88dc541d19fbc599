package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
)

// Check compares a draft with what the gateway says about its model, mode and fields.
// The findings come in the order block, warn, info and within that in the order of a
// form: model, model_name, mode, prompt, the fields as [Catalog.Fields] has them,
// what is unknown by name. It never changes d, never does I/O, and returns nil when
// there is nothing to say.
//
// Nulls count as not set. An empty text meets no minimum input, and is judged like any other
// value. Text forms of numbers and booleans are as good as the real ones, since each format
// writes its own type. Raw additions count towards the minimum inputs; what they set is never
// refused, unless it contradicts what the draft says under another name.
//
// It judges the draft in the preferred format of its model; see [Catalog.CheckFor].
func (c *Catalog) Check(d client.Draft) []Problem { return c.CheckFor(d, "") }

// CheckFor is Check for a draft that goes through a format, whose own rules and limits
// count then: the image counts of /ent/v2, the prompt that the content-array format
// requires. "" stands for the preferred format of the model.
func (c *Catalog) CheckFor(d client.Draft, format string) []Problem {
	k := &checker{c: c, d: &d, own: &d, set: c.fields[d.Modality], chosen: format != "", format: cmp.Or(format, c.DraftFormat(d))}
	if k.set == nil {
		k.add(-1, Problem{Field: "modality", Value: show(string(d.Modality)), Severity: Block,
			Message: fmt.Sprintf("modality %q has no fields in the catalog; allowed: %s", show(string(d.Modality)), strings.Join(c.modalities(), ", ")),
			Allowed: c.modalities()})
		return k.sorted()
	}
	k.m, k.mode = c.resolve(d)
	k.info = c.format(k.format)
	k.overlay()
	_, k.mode = c.resolve(*k.d)
	k.narrow()
	k.checkFormat()
	k.checkModel()
	if k.m != nil {
		k.checkModelName()
		k.checkMode()
		k.checkNeeds()
		k.checkRefs()
		k.checkAdvice()
	} else {
		k.checkPromptOnly()
	}
	k.checkValues()
	k.checkExtra()
	k.checkRaw()
	return k.sorted()
}

// Ranks of what is no value, ahead of the fields; unknown names go last.
const (
	rankModel = iota - 4
	rankModelName
	rankMode
	rankPrompt
	rankUnknown = 1 << 20
)

// checker holds the state of one Check.
type checker struct {
	c *Catalog
	// own is the draft as given; d is the same draft with its raw additions in place.
	own, d *client.Draft
	raw    []addition
	soft   bool // nothing is refused now
	set    *fieldSet
	m      *Model // nil for an unknown model
	mode   string // the one that applies, "" for none
	// format is the one the draft is sent in, info what is known about it.
	format string
	chosen bool
	info   *FormatInfo
	out    []ranked
}

type ranked struct {
	Problem
	rank int
}

func (k *checker) add(rank int, p Problem) {
	if k.soft && p.Severity == Block {
		p.Severity = Warn
	}
	k.out = append(k.out, ranked{p, rank})
}

// sorted puts the findings into their order and drops exact repetitions.
func (k *checker) sorted() []Problem {
	if len(k.out) == 0 {
		return nil
	}
	weight := func(s Severity) int { return slices.Index([]Severity{Block, Warn, Info}, s) }
	slices.SortStableFunc(k.out, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(weight(a.Severity), weight(b.Severity)), cmp.Compare(a.rank, b.rank))
	})
	out := make([]Problem, 0, len(k.out))
	for _, r := range k.out {
		if n := len(out); n > 0 && out[n-1].Field == r.Field && out[n-1].Severity == r.Severity && out[n-1].Message == r.Message {
			continue
		}
		out = append(out, r.Problem)
	}
	return out
}

// rank is the position of a field in a form: basic ones first, as in Fields.
func (k *checker) rank(name string) int {
	switch name {
	case client.FieldPrompt:
		return rankPrompt
	case client.FieldMode:
		return rankMode
	}
	i, ok := k.set.names[name]
	if !ok {
		return rankUnknown
	}
	if !k.set.list[i].Basic {
		i += len(k.set.list)
	}
	return i
}

// modalities lists the modalities that have models, in catalog order.
func (c *Catalog) modalities() []string {
	var out []string
	add := func(m client.Modality) {
		if !slices.Contains(out, string(m)) {
			out = append(out, string(m))
		}
	}
	for i := range c.models {
		add(c.models[i].Modality)
	}
	for i := range c.variants {
		add(c.variants[i].Modality)
	}
	for _, m := range c.doc.Open {
		add(m)
	}
	return out
}

func (k *checker) checkModel() {
	p := Problem{Field: client.FieldModel, Value: show(k.d.Model), Severity: Block, Source: "Model identifiers"}
	switch i, known := k.c.byID[k.d.Model]; {
	case strings.TrimSpace(k.d.Model) == "" && slices.Contains(k.c.doc.Open, k.d.Modality):
		p.Message = "model is required: the model list of the gateway has the names"
	case k.m == nil && slices.Contains(k.c.doc.Open, k.d.Modality):
		return // any name will do
	case strings.TrimSpace(k.d.Model) == "":
		first := k.c.Default(k.d.Modality).Model
		p.Message = fmt.Sprintf("model is required: a public model name, as %s", first)
		p.Allowed = []string{first}
	case !known:
		p.Allowed = k.c.Suggest(k.d.Model, 3)
		p.Message = fmt.Sprintf("model %q is not in the catalog", p.Value)
		if len(p.Allowed) > 0 {
			p.Message += "; near: " + strings.Join(p.Allowed, ", ")
		}
	case k.m == nil:
		p.Message = fmt.Sprintf("model %q makes %s, the request is for %s", p.Value, k.c.models[i].Modality, k.d.Modality)
		p.Allowed = ids(k.c.Models(k.d.Modality))
	default:
		return
	}
	k.add(rankModel, p)
}

func ids(ms []Model) []string {
	out := make([]string, len(ms))
	for i := range ms {
		out[i] = ms[i].ID
	}
	return out
}

func (k *checker) checkModelName() {
	m, v := k.m, k.d.ModelName
	p := Problem{Field: client.FieldModelName, Value: show(v), Severity: Warn, Allowed: m.ModelNames, Source: "Model identifiers"}
	if v != k.own.ModelName {
		k.soft = true // a raw addition
		defer func() { k.soft = false }()
	}
	if m.ModelNameHard || m.ModelNameListed {
		p.Severity = Block
	}
	switch {
	case len(m.ModelNames) == 0:
		if v == "" {
			return
		}
		p.Message = fmt.Sprintf("model_name %q is not documented for %s; it takes none", p.Value, m.ID)
	case strings.TrimSpace(v) == "" && m.ModelNameHard:
		p.Message = fmt.Sprintf("model_name is required for %s; allowed: %s", m.ID, strings.Join(m.ModelNames, ", "))
	case strings.TrimSpace(v) == "":
		p.Severity = Warn
		p.Message = fmt.Sprintf("model_name is usual for %s, whether it is required is not documented; allowed: %s", m.ID, strings.Join(m.ModelNames, ", "))
	case !slices.Contains(m.ModelNames, v):
		p.Message = fmt.Sprintf("model_name %q is not one of %s's; allowed: %s", p.Value, m.ID, strings.Join(m.ModelNames, ", "))
	default:
		return
	}
	k.add(rankModelName, p)
}

func (k *checker) checkMode() {
	m, v := k.m, k.d.Mode
	names := m.ModeNames()
	p := Problem{Field: client.FieldMode, Value: show(v), Severity: Warn, Allowed: names, Source: m.Source}
	_, known := m.Mode(v)
	switch {
	case v == "" && m.ModeRequired:
		p.Severity = Block
		p.Message = fmt.Sprintf("mode is required for %s; allowed: %s", m.ID, strings.Join(names, ", "))
	case v == "":
		if f := k.needsMode(); f != "" && (k.info == nil || !k.info.Reserved) { // which carries none
			p.Message = fmt.Sprintf("mode is not set: for %s pass it together with %s; one of %s", m.ID, f, strings.Join(names, ", "))
			break
		}
		return
	case known && k.modeListed(v):
		return
	case known:
		p.Allowed, p.Source = k.info.Modes, k.info.Source
		p.Message = fmt.Sprintf("mode %q is not documented for the %s format; documented: %s", p.Value, k.format, strings.Join(p.Allowed, ", "))
	case len(names) == 0:
		p.Message = fmt.Sprintf("mode %q is not documented for %s; %s requests carry no mode", p.Value, m.ID, m.Modality)
	default:
		p.Message = fmt.Sprintf("mode %q is not documented for %s; documented: %s", p.Value, m.ID, strings.Join(names, ", "))
	}
	k.add(rankMode, p)
}

// modeListed reports whether the format lists a mode; true if it lists none at all.
func (k *checker) modeListed(mode string) bool {
	return mode == "" || k.info == nil || len(k.info.Modes) == 0 || slices.Contains(k.info.Modes, mode)
}

// needsMode returns the first set field that requires a mode, "" if there is none.
func (k *checker) needsMode() string {
	for _, f := range k.m.ModeWith {
		if isSet(k.d.Values[f]) {
			return f
		}
	}
	return ""
}

// checkPromptOnly checks the little that can be known about the input of an unknown model or mode.
func (k *checker) checkPromptOnly() {
	source := map[client.Modality]string{
		client.Video: "Video creation request, common format", client.Image: "Image generation request"}[k.d.Modality]
	if k.d.Modality == client.Chat && strings.TrimSpace(k.d.Prompt) == "" && !isSet(k.d.Values["messages"]) {
		k.add(rankPrompt, Problem{Field: client.FieldPrompt, Severity: Block,
			Message: "prompt is not set: a chat request needs a message", Source: "Endpoints"})
	}
	if strings.TrimSpace(k.d.Prompt) == "" && source != "" {
		k.add(rankPrompt, Problem{Field: client.FieldPrompt, Severity: Info,
			Message: "prompt is not set; it is recommended", Source: source})
	}
}

func (k *checker) checkAdvice() {
	for i := range k.m.Advice {
		a := &k.m.Advice[i]
		if len(a.Modes) > 0 && !slices.Contains(a.Modes, k.mode) || k.mode == "" && len(a.Modes) > 0 {
			continue
		}
		if a.Content && k.onlyContent() {
			continue
		}
		k.add(rankModel, Problem{Field: client.FieldModel, Value: k.m.ID, Severity: Info,
			Message: fmt.Sprintf("model %s, mode %s: %s", k.m.ID, k.mode, a.Text), Source: cmp.Or(a.Source, k.m.Source)})
	}
}
