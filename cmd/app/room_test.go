package app

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/config"
)

// TestKeepFreeHoldsForTheHistory: what is to be left free on the disk is left by the history,
// too; a server looks after its own.
func TestKeepFreeHoldsForTheHistory(t *testing.T) {
	t.Parallel()
	c := config.Config{}
	c.Paths.History = filepath.Join(t.TempDir(), "history.db")
	c.Saving.MinFree = 1
	require.NotNil(t, historyRoom(&c))
	assert.True(t, historyRoom(&c)())
	c.Saving.MinFree = math.MaxInt64
	assert.False(t, historyRoom(&c)(), "no disk has that much")
	c.Profile.History = "postgres://history.invalid/darkroom"
	assert.Nil(t, historyRoom(&c))
}
