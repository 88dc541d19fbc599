package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
)

// strays are triggers and rules on our tables that no migration made; of the trigger that one
// made another function, or another state, counts too.
const strays = `SELECT 'the trigger ' || t.tgname || ' on ' || c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
		JOIN pg_proc p ON p.oid = t.tgfoid
		WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
		AND NOT (t.tgname = 'job_events_append' AND c.relname = 'job_events' AND t.tgenabled = 'O' AND p.proname = 'job_events_append')
	UNION ALL SELECT 'the rule ' || r.rulename || ' on ' || c.relname FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
		WHERE c.relnamespace = current_schema()::regnamespace AND r.rulename <> '_RETURN'
	ORDER BY 1`

// seeStrays tells of triggers and rules, which run with every write: by one a job can be sent
// again. They are the owner's of the database to look at, and nothing is done about them.
func (s *Store) seeStrays(ctx context.Context, h *Health, _ bool) error {
	rows, err := s.pool.Query(ctx, strays)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(names) == 0 {
		return err
	}
	h.Findings = append(h.Findings, jobs.Finding{
		Name: "strange_triggers", Count: int64(len(names)), Named: names[:min(len(names), maxNamed)],
		Text: fmt.Sprintf("%d triggers or rules are on the tables that no darkroom made: they can change jobs behind your back; ask who owns the database", len(names)),
	})
	return nil
}
