package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/disk"
	"darkroom/jobs"
)

// TestSalvageOfOlder: newer jobs come out of a file of any earlier schema.
func TestSalvageOfOlder(t *testing.T) {
	t.Parallel()
	steps, err := migrations()
	require.NoError(t, err)
	for version := 1; version <= len(steps); version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), testFile)
			job := func(n int) string {
				id := fmt.Sprintf("018bcfe5-6800-7000-8000-%012d", n)
				sha := jobs.PayloadSHA([]byte(id))
				return `INSERT INTO jobs (id, rev, profile, grp, modality, model, format, query_format, state, task_id,
						raw_status, progress, title, note, draft, error, assets, created_at, submitted_at, accepted_at, ended_at,
						updated_at, create_ms, polls)
					VALUES ('` + id + `', ` + fmt.Sprint(n) + `, 'p', '', 'video', 'm', 'videos', 'videos', 'completed', 't` + fmt.Sprint(n) + `',
						'done', 7, '', '', '{"modality":"video","model":"m","prompt":"a kite"}', '', '', 1700000000000, 0, 0, 0, 1700000000000, 0, 3);
					INSERT INTO job_polls VALUES ('` + id + `', 0, 0, 0, '', 1, 0);
					INSERT INTO payloads VALUES ('` + sha + `', '', 36, CAST('` + id + `' AS BLOB));
					INSERT INTO job_payloads VALUES ('` + id + `', 'answer', '` + sha + `');`
			}
			atVersion(t, path, version, job(1))
			require.NoError(t, os.Mkdir(BackupDir(path), 0o700))
			require.NoError(t, disk.Copy(path, dayBackup(path, time.Now())))
			for _, ext := range []string{"", "-wal", "-shm"} {
				_ = os.Remove(path + ext)
			}
			atVersion(t, path, version, job(1)+job(2)+job(3))
			r, err := Restore(t.Context(), path, dayBackup(path, time.Now()))
			require.NoError(t, err)
			assert.Equal(t, 2, r.Saved, r.Unread)
			assert.Empty(t, r.Unread)
			assert.Contains(t, r.String(), "Newer jobs that could still be read are there too: 2.")
			s, err := Open(t.Context(), path)
			require.NoError(t, err)
			d, err := s.Detail(t.Context(), "018bcfe5-6800-7000-8000-000000000003")
			require.NoError(t, err)
			assert.Equal(t, d.Job.ID, string(d.Answer))
			require.NoError(t, s.Close())
		})
	}
}

// TestSalvageTellsOfNone: that nothing newer could be read is said, and where the file is.
func TestSalvageTellsOfNone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), testFile)
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	insertOne(t, s, "kept", jobs.Completed)
	b, err := s.Backup(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	r, err := Restore(t.Context(), path, b.Path)
	require.NoError(t, err)
	assert.Contains(t, r.String(), "No newer jobs were found")
	require.NoError(t, os.WriteFile(path, []byte("not a database, but text that is longer than the header of one, of 100 bytes, and so no empty file. "), 0o600))
	r, err = Restore(t.Context(), path, b.Path)
	require.NoError(t, err)
	assert.Zero(t, r.Saved)
	assert.NotEmpty(t, r.Unread)
	assert.Contains(t, r.String(), "No newer jobs could be read")
	assert.Contains(t, r.String(), "not a database")
	assert.Contains(t, r.String(), r.Aside[0])
}
