package download

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOverwriting: what a run finds is replaced when that is asked for, with its sidecar;
// what the run itself saved is not, and a link is replaced, not followed.
func TestOverwriting(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(1000)}
	s := newSaver(t, src, func(o *Options) { o.Overwrite, o.Template = true, "same.{ext}" })
	outside := filepath.Join(t.TempDir(), "precious")
	require.NoError(t, os.WriteFile(outside, []byte("precious"), 0o600))
	require.NoError(t, os.MkdirAll(s.Dir(), 0o700))
	require.NoError(t, os.Symlink(outside, filepath.Join(s.Dir(), "same.mp4")))
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir(), "same.mp4.json"), []byte("old"), 0o600))

	first, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(s.Dir(), "same.mp4"), first.Path)
	st, err := os.Lstat(first.Path)
	require.NoError(t, err)
	assert.True(t, st.Mode().IsRegular())
	b, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Equal(t, "precious", string(b))
	b, err = os.ReadFile(first.Path + ".json")
	require.NoError(t, err)
	assert.Contains(t, string(b), first.SHA256)

	src.data = mp4(1001)
	r := request()
	r.Index = 1
	second, err := s.Save(t.Context(), r, nil)
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(second.Path, "same-1.mp4"), second.Path)
	st, err = os.Stat(first.Path)
	require.NoError(t, err)
	assert.EqualValues(t, 1000, st.Size(), "one result of a run does not replace another")

	require.NoError(t, os.Remove(second.Path))
	require.NoError(t, os.Mkdir(second.Path, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(second.Path, "kept"), nil, 0o600))
	again := newSaver(t, src, func(o *Options) { o.Dir, o.Overwrite, o.Template = s.Dir(), true, "same-1.{ext}" })
	third, err := again.Save(t.Context(), r, nil)
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(third.Path, "same-1-1.mp4"), third.Path)
	assert.FileExists(t, filepath.Join(second.Path, "kept"), "a folder is not replaced")
}
