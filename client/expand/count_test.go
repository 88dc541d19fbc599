package expand

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestChoicesOfTheSameShapeAreCountedOnce: thousands of them cost what one does, and those
// that differ are bounded together, over all rows of a batch.
func TestChoicesOfTheSameShapeAreCountedOnce(t *testing.T) {
	long := strings.Repeat("x\n", 9000)
	lib := NewLibrary(files("w.txt", long, "v.txt", strings.Repeat("{x|y}\n", 4000)))
	tpl, err := Parse(strings.Repeat("{2$$__w__}", 300))
	require.NoError(t, err)
	_, err = tpl.Bind(nil, lib)
	require.ErrorIs(t, err, errUncountable, "which is not for the tables")
	assert.Less(t, lib.words, 6*9001, "there is one")
	tpl, err = Parse("{2$$__w__} {1-2$$__w__} {2$$__v__} {1-2$$__v__}")
	require.NoError(t, err)
	x, err := tpl.Bind(nil, lib)
	require.NoError(t, err)
	ones, twos := int64(9000*8999/2), int64(4*4000*3999/2)
	want := new(big.Int).Mul(big.NewInt(ones*(ones+9000)), big.NewInt(twos))
	want.Mul(want, big.NewInt(twos+2*4000))
	assert.Equal(t, want, x.Count())
	assert.Len(t, lib.ways, 2)

	row := "{6$$" + strings.Repeat("{a|b}|", 3000) + "c}"
	rows := make([]Row, 40)
	for i := range rows {
		rows[i].Draft.Prompt = row
		rows[i].Line = i + 2
	}
	_, err = New(Options{Rows: rows, Mode: Random})
	require.ErrorContains(t, err, "prompt:1:1: to take 6 of 3001 here is more than can be counted")
	require.ErrorContains(t, err, "take fewer at a time")
	_, err = New(Options{Rows: rows[:10], Mode: Random})
	require.NoError(t, err)
}
