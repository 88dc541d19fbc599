// Package pick says which models can take a draft as it is, and what would have to be altered for the
// others. It is pure: the caller hands in the catalog, and what the gateway's lists say.
package pick

import (
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// Plan is a draft, and the models that are to get it. Make it with [NewPlan].
type Plan struct {
	// Base is what is compared; its model and model_name are where it came from.
	Base client.Draft
	// Format is the one chosen for it, "" for none.
	Format string
	// Candidates are the models of its modality, each with the draft as it would get it.
	Candidates []Candidate
	// Chosen has the models by name; one that cannot take the draft does not count. Own has those
	// that take it with settings of their own, as their candidate's draft has them.
	Chosen, Own map[string]bool

	catalog *catalog.Catalog
	ways    func(client.Draft) []string
	offered []client.RemoteModel
}

// NewPlan returns a plan with an empty draft of a modality. ways returns the formats that can
// create a draft, preferred first; it is nil if models that the catalog does not know cannot be
// tried.
func NewPlan(c *catalog.Catalog, ways func(client.Draft) []string, kind client.Modality) Plan {
	p := Plan{catalog: c, ways: ways, Chosen: map[string]bool{}, Own: map[string]bool{}}
	if kind != "" {
		p.Base = c.Default(kind)
	}
	p.fit()
	return p
}

// Take makes a draft the one to compare; its own model is chosen from the start.
func (p *Plan) Take(d client.Draft, format string) {
	if d.Modality != p.Base.Modality {
		p.Chosen = map[string]bool{}
	}
	p.Own = map[string]bool{}
	p.Base, p.Format = d.Clone(), format
	p.Chosen[d.Model] = true
	p.fit()
}

// SetKind begins an empty draft of another modality; the prompt stays.
func (p *Plan) SetKind(k client.Modality) {
	prompt := p.Base.Prompt
	p.Base, p.Format = p.catalog.Default(k), ""
	p.Base.Prompt = prompt
	p.Chosen, p.Own = map[string]bool{}, map[string]bool{}
	p.fit()
}

// SetPrompt takes another prompt, and reports whether that changes what is said of the candidates.
// The rules ask whether there is a prompt, never what it says, so that a key press need not check
// the draft against every model.
func (p *Plan) SetPrompt(text string) bool {
	before := p.Base.Prompt
	p.Base.Prompt = text
	if blank(before) != blank(text) {
		p.fit()
		return true
	}
	for i := range p.Candidates {
		p.Candidates[i].Draft.Prompt = text
	}
	return false
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// Offer takes what the gateway's lists of models say.
func (p *Plan) Offer(models []client.RemoteModel) {
	p.offered = models
	p.fit()
}

// fit adapts the draft to each model anew.
func (p *Plan) fit() {
	models := p.catalog.Models(p.Base.Modality)
	p.Candidates = make([]Candidate, 0, len(models))
	for _, x := range models {
		p.Candidates = append(p.Candidates, Candidate{Model: x})
	}
	p.Candidates = append(p.Candidates, p.unlisted()...)
	for i, x := range p.Candidates {
		p.Candidates[i] = x.adapt(p.catalog, p.Base, p.Format)
	}
}

// unlisted returns the models that are not in the catalog and can be tried: those that only the
// gateway's lists have, which leave their modality open, and the draft's own, by name.
func (p *Plan) unlisted() []Candidate {
	c, kind := p.catalog, p.Base.Modality
	var out []Candidate
	for _, o := range catalog.Join(nil, p.offered) {
		if c.Unlisted(kind, o.ID) && client.CleanLine(o.ID) == o.ID {
			out = append(out, Candidate{Model: catalog.Model{ID: o.ID, Modality: kind}, Tried: true, Live: true})
		}
	}
	has := func(x Candidate) bool { return x.Model.ID == p.Base.Model }
	if c.Unlisted(kind, p.Base.Model) && !slices.ContainsFunc(out, has) {
		out = append(out, Candidate{Model: catalog.Model{ID: p.Base.Model, Modality: kind}, Tried: true})
		slices.SortStableFunc(out, func(a, b Candidate) int {
			return strings.Compare(strings.ToLower(a.Model.ID), strings.ToLower(b.Model.ID))
		})
	}
	if len(out) == 0 || p.ways == nil {
		return nil
	}
	ways := c.Ways(client.Draft{Modality: kind, Model: out[0].Model.ID}, p.ways)
	for i := range out {
		out[i].Model.Formats = ways
	}
	return out
}

// Index is the place of a model among the candidates, -1 for none.
func (p *Plan) Index(model string) int {
	return slices.IndexFunc(p.Candidates, func(c Candidate) bool { return c.Model.ID == model })
}

// Toggle chooses a model, or takes it out.
func (p *Plan) Toggle(model string) {
	if p.Chosen[model] {
		delete(p.Chosen, model)
		delete(p.Own, model)
	} else {
		p.Chosen[model] = true
	}
}

// ToggleAll chooses every model of the catalog that can take the draft, or none when all are
// chosen. The modality of the others is not known: they are chosen one by one.
func (p *Plan) ToggleAll() {
	all := true
	for i := range p.Candidates {
		if c := &p.Candidates[i]; c.Able() && !p.Chosen[c.Model.ID] {
			all = false
		}
	}
	clear(p.Chosen)
	clear(p.Own)
	if all {
		return
	}
	for i := range p.Candidates {
		if c := &p.Candidates[i]; c.Able() {
			p.Chosen[c.Model.ID] = true
		}
	}
}

// WithOwn chooses a model with settings of its own, or takes it out.
func (p *Plan) WithOwn(model string) {
	p.Toggle(model)
	if p.Chosen[model] {
		p.Own[model] = true
	}
}

// In returns the candidates that are chosen.
func (p *Plan) In() []Candidate {
	var out []Candidate
	for _, c := range p.Candidates {
		if p.Chosen[c.Model.ID] && c.Block == "" {
			out = append(out, c)
		}
	}
	return out
}

// WhyNot says why the plan cannot be run, "" when it can.
func (p *Plan) WhyNot() string {
	in := p.In()
	switch {
	case len(in) == 0:
		return "choose at least one model that can take the draft"
	case slices.ContainsFunc(in, func(c Candidate) bool { return c.NeedsPrompt }):
		return "type a prompt first"
	}
	return ""
}
