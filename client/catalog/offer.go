package catalog

import (
	"cmp"
	"slices"
	"strings"

	"darkroom/client"
)

// Origin says how a model is known.
type Origin string

// The origins. A model that a person's own catalog file adds or changes has the origin overlay,
// whether or not the gateway offers it.
const (
	FromCatalog Origin = "catalog"
	FromLive    Origin = "live" // the gateway's lists alone
	FromBoth    Origin = "both"
	FromOverlay Origin = "overlay"
)

// Offer is one model by name, from the catalog, from the gateway's lists, or from both.
type Offer struct {
	ID     string
	Family string // token, "" if only the lists have the model
	// Known holds what the catalog says, one entry per modality that the model makes, in their
	// order; empty if only the lists have the model.
	Known []Model
	// Live is the entry in the gateway's lists, as sent: clean it before showing. nil if they do
	// not have the model.
	Live *client.RemoteModel
}

// Origin says where the model is known from.
func (o *Offer) Origin() Origin {
	switch {
	case len(o.Known) == 0:
		return FromLive
	case o.Known[0].Overlay:
		return FromOverlay
	case o.Live != nil:
		return FromBoth
	default:
		return FromCatalog
	}
}

// Offers returns the models of the catalog by family, each once, in catalog order.
func (c *Catalog) Offers() []Offer {
	var out []Offer
	for _, f := range c.families {
		for _, id := range f.Models {
			o := Offer{ID: id, Family: f.Token}
			for _, k := range c.kinds() {
				if x := c.find(k, id); x != nil {
					o.Known = append(o.Known, *x)
				}
			}
			if len(o.Known) > 0 {
				out = append(out, o)
			}
		}
	}
	return out
}

// kinds returns the usual modalities in their order, then those that only an overlay has.
func (c *Catalog) kinds() []client.Modality {
	out := client.Modalities()
	for i := range c.models {
		if k := c.models[i].Modality; !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// Join returns base with what the gateway's lists say about each model, followed by the models that
// only the lists have, by name, each once. base is not changed. A list says the same about a model
// wherever it names it, so the first entry counts.
func Join(base []Offer, list []client.RemoteModel) []Offer {
	out := slices.Clone(base)
	at := make(map[string]int, len(base)+len(list))
	for i := range out {
		at[out[i].ID] = i
	}
	for i := range list {
		if j, ok := at[list[i].ID]; ok {
			if out[j].Live == nil {
				out[j].Live = &list[i]
			}
			continue
		}
		at[list[i].ID] = len(out)
		out = append(out, Offer{ID: list[i].ID, Live: &list[i]})
	}
	slices.SortStableFunc(out[len(base):], func(a, b Offer) int {
		return cmp.Compare(strings.ToLower(a.ID), strings.ToLower(b.ID))
	})
	return out
}

// markOverlay marks the models that a file adds or changes: those it names, and all models of a
// family whose traits it changes. Marks that base has from another file stay.
func (c *Catalog) markOverlay(base *Catalog, over []familyDef, raw []any) {
	named := map[string]bool{}
	for i := range base.models {
		named[base.models[i].ID] = base.models[i].Overlay
	}
	for i := range over {
		for j := range over[i].Models {
			named[over[i].Models[j].ID] = true
		}
		if _, traits := rawAt(raw, i)["traits"]; !traits {
			continue
		}
		for j := range c.families {
			if c.families[j].Token == over[i].Token {
				for _, id := range c.families[j].Models {
					named[id] = true
				}
			}
		}
	}
	for _, list := range [][]Model{c.models, c.variants} {
		for i := range list {
			list[i].Overlay = named[list[i].ID]
		}
	}
}
