package catalog

import (
	"cmp"
	"slices"
	"strings"

	"darkroom/client"
)

// Describes says where a model that the catalog does not know is described.
const Describes = "catalog.yaml, which 'darkroom config path' names, can describe it"

// Unlisted reports whether the models of a kind are known and this model is listed under no kind:
// it is a person's or the gateway's own, and can be tried.
func (c *Catalog) Unlisted(kind client.Modality, model string) bool {
	if model == "" || c.DraftFormat(client.Draft{Modality: kind}) != "" {
		return false
	}
	_, known := c.Model(model)
	return !known
}

// CheckTried is [Catalog.CheckFor], except that a model unknown to the catalog may still be sent:
// it draws only a warning that nothing is checked.
func (c *Catalog) CheckTried(d client.Draft, format string) []Problem {
	out := c.CheckFor(d, format)
	if format == "" || !c.Unlisted(d.Modality, d.Model) {
		return out
	}
	for i := range out {
		if p := &out[i]; p.Field == client.FieldModel && p.Severity == Block {
			p.Severity = Warn
			p.Message += ": nothing is known of it, its values are sent as they are; " + Describes
		}
	}
	return out
}

// Ways returns the formats that can create a draft, preferred first, as formatsFor gives them. An
// unlisted model can be tried in the formats of any model of its kind, in catalog order.
func (c *Catalog) Ways(d client.Draft, formatsFor func(client.Draft) []string) []string {
	if !c.Unlisted(d.Modality, d.Model) {
		return formatsFor(d)
	}
	var out []string
	for _, m := range c.Models(d.Modality) {
		for _, f := range formatsFor(client.Draft{Modality: d.Modality, Model: m.ID}) {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// Suggest returns up to n identifiers that resemble id, nearest first, none if nothing is near.
// Case does not count.
func (c *Catalog) Suggest(id string, n int) []string {
	ids := make([]string, len(c.models))
	for i := range c.models {
		ids[i] = c.models[i].ID
	}
	return Nearest(id, ids, n)
}

// Nearest returns at most n names by edit distance to s, those that begin with or contain s first.
// It leaves out names at a distance of more than half the length of s.
func Nearest(s string, names []string, n int) []string {
	s = strings.ToLower(strings.TrimSpace(s))
	if r := []rune(s); len(r) > 64 { // an identifier is shorter; this bounds the work
		s = string(r[:64])
	}
	if s == "" || n <= 0 {
		return nil
	}
	type hit struct {
		name string
		dist int
	}
	var hits []hit
	for _, name := range names {
		low := strings.ToLower(name)
		d := distance(s, low)
		switch {
		case strings.HasPrefix(low, s), strings.HasPrefix(s, low):
			d = min(d, 1)
		case strings.Contains(low, s):
			d = min(d, 2)
		}
		if d <= max(2, len(s)/2) {
			hits = append(hits, hit{name, d})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.dist, b.dist) })
	var out []string
	for _, h := range hits[:min(n, len(hits))] {
		out = append(out, h.name)
	}
	return out
}

// distance is the Levenshtein distance in runes.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diag := row[0]
		row[0] = i + 1
		for j, q := range y {
			cost := diag
			if r != q {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
