package spool

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

const here = "file ../history.db"

// outcome is what came of the create of a job that the store has, which lost its sender.
func outcome(t testing.TB, s jobs.Store, task string) jobs.Outcome {
	t.Helper()
	j := storetest.NewJob("a kite")
	j.State, j.SubmittedAt = jobs.Submitting, j.CreatedAt
	require.NoError(t, s.Insert(context.Background(), []jobs.Change{{Job: j}}))
	o := jobs.Outcome{Began: j.SubmittedAt, Job: j, Due: j.CreatedAt.Add(time.Second),
		Events:   []jobs.Event{{At: j.CreatedAt, Kind: jobs.EventAccepted, From: jobs.Submitting, To: jobs.Queued}},
		Payloads: []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte(`{"id":"` + task + `"}`)}}}
	o.Job.Draft = client.Draft{}
	o.Job.State, o.Job.TaskID, o.Job.QueryFormat = jobs.Queued, task, "videos"
	return o
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// TestManySlots: creates that are under way at the same time have slots of their own, used again.
func TestManySlots(t *testing.T) {
	t.Parallel()
	dir, st := filepath.Join(t.TempDir(), "s"), storetest.NewMem()
	s := New(dir, here)
	var wait sync.WaitGroup
	for i := range 8 {
		var out []jobs.Outcome
		for range 20 {
			out = append(out, outcome(t, st, "t"))
		}
		wait.Go(func() {
			for n, o := range out {
				slot, err := s.Reserve()
				if !assert.NoError(t, err) {
					return
				}
				whole, err := slot.Fill(o)
				assert.NoError(t, err)
				assert.True(t, whole)
				if i == 0 && n%10 == 0 {
					assert.NoError(t, slot.Sync())
					slot.Leave()
				} else {
					slot.Free()
				}
			}
		})
	}
	wait.Wait()
	assert.LessOrEqual(t, len(files(t, dir)), 10)
	s.Close()
	kept, err := Kept(dir)
	require.NoError(t, err)
	assert.Len(t, kept, 2)
	assert.Len(t, files(t, dir), 2)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

// TestRoomIsTaken: the room of a slot is on the disk before it is filled, and filling it takes
// no more.
func TestRoomIsTaken(t *testing.T) {
	t.Parallel()
	st := storetest.NewMem()
	s := New(t.TempDir(), here)
	slot, err := s.Reserve()
	require.NoError(t, err)
	before, err := os.Stat(slot.Path())
	require.NoError(t, err)
	require.EqualValues(t, room, before.Size())
	_, err = slot.Fill(outcome(t, st, "t1"))
	require.NoError(t, err)
	after, err := os.Stat(slot.Path())
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after))
	require.EqualValues(t, room, after.Size())
}

// TestWhatIsNoRecord: files that are torn, strange or of another version are never taken for
// records; torn ones are set aside, and said once.
func TestWhatIsNoRecord(t *testing.T) {
	t.Parallel()
	st := storetest.NewMem()
	good, err := encode(Record{here, outcome(t, st, "t1")})
	require.NoError(t, err)
	file := func(body []byte) string { return string(header(body)) + string(body) }
	newer := []byte(strings.Replace(string(good), `"history"`, `"of tomorrow":1,"history"`, 1))
	for name, c := range map[string]struct {
		content string
		aside   bool
	}{
		"cut":       {file(good)[:head+10], true},
		"changed":   {strings.Replace(file(good), "videos", "videox", 1), true},
		"no header": {"hello", true},
		"too large": {magic + "999999999 " + strings.Repeat("a", hex64) + "\n", true},
		"newer":     {file(newer), false},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "x"+suffix)
		require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
		taken, err := TakeOver(t.Context(), dir, here, st, time.Now())
		require.NoError(t, err)
		require.Len(t, taken, 1, name)
		require.Error(t, taken[0].Err, name)
		assert.Empty(t, taken[0].Record.Outcome.Job.ID, name)
		if c.aside {
			assert.Equal(t, []string{"x" + suffix + badSuffix}, files(t, dir), name)
		} else {
			assert.Equal(t, []string{"x" + suffix}, files(t, dir), name)
		}
	}
}

