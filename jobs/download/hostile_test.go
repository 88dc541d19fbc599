//go:build unix

package download

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// planted puts something in the place of each file that a save is about to write.
func planted(t *testing.T, s *Saver, plant func(path string)) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(s.Dir(), partDir), 0o700))
	part := filepath.Join(s.Dir(), partDir, request().Job.ID+"_0")
	for _, ext := range []string{".part", ".json", ".json.new", ".side"} {
		plant(part + ext)
	}
}

// TestPlantedLinks: a link in the place of a part file, to a file of another job or out of
// the folder, is never written through.
func TestPlantedLinks(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "precious")
	require.NoError(t, os.WriteFile(outside, []byte("precious"), 0o600))
	s := newSaver(t, &source{data: mp4(1000), etag: `"e"`}, nil)
	require.NoError(t, os.MkdirAll(s.Dir(), 0o700))
	inside := filepath.Join(s.Dir(), "kept.mp4")
	require.NoError(t, os.WriteFile(inside, []byte("precious"), 0o600))
	for _, target := range []string{outside, "../kept.mp4", "nowhere"} {
		for _, link := range []func(from, to string) error{os.Symlink, os.Link} {
			planted(t, s, func(path string) {
				_ = os.Remove(path)
				_ = link(target, path)
				if target == "../kept.mp4" && link(inside, path) != nil {
					_ = os.Remove(path)
				}
			})
			_, err := s.Save(t.Context(), request(), nil)
			for _, kept := range []string{outside, inside} {
				b, rerr := os.ReadFile(kept)
				require.NoError(t, rerr)
				assert.Equal(t, "precious", string(b), "%s by %s: %v", kept, target, err)
			}
			assert.NoFileExists(t, filepath.Join(s.Dir(), partDir, "nowhere"))
		}
	}
}

// TestCrashBeforeThePartIsRemoved: a saved file that still has its part's name as well is
// not written into by the next save.
func TestCrashBeforeThePartIsRemoved(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(1000), etag: `"e"`}
	s := newSaver(t, src, nil)
	f, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	require.NoError(t, os.Link(f.Path, filepath.Join(s.Dir(), partDir, request().Job.ID+"_0.part")))
	src.data = mp4(500)
	again, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.NotEqual(t, f.Path, again.Path)
	b, err := os.ReadFile(f.Path)
	require.NoError(t, err)
	assert.Equal(t, mp4(1000), b)
}

// TestPlantedPipe: a pipe in the place of a part file does not make a save wait for ever.
func TestPlantedPipe(t *testing.T) {
	t.Parallel()
	s := newSaver(t, &source{data: mp4(1000), etag: `"e"`}, nil)
	planted(t, s, func(path string) { require.NoError(t, syscall.Mkfifo(path, 0o600)) })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f, err := s.Save(t.Context(), request(), nil)
		if err == nil {
			st, serr := os.Lstat(f.Path)
			assert.NoError(t, serr)
			assert.True(t, st.Mode().IsRegular())
		}
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the save waits for the pipe")
	}
}

// TestModesWhateverTheUmask: files and folders are private under any umask, which is that of
// the whole process: so it runs alone.
func TestModesWhateverTheUmask(t *testing.T) { //nolint:paralleltest // it sets the umask
	for _, mask := range []int{0o000, 0o022} {
		old := syscall.Umask(mask)
		s := newSaver(t, &source{data: mp4(1000)}, func(o *Options) { o.Dir = filepath.Join(o.Dir, "deep", "er") })
		_, err := s.Save(t.Context(), request(), nil)
		syscall.Umask(old)
		require.NoError(t, err)
		n := 0
		require.NoError(t, filepath.WalkDir(filepath.Dir(filepath.Dir(s.Dir())), func(p string, d fs.DirEntry, err error) error {
			require.NoError(t, err)
			st, err := d.Info()
			require.NoError(t, err)
			want := fs.FileMode(0o600)
			if d.IsDir() {
				want = 0o700
			}
			n++
			assert.Equal(t, want, st.Mode().Perm(), p)
			return nil
		}))
		assert.Greater(t, n, 5)
	}
}

// TestNoGoroutineIsLeft after saves that ended well, broke off, or were cancelled.
func TestNoGoroutineIsLeft(t *testing.T) { //nolint:paralleltest // it counts goroutines
	before := runtime.NumGoroutine()
	s := newSaver(t, &source{data: mp4(1 << 20), breaks: 3}, nil)
	for range 6 {
		_, _ = s.Save(t.Context(), request(), func(int64, int64) {})
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}
