package store

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/disk"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// insertOne journals a job in a state.
func insertOne(t *testing.T, s *SQLite, prompt string, state jobs.State) jobs.Job {
	t.Helper()
	j := storetest.NewJob(prompt)
	j.State = state
	c := storetest.Plan(j)
	c.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: []byte(prompt)}}
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{c}))
	return j
}

// tear overwrites the middle of a closed database file: its header stays good.
func tear(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	st, err := f.Stat()
	require.NoError(t, err)
	junk := make([]byte, st.Size()-4096)
	for i := range junk {
		junk[i] = byte(i*7 + 3)
	}
	_, err = f.WriteAt(junk, 4096)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func TestBackup(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	insertOne(t, s, "one", jobs.Completed)
	b, err := s.Backup(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, b.Jobs)
	assert.Equal(t, filepath.Join(BackupDir(s.Path()), time.Now().UTC().Format(dayLayout)+".db"), b.Path)
	st, err := os.Stat(b.Path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), st.Mode().Perm())
	st, err = os.Stat(filepath.Dir(b.Path))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), st.Mode().Perm())
	insertOne(t, s, "two", jobs.Completed)
	_, err = s.Backup(t.Context())
	require.NoError(t, err)
	n, err := CheckBackup(t.Context(), b.Path)
	require.NoError(t, err)
	assert.Equal(t, 2, n, "the newest of a day")
	entries, err := os.ReadDir(filepath.Dir(b.Path))
	require.NoError(t, err)
	assert.Len(t, entries, 3, "the backup, the lock, and the mark that it was checked")
}

func TestDaily(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	old := storetest.NewJob("old")
	old.State, old.EndedAt = jobs.Completed, storetest.Base
	tagged := old
	tagged.ID, tagged.Tags = storetest.NewJob("").ID, []string{"x"}
	for _, j := range []jobs.Job{old, tagged} {
		c := storetest.Plan(j)
		c.Due = time.Time{}
		require.NoError(t, s.Insert(t.Context(), []jobs.Change{c}))
	}
	day := storetest.Base.Add(24 * time.Hour)
	for i := range 10 {
		d, err := s.daily(t.Context(), day.Add(time.Duration(i)*24*time.Hour), DailyOptions{})
		require.NoError(t, err)
		require.NotNil(t, d.Backup)
		d, err = s.daily(t.Context(), day.Add(time.Duration(i)*24*time.Hour+time.Minute), DailyOptions{Retain: time.Hour})
		require.NoError(t, err)
		require.Nil(t, d.Backup, "one a day")
		require.Zero(t, d.Pruned.Jobs, "and the retention with it")
	}
	all, err := Backups(s.Path())
	require.NoError(t, err)
	require.Len(t, all, backupDays)
	assert.Equal(t, day.Add(9*24*time.Hour).UTC().Format(dayLayout)+".db", filepath.Base(all[0].Path))

	tear(t, all[0].Path)
	d, err := s.daily(t.Context(), day.Add(9*24*time.Hour), DailyOptions{})
	require.NoError(t, err)
	require.Len(t, d.Bad, 1)
	assert.Contains(t, d.Bad[0], all[0].Path)
	require.NotNil(t, d.Backup, "the bad one does not count")
	assert.FileExists(t, all[0].Path+badSuffix)

	// What the mark is newer than was found good, and is not read again.
	tear(t, all[0].Path)
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(all[0].Path, long, long))
	d, err = s.daily(t.Context(), day.Add(9*24*time.Hour), DailyOptions{})
	require.NoError(t, err)
	assert.Empty(t, d.Bad)
	next := day.Add(10 * 24 * time.Hour)
	made, err := s.BackupBriefly(t.Context(), next)
	require.NoError(t, err)
	require.True(t, made)
	d, err = s.daily(t.Context(), next, DailyOptions{Retain: time.Hour})
	require.NoError(t, err)
	assert.Nil(t, d.Backup, "a command made it")
	assert.Equal(t, 1, d.Pruned.Jobs, "and left the rest")
	_, err = s.Get(t.Context(), tagged.ID)
	require.NoError(t, err)
}

// TestDailyTogether: of several processes one makes the backup of the day.
func TestDailyTogether(t *testing.T) {
	t.Parallel()
	a := openTest(t)
	b, err := Open(t.Context(), a.Path())
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	var mu sync.Mutex
	made := 0
	var wg sync.WaitGroup
	for _, s := range []*SQLite{a, b, a, b} {
		wg.Go(func() {
			d, err := s.daily(context.Background(), storetest.Base, DailyOptions{})
			assert.NoError(t, err)
			if d.Backup != nil {
				mu.Lock()
				made++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	assert.Equal(t, 1, made)
}

// TestBackupBriefly: once a day, not while another process is at it, and not of a history that
// takes its time.
func TestBackupBriefly(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	insertOne(t, s, "one", jobs.Completed)
	held, err := s.lockBackups(t.Context(), 0)
	require.NoError(t, err)
	for i, want := range []bool{!disk.Locks, disk.Locks, false} {
		made, err := s.BackupBriefly(t.Context(), storetest.Base)
		require.NoError(t, err)
		assert.Equal(t, want, made, i)
		if i == 0 {
			held()
		}
	}
	n, err := CheckBackup(t.Context(), dayBackup(s.Path(), storetest.Base))
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	require.NoError(t, s.w.do(t.Context(), func(tx *tx) error {
		_, err := tx.exec("INSERT INTO payloads VALUES ('large', '', 0, zeroblob(?))", briefBytes)
		return err
	}))
	made, err := s.BackupBriefly(t.Context(), storetest.Base.Add(24*time.Hour))
	require.NoError(t, err)
	assert.False(t, made)
	all, err := Backups(s.Path())
	require.NoError(t, err)
	assert.Len(t, all, 1)
}

// TestDoctorLooksForBackups: it warns of jobs that no backup has, and of those that changed long
// after the newest.
func TestDoctorLooksForBackups(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	warned := func() []string {
		h, err := Examine(t.Context(), s.Path(), false)
		require.NoError(t, err)
		assert.True(t, h.Sound())
		return h.Warnings
	}
	assert.Empty(t, warned(), "there is nothing to be lost")
	insertOne(t, s, "one", jobs.Completed)
	require.Len(t, warned(), 1)
	assert.Contains(t, warned()[0], "no good backup")
	assert.Contains(t, warned()[0], "darkroom history backup")
	b, err := s.Backup(t.Context())
	require.NoError(t, err)
	assert.Empty(t, warned())
	old := time.Now().Add(-50 * time.Hour)
	require.NoError(t, os.Chtimes(b.Path, old, old))
	assert.Empty(t, warned(), "nothing changed since")
	insertOne(t, s, "two", jobs.Completed)
	require.Len(t, warned(), 1)
	assert.Contains(t, warned()[0], "is 50 h old")
	_, err = s.Backup(t.Context())
	require.NoError(t, err)
	assert.Empty(t, warned())
}

// TestKeepUpEnds: it ends with its context, and says nothing while there is nothing.
func TestKeepUpEnds(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.KeepUp(ctx, DailyOptions{}, func(Daily, error) { t.Error("nothing was done") })
}
