package sandbox

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// older gives the record of a task another age, as far as its file tells.
func older(t *testing.T, dir, id string, by time.Duration) {
	t.Helper()
	then := time.Now().Add(-by)
	require.NoError(t, os.Chtimes(filepath.Join(dir, tasksDir, id+".json"), then, then))
}

// lookAgain makes the next create look after the folder.
func (b *bench) lookAgain() {
	b.s.store.keeper.looked = true
	b.s.store.keeper.since = pruneEvery
}

func (b *bench) create(prompt string) string {
	b.t.Helper()
	return b.ok("POST", "/v1/videos", fmt.Sprintf(`{"model":"famI-omni","mode":"t2v","prompt":%q}`, prompt))["id"].(string)
}

// Beyond the count the oldest tasks go, but none that is live: neither one under way nor
// one that a fault keeps from ending.
func TestFolderLetsOldTasksGo(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, inDir(dir))
	b.s.store.keeper.tasks = 16
	stuck := b.create("x [[sandbox:stay-queued]]")
	older(t, dir, stuck, time.Hour*48)
	var ids []string
	for i := range 20 {
		ids = append(ids, b.create("x"))
		older(t, dir, ids[i], time.Duration(100-i)*time.Minute)
	}
	b.clock.advance(time.Minute)
	live := b.create("x")
	older(t, dir, live, 10*time.Hour)
	foreign := filepath.Join(dir, tasksDir, "notes.txt")
	require.NoError(t, os.WriteFile(foreign, nil, 0o600))
	part := filepath.Join(dir, tasksDir, ids[0]+".json.part-x")
	require.NoError(t, os.WriteFile(part, nil, 0o600))
	require.NoError(t, os.Chtimes(part, time.Now().Add(-2*time.Hour), time.Now().Add(-2*time.Hour)))

	b.lookAgain()
	last := b.create("x")
	kept := 0
	for i, id := range ids {
		code := b.do("GET", "/v1/videos/"+id, "").Code
		if code == http.StatusOK {
			kept++
			continue
		}
		require.Equal(t, http.StatusNotFound, code)
		assert.Equal(t, i+kept, i, "the oldest go first")
	}
	assert.Equal(t, 10, kept, "14 records stay, three of them live and one a file of somebody else's")
	for _, id := range []string{stuck, live, last} {
		b.ok("GET", "/v1/videos/"+id, "")
	}
	assert.FileExists(t, foreign)
	assert.NoFileExists(t, part)
	assert.NoDirExists(t, filepath.Join(dir, pruneLock))
	assert.EqualValues(t, 23, b.s.Creates(), "what was created stays counted")
}

func TestFolderLetsTasksOfAgeGo(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, inDir(dir))
	old, stuck, young := b.create("x"), b.create("x [[sandbox:stay-running]]"), b.create("x")
	song := b.ok("POST", "/famN/submit/music", `{"model":"famN_music","prompt":"x"}`)["data"].(string)
	for _, id := range []string{old, stuck, song} {
		older(t, dir, id, tasksAge+time.Hour)
	}
	older(t, dir, young, tasksAge-time.Hour)
	b.clock.advance(time.Minute)
	b.create("x") // is not yet the time to look
	b.ok("GET", "/v1/videos/"+old, "")
	b.lookAgain()
	b.create("x")
	b.refused(http.StatusNotFound, "GET", "/v1/videos/"+old, "")
	b.refused(http.StatusNotFound, "GET", "/famN/fetch/"+song, "")
	b.ok("GET", "/v1/videos/"+stuck, "")
	b.ok("GET", "/v1/videos/"+young, "")
}

// Servers that make few creates look too, but not each of them: the folder tells when
// the last one did. Only one removes at a time, and a lock that was left behind is taken
// away.
func TestWhoLooksAfterTheFolder(t *testing.T) {
	dir := t.TempDir()
	first := newBench(t, inDir(dir))
	mark := filepath.Join(dir, prunedMark)
	first.create("x")
	require.FileExists(t, mark)
	long := time.Now().Add(-2 * pruneAfter)
	require.NoError(t, os.Chtimes(mark, long, long))
	age := func() time.Duration {
		fi, err := os.Stat(mark)
		require.NoError(t, err)
		return time.Since(fi.ModTime())
	}
	first.create("x")
	assert.Greater(t, age(), pruneAfter, "the first server has looked")
	newBench(t, inDir(dir)).create("x")
	assert.Less(t, age(), time.Minute, "a new one has")

	lock := filepath.Join(dir, pruneLock)
	require.NoError(t, os.Mkdir(lock, 0o700))
	require.NoError(t, os.Chtimes(mark, long, long))
	newBench(t, inDir(dir)).create("x")
	assert.Greater(t, age(), pruneAfter, "somebody else is at it")
	then := time.Now().Add(-2 * lockAge)
	require.NoError(t, os.Chtimes(lock, then, then))
	newBench(t, inDir(dir)).create("x")
	require.NoDirExists(t, lock)
	newBench(t, inDir(dir)).create("x")
	assert.Less(t, age(), time.Minute)
}

