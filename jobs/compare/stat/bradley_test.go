package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Agresti, Categorical Data Analysis (2nd ed. 2002), table 10.10: the American League's eastern division
// in 1987, wins of the row over the column. The strengths are those of R's BradleyTerry2, ?baseball,
// without the order effect, against Baltimore's.
func baseball() []Pairing {
	teams := []string{"Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"}
	wins := [][]int{
		{0, 7, 9, 7, 7, 9, 11},
		{6, 0, 7, 5, 11, 9, 9},
		{4, 6, 0, 7, 7, 8, 12},
		{6, 8, 6, 0, 6, 7, 10},
		{6, 2, 6, 7, 0, 7, 12},
		{4, 4, 5, 6, 6, 0, 6},
		{2, 4, 1, 3, 1, 7, 0},
	}
	var out []Pairing
	for i, row := range wins {
		for j, n := range row {
			for range n {
				out = append(out, Pairing{A: teams[i], B: teams[j], Score: 1})
			}
		}
	}
	return out
}

func TestBradleyTerryAsPublished(t *testing.T) {
	r, err := BradleyTerry(baseball(), 1)
	require.NoError(t, err)
	assert.True(t, r.Connected())
	assert.Empty(t, r.Notes)
	var order []string
	at := map[string]Ranked{}
	for _, x := range r.Items {
		order = append(order, x.Name)
		at[x.Name] = x
	}
	assert.Equal(t, []string{"Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"}, order)
	for team, want := range map[string]float64{"Milwaukee": 1.5814, "Detroit": 1.4364, "Toronto": 1.2945, "New York": 1.2476, "Boston": 1.1077, "Cleveland": 0.6839} {
		assert.InDelta(t, want, at[team].Strength-at["Baltimore"].Strength, .0001, team)
	}
	// 13 games of each pair: a standard error of some .2 about the mean.
	for _, x := range r.Items {
		assert.Less(t, x.Low, x.Strength)
		assert.Greater(t, x.High, x.Strength)
		assert.InDelta(t, .85, x.High-x.Low, .35, x.Name)
	}
	assert.Equal(t, 50, at["Milwaukee"].Wins)
	assert.Equal(t, 28, at["Milwaukee"].Losses)
}

func TestVotesInAnyOrderRankTheSame(t *testing.T) {
	p := baseball()[:120]
	one, err := BradleyTerry(p, 7)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 1))
	mixed := slices.Clone(p)
	r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	for i := range mixed {
		if i%2 == 0 {
			x := &mixed[i]
			x.A, x.B, x.Score = x.B, x.A, 1-x.Score
		}
	}
	other, err := BradleyTerry(mixed, 7)
	require.NoError(t, err)
	assert.Equal(t, one, other)
	again, err := BradleyTerry(p, 8)
	require.NoError(t, err)
	assert.NotEqual(t, one.Items[0].Low, again.Items[0].Low, "another seed draws other weights")
}

func TestTiesAreHalfAWin(t *testing.T) {
	half := []Pairing{{A: "x", B: "y", Score: 1}, {A: "x", B: "y", Score: .5}}
	r, err := BradleyTerry(half, 1)
	require.NoError(t, err)
	assert.Equal(t, []string{"x", "y"}, r.Islands[0], "a tie connects both ways")
	assert.InDelta(t, math.Log(3), r.Items[0].Strength-r.Items[1].Strength, 1e-6, "1.5 to 0.5")
	assert.Equal(t, 1, r.Items[0].Ties)
}

func TestWhatIsNotConnectedIsSaid(t *testing.T) {
	win := func(a, b string) Pairing { return Pairing{A: a, B: b, Score: 1} }
	r, err := BradleyTerry([]Pairing{win("a", "b"), win("b", "a"), win("c", "d"), win("d", "c")}, 1)
	require.NoError(t, err)
	assert.False(t, r.Connected())
	assert.Equal(t, [][]string{{"a", "b"}, {"c", "d"}}, r.Islands)
	assert.Contains(t, strings.Join(r.Notes, "\n"), "a, b and c, d never met")

	r, err = BradleyTerry([]Pairing{win("best", "b"), win("b", "c"), win("c", "b"), win("best", "c"), win("c", "last")}, 1)
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"best"}, {"b", "c"}, {"last"}}, r.Islands, "who won each time is first")
	notes := strings.Join(r.Notes, "\n")
	assert.Contains(t, notes, "Between best and b, c the former won each time (2)")
	assert.Contains(t, notes, "best and last never met")
	for _, x := range r.Items {
		assert.False(t, math.IsInf(x.Strength, 0) || math.IsNaN(x.Strength))
	}
}

