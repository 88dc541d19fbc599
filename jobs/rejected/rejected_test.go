package rejected_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/owner"
	"darkroom/jobs/rejected"
	"darkroom/jobs/store/storetest"
)

// bench is a history, an installation and its folder of downloads.
type bench struct {
	*testing.T
	s    *storetest.Mem
	in   *jobs.Installation
	base string // what the folder of the downloads lies in
	dir  string
}

func newBench(t *testing.T) *bench {
	base := t.TempDir()
	b := &bench{T: t, s: storetest.NewMem(), in: jobs.NewInstallation(), base: base, dir: filepath.Join(base, "downloads")}
	require.NoError(t, os.Mkdir(b.dir, 0o700))
	return b
}

// put writes a file.
func (b *bench) put(path, content string) {
	b.Helper()
	require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(b, os.WriteFile(path, []byte(content), 0o600))
}

// saved is a file of a job that was saved at a path, with its content there.
func (b *bench) saved(j *jobs.Job, path, content string) {
	b.Helper()
	b.put(path, content)
	sum := sha256.Sum256([]byte(content))
	f := jobs.File{Index: len(j.Files), Kind: client.AssetVideo, State: jobs.FileSaved, Path: path, Bytes: int64(len(content)),
		Total: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
	b.in.SignFile(j.ID, &f)
	j.Files = append(j.Files, f)
}

// add journals a job that has ended.
func (b *bench) add(change func(j *jobs.Job)) jobs.Job {
	b.Helper()
	j := storetest.NewJob("a boat")
	j.State = jobs.Completed
	change(&j)
	c := storetest.Plan(j)
	c.Due = time.Time{}
	require.NoError(b, b.s.Insert(b.Context(), []jobs.Change{c}))
	return j
}

func reject(j *jobs.Job) { j.Rejected, j.RejectedBy = storetest.Base, "me" }

func (b *bench) purge(name string) rejected.Done {
	b.Helper()
	p := &rejected.Purger{Store: b.s, Installation: b.in, Dir: b.dir}
	done, err := p.Purge(b.Context(), rejected.By(name))
	require.NoError(b, err)
	return done
}

func (b *bench) job(id string) jobs.Job {
	b.Helper()
	w, err := b.s.Get(b.Context(), id)
	require.NoError(b, err)
	return w.Job
}

func TestPurge(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	path := filepath.Join(b.dir, "2026-11-23", "boat.mp4")
	j := b.add(func(j *jobs.Job) {
		reject(j)
		b.saved(j, path, "film")
		b.put(path+".json", `{"job":"`+j.ID+`","file":{"name":"boat.mp4"}}`)
		b.put(filepath.Join(b.dir, "2026-11-23", "boat.mp4.txt"), "a person's own")
	})
	kept := filepath.Join(b.dir, "kept.mp4")
	b.add(func(j *jobs.Job) { b.saved(j, kept, "kept") })
	assert.Zero(t, b.purge("another"), "what somebody else rejected is theirs")
	assert.Equal(t, rejected.Done{Jobs: 1, Files: 1, Bytes: 4}, b.purge("me"))
	assert.NoFileExists(t, path)
	assert.NoFileExists(t, path+".json")
	assert.FileExists(t, path+".txt")
	assert.FileExists(t, kept)
	got := b.job(j.ID)
	assert.Equal(t, jobs.FileRemoved, got.Files[0].State)
	assert.Empty(t, got.Files[0].Path)
	assert.False(t, got.Rejected.IsZero(), "it stays rejected")
	assert.Empty(t, got.RejectedBy, "and is seen to")
	d, err := b.s.Detail(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, "removed the files: boat.mp4", d.Events[len(d.Events)-1].Message)
	assert.Zero(t, b.purge("me"))
}

func TestPurgeLeavesWhatIsNotItsOwn(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]struct {
		make func(b *bench, j *jobs.Job) string
		why  string
	}{
		"outside": {func(b *bench, j *jobs.Job) string {
			path := filepath.Join(b.base, "a.mp4")
			b.saved(j, path, "film")
			return path
		}, "outside of the folder"},
		"through a link": {func(b *bench, j *jobs.Job) string {
			real := filepath.Join(b.base, "real", "a.mp4")
			b.put(real, "film")
			require.NoError(b, os.Symlink(filepath.Dir(real), filepath.Join(b.dir, "link")))
			b.saved(j, filepath.Join(b.dir, "link", "a.mp4"), "film")
			return real
		}, "not a plain file"},
		"a link": {func(b *bench, j *jobs.Job) string {
			path := filepath.Join(b.dir, "a.mp4")
			b.saved(j, path, "film")
			require.NoError(b, os.Rename(path, filepath.Join(b.base, "a.mp4")))
			require.NoError(b, os.Symlink(filepath.Join(b.base, "a.mp4"), path))
			return filepath.Join(b.base, "a.mp4")
		}, "not a plain file"},
		"changed": {func(b *bench, j *jobs.Job) string {
			path := filepath.Join(b.dir, "a.mp4")
			b.saved(j, path, "film")
			b.put(path, "mine")
			return path
		}, "was changed"},
		"saved for another": {func(b *bench, j *jobs.Job) string {
			path := filepath.Join(b.dir, "a.mp4")
			b.saved(j, path, "film")
			b.add(func(o *jobs.Job) { b.saved(o, path, "film") })
			return path
		}, "names it, too"},
		"a reference of another": {func(b *bench, j *jobs.Job) string {
			path := filepath.Join(b.dir, "a b.mp4")
			b.saved(j, path, "film")
			b.add(func(o *jobs.Job) { o.Draft.Values["image"] = "file://" + filepath.Join(b.dir, "a%20b.mp4") })
			return path
		}, "names it, too"},
		"starred": {func(b *bench, j *jobs.Job) string {
			path := filepath.Join(b.dir, "a.mp4")
			b.saved(j, path, "film")
			j.Tags = []string{jobs.Star}
			return path
		}, "starred"},
		"of another installation": {func(b *bench, j *jobs.Job) string {
			path := filepath.Join(b.dir, "a.mp4")
			b.saved(j, path, "film")
			jobs.NewInstallation().SignFile(j.ID, &j.Files[0])
			return path
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			var path string
			j := b.add(func(j *jobs.Job) {
				reject(j)
				path = at.make(b, j)
			})
			done := b.purge("me")
			assert.FileExists(t, path)
			assert.Zero(t, done.Files)
			assert.Equal(t, jobs.FileSaved, b.job(j.ID).Files[0].State)
			if at.why == "" {
				assert.Empty(t, done.Left)
				return
			}
			require.Len(t, done.Left, 1)
			assert.Contains(t, done.Left[0], at.why)
		})
	}
}

func TestPurgeOfWhatIsGone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	path := filepath.Join(b.dir, "a.mp4")
	both := []jobs.Job{
		b.add(func(j *jobs.Job) { reject(j); b.saved(j, path, "film") }),
		b.add(func(j *jobs.Job) { reject(j); b.saved(j, path, "film") }), // the same file, both rejected
	}
	other := filepath.Join(b.dir, "a.mp4.json")
	b.put(other, `{"job":"another","file":{"name":"a.mp4"}}`)
	b.purge("me")
	assert.NoFileExists(t, path)
	assert.FileExists(t, other, "no sidecar of this job")
	for _, j := range both {
		assert.Equal(t, jobs.FileRemoved, b.job(j.ID).Files[0].State)
	}
}

func TestOrphaned(t *testing.T) {
	t.Parallel()
	now := time.Now()
	ago := func(by string, age time.Duration) bool {
		return rejected.Orphaned(now)(&jobs.Job{RejectedBy: by, Rejected: now.Add(-age)})
	}
	assert.False(t, ago(owner.New(), 100*24*time.Hour), "it lives, however long")
	assert.False(t, ago("who knows", time.Hour))
	assert.True(t, ago("who knows", 8*24*time.Hour))
}
