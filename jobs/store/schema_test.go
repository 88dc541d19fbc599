package store

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/disk"
	"darkroom/jobs"
)

// TestSchemaList: the list that is compared with is what the migrations make.
func TestSchemaList(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), testFile)
	steps, err := migrations()
	require.NoError(t, err)
	atVersion(t, path, len(steps), "")
	lines, err := schemaLines(t.Context(), openAt(t, path))
	require.NoError(t, err)
	text := strings.Join(lines, "\n") + "\n"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile("schema.txt", []byte(text), 0o600))
		return
	}
	assert.Equal(t, text, schemaList)
}

// forged is a history, or a backup, with something in it that no migration made.
var forged = map[string]string{
	"trigger": `CREATE TRIGGER again AFTER UPDATE OF state ON jobs WHEN new.state = 'completed'
		BEGIN UPDATE jobs SET state = 'planned', task_id = '' WHERE id = new.id; END`,
	"quiet trigger": `CREATE TRIGGER job_polls_due2 AFTER UPDATE ON job_polls BEGIN UPDATE job_polls SET next_poll_at = 1 WHERE job_id = new.job_id; END`,
	"view":          `CREATE VIEW more AS SELECT * FROM jobs`,
	"table":         `CREATE TABLE more (x)`,
	"index":         `CREATE INDEX more ON jobs (title)`,
	"changed":       `DROP TRIGGER job_events_append; CREATE TRIGGER job_events_append BEFORE UPDATE ON job_events BEGIN SELECT 1; END`,
	"missing":       `DROP TRIGGER job_events_append`,
	"column":        `ALTER TABLE pauses ADD COLUMN x TEXT NOT NULL DEFAULT ''`,
}

// TestForgedSchemaIsRefused: neither opened nor restored, and nothing of it runs.
func TestForgedSchemaIsRefused(t *testing.T) {
	t.Parallel()
	for name, statement := range forged {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), testFile)
			s, err := Open(t.Context(), path)
			require.NoError(t, err)
			insertOne(t, s, "mine", jobs.Planned)
			require.NoError(t, s.Close())
			other := filepath.Join(t.TempDir(), "given.db")
			require.NoError(t, disk.Copy(path, other))
			writes(t, other, statement)

			_, err = Open(t.Context(), other)
			strange := &SchemaError{}
			require.ErrorAs(t, err, &strange)
			require.Len(t, strange.Others, 1)
			assert.Contains(t, err.Error(), "history restore")

			_, err = Restore(t.Context(), path, other)
			require.ErrorAs(t, err, new(*SchemaError))
			s, err = Open(t.Context(), path)
			require.NoError(t, err, "what was there is as it was")
			page, err := s.List(t.Context(), jobs.Query{})
			require.NoError(t, err)
			assert.Len(t, page.Jobs, 1)
			require.NoError(t, s.Close())
		})
	}
}

// TestForgedOlderSchemaIsRefused: what a migration would bring up to date is looked at, too.
func TestForgedOlderSchemaIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), testFile)
	atVersion(t, path, 4, forged["trigger"])
	_, err := Open(t.Context(), path)
	require.ErrorAs(t, err, new(*SchemaError))
	assert.ErrorContains(t, err, `trigger "again" is unknown`)
	var version int
	require.NoError(t, openAt(t, path).QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&version))
	assert.Equal(t, 4, version, "it was not touched")
}

// anySchema is a check for histories that are not today's.
func anySchema(context.Context, querier, string) error { return nil }

// openAt opens a database for reading, whatever is in it.
func openAt(t *testing.T, path string) *sql.DB {
	t.Helper()
	lockOnce()
	db, err := sql.Open("sqlite", dsn(path, true))
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// writes runs a statement on a database, whatever is in it.
func writes(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn(path, false))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

// TestRestoreOfAnothersFile: what stands for "made here, before there were proofs" is believed
// of one's own backups alone.
func TestRestoreOfAnothersFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), testFile)
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	j := insertOne(t, s, "old", jobs.Refused)
	_, err = s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		w.Job.Proof = jobs.ProofBefore
		w.Job.Files = []jobs.File{{State: jobs.FileSaved, Path: "/x.png", Proof: jobs.ProofBefore}}
		return jobs.Change{Job: w.Job}, nil
	})
	require.NoError(t, err)
	b, err := s.Backup(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	given := filepath.Join(t.TempDir(), "given.db")
	require.NoError(t, disk.Copy(b.Path, given))
	for from, want := range map[string]string{b.Path: jobs.ProofBefore, given: ""} {
		_, err := Restore(t.Context(), path, from)
		require.NoError(t, err)
		s, err := Open(t.Context(), path)
		require.NoError(t, err)
		w, err := s.Get(t.Context(), j.ID)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		assert.Equal(t, want, w.Job.Proof, from)
		assert.Equal(t, want, w.Job.Files[0].Proof, from)
	}
}

func BenchmarkCheckSchema(b *testing.B) {
	s := openTest(b)
	for b.Loop() {
		if err := checkSchema(context.Background(), s.readDB, ""); err != nil {
			b.Fatal(err)
		}
	}
}
