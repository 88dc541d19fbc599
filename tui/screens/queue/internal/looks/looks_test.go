package looks_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/kept"
	"darkroom/tui/screens/queue/internal/looks"
)

// shelf keeps the look in memory.
type shelf struct {
	look  kept.Look
	saves int
	err   error
}

func (s *shelf) Load() (kept.Look, bool, error) { return s.look, s.saves > 0, s.err }

func (s *shelf) Save(l kept.Look) error {
	s.look = l
	s.saves++
	return s.err
}

// TestTheNewestLookIsSaved once, whatever order commands run in.
func TestTheNewestLookIsSaved(t *testing.T) {
	s := &shelf{}
	k := looks.Keeper{To: s}
	k.Set(kept.Look{Cells: 20})
	assert.Nil(t, k.Keep(kept.Look{Cells: 20}), "it is on the disk")
	first := k.Keep(kept.Look{Cells: 30})
	second := k.Keep(kept.Look{Cells: 40})
	assert.Equal(t, looks.Saved{}, second())
	assert.Equal(t, looks.Saved{}, first())
	assert.Equal(t, 40, s.look.Cells)
	assert.Equal(t, 1, s.saves)
	require.NoError(t, k.Save())
	assert.Equal(t, 1, s.saves)
	assert.Equal(t, looks.Loaded{Look: kept.Look{Cells: 40}, Kept: true}, k.Load()())
}

func TestALookThatCannotBeSavedIsTold(t *testing.T) {
	full := errors.New("disk full")
	k := looks.Keeper{To: &shelf{err: full}}
	assert.Equal(t, looks.Saved{Err: full}, k.Keep(kept.Look{Gallery: true})())
	require.NoError(t, k.Save(), "it was told already")
}

func TestWithoutAStoreNothingIsKept(t *testing.T) {
	var k looks.Keeper
	assert.Nil(t, k.Load())
	assert.Nil(t, k.Keep(kept.Look{Gallery: true}))
	assert.NoError(t, k.Save())
}