func TestPairingsThatMakeNoSense(t *testing.T) {
	for _, bad := range []Pairing{{A: "x", B: "x"}, {A: "x"}, {B: "x"}, {A: "x", B: "y", Score: math.NaN()}, {A: "x", B: "y", Score: 1.1}, {A: "x", B: "y", Score: -1}} {
		_, err := BradleyTerry([]Pairing{bad}, 1)
		assert.Error(t, err, bad)
	}
	r, err := BradleyTerry(nil, 1)
	require.NoError(t, err)
	assert.Empty(t, r.Items)
	assert.True(t, r.Connected())
}

// The strengths that votes were drawn by lie in their intervals about as often as promised.
func TestIntervalsHoldTheTruth(t *testing.T) {
	truth := []float64{.9, .3, -.3, -.9}
	r := rand.New(rand.NewPCG(11, 12))
	in, all := 0, 0
	for run := range 60 {
		var p []Pairing
		for i := range truth {
			for j := i + 1; j < len(truth); j++ {
				for range 20 {
					x := Pairing{A: fmt.Sprint(i), B: fmt.Sprint(j)}
					if r.Float64() < 1/(1+math.Exp(truth[j]-truth[i])) {
						x.Score = 1
					}
					p = append(p, x)
				}
			}
		}
		got, err := BradleyTerry(p, uint64(run))
		require.NoError(t, err)
		if !got.Connected() {
			continue
		}
		for _, x := range got.Items {
			all++
			if v := truth[x.Name[0]-'0']; x.Low <= v && v <= x.High {
				in++
			}
		}
	}
	assert.Greater(t, all, 200)
	assert.Greater(t, float64(in)/float64(all), .9)
}

// Fleiss, Measuring nominal scale agreement among many raters (1971), by the example of Wikipedia's
// Fleiss' kappa: 14 raters, 10 subjects, 5 categories: 0.210.
func TestFleissAsPublished(t *testing.T) {
	counts := [][]int{{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1}, {7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}}
	var j []Judgement
	for item, row := range counts {
		judge := 0
		for choice, n := range row {
			for range n {
				j = append(j, Judgement{Item: fmt.Sprint(item), Judge: fmt.Sprint(judge), Choice: fmt.Sprint(choice)})
				judge++
			}
		}
	}
	got := Agree(j)
	assert.Equal(t, "Fleiss' kappa", got.Test)
	assert.InDelta(t, .210, got.Kappa, .0005)
	assert.InDelta(t, .378, got.Plain, .0005)
	assert.Equal(t, 10, got.KappaItems)
}

// Cohen, A coefficient of agreement for nominal scales (1960), by the example of Wikipedia's Cohen's
// kappa: of 50 proposals both accept 20, both refuse 15, one alone 5 and the other 10: 0.4.
func TestCohenAsPublished(t *testing.T) {
	var j []Judgement
	add := func(n int, a, b string) {
		for range n {
			item := fmt.Sprint(len(j))
			j = append(j, Judgement{item, "a", a}, Judgement{item, "b", b})
		}
	}
	add(20, "yes", "yes")
	add(5, "yes", "no")
	add(10, "no", "yes")
	add(15, "no", "no")
	got := Agree(j)
	assert.Equal(t, "Cohen's kappa", got.Test)
	assert.InDelta(t, .4, got.Kappa, 1e-9)
	assert.InDelta(t, .7, got.Plain, 1e-9)
	assert.Equal(t, 50, got.Items)
}

func TestAgreementThatCannotBeTold(t *testing.T) {
	assert.Equal(t, Agreement{}, Agree(nil))
	assert.Equal(t, Agreement{Judges: 1}, Agree([]Judgement{{"1", "a", "x"}, {"2", "a", "x"}}))
	got := Agree([]Judgement{{"1", "a", "x"}, {"1", "b", "x"}})
	assert.Equal(t, Agreement{Judges: 2, Items: 1, Plain: 1}, got, "one choice alone has no kappa")
	got = Agree([]Judgement{{"1", "a", "x"}, {"1", "b", "x"}, {"2", "b", "y"}, {"2", "c", "x"}})
	assert.Equal(t, Agreement{Judges: 3, Items: 2, Plain: .5}, got, "no item that all judged")
	got = Agree([]Judgement{{"1", "a", "x"}, {"1", "b", "y"}, {"1", "a", "y"}, {"2", "a", "x"}, {"2", "b", "x"}})
	assert.Equal(t, 1.0, got.Kappa, "the last word counts")
}

func BenchmarkBradleyTerry(b *testing.B) {
	for _, n := range []int{6, 20, 100} {
		r := rand.New(rand.NewPCG(1, 2))
		var p []Pairing
		for range 100 * n {
			i, j := r.IntN(n), r.IntN(n)
			if i != j {
				p = append(p, Pairing{A: fmt.Sprint(i), B: fmt.Sprint(j), Score: float64(r.IntN(3)) / 2})
			}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := BradleyTerry(p, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
