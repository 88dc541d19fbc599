package library

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/drift"
)

func TestDriftIsCountedByAllAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "drift.json")
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	finding := drift.Finding{Format: "ent", Of: drift.Query, What: drift.Type, Path: "progress", Got: "text"}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			var c drift.Counter
			c.Add([]drift.Finding{finding}, at.Add(time.Duration(i)*time.Hour), fmt.Sprint("task-", i))
			assert.NoError(t, OpenDrift(path).Count(&c))
		})
	}
	wg.Wait()
	var c drift.Counter
	require.NoError(t, OpenDrift(path).Load(&c, time.Time{}))
	rows := c.Rows(false)
	require.Len(t, rows, 1)
	assert.Equal(t, drift.Row{Finding: finding, Count: 8, First: at, Last: at.Add(7 * time.Hour), Example: "task-7"}, rows[0])
	assert.Equal(t, 8, c.Answers)
	c = drift.Counter{}
	require.NoError(t, OpenDrift(path).Load(&c, at.Add(8*time.Hour)))
	assert.Empty(t, c.Rows(true), "last seen before")
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	require.NoError(t, os.WriteFile(path, []byte(`{"version":9}`), 0o600))
	require.ErrorContains(t, OpenDrift(path).Count(&c), "version 9")
	require.NoError(t, os.WriteFile(path, []byte(`{`), 0o600))
	require.ErrorContains(t, OpenDrift(path).Load(&c, time.Time{}), "move it away")
}
