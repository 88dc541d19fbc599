package models

import (
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// Bounds of what a list may say of one model, in characters and items.
const (
	maxName    = 200
	maxText    = 2000
	maxMethods = 40
)

// row is one model: of the catalog, of the gateway's lists, or of both. It never changes.
type row struct {
	id     string // as requests carry it
	name   string // the same, safe to draw and bounded
	safe   bool   // name is id: nothing had to be made visible or cut
	family string // token, "" for one that only the lists have
	offer  catalog.Offer
	// known is what the catalog says, once for each kind that the model makes; empty for a model that
	// only the lists have.
	known []catalog.Model
	live  *remote  // nil for one that the lists do not have
	words string   // lower case: what a filter finds it by
	modes []string // for the table
}

// remote is what the gateway's lists say of a model, safe to draw and bounded.
type remote struct {
	lists, version, title, text, owner string
	methods                            []string
	input, output                      int64 // tokens, 0 when not told
}

// tally counts rows by origin.
type tally struct{ all, catalog, live, both int }

func (t tally) missing() int { return t.catalog - t.both } // in the catalog and not offered
func (t tally) extra() int   { return t.live - t.both }    // offered and not in the catalog

func count(rows []row) tally {
	t := tally{all: len(rows)}
	for i := range rows {
		r := &rows[i]
		if len(r.known) > 0 {
			t.catalog++
			if r.live != nil {
				t.both++
			}
		}
		if r.live != nil {
			t.live++
		}
	}
	return t
}

// catalogRows are the models of the catalog by family, each in the catalog's order.
func catalogRows(c *catalog.Catalog) []row {
	titles := map[string]catalog.Family{}
	for _, f := range c.Families() {
		titles[f.Token] = f
	}
	offers := c.Offers()
	out := make([]row, 0, len(offers))
	for _, o := range offers {
		r := newRow(o.ID)
		r.offer, r.family, r.known = o, o.Family, o.Known
		r.modes = r.known[0].ModeNames()
		r.words = strings.ToLower(catalogWords(c, titles[o.Family], &r))
		out = append(out, r)
	}
	return out
}

func newRow(id string) row {
	name := bound(id, maxName)
	return row{id: id, name: name, safe: name == id}
}

// catalogWords are the words by which a filter finds a model, besides those of the list: its names,
// family, kinds and modes, the formats that reach it, the fields that it takes and the values known
// to be allowed. Values that are only suggested are not a capability.
func catalogWords(c *catalog.Catalog, f catalog.Family, r *row) string {
	w := []string{r.name, f.Token, f.Title}
	for i := range r.known {
		x := &r.known[i]
		w = append(w, string(x.Modality))
		w = append(w, x.ModelNames...)
		for j := range x.Modes {
			w = append(w, x.Modes[j].Name, x.Modes[j].Label)
		}
		for _, name := range x.Formats {
			w = append(w, name)
			if info, ok := c.Format(name); ok {
				w = append(w, info.Create)
			}
		}
		fields := c.Fields(client.Draft{Modality: x.Modality, Model: x.ID})
		for j := range fields {
			w = append(w, fields[j].Name)
			if k := fields[j].Kind; !k.Refers() {
				w = append(w, fields[j].Allowed...)
			}
		}
	}
	return strings.Join(w, " ")
}

// join is the catalog's rows with what the lists say of them, and after them the models
// that only the lists have, by name: see [catalog.Join]. base is not written to.
func join(base []row, list []client.RemoteModel) []row {
	offers := make([]catalog.Offer, len(base))
	for i := range base {
		offers[i] = base[i].offer
	}
	all := catalog.Join(offers, list)
	out := make([]row, len(all))
	copy(out, base)
	for i := range all {
		if all[i].Live == nil {
			continue
		}
		live := clean(all[i].Live)
		words := strings.ToLower(strings.Join(append([]string{live.title, live.version, live.owner, live.lists}, live.methods...), " "))
		if i < len(base) {
			out[i].words += " " + words
		} else {
			out[i] = newRow(all[i].ID)
			out[i].words = strings.ToLower(out[i].name) + " " + words
		}
		out[i].live = live
	}
	return out
}

func clean(x *client.RemoteModel) *remote {
	out := &remote{
		lists: bound(strings.Join(x.Origins, " "), maxName), version: bound(x.Version, maxName), title: bound(x.DisplayName, maxName),
		text: bound(x.Description, maxText), owner: bound(x.Owner, maxName), input: x.InputLimit, output: x.OutputLimit,
	}
	for _, s := range x.Methods[:min(len(x.Methods), maxMethods)] {
		out.methods = append(out.methods, bound(s, maxName))
	}
	if n := len(x.Methods) - maxMethods; n > 0 {
		out.methods = append(out.methods, "and "+plural(n, "more", "more"))
	}
	return out
}

// bound makes text of any length and origin one line that is safe to draw, of at most
// about n characters.
func bound(s string, n int) string {
	cut := len(s) > 4*n
	if cut {
		s = strings.ToValidUTF8(s[:4*n], "")
	}
	s = client.CleanLine(s)
	if r := []rune(s); len(r) > n {
		s, cut = string(r[:n]), true
	}
	if cut {
		s += "…"
	}
	return s
}
