package catalog

import (
	"cmp"
	"slices"
	"strings"

	"darkroom/client"
)

// Origin says where a model is known from.
type Origin string

// The origins. A model that a person's own catalog file adds or changes is of the overlay,
// whether the gateway offers it or not.
const (
	FromCatalog Origin = "catalog"
	FromLive    Origin = "live" // the gateway's lists alone
	FromBoth    Origin = "both"
	FromOverlay Origin = "overlay"
)

// Offer is one model by its name: of the catalog, of the gateway's lists, or of both.
type Offer struct {
	ID     string
	Family string // token, "" for one that only the lists have
	// Known is what the catalog says, once for each modality that the model makes, in their
	// order; empty for one that only the lists have.
	Known []Model
	// Live is what the gateway's lists say, as it was sent: clean it before showing. nil for
	// a model that they do not have.
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

// Offers are the models of the catalog by family, each once, in the catalog's order.
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

// kinds are the usual modalities in their order, and then those that only an overlay has.
func (c *Catalog) kinds() []client.Modality {
	out := client.Modalities()
	for i := range c.models {
		if k := c.models[i].Modality; !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// Join is base with what the gateway's lists say of each model, and after it the models
// that only the lists have, by name, each once. base is not written to; a list says the
// same of a model wherever it names it, so the first counts.
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

// markOverlay tells the models that a file adds or changes: those that it names, and all of
// a family whose traits it changes. What base has from another file stays told.
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
