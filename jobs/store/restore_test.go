package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestDamageIsRestored: each kind of damage, with a backup, without a good one, and with
// another process at it.
func TestDamageIsRestored(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*testing.T, string){
		"header": func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, []byte("not a database, but text that is longer than the header of one, of 100 bytes, and so no empty file. "), 0o600))
		},
		"pages":   tear,
		"empty":   func(t *testing.T, path string) { require.NoError(t, os.Truncate(path, 0)) },
		"missing": func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) },
		"half":    func(t *testing.T, path string) { require.NoError(t, os.Truncate(path, 3*4096)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "h[1].db")
			s, err := Open(t.Context(), path)
			require.NoError(t, err)
			kept, sent := insertOne(t, s, "kept", jobs.Completed), insertOne(t, s, "planned", jobs.Planned)
			_, err = s.Claim(t.Context(), jobs.Claim{Owner: "A", Profile: "p", Now: storetest.Base, Until: time.Now().Add(time.Hour)})
			require.NoError(t, err)
			_, err = s.Backup(t.Context())
			require.NoError(t, err)
			insertOne(t, s, "newer", jobs.Completed)
			require.NoError(t, s.Close())
			spoil(t, path)

			s = openDamaged(t, path)
			r := s.Restored()
			require.NotNil(t, r)
			assert.NotEmpty(t, r.Cause)
			assert.Equal(t, 2, r.Jobs)
			assert.Equal(t, 1, r.Doubt)
			assert.False(t, r.From.After(r.To))
			assert.Contains(t, r.String(), r.From.Format("2006-01-02 15:04:05 -0700"))
			if name != "missing" {
				require.NotEmpty(t, r.Aside)
				assert.FileExists(t, r.Aside[0])
				assert.Contains(t, r.String(), r.Aside[0])
				assert.Contains(t, r.String(), "was damaged")
			} else {
				assert.Contains(t, r.String(), "the history was gone; a backup with 2 jobs is in its place")
				assert.NotContains(t, r.String(), "aside")
				assert.NotContains(t, r.String(), "in what was there", "there was nothing to look in")
			}
			d, err := s.Detail(t.Context(), kept.ID)
			require.NoError(t, err)
			assert.Equal(t, "kept", string(d.Request))
			w, err := s.Get(t.Context(), sent.ID)
			require.NoError(t, err)
			assert.Equal(t, jobs.Ambiguous, w.Job.State, "it may have been sent since: never twice")
			assert.True(t, w.Due.IsZero())
			owners, err := s.Owners(t.Context())
			require.NoError(t, err)
			assert.Empty(t, owners)
			insertOne(t, s, "work goes on", jobs.Planned)
			require.NoError(t, s.Close())
			s, err = Open(t.Context(), path)
			require.NoError(t, err)
			assert.Nil(t, s.Restored(), "once")
			require.NoError(t, s.Close())
		})
	}
}

// openDamaged opens a history until the damage of its pages is seen, as a console would.
func openDamaged(t *testing.T, path string) *SQLite {
	t.Helper()
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	if s.Restored() != nil {
		return s
	}
	_, err = s.List(t.Context(), jobs.Query{})
	var d *DamageError
	require.ErrorAs(t, err, &d)
	assert.Contains(t, err.Error(), "the next start puts the newest good backup in its place")

	other, err := Open(t.Context(), path)
	require.NoError(t, err)
	assert.Nil(t, other.Restored(), "nothing is put in the place of what a process has open")
	require.NoError(t, other.Close())
	require.NoError(t, s.Close())
	s, err = Open(t.Context(), path)
	require.NoError(t, err)
	return s
}

func TestNoGoodBackup(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "h.db")
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	b, err := s.Backup(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	tear(t, b.Path)
	junk := []byte("not a database, but text that is longer than the header of one, of 100 bytes, and so no empty file. ")
	require.NoError(t, os.WriteFile(path, junk, 0o600))
	for range 2 {
		_, err = Open(t.Context(), path)
		var d *DamageError
		require.ErrorAs(t, err, &d)
		assert.ErrorContains(t, err, b.Path)
		assert.ErrorContains(t, err, "no backup is good")
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, junk, got, "it stays where it is")
	}
}

