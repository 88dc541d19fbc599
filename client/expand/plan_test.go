package expand

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

func yes(client.Draft) bool { return true }

func row(prompt string) Row {
	return Row{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Prompt: prompt}}
}

func planned(t testing.TB, o Options) *Plan {
	t.Helper()
	p, err := New(o)
	require.NoError(t, err)
	return p
}

// made are the prompts and seeds of all jobs.
func made(t testing.TB, o Options) []string {
	t.Helper()
	p := planned(t, o)
	items, err := p.Items()
	require.NoError(t, err)
	require.EqualValues(t, len(items), p.Count().Int64())
	var out []string
	for _, it := range items {
		s, _ := it.Draft.Values.Text(FieldSeed)
		out = append(out, strings.TrimSpace(it.Draft.Prompt+" "+s))
	}
	return out
}

func TestPlan(t *testing.T) {
	t.Parallel()
	rows := []Row{row("{a|b}"), row("${v}")}
	rows[1].Vars = map[string]string{"v": "{x|y}"}
	vars := map[string]string{"v": "unused"}
	require.Equal(t, []string{"a", "a", "b", "b", "x", "x", "y", "y"}, made(t, Options{Rows: rows, Mode: Every, Count: 2, Vars: vars}))
	require.Equal(t, []string{"{a|b}", "{a|b}", "${v}", "${v}"}, made(t, Options{Rows: rows, Count: 2}), "no templates unless asked")
	got := made(t, Options{Rows: rows, Mode: Random, Count: 2, Vars: vars, Seed: 1})
	require.ElementsMatch(t, []string{"a", "b"}, got[:2], "none twice before all had their turn")
	require.ElementsMatch(t, []string{"x", "y"}, got[2:])
	require.Equal(t, map[string]string{"v": "unused"}, vars, "what was given stays as it is")
	require.Empty(t, made(t, Options{}))
}

// TestSameSeedSameBatch: these prompts and seeds are what any version of the program makes
// on any machine; somebody may want to repeat a batch.
func TestSameSeedSameBatch(t *testing.T) {
	t.Parallel()
	r := row("{a|b|c|d|e} __w__ {1|2|3}")
	o := Options{Rows: []Row{r, r}, Mode: Random, Count: 4, Seed: 42, Seeds: SeedRandom, Seeded: yes, Wildcards: files("w.txt", "red\nblue\ngreen")}
	require.Equal(t, []string{
		"c blue 1 490662449", "a blue 3 1596301876", "a blue 2 117380194", "b red 2 1835685799",
		"a green 1 156453921", "a blue 2 1425648909", "e green 3 1734601018", "a red 2 1939078859",
	}, made(t, o))
	o.Count = 2
	require.Equal(t, []string{"c blue 1 490662449", "a blue 3 1596301876"}, made(t, o)[:2], "fewer begin the same")
	x := expand(t, strings.Repeat("{a|b|c|d|e|f|g}", 60), nil, nil) // above 2^64
	got, err := x.Random(2, 7)
	require.NoError(t, err)
	require.Equal(t, []string{"eggafcffagdgdfdccgcbgcffdfdeabbbbceebcbgcfacgbffdedcdcbaeccc", "cgfegeaedcafcdccdgaabbcbgadbbaabfbcacebecbdcefabfdcbcecfcccf"}, got)
}

func TestRandomIsFair(t *testing.T) {
	t.Parallel()
	x := expand(t, "{a|{b|c}|d}", nil, nil)
	seen := map[string]int{}
	for seed := range uint64(2000) {
		got, err := x.Random(6, seed)
		require.NoError(t, err)
		seen[got[0]]++
		require.ElementsMatch(t, []string{"a", "b", "c", "d"}, got[:4])
		require.NotEqual(t, got[4], got[5])
	}
	for s, n := range seen {
		require.InDelta(t, 500, n, 100, s) // five standard deviations; the seeds are fixed
	}
	_, err := x.Random(HardCap+1, 1)
	require.Error(t, err)
}

