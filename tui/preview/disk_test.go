package preview_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/preview"
)

// drawn are the lines of a picture as a loader with that folder draws them.
func drawn(t *testing.T, dir, path string, w int) []string {
	t.Helper()
	l := preview.New(preview.Options{Disk: preview.NewDisk(dir, 1<<20)})
	msg := load(t, l.Load(preview.Request{Slot: "a", Path: path, Width: w, Height: 8}))
	require.NoError(t, msg.Err)
	return msg.Lines
}

func kept(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	return all
}

func TestWhatIsAskedForOnceIsNotKept(t *testing.T) {
	dir := t.TempDir()
	path := file(t, "p.png", encode(t, "png", noise(90, 60)))
	l := preview.New(preview.Options{Disk: preview.NewDisk(dir, 1<<20)})
	msg := load(t, l.Load(preview.Request{Slot: "a", Path: path, Width: 20, Height: 8, Once: true}))
	require.NoError(t, msg.Err)
	assert.NotEmpty(t, msg.Lines)
	assert.Empty(t, kept(t, dir))
}

func TestScaledPicturesAreKeptOnTheDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache", "previews")
	path := file(t, "p.png", encode(t, "png", noise(90, 60)))
	first := drawn(t, dir, path, 20)
	all := kept(t, dir)
	require.Len(t, all, 1)
	info, err := all[0].Info()
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	folder, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), folder.Mode().Perm())

	// That it is read shows when the picture itself cannot be any more.
	st, err := os.Stat(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, make([]byte, st.Size()), 0o600))
	require.NoError(t, os.Chtimes(path, st.ModTime(), st.ModTime()))
	l := preview.New(preview.Options{Disk: preview.NewDisk(dir, 1<<20)})
	msg := load(t, l.Load(preview.Request{Slot: "a", Path: "", Poster: path, Width: 20, Height: 8}))
	require.NoError(t, msg.Err)
	assert.Equal(t, first, msg.Lines)

	// Another state of the file is another picture.
	require.NoError(t, os.WriteFile(path, encode(t, "png", noise(60, 90)), 0o600))
	require.NoError(t, os.Chtimes(path, time.Now(), time.Now().Add(time.Hour)))
	assert.NotEqual(t, first, drawn(t, dir, path, 20))
	assert.Len(t, kept(t, dir), 2)
}

func TestADamagedCacheIsNoError(t *testing.T) {
	dir := t.TempDir()
	path := file(t, "p.png", encode(t, "png", noise(90, 60)))
	first := drawn(t, dir, path, 20)
	for _, damage := range [][]byte{nil, []byte("ab"), []byte("\x00\x01\x00\x01nonsense")} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, kept(t, dir)[0].Name()), damage, 0o600))
		assert.Equal(t, first, drawn(t, dir, path, 20))
	}
	notAFolder := file(t, "file", []byte("x"))
	assert.Equal(t, first, drawn(t, notAFolder, path, 20))
}

func TestTheCacheIsBounded(t *testing.T) {
	dir := t.TempDir()
	path := file(t, "p.png", encode(t, "png", noise(200, 200)))
	const most = 20 << 10
	l := preview.New(preview.Options{Disk: preview.NewDisk(dir, most)})
	for w := 30; w < 60; w++ {
		require.NoError(t, load(t, l.Load(preview.Request{Slot: "a", Path: path, Width: w, Height: w / 4})).Err)
	}
	total := int64(0)
	for _, e := range kept(t, dir) {
		info, err := e.Info()
		require.NoError(t, err)
		total += info.Size()
	}
	assert.Positive(t, total)
	assert.LessOrEqual(t, total, int64(most+most/4))
}