// TestWithoutABackupItIsSaidHowToGoOn: what is said to be moved away is all that has to be,
// and nothing is said that the next start does not do.
func TestWithoutABackupItIsSaidHowToGoOn(t *testing.T) {
	t.Parallel()
	junk := func(t *testing.T, path string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("junk"), 100), 0o600))
	}
	for name, spoil := range map[string]func(*testing.T, string){
		"no backup":    func(*testing.T, string) {},
		"none is good": func(t *testing.T, path string) { t.Helper(); junk(t, BackupDir(path)+"/2026-01-02.db") },
		"all were bad": func(t *testing.T, path string) { t.Helper(); junk(t, BackupDir(path)+"/2026-01-02.db"+badSuffix) },
		"gone, all were bad": func(t *testing.T, path string) {
			t.Helper()
			junk(t, BackupDir(path)+"/2026-01-02.db"+badSuffix)
			require.NoError(t, os.Remove(path))
		},
		"gone but for its log": func(t *testing.T, path string) {
			t.Helper()
			require.NoError(t, os.Rename(path, path+"-wal"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "h.db")
			junk(t, path)
			spoil(t, path)
			_, err := Open(t.Context(), path)
			var d *DamageError
			require.ErrorAs(t, err, &d)
			require.ErrorContains(t, err, "move away all that "+path+"* names")
			require.ErrorContains(t, err, "history restore")
			assert.NotContains(t, err.Error(), "the next start")
			all, err := filepath.Glob(path + "*")
			require.NoError(t, err)
			for _, p := range all {
				require.NoError(t, os.Rename(p, filepath.Join(dir, "away-"+filepath.Base(p))))
			}
			s, err := Open(t.Context(), path)
			require.NoError(t, err, "a new one is begun")
			require.NoError(t, s.Close())
		})
	}
}

// TestWhatIsSaidOfARestore: each sentence about what was there, with and without it.
func TestWhatIsSaidOfARestore(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "h.db"))
	require.NoError(t, err)
	insertOne(t, s, "a", jobs.Completed)
	b, err := s.Backup(t.Context())
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "new.db")
	r, err := Restore(t.Context(), path, b.Path)
	require.NoError(t, err)
	assert.Contains(t, r.String(), "a backup with 1 job now; there was none before")
	assert.NotContains(t, r.String(), "aside")

	planned := insertOne(t, s, "planned", jobs.Planned)
	path = s.Path()
	require.NoError(t, s.Close())
	r, err = Restore(t.Context(), path, b.Path)
	require.NoError(t, err)
	assert.Contains(t, r.String(), "a backup with 1 job is in the place of the history.")
	assert.Contains(t, r.String(), "are there too: 1.")
	assert.Equal(t, 1, r.Doubt, "%s came from what was set aside, and may have been sent", planned.ID)
	assert.Contains(t, r.String(), "ambiguous now: 1 job.")
	for _, a := range r.Aside {
		assert.FileExists(t, a)
	}

	later := Restored{From: storetest.Base.Add(time.Hour), To: storetest.Base}
	assert.NotContains(t, later.String(), "may be missing", "what was there ends before the backup does")
	logged := Restored{Aside: []string{"/h.db.aside-1", "/h.db.aside-1-wal", "/h.db.aside-1-shm"}}
	assert.Contains(t, logged.String(), "set aside as /h.db.aside-1, with -wal and -shm beside it.")
}

func TestRestore(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	path := s.Path()
	a := insertOne(t, s, "a", jobs.Completed)
	b, err := s.Backup(t.Context())
	require.NoError(t, err)
	later := insertOne(t, s, "later", jobs.Completed)
	other, err := Open(t.Context(), path)
	require.NoError(t, err)
	_, err = Restore(t.Context(), path, b.Path)
	require.ErrorContains(t, err, "another process has it open")
	require.NoError(t, other.Close())

	path = filepath.Join(t.TempDir(), "new.db")
	r, err := Restore(t.Context(), path, b.Path)
	require.NoError(t, err)
	assert.Empty(t, r.Aside)
	assert.Equal(t, 1, r.Jobs)
	n, err := Open(t.Context(), path)
	require.NoError(t, err)
	_, err = n.Get(t.Context(), a.ID)
	require.NoError(t, err)
	_, err = n.Get(t.Context(), later.ID)
	require.ErrorIs(t, err, jobs.ErrNotFound)
	require.NoError(t, n.Close())
	_, err = Restore(t.Context(), path, filepath.Join(t.TempDir(), "none.db"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Restore(t.Context(), path, path)
	require.ErrorContains(t, err, "itself")
}

// TestSalvage: what can still be read of newer jobs comes with the backup.
func TestSalvage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "h.db")
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	insertOne(t, s, "kept", jobs.Completed)
	b, err := s.Backup(t.Context())
	require.NoError(t, err)
	newer, planned := insertOne(t, s, "newer", jobs.Completed), insertOne(t, s, "planned", jobs.Planned)
	require.NoError(t, s.Close())
	r, err := Restore(t.Context(), path, b.Path)
	require.NoError(t, err)
	assert.Equal(t, 2, r.Saved)
	s, err = Open(t.Context(), path)
	require.NoError(t, err)
	_, err = s.Get(t.Context(), newer.ID)
	require.NoError(t, err)
	w, err := s.Get(t.Context(), planned.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Ambiguous, w.Job.State)
	require.NoError(t, s.Close())
}
