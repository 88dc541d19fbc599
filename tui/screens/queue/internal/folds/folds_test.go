package folds

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lay lays out jobs named by a letter of their batch, a blank for none.
func lay(r *Rows, jobs string) string {
	r.Begin()
	for _, g := range jobs {
		r.Add(strings.TrimSpace(string(g)))
	}
	r.End()
	out := ""
	for i := range r.Len() {
		switch x := r.At(i); {
		case x.Head && x.Open:
			out += "▿"
		case x.Head:
			out += "▹"
		case x.In:
			out += "-"
		default:
			out += "."
		}
	}
	return out
}

func TestBatchesFold(t *testing.T) {
	t.Parallel()
	r := Rows{}
	assert.Equal(t, "....", lay(&r, "   a"), "one alone is no batch")
	assert.Nil(t, r.rows, "nothing is kept where nothing folds")
	assert.Equal(t, ".▹.▹", lay(&r, " aa bbb"))
	assert.Equal(t, []string{"a", "b"}, r.Groups())
	assert.Equal(t, Row{From: 4, N: 3, Head: true}, r.At(3))
	r.Unfold("b", true)
	assert.Equal(t, ".▹.▿---", lay(&r, " aa bbb"))
	assert.Equal(t, 3, r.Of(5, true))
	assert.Equal(t, 5, r.Of(5, false))
	assert.Equal(t, 1, r.Of(2, false), "a folded one stands on its head")
	assert.Equal(t, "▹▹", lay(&r, "aabaa"[:2]+"bb"[:0]+"cc"))
	assert.Equal(t, "▹.▹", lay(&r, "aa aa"), "they are not moved: the list stays in its order")
	r.Unfold("b", false)
	assert.Equal(t, "▹", lay(&r, "bbb"))
	r.Off = true
	assert.Equal(t, "...", lay(&r, "bbb"))
	assert.Equal(t, Row{From: 9}, r.At(9))
}

// TestEachJobHasARow: whatever is folded, each job is found, and the rows cover all of them once.
func TestEachJobHasARow(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		r := Rows{}
		for _, g := range []string{"a", "b", "c"} {
			r.Unfold(g, rnd.IntN(2) == 0)
		}
		text := ""
		for range rnd.IntN(30) {
			text += string(" abc"[rnd.IntN(4)])
		}
		lay(&r, text)
		for j := range text {
			row := r.At(r.Of(j, false))
			require.True(t, j >= row.From && j < row.From+row.N, text)
			head := r.At(r.Of(j, true))
			require.True(t, j >= head.From && j < head.From+head.N && (head.Head || !row.In), text)
		}
		next := 0
		for i := range r.Len() {
			row := r.At(i)
			require.Equal(t, next, row.From, text)
			if !row.Open {
				next += row.N
			}
		}
		require.Equal(t, len(text), next)
	}
}

func TestCommon(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want string
		of   []string
	}{
		{"", nil},
		{"a boat", []string{"a boat", "a boat"}},
		{"a green {kite|boat} over a city", []string{"a green kite over a city", "a green boat over a city"}},
		{"a {red|big blue} kite", []string{"a red kite", "a big blue kite"}},
		{"a kite {|at night}", []string{"a kite", "a kite at night"}},
		{"{a boat|two kites}", []string{"a boat", "two kites"}},
		{"take {1|2|…}", []string{"take 1", "take 2", "take 3", "take 4"}},
		{"{凧|船} が飛ぶ", []string{"凧 が飛ぶ", "船 が飛ぶ"}},
	} {
		assert.Equal(t, c.want, Common(c.of))
	}
}
