package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCache(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer func() { _ = root.Close() }()
	require.NoError(t, root.Mkdir("c", 0o700))
	c := NewCache(root, "c", 250, 1000)
	size := func() (n int) {
		entries, err := os.ReadDir(filepath.Join(dir, "c"))
		require.NoError(t, err)
		return len(entries)
	}
	for i := range 40 {
		name := fmt.Sprintf("f%02d", i)
		require.NoError(t, c.Put(name, make([]byte, 100), false))
		old := time.Now().Add(time.Duration(i-1000) * time.Minute)
		require.NoError(t, os.Chtimes(filepath.Join(dir, "c", name), old, old))
	}
	assert.LessOrEqual(t, size(), 11, "the folder keeps to its cap")
	assert.LessOrEqual(t, c.size, int64(250))
	_, ok := c.Get("f39")
	assert.True(t, ok)
	_, ok = c.Get("f00")
	assert.False(t, ok, "the oldest went first")
	fresh := NewCache(root, "c", 250, 1000)
	_, ok = fresh.Get("f39")
	assert.True(t, ok, "what left the memory is on disk")
}

func TestMemoryCacheAlone(t *testing.T) {
	c := NewCache(nil, "", 250, 0)
	for i := range 5 {
		require.NoError(t, c.Put(fmt.Sprint(i), make([]byte, 100), false))
	}
	_, ok := c.Get("4")
	assert.True(t, ok)
	_, ok = c.Get("0")
	assert.False(t, ok)
}