// TestOtherFilesAreLeftAlone: links, folders and what is being made are not touched.
func TestOtherFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	dir, st := t.TempDir(), storetest.NewMem()
	target := filepath.Join(t.TempDir(), "target")
	body, err := encode(Record{here, outcome(t, st, "t1")})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(target, append(header(body), body...), 0o600))
	require.NoError(t, os.Symlink(target, filepath.Join(dir, "link"+suffix)))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"+suffix), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, newMark+"x"), append(header(body), body...), 0o600))
	taken, err := TakeOver(t.Context(), dir, here, st, time.Now())
	require.NoError(t, err)
	assert.Empty(t, taken)
	assert.Len(t, files(t, dir), 3)
	_, err = os.Stat(target)
	require.NoError(t, err)
}

// TestUnknownJobStays: a record whose job the history does not have is told of, and kept.
func TestUnknownJobStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	slot, err := New(dir, here).Reserve()
	require.NoError(t, err)
	_, err = slot.Fill(outcome(t, storetest.NewMem(), "t1"))
	require.NoError(t, err)
	slot.Leave()
	taken, err := TakeOver(t.Context(), dir, here, storetest.NewMem(), time.Now())
	require.NoError(t, err)
	require.Len(t, taken, 1)
	require.ErrorIs(t, taken[0].Err, jobs.ErrNotFound)
	assert.Equal(t, "t1", taken[0].Record.Outcome.Job.TaskID)
	assert.Len(t, files(t, dir), 1)
	none, err := TakeOver(t.Context(), filepath.Join(dir, "nowhere"), here, storetest.NewMem(), time.Now())
	require.NoError(t, err)
	assert.Empty(t, none)
}

// TestEmptySlotOfTheDead is removed; one of the living stays.
func TestEmptySlotOfTheDead(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Log("no locks tell who lives here")
		return
	}
	dir, st := t.TempDir(), storetest.NewMem()
	living, err := New(dir, here).Reserve()
	require.NoError(t, err)
	dead, err := New(dir, here).Reserve()
	require.NoError(t, err)
	dead.Leave()
	taken, err := TakeOver(t.Context(), dir, here, st, time.Now())
	require.NoError(t, err)
	assert.Empty(t, taken)
	assert.Equal(t, []string{filepath.Base(living.Path())}, files(t, dir))
}

// FuzzDecode: whatever lies in the folder, reading it does not break, and what is taken for a
// record is one that a history can have.
func FuzzDecode(f *testing.F) {
	body, err := encode(Record{here, outcome(f, storetest.NewMem(), "t1")})
	require.NoError(f, err)
	f.Add(append(header(body), body...))
	f.Add(append(header(nil), ' '))
	f.Add([]byte(magic))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, in := range [][]byte{b, append(header(b), b...)} {
			r, err := decode(in)
			if err != nil {
				continue
			}
			require.NoError(t, r.Outcome.Check())
			again, err := encode(r)
			require.NoError(t, err)
			_, err = decode(append(header(again), again...))
			require.NoError(t, err)
		}
	})
}

// TestCopiesGetTheOutcomeToo where they have the job, and the file stays until they have it.
func TestCopiesGetTheOutcomeToo(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), t.TempDir()
	st, older, empty := storetest.NewMem(), storetest.NewMem(), storetest.NewMem()
	o := outcome(t, st, "t1")
	copied, err := st.Get(ctx, o.Job.ID)
	require.NoError(t, err)
	copied.Job.State = jobs.Ambiguous
	require.NoError(t, older.Insert(ctx, []jobs.Change{{Job: copied.Job}}))
	slot, err := New(dir, here).Reserve()
	require.NoError(t, err)
	_, err = slot.Fill(o)
	require.NoError(t, err)
	slot.Leave()

	away := true
	older.Fail = func(string, *jobs.Change) error {
		if away {
			return os.ErrDeadlineExceeded
		}
		return nil
	}
	taken, err := TakeOver(ctx, dir, here, st, time.Now(), older, empty)
	require.NoError(t, err)
	require.Len(t, taken, 1)
	require.ErrorIs(t, taken[0].Err, os.ErrDeadlineExceeded)
	require.Len(t, files(t, dir), 1)
	away = false
	taken, err = TakeOver(ctx, dir, here, st, time.Now(), older, empty)
	require.NoError(t, err)
	require.Empty(t, taken, "the history had it")
	require.Empty(t, files(t, dir))
	for _, s := range []jobs.Store{st, older} {
		got, err := s.Get(ctx, o.Job.ID)
		require.NoError(t, err)
		require.Equal(t, "t1", got.Job.TaskID)
		require.Equal(t, jobs.Queued, got.Job.State)
	}
}