// The log of creates stays within its bound, and what it lost stays counted, also by a
// server that starts later and by one that still had the old file.
func TestLogOfCreatesIsBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := newBench(t, inDir(dir))
	b.s.store.keeper.log = 2048
	other := newBench(t, inDir(dir), sameClock(b))
	for i := range 60 {
		b.lookAgain()
		b.create("x")
		if i%6 == 0 {
			other.create("x")
		}
	}
	assert.EqualValues(t, 70, b.s.Creates())
	assert.EqualValues(t, 70, newBench(t, inDir(dir)).s.Creates())
	logs, err := filepath.Glob(filepath.Join(dir, "creates*"))
	require.NoError(t, err)
	assert.Len(t, logs, 2)
	total := int64(0)
	for _, name := range logs {
		fi, err := os.Stat(name)
		require.NoError(t, err)
		total += fi.Size()
	}
	assert.LessOrEqual(t, total, int64(2048+512))
	assert.Greater(t, total, int64(512))
	// A crash between the two steps of turning leaves one more; the newest counts.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "creates.3.log"), []byte("{}\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "creates.x.log"), []byte("{}\n"), 0o600))
	assert.EqualValues(t, 70, b.s.Creates())
}

// In memory the oldest tasks that have ended make room; live ones stay, and when there
// is no room for more a create is refused.
func TestCrowd(t *testing.T) {
	b := newBench(t)
	b.s.store.crowd.tasks = 40
	stuck := b.create("x [[sandbox:stay-queued]]")
	first := b.create("x")
	b.clock.advance(time.Minute)
	for range 60 {
		b.create("x")
		b.clock.advance(time.Minute)
	}
	assert.LessOrEqual(t, len(b.s.store.crowd.records), 41)
	assert.Equal(t, len(b.s.store.crowd.records), b.s.store.crowd.order.Len())
	b.ok("GET", "/v1/videos/"+stuck, "")
	b.refused(http.StatusNotFound, "GET", "/v1/videos/"+first, "")
	assert.EqualValues(t, 62, b.s.Creates())

	var last string
	for range 250 {
		w := b.do("POST", "/v1/videos", t2v+"}")
		if w.Code != http.StatusOK {
			e := errorOf(t, w)
			require.Equal(t, http.StatusTooManyRequests, w.Code)
			assert.Equal(t, "5", w.Header().Get("Retry-After"))
			assert.Contains(t, e.Message, "no room")
			break
		}
		last = object(t, w)["id"].(string)
	}
	assert.Len(t, b.s.store.crowd.records, crowdLive*40+1)
	b.ok("GET", "/v1/videos/"+stuck, "")
	b.clock.advance(time.Minute)
	assert.Equal(t, "completed", b.ok("GET", "/v1/videos/"+last, "")["status"])
	b.create("x")
	assert.LessOrEqual(t, len(b.s.store.crowd.records), 41)
}

// Large tasks count by their size.
func TestCrowdOfLargeTasks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.s.store.crowd.bytes = 1 << 20
	for range 60 {
		b.create(strings.Repeat("x", 40<<10))
		b.clock.advance(time.Minute)
	}
	c := b.s.store.crowd
	assert.LessOrEqual(t, c.size, 1<<20+40<<10)
	sum := 0
	for _, r := range c.records {
		sum += r.weight()
	}
	assert.Equal(t, sum, c.size)
}

// What is on disk is let go from memory, live or not, and found again.
func TestCrowdOfAFolder(t *testing.T) {
	b := newBench(t, inDir(t.TempDir()))
	b.s.store.crowd.tasks = 5
	var ids []string
	for range 12 {
		ids = append(ids, b.create("x"))
	}
	assert.Len(t, b.s.store.crowd.records, 5)
	for _, id := range ids {
		b.ok("GET", "/v1/videos/"+id, "")
	}
	assert.Len(t, b.s.store.crowd.records, 5)
}

// BenchmarkPrune is one look at a folder of 20,000 tasks of which none has to go.
func BenchmarkPrune(b *testing.B) {
	s := newBench(b, inDir(b.TempDir()))
	dir := s.s.opts.Dir
	id := s.create("x")
	body, err := os.ReadFile(filepath.Join(dir, tasksDir, id+".json"))
	require.NoError(b, err)
	for i := range tasksKept - 10 {
		name := fmt.Sprintf("video_%s.json", strings.NewReplacer("0", "a", "1", "b", "8", "c", "9", "d").Replace(fmt.Sprintf("%08d", i)))
		require.NoError(b, os.WriteFile(filepath.Join(dir, tasksDir, name), body, 0o600))
	}
	for b.Loop() {
		s.s.store.pruneTasks()
	}
}
