package stat

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Pairing is one judgement of two groups side by side.
type Pairing struct {
	A, B  string
	Score float64 // 1 A wins, 0.5 tie, 0 B wins
	Judge string
}

// Ranking is what pairings come to.
type Ranking struct {
	// Items are the best first, within their island.
	Items []Ranked `json:"items"`
	// Islands are the sets of items that can be put on one scale: from each to each other one of a
	// set there is a chain of wins or ties. One, where all can.
	Islands  [][]string `json:"islands"`
	Pairings int        `json:"pairings"`
	Judges   int        `json:"judges"`
	// Notes say what cannot be said, in plain words: between which islands, and why.
	Notes []string `json:"notes,omitempty"`
}

// Connected reports whether all items are on one scale.
func (r *Ranking) Connected() bool { return len(r.Islands) < 2 }

// Ranked is one item of a ranking.
type Ranked struct {
	Name   string `json:"name"`
	Island int    `json:"island"` // from 0
	Wins   int    `json:"wins"`
	Losses int    `json:"losses"`
	Ties   int    `json:"ties"`
	// Strength is on the scale of the logarithm of the odds, the mean of an island is 0: who is 1 above
	// another is preferred in 73 of 100. Low and High are its 95 % interval.
	Strength float64 `json:"strength"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	// Preferred is how often the item would be preferred to one of its island's mean strength; of
	// the only one of an island 0.5, which says nothing.
	Preferred float64 `json:"preferred"`
}

// Bounds of the work.
const (
	resamples = 1000
	maxSteps  = 10_000 // of the estimate
	fewSteps  = 300    // of a resample, which starts at the estimate
	maxItems  = 100
)

// BradleyTerry ranks what was judged in pairs (Bradley and Terry 1952), with a tie as half a win of
// each. Strengths are the most likely ones, by the minorization of Hunter (2004); intervals are the
// Bayesian bootstrap of Rubin (1981): pairings weighted at random, which unlike drawing them anew
// never cuts an item off. The seed decides these weights, the order of the pairings nothing.
//
// Strengths exist only where there is a chain of wins or ties from each item to each other one (Ford
// 1957). Where there is none, each island is ranked on its own, and Notes say so.
func BradleyTerry(p []Pairing, seed uint64) (Ranking, error) {
	f, err := newField(p)
	if err != nil {
		return Ranking{}, err
	}
	r := Ranking{Pairings: len(p), Judges: f.judges}
	islands := f.islands()
	island := make([]int, len(f.names))
	for at, members := range islands {
		for _, i := range members {
			island[i] = at
		}
	}
	r.Islands = make([][]string, len(islands))
	for at, members := range islands {
		items := f.fit(members, island, seed)
		for k := range items {
			items[k].Island = at
			r.Islands[at] = append(r.Islands[at], items[k].Name)
		}
		r.Items = append(r.Items, items...)
	}
	r.Notes = f.apart(islands)
	return r, nil
}

// field is pairings by number.
type field struct {
	names  []string
	judges int
	games  []game // in order
	tally  []Ranked
}

type game struct {
	a, b  int
	score float64
}

func newField(p []Pairing) (*field, error) {
	number, judges := map[string]int{}, map[string]bool{}
	for _, x := range p {
		switch {
		case x.A == "" || x.B == "":
			return nil, fmt.Errorf("a pairing lacks a side")
		case x.A == x.B:
			return nil, fmt.Errorf("%q is paired with itself", x.A)
		case !(x.Score >= 0 && x.Score <= 1):
			return nil, fmt.Errorf("the score of %q against %q is %v: it is from 0 to 1", x.A, x.B, x.Score)
		}
		number[x.A], number[x.B], judges[x.Judge] = 0, 0, true
	}
	if len(number) > maxItems {
		return nil, fmt.Errorf("%d groups were judged: at most %d are ranked", len(number), maxItems)
	}
	f := &field{judges: len(judges), tally: make([]Ranked, len(number))}
	for name := range number {
		f.names = append(f.names, name)
	}
	slices.Sort(f.names)
	for i, name := range f.names {
		number[name], f.tally[i].Name = i, name
	}
	for _, x := range p {
		g := game{number[x.A], number[x.B], x.Score}
		if g.a > g.b {
			g = game{g.b, g.a, 1 - g.score}
		}
		f.games = append(f.games, g)
		a, b := &f.tally[g.a], &f.tally[g.b]
		switch {
		case g.score > 0.5:
			a.Wins, b.Losses = a.Wins+1, b.Losses+1
		case g.score < 0.5:
			a.Losses, b.Wins = a.Losses+1, b.Wins+1
		default:
			a.Ties, b.Ties = a.Ties+1, b.Ties+1
		}
	}
	slices.SortFunc(f.games, func(x, y game) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), cmp.Compare(x.score, y.score))
	})
	return f, nil
}

// fit returns the items of an island, the best first.
func (f *field) fit(members, island []int, seed uint64) []Ranked {
	local := make([]int, len(f.names))
	for k, i := range members {
		local[i] = k
	}
	var games []game
	for _, g := range f.games {
		if island[g.a] == island[members[0]] && island[g.b] == island[g.a] {
			games = append(games, game{local[g.a], local[g.b], g.score})
		}
	}
	out := make([]Ranked, len(members))
	best := make([]float64, len(members))
	if len(members) > 1 {
		best = strengths(len(members), games, nil, nil, maxSteps)
	}
	spread := bootstrap(best, games, seed)
	for k, i := range members {
		out[k] = f.tally[i]
		out[k].Strength, out[k].Preferred = best[k], 1/(1+math.Exp(-best[k]))
		out[k].Low, out[k].High = best[k], best[k]
		if len(members) > 1 {
			slices.Sort(spread[k])
			out[k].Low = min(best[k], spread[k][resamples*25/1000])
			out[k].High = max(best[k], spread[k][resamples*975/1000-1])
		}
	}
	slices.SortFunc(out, func(x, y Ranked) int {
		return cmp.Or(cmp.Compare(y.Strength, x.Strength), cmp.Compare(x.Name, y.Name))
	})
	return out
}

// bootstrap returns the strengths of each item, for pairings of random weights.
func bootstrap(best []float64, games []game, seed uint64) [][]float64 {
	out := make([][]float64, len(best))
	if len(best) < 2 {
		return out
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(games)))) //nolint:gosec // resampling, no secret
	weights := make([]float64, len(games))
	for range resamples {
		for i := range weights {
			weights[i] = r.ExpFloat64()
		}
		for k, s := range strengths(len(best), games, weights, best, fewSteps) {
			out[k] = append(out[k], s)
		}
	}
	return out
}

// strengths are the most likely ones for n items and weighted games, from a first guess, in at most so
// many steps: they are finite even where weights are next to nothing.
func strengths(n int, games []game, weights, guess []float64, steps int) []float64 {
	wins, met := make([]float64, n), make([]float64, n*n)
	for i, g := range games {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		wins[g.a] += w * g.score
		wins[g.b] += w * (1 - g.score)
		met[g.a*n+g.b] += w
		met[g.b*n+g.a] += w
	}
	p, next := make([]float64, n), make([]float64, n)
	for i := range p {
		p[i] = 1
		if guess != nil {
			p[i] = math.Exp(guess[i])
		}
	}
	for range steps {
		for i := range p {
			sum := 0.0
			for j, m := range met[i*n : i*n+n] {
				if m > 0 {
					sum += m / (p[i] + p[j])
				}
			}
			next[i] = max(1e-300, wins[i]/sum)
		}
		if step(p, next) < 1/float64(steps*steps) {
			break
		}
	}
	for i := range p {
		p[i] = math.Log(p[i])
	}
	return p
}

// step moves p to next, scaled so that the mean logarithm is 0, and returns the greatest change of a
// logarithm.
func step(p, next []float64) float64 {
	mean := 0.0
	for _, v := range next {
		mean += math.Log(v)
	}
	mean /= float64(len(next))
	most := 0.0
	for i, v := range next {
		v = math.Exp(min(300, max(-300, math.Log(v)-mean)))
		most = max(most, math.Abs(math.Log(v/p[i])))
		p[i] = v
	}
	return most
}
