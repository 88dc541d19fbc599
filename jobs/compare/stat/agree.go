package stat

import (
	"cmp"
	"slices"
)

// Judgement is what one judge said of one item: in a vote, which of two results was the better one.
type Judgement struct{ Item, Judge, Choice string }

// Agreement is how far several judges said the same of the same items.
type Agreement struct {
	Judges int `json:"judges"`
	Items  int `json:"items"` // that at least two of them judged
	// Plain is the share of all pairs of judgements of one item that are equal: no account is taken of
	// what chance alone would give. 0 without items.
	Plain float64 `json:"plain"`
	// Kappa takes account of chance: 1 is full agreement, 0 what chance gives. Test names it, "Cohen's
	// kappa" of two judges, "Fleiss' kappa" of more; "" where there is none. KappaItems are the items
	// that it is of: those that all judged.
	Kappa      float64 `json:"kappa"`
	Test       string  `json:"test,omitempty"`
	KappaItems int     `json:"kappa_items,omitempty"`
}

// Agree measures the agreement of judges (Cohen 1960, Fleiss 1971). Where one judged an item more than
// once, the last word counts. There is no kappa where all items that all judged got one and the
// same choice: chance would have given that, too.
func Agree(all []Judgement) Agreement {
	said := map[string]map[string]string{} // by item and judge
	judges := map[string]bool{}
	choices := map[string]bool{}
	for _, j := range all {
		if said[j.Item] == nil {
			said[j.Item] = map[string]string{}
		}
		said[j.Item][j.Judge] = j.Choice
		judges[j.Judge], choices[j.Choice] = true, true
	}
	out := Agreement{Judges: len(judges)}
	same, pairs := 0, 0
	var full []map[string]string
	for _, item := range keys(said) {
		by := said[item]
		if len(by) < 2 {
			continue
		}
		out.Items++
		pairs += len(by) * (len(by) - 1) / 2
		same += alike(by)
		if len(by) == len(judges) {
			full = append(full, by)
		}
	}
	if pairs == 0 {
		return out
	}
	out.Plain = float64(same) / float64(pairs)
	who := keys(judges)
	observed, chance := 0.0, 0.0
	for _, by := range full {
		observed += float64(alike(by)) / float64(len(who)*(len(who)-1)/2)
	}
	observed /= float64(max(1, len(full)))
	for _, c := range keys(choices) {
		chance += byChance(c, who, full)
	}
	if len(full) == 0 || chance >= 1-1e-12 {
		return out
	}
	out.Kappa, out.KappaItems, out.Test = (observed-chance)/(1-chance), len(full), "Fleiss' kappa"
	if len(who) == 2 {
		out.Test = "Cohen's kappa"
	}
	return out
}

// byChance is how often two judges would both make a choice by chance: by what each of two does (Cohen),
// by what all together do (Fleiss).
func byChance(choice string, who []string, full []map[string]string) float64 {
	share := func(judges ...string) float64 {
		n := 0
		for _, by := range full {
			for _, j := range judges {
				if by[j] == choice {
					n++
				}
			}
		}
		return float64(n) / float64(max(1, len(full)*len(judges)))
	}
	if len(who) == 2 {
		return share(who[0]) * share(who[1])
	}
	s := share(who...)
	return s * s
}

// alike counts the pairs of judges that said the same.
func alike(by map[string]string) int {
	count := map[string]int{}
	n := 0
	for _, choice := range by {
		n += count[choice]
		count[choice]++
	}
	return n
}

func keys[K cmp.Ordered, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
