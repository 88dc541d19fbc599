package picker

import (
	"slices"
	"sort"
	"strings"

	"github.com/sahilm/fuzzy"
)

// match is an item that was found. At are the bytes of its title where matched
// characters begin, in order.
type match struct {
	item  int
	score int
	at    []int
	words []string // of the query, found elsewhere than in the title
	found []string // of the item's Words, which its detail does not show
}

// titleBonus ranks matches in the title before matches elsewhere.
const titleBonus = 10_000

// find returns the items that match every word of the query, the best first; all of them, in
// order, for an empty query. Items that are off come last.
func find(items []Item, query string) []match {
	words := strings.Fields(query)
	var out []match
	if len(words) == 0 {
		for i := range items {
			out = append(out, match{item: i})
		}
		return out
	}
	for i := range items {
		if m, ok := matchItem(items[i], words); ok {
			m.item = i
			m.score += items[i].Boost
			out = append(out, m)
		}
	}
	sort.SliceStable(out, func(a, b int) bool {
		offA, offB := items[out[a].item].Off != "", items[out[b].item].Off != ""
		if offA != offB {
			return offB
		}
		return out[a].score > out[b].score
	})
	return out
}

// matchItem looks for each word in the title, and then in the item's other texts.
func matchItem(it Item, words []string) (match, bool) {
	var m match
	other := it.Group + " " + it.Detail + " " + it.ID
	for _, w := range words {
		if score, at, ok := lookFor(w, it.Title); ok {
			m.score += titleBonus + score
			m.at = append(m.at, at...)
			continue
		}
		// Elsewhere only whole pieces count: letters scattered over a long text match
		// nearly everything.
		low := strings.ToLower(w)
		m.words = append(m.words, low)
		if i := strings.Index(strings.ToLower(other), low); i >= 0 {
			m.score -= i
			continue
		}
		i := slices.IndexFunc(it.Words, func(s string) bool { return strings.Contains(strings.ToLower(s), low) })
		if i < 0 {
			return match{}, false
		}
		if !slices.Contains(m.found, it.Words[i]) {
			m.found = append(m.found, it.Words[i])
		}
	}
	sort.Ints(m.at)
	return m, true
}

// lookFor prefers the word as typed over scattered letters.
func lookFor(word, title string) (score int, at []int, ok bool) {
	if i := strings.Index(strings.ToLower(title), strings.ToLower(word)); i >= 0 &&
		len(strings.ToLower(title)) == len(title) && len(strings.ToLower(word)) == len(word) {
		for j := range word {
			at = append(at, i+j)
		}
		score = 1000 - i
		if i == 0 || title[i-1] == ' ' || title[i-1] == '-' {
			score += 500
		}
		return score, at, true
	}
	found := fuzzy.FindNoSort(word, []string{title})
	if len(found) == 0 {
		return 0, nil, false
	}
	return found[0].Score, found[0].MatchedIndexes, true
}
