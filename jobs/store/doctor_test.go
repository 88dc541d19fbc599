package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

func findings(h *Health) map[string]jobs.Finding {
	out := map[string]jobs.Finding{}
	for _, f := range h.Findings {
		out[f.Name] = f
	}
	return out
}

// TestExamine breaks every rule once: each is found, said, and repaired where that can be.
func TestExamine(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	insertOne(t, s, "one", jobs.Running)
	j := insertOne(t, s, "two", jobs.Completed)
	there := filepath.Join(t.TempDir(), "there.png")
	require.NoError(t, os.WriteFile(there, []byte("12345"), 0o600))
	_, err := s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		w.Job.Files = []jobs.File{
			{Index: 0, Kind: client.AssetImage, State: jobs.FileSaved, Path: there, Bytes: 5, Total: 5},
			{Index: 1, Kind: client.AssetImage, State: jobs.FileSaved, Path: there + "x", Bytes: 5, Total: 5},
		}
		return jobs.Change{Job: w.Job}, nil
	})
	require.NoError(t, err)
	_, err = s.Claim(t.Context(), jobs.Claim{Owner: "gone", Profile: "p", Now: storetest.Base, Until: storetest.Base.Add(time.Second)})
	require.NoError(t, err)
	b, err := s.Backup(t.Context())
	require.NoError(t, err)

	h, err := Examine(t.Context(), s.Path(), false)
	require.NoError(t, err)
	f := findings(h)
	require.Len(t, f, 2, "%+v", h.Findings)
	assert.Equal(t, []string{j.ID + " " + there + "x"}, f["missing_files"].Named)
	assert.Equal(t, []jobs.Lease{{Owner: "gone", Jobs: 1}}, h.Leases)
	assert.EqualValues(t, 2, h.Jobs)
	assert.EqualValues(t, 1, h.Active)
	assert.EqualValues(t, 2, h.Bodies)
	assert.Len(t, h.Backups, 1)
	assert.Positive(t, h.Bytes)
	assert.Equal(t, today(t), h.Schema)
	assert.False(t, h.Sound())

	raw := func(stmt string) {
		_, err := s.w.conn.ExecContext(t.Context(), stmt)
		require.NoError(t, err, stmt)
	}
	raw("PRAGMA foreign_keys = 0")
	raw("INSERT INTO job_tags VALUES ('nobody', 'x', 0)")
	raw("INSERT INTO payloads VALUES ('unneeded', '', 3, 'abc')")
	raw("UPDATE payloads SET body = 'other' WHERE sha256 <> 'unneeded'")
	raw("INSERT INTO job_payloads VALUES ('" + j.ID + "', 'answer', 'missing')")
	raw("INSERT INTO job_events SELECT job_id, 9, 0, 'state', '', '', '', 0, '', '', 'nowhere' FROM job_events LIMIT 1")
	raw("DELETE FROM job_polls WHERE job_id = '" + j.ID + "'")
	raw("DELETE FROM jobs_fts WHERE rowid = 1")
	raw("PRAGMA foreign_keys = 1")
	tear(t, b.Path)
	want := []string{"missing_files", "expired_leases", "orphaned_job_tags", "orphaned_bodies", "changed_bodies", "missing_bodies",
		"missing_event_bodies", "jobs_without_work", "search_index", "bad_backup"}
	for _, fix := range []bool{false, true} {
		h, err = Examine(t.Context(), s.Path(), fix)
		require.NoError(t, err)
		f = findings(h)
		for _, name := range want {
			if assert.Contains(t, f, name) {
				assert.Equal(t, fix && f[name].Fixable, f[name].Fixed, name)
				assert.NotEmpty(t, f[name].Text)
			}
		}
		assert.Len(t, f, len(want))
	}
	h, err = Examine(t.Context(), s.Path(), true)
	require.NoError(t, err)
	left := []string{}
	for name := range findings(h) {
		left = append(left, name)
	}
	assert.ElementsMatch(t, []string{"missing_files", "changed_bodies", "missing_event_bodies", "bad_backup"}, left)
	p, err := s.List(t.Context(), jobs.Query{Text: "one"})
	require.NoError(t, err)
	assert.Len(t, p.Jobs, 1, "the search index is whole again")
}

func TestExamineDamage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "h.db")
	_, err := Examine(t.Context(), path, true)
	require.ErrorIs(t, err, os.ErrNotExist)
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	insertOne(t, s, "one", jobs.Completed)
	require.NoError(t, s.Close())
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	tear(t, path)
	h, err := Examine(t.Context(), path, true)
	require.NoError(t, err)
	require.Len(t, h.Findings, 1)
	assert.Equal(t, "damaged", h.Findings[0].Name)
	assert.False(t, h.Findings[0].Fixed, "there is no backup")
	assert.Contains(t, h.Findings[0].Text, "no backup")

	require.NoError(t, os.WriteFile(path, good, 0o600))
	s, err = Open(t.Context(), path)
	require.NoError(t, err)
	_, err = s.Backup(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	tear(t, path)
	h, err = Examine(t.Context(), path, false)
	require.NoError(t, err)
	require.False(t, h.Sound())
	h, err = Examine(t.Context(), path, true)
	require.NoError(t, err)
	require.True(t, h.Sound(), "%+v", h.Findings)
	require.NotEmpty(t, h.Aside)
	h, err = Examine(t.Context(), path, false)
	require.NoError(t, err)
	assert.Empty(t, h.Findings)
	assert.EqualValues(t, 1, h.Jobs)
}
