package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// Suggest returns up to n identifiers that resemble id, nearest first, none when
// nothing is near. Case does not count.
func (c *Catalog) Suggest(id string, n int) []string {
	ids := make([]string, len(c.models))
	for i := range c.models {
		ids[i] = c.models[i].ID
	}
	return nearest(id, ids, n)
}

// nearest orders names by edit distance to s, those that begin with or contain s
// first, and leaves out what is further than half of it.
func nearest(s string, names []string, n int) []string {
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