func TestSeeds(t *testing.T) {
	t.Parallel()
	with := func(v any) Row {
		r := row("p")
		r.Draft.Values = client.Values{FieldSeed: v, "duration": json.Number("4")}
		return r
	}
	drawn := made(t, Options{Rows: []Row{row("p")}, Seeds: SeedFixed, Seed: 5, Seeded: yes})[0]
	var first int64
	_, err := fmt.Sscanf(drawn, "p %d", &first)
	require.NoError(t, err)
	for _, c := range []struct {
		mode SeedMode
		row  Row
		want []string
	}{
		{SeedsAsTheyAre, row("p"), []string{"p", "p", "p"}},
		{SeedsAsTheyAre, with(json.Number("7")), []string{"p 7", "p 7", "p 7"}},
		{SeedFixed, with(json.Number("7")), []string{"p 7", "p 7", "p 7"}},
		{SeedFixed, row("p"), []string{drawn, drawn, drawn}},
		{SeedCount, with(json.Number("9007199254740993")), []string{"p 9007199254740993", "p 9007199254740994", "p 9007199254740995"}},
		{SeedCount, with("7"), []string{"p 7", "p 8", "p 9"}},
		{SeedCount, row("p"), []string{drawn, fmt.Sprintf("p %d", first+1), fmt.Sprintf("p %d", first+2)}},
	} {
		require.Equal(t, c.want, made(t, Options{Rows: []Row{c.row}, Count: 3, Seeds: c.mode, Seed: 5, Seeded: yes}), "%s", c.mode)
	}
	// Counting goes on over the prompts of a row; the next row begins anew.
	require.Equal(t, []string{"a 7", "a 8", "b 9", "b 10", "p 7", "p 8"},
		made(t, Options{Rows: []Row{{Draft: client.Draft{Prompt: "{a|b}", Values: client.Values{FieldSeed: "7"}}}, with("7")}, Mode: Every, Count: 2, Seeds: SeedCount, Seeded: yes}))

	p := planned(t, Options{Rows: []Row{with("7")}, Count: 100, Seeds: SeedRandom, Seed: 5, Seeded: yes})
	items, err := p.Items()
	require.NoError(t, err)
	seen := map[any]bool{}
	for _, it := range items {
		require.IsType(t, "", it.Draft.Values[FieldSeed], "text stays text")
		seen[it.Draft.Values[FieldSeed]] = true
	}
	require.Len(t, seen, 100, "none twice")
	require.Equal(t, "7", p.o.Rows[0].Draft.Values[FieldSeed], "what was given stays as it is")
	require.False(t, p.Alike())

	_, err = New(Options{Rows: []Row{with("x7")}, Seeds: SeedCount, Seeded: yes})
	require.ErrorContains(t, err, `seed "x7" is not a whole number`)
	_, err = New(Options{Rows: []Row{row("p")}, Seeds: "some"})
	require.ErrorContains(t, err, "fixed, random, count")

	// Where the model takes none, none is put in, and it is said.
	p = planned(t, Options{Rows: []Row{row("p")}, Count: 2, Seeds: SeedRandom, Seeded: func(client.Draft) bool { return false }})
	items, err = p.Items()
	require.NoError(t, err)
	require.Empty(t, items[1].Draft.Values)
	require.Equal(t, 1, p.Unseeded())
	require.True(t, p.Alike())
	require.True(t, planned(t, Options{Rows: []Row{row("{a|b}")}, Mode: Random, Count: 3}).Alike())
	require.False(t, planned(t, Options{Rows: []Row{row("{a|b}")}, Mode: Random, Count: 2}).Alike())
	require.False(t, planned(t, Options{Rows: []Row{row("{a|b}")}, Mode: Every}).Alike())
}

func TestHasSeed(t *testing.T) {
	t.Parallel()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	require.True(t, HasSeed(c, client.Draft{Modality: client.Video, Model: "famI-omni"}, ""))
	require.False(t, HasSeed(c, client.Draft{Modality: client.Image, Model: "famL-2"}, ""))
	require.False(t, HasSeed(c, client.Draft{Modality: client.Music, Model: "famN_music"}, ""))
}

func TestCap(t *testing.T) {
	t.Parallel()
	w := files("w.txt", strings.Repeat("line\n", 10_000))
	for _, c := range []struct {
		o    Options
		says string
	}{
		{Options{Rows: []Row{row("{a|b|c}")}, Mode: Every, Count: 67}, "the batch has 201 jobs; at most 200 are made (the limit can be raised up to 2000)"},
		{Options{Rows: []Row{row("{a|b|c}")}, Cap: 2, Count: 3}, "has 3 jobs; at most 2"},
		{Options{Rows: []Row{row(strings.Repeat("__w__", 30))}, Mode: Every, Wildcards: w}, "some 1.0 x 10^120 jobs"},
		{Options{Rows: []Row{row("__w__")}, Mode: Every, Wildcards: w, Cap: HardCap}, "has 10000 jobs; at most 2000 are made; fewer"},
		{Options{Rows: []Row{row("__w__")}, Mode: Random, Wildcards: w, Count: 201}, "has 201 jobs"},
	} {
		p := planned(t, c.o)
		_, err := p.Items()
		require.ErrorContains(t, err, c.says)
		var many *TooManyError
		require.ErrorAs(t, err, &many)
		require.Equal(t, p.Count(), many.Count)
		first, err := p.First(3)
		require.NoError(t, err, "its beginning can be looked at")
		require.Len(t, first, 3)
	}
	require.Len(t, made(t, Options{Rows: []Row{row("{a|b}")}, Mode: Every, Count: 100}), 200)
	for _, o := range []Options{{Cap: HardCap + 1}, {Cap: -1}, {Count: -1}, {Count: HardCap + 1}, {Rows: make([]Row, HardCap+1)}} {
		_, err := New(o)
		require.ErrorContains(t, err, "2000")
	}
	require.Equal(t, "999999999999999", Number(big.NewInt(999999999999999)))
}

func TestMistakesOfAllRows(t *testing.T) {
	t.Parallel()
	var rows []Row
	for i := range 60 {
		r := row("fine")
		if i != 3 {
			r = row("{a|b")
		}
		r.Line = i + 2
		rows = append(rows, r)
	}
	_, err := New(Options{Rows: rows, Mode: Every})
	require.ErrorContains(t, err, "line 2: prompt:1:1: the alternatives")
	require.NotContains(t, err.Error(), "line 5:")
	require.ErrorContains(t, err, "line 6:")
	require.ErrorContains(t, err, "and 9 more")
	_, err = New(Options{Rows: rows[3:4], Mode: Every})
	require.NoError(t, err)
}

// TestRowsShareWildcards: what depends on a row's variables is bound for each row.
func TestRowsShareWildcards(t *testing.T) {
	t.Parallel()
	w := files("outer.txt", "__inner__ !", "inner.txt", "${v}", "same.txt", "s")
	var rows []Row
	for _, v := range []string{"1", "2"} {
		r := row("__inner__ __outer__ __same__")
		r.Vars = map[string]string{"v": v}
		rows = append(rows, r)
	}
	require.Equal(t, []string{"1 1 ! s", "2 2 ! s"}, made(t, Options{Rows: rows, Mode: Every, Wildcards: w}))
}
