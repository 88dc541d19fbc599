package store

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestMigratesRings: a ring of version 6 may have a few requests too many. The newest stay, each
// once; the next one takes the place of the oldest that shows no change; nobody else's job is in it.
func TestMigratesRings(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), testFile)
	const id = "018bcfe5-6800-7000-8000-000000000001"
	atVersion(t, path, 6, `INSERT INTO jobs (id, rev, profile, grp, modality, model, format, query_format, state, task_id,
			raw_status, progress, title, note, draft, error, assets, created_at, submitted_at, accepted_at, ended_at,
			updated_at, create_ms, polls)
		VALUES ('`+id+`', 5, 'p', '', 'video', 'm', 'videos', 'videos', 'running', 't1', 'running', 7, '', '',
			'{"modality":"video","model":"m","prompt":"a kite"}', '', '', 1700000000000, 0, 0, 0, 1700000000000, 0, 3);
		INSERT INTO job_polls VALUES ('`+id+`', 1700000000000, 0, 0, '', 1, 0);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 27)
		INSERT INTO job_exchanges SELECT '`+id+`', i, 1700000000000 + i, 'poll', 'videos', 'GET /', 200, 5, 'r' || i, 'running', '' FROM n`)
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	assert.Equal(t, jobs.MaxExchanges, count(t, s, "job_exchanges"))
	d, err := s.Detail(t.Context(), id)
	require.NoError(t, err)
	assert.False(t, d.Job.Observed)
	require.Len(t, d.Exchanges, jobs.MaxExchanges)
	assert.Equal(t, "r8", d.Exchanges[0].RequestID)
	assert.Equal(t, 1, d.Exchanges[0].Times())

	next := jobs.Exchange{At: storetest.Base, Kind: jobs.ExchangePoll, RequestID: "next", RawStatus: "running"}
	_, err = s.Commit(t.Context(), jobs.Change{Job: d.Job, Token: 1, Due: storetest.Base, Exchanges: []jobs.Exchange{next}})
	require.NoError(t, err)
	assert.Equal(t, jobs.MaxExchanges, count(t, s, "job_exchanges"))
	d, err = s.Detail(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, "r8", d.Exchanges[0].RequestID, "the first that told this state")
	assert.Equal(t, "r10", d.Exchanges[1].RequestID)
	assert.Equal(t, "next", d.Exchanges[jobs.MaxExchanges-1].RequestID)
}

// TestRestoreKeepsObserved: a history that is put back knows whose tasks it watches, and restoring
// makes none of them one that a person could send again.
func TestRestoreKeepsObserved(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	j := storetest.NewJob("")
	j.Observed, j.State, j.TaskID = true, jobs.Running, "theirs"
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(j)}))
	b, err := s.Backup(t.Context())
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "new.db")
	r, err := Restore(t.Context(), path, b.Path)
	require.NoError(t, err)
	assert.Zero(t, r.Doubt)
	n, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, n.Close()) }()
	w, err := n.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.True(t, w.Job.Observed)
	assert.Equal(t, jobs.Running, w.Job.State)
	require.ErrorIs(t, jobs.Allowed(jobs.ActResend, &w.Job), jobs.ErrState)
}
