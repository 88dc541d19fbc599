package stat

import (
	"fmt"
	"slices"
	"strings"
)

// islands returns the sets of items of which each has a chain of wins or ties to each other one, those
// that won against others first, as far as they met.
func (f *field) islands() [][]int {
	n := len(f.names)
	reach := make([][]bool, n) // by a chain of wins or ties
	for i := range reach {
		reach[i] = make([]bool, n)
		reach[i][i] = true
	}
	for _, g := range f.games {
		reach[g.a][g.b] = reach[g.a][g.b] || g.score > 0
		reach[g.b][g.a] = reach[g.b][g.a] || g.score < 1
	}
	for k := range n {
		for i := range n {
			if !reach[i][k] {
				continue
			}
			for j, r := range reach[k] {
				reach[i][j] = reach[i][j] || r
			}
		}
	}
	var out [][]int
	taken := make([]bool, n)
	beats := func(i int) (c int) { // how many items i is above, by chains
		for j := range n {
			if reach[i][j] {
				c++
			}
		}
		return c
	}
	for i := range n {
		if taken[i] {
			continue
		}
		var set []int
		for j := i; j < n; j++ {
			if reach[i][j] && reach[j][i] {
				taken[j] = true
				set = append(set, j)
			}
		}
		out = append(out, set)
	}
	// Whoever is above another one reaches all that this one does, and more.
	slices.SortStableFunc(out, func(x, y []int) int { return beats(y[0]) - beats(x[0]) })
	return out
}

// apart says what is between islands.
func (f *field) apart(islands [][]int) []string {
	if len(islands) < 2 {
		return nil
	}
	at := make([]int, len(f.names))
	for k, members := range islands {
		for _, i := range members {
			at[i] = k
		}
	}
	type two struct{ above, below int }
	won := map[two]int{}
	for _, g := range f.games {
		switch a, b := at[g.a], at[g.b]; {
		case a == b:
		case g.score > 0.5:
			won[two{a, b}]++
		default:
			won[two{b, a}]++
		}
	}
	notes := []string{"The votes do not put all groups on one scale: strengths compare only within " + f.sets(islands) + "."}
	const most = 20
	for a := range islands {
		for b := a + 1; b < len(islands); b++ {
			if len(notes) > most {
				return append(notes, "More of the kind is left out.")
			}
			x, y := f.set(islands[a]), f.set(islands[b])
			switch n := won[two{a, b}]; {
			case n > 0:
				notes = append(notes, fmt.Sprintf("Between %s and %s the former won each time (%d): by how much it is the better one cannot be said.", x, y, n))
			default:
				notes = append(notes, fmt.Sprintf("%s and %s never met: vote on pairs of them.", x, y))
			}
		}
	}
	return notes
}

// set names the items of an island, the first few of many.
func (f *field) set(members []int) string {
	const most = 6
	var names []string
	for _, i := range members[:min(most, len(members))] {
		names = append(names, f.names[i])
	}
	text := strings.Join(names, ", ")
	if n := len(members) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

func (f *field) sets(islands [][]int) string {
	const most = 6
	var all []string
	for _, members := range islands[:min(most, len(islands))] {
		all = append(all, "{"+f.set(members)+"}")
	}
	if n := len(islands) - most; n > 0 {
		all = append(all, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(all, " ")
}
