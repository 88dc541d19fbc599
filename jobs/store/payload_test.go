package store

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

func count(t *testing.T, s *SQLite, table string) (n int) {
	t.Helper()
	require.NoError(t, s.readDB.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
	return n
}

// TestPayloadsAreSharedAndDropped keeps one copy of a body, as long as it is named.
func TestPayloadsAreSharedAndDropped(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	var changes []jobs.Change
	for range 5 {
		c := storetest.Plan(storetest.NewJob("x"))
		c.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: []byte("same")}}
		changes = append(changes, c)
	}
	require.NoError(t, s.Insert(t.Context(), changes))
	assert.Equal(t, 1, count(t, s, "payloads"))
	c := changes[0]
	c.Token = 1
	for i, body := range []string{"one", "two", "three"} {
		c.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: []byte(body)}}
		c.Events = nil
		if i == 0 {
			c.Events = []jobs.Event{{Kind: jobs.EventState, PayloadSHA: jobs.PayloadSHA([]byte(body))}}
		}
		_, err := s.Commit(t.Context(), c)
		require.NoError(t, err)
	}
	assert.Equal(t, 3, count(t, s, "payloads"), "the shared one, the one that an event names, and the newest")
}

// TestAnswers: an answer is kept with its job until an event names it; then it stays, whatever
// comes after it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	c := storetest.Plan(storetest.NewJob("x"))
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{c}))
	step := func(body, named string, forget bool, kept, own int) {
		t.Helper()
		c := jobs.Change{Job: c.Job, Due: storetest.Base, Token: 1}
		if body != "" {
			c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte(body)}}
		}
		if named != "" {
			c.Events = []jobs.Event{{Kind: jobs.EventState, PayloadSHA: jobs.PayloadSHA([]byte(named))}}
		}
		if forget {
			c.Forget = []jobs.PayloadKind{jobs.PayloadAnswer}
		}
		_, err := s.Commit(t.Context(), c)
		require.NoError(t, err)
		assert.Equal(t, kept, count(t, s, "payloads"), body)
		assert.Equal(t, own, count(t, s, "job_answers"), body)
		got, err := s.Payload(t.Context(), c.Job.ID, jobs.PayloadAnswer)
		if forget {
			require.ErrorIs(t, err, jobs.ErrNotFound)
			return
		}
		require.NoError(t, err)
		if body != "" {
			assert.Equal(t, body, string(got))
		}
	}
	long := strings.Repeat("a long one ", 1000)
	step("one", "", false, 0, 1)
	step(long, "", false, 0, 1)
	step("two", "two", false, 1, 0)
	step("three", "", false, 1, 1)
	step("", "three", false, 2, 0)
	step("four", "", false, 2, 1)
	step("five", "four", false, 3, 1)
	r, err := s.Records(t.Context(), "", 0)
	require.NoError(t, err)
	require.Len(t, r, 1)
	require.NoError(t, r[0].Check())
	assert.Equal(t, jobs.PayloadSHA([]byte("five")), r[0].Current[jobs.PayloadAnswer])
	assert.Len(t, r[0].Bodies, 4)
	h, err := Examine(t.Context(), s.Path(), false)
	require.NoError(t, err)
	assert.Empty(t, h.Findings)
	assert.EqualValues(t, 4, h.Bodies)
	step("", "", true, 3, 0)
}

// TestMigratesAnswers opens a history of version 2 with a job in it: its answer is there, and
// gives way to the next one, and it is found by what events said.
func TestMigratesAnswers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), testFile)
	const id = "018bcfe5-6800-7000-8000-000000000001"
	old := jobs.PayloadSHA([]byte("old"))
	atVersion(t, path, 2, `INSERT INTO jobs (id, rev, profile, grp, modality, model, format, query_format, state, task_id,
			raw_status, progress, title, note, draft, error, assets, created_at, submitted_at, accepted_at, ended_at,
			updated_at, create_ms, polls)
		VALUES ('`+id+`', 5, 'p', '', 'video', 'm', 'videos', 'videos', 'running', 't1', 'running', 7, '', '',
			'{"modality":"video","model":"m","prompt":"a kite"}', '', '', 1700000000000, 0, 0, 0, 1700000000000, 0, 3);
		UPDATE counters SET value = 5;
		INSERT INTO job_ids VALUES ('`+id+`', 0, 't1');
		INSERT INTO job_polls VALUES ('`+id+`', 1700000000000, 0, 0, '', 1, 0);
		INSERT INTO payloads VALUES ('`+old+`', '', 3, CAST('old' AS BLOB));
		INSERT INTO job_payloads VALUES ('`+id+`', 'answer', '`+old+`');
		INSERT INTO job_exchanges VALUES ('`+id+`', 1, 1700000000000, 'poll', 'videos', 'GET /', 200, 5, 'r', 'running', '');
		INSERT INTO job_events VALUES ('`+id+`', 1, 1700000000000, 'ambiguous', '', 'ambiguous', '', 0, '', 'Connection reset by peer', ''),
			('`+id+`', 2, 1700000000000, 'state', '', 'running', '', 200, 'req_0123456789AB', 'never mind', '');
		INSERT INTO job_tags VALUES ('`+id+`', 'best', 1);
		INSERT INTO jobs_fts (rowid, prompt, ids, title, error, note, tags, remark)
		VALUES (1, 'a kite'||char(10,10), '`+id+` t1'||char(10,10), char(10,10), char(10,10), char(10,10), char(10,10), char(10,10))`)
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	d, err := s.Detail(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, "old", string(d.Answer))
	c := jobs.Change{Job: d.Job, Token: 1, Due: storetest.Base, Exchanges: d.Exchanges,
		Payloads: []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte("new")}}}
	rev, err := s.Commit(t.Context(), c)
	require.NoError(t, err)
	assert.Greater(t, rev, int64(5))
	d, err = s.Detail(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, "new", string(d.Answer))
	assert.Len(t, d.Exchanges, 2)
	assert.Zero(t, count(t, s, "payloads"), "nothing names the old one")
	for text, n := range map[string]int{"kite": 1, "reset best kite t1": 1, "req_0123456789AB": 1, "never": 0, "peer never": 0} {
		page, err := s.List(t.Context(), jobs.Query{Text: text})
		require.NoError(t, err)
		assert.Len(t, page.Jobs, n, text)
	}
	h, err := Examine(t.Context(), path, false)
	require.NoError(t, err)
	assert.Empty(t, h.Findings)
	assert.Equal(t, today(t), h.Schema)
}
