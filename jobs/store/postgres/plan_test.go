package postgres

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// many fills a history with 20,000 jobs, by the server itself.
func many(t *testing.T, s *Store) {
	t.Helper()
	for _, q := range []string{
		`INSERT INTO jobs SELECT lpad(to_hex(i), 12, '0') || '-7000', CASE WHEN i % 10 = 0 THEN 'q' ELSE 'p' END,
			CASE WHEN i % 50 = 0 THEN 'g' || i / 500 ELSE '' END, CASE WHEN i % 7 = 0 THEN 'image' ELSE 'video' END,
			'model-' || i % 40, '', 'videos', 'videos', CASE WHEN i % 20 = 0 THEN 'failed' ELSE 'completed' END, 'task-' || i,
			'', -1, '', '', '', false, '{}', '', '', '', '', '', i, i, i, i, i, 100, 5 FROM generate_series(1, 20000) i`,
		`INSERT INTO work SELECT id, profile, nextval('rev'), 0, 0, 0, '', 1, 0, 0, 0 FROM jobs`,
		`INSERT INTO job_ids SELECT id, task_id FROM jobs`,
		`INSERT INTO job_tags SELECT id, 'tag-' || (polls + created_at) % 500 FROM jobs`,
		`INSERT INTO job_parents SELECT id, lpad(to_hex(created_at + 1), 12, '0') || '-7000' FROM jobs WHERE created_at < 5000`,
		`INSERT INTO job_events SELECT id, 1, 0, 'state', '', 'completed', '', 200, 'req_0000000000' || created_at, '', '' FROM jobs`,
		`INSERT INTO job_search SELECT id, 'kite ' || created_at || CASE created_at % 5 WHEN 0 THEN ' 红色的风筝' ELSE ' at dawn' END
			|| CASE created_at % 997 WHEN 0 THEN ' 凤凰涅槃' ELSE '' END FROM jobs`,
		`VACUUM ANALYZE`, // what was just written is in the indexes of texts after that
	} {
		_, err := s.pool.Exec(t.Context(), q)
		require.NoError(t, err)
	}
}

// TestPlans: no list and no search looks through the whole history, whichever of its plans
// the server takes.
func TestPlans(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	many(t, s)
	var middle string
	require.NoError(t, s.pool.QueryRow(t.Context(), "SELECT id FROM jobs ORDER BY id OFFSET 10000 LIMIT 1").Scan(&middle))
	failed := []jobs.State{jobs.Failed, jobs.Refused, jobs.Lost}
	ids, err := s.pool.Query(t.Context(), "EXPLAIN "+byID, pgx.QueryExecModeSimpleProtocol, []string{"req_000000000077"}, mostOfRequest)
	require.NoError(t, err)
	plan, err := pgx.CollectRows(ids, pgx.RowTo[string])
	require.NoError(t, err)
	assert.NotContains(t, strings.Join(plan, "\n"), "Seq Scan")
	conn, err := s.pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	for name, q := range map[string]jobs.Query{
		"latest": {}, "page": {Before: middle}, "profile": {Profile: "p"}, "page of a profile": {Profile: "p", Before: middle},
		"states": {States: failed}, "states of a profile": {Profile: "p", States: failed, Before: middle}, "no such state": {States: []jobs.State{jobs.Lost}},
		"model": {Model: "model-3"}, "no such model": {Model: "none"}, "modality": {Modality: client.Image}, "no such modality": {Modality: client.Music},
		"group": {Group: "g7"}, "run": {Run: "r7"}, "no such run": {Run: "none"}, "task": {TaskID: "task-77"}, "no such task": {TaskID: "none"}, "parent": {Parent: middle}, "no such parent": {Parent: "none"}, "page of a parent": {Parent: "00000000000a-7000", Before: middle}, "tag": {Tag: "tag-7"}, "no such tag": {Tag: "none"},
		"text": {Text: "kite"}, "page of a text": {Text: "kite", Before: middle}, "rare text": {Text: `"kite 777 "`}, "words": {Text: "dawn kite"}, "page of words": {Text: "kite dawn", Before: middle},
		"words, one rare": {Text: "dawn 7771"}, "words that no job has": {Text: "kite zzzz"}, "words, one CJK": {Text: "kite 凤凰"}, "no such text": {Text: "zzzz"},
		"CJK": {Text: "风筝"}, "rare CJK": {Text: "凤凰"}, "long CJK": {Text: "凤凰涅槃"}, "one character": {Text: "凤"}, "no such CJK": {Text: "恐龙"},
		"CJK of a profile": {Profile: "p", Text: "凤凰", Before: middle}, "text and states": {Text: "凤凰", States: failed},
	} {
		query, args := listQuery(q, nil, 51, time.Time.UnixMilli)
		for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
			_, err := conn.Exec(t.Context(), "SET plan_cache_mode = "+mode)
			require.NoError(t, err)
			rows, err := conn.Query(t.Context(), "EXPLAIN "+query, args...)
			require.NoError(t, err)
			var plan []string
			for rows.Next() {
				var line string
				require.NoError(t, rows.Scan(&line))
				plan = append(plan, line)
			}
			require.NoError(t, rows.Err())
			assert.NotContains(t, strings.Join(plan, "\n"), "Seq Scan", "%s, %s", name, mode)
		}
	}
	for text, want := range map[string]int{"凤凰": 20, "凤": 20, "槃": 20, "凰凤": 0, `"kite 凤"`: 0, `"997 红"`: 0, `"4985 红色"`: 2,
		"kite 凤": 20, "红 997 凤": 1, "kite dawn 凤凰涅槃": 16, "4985 色": 2, "红色 dawn": 0, "req_000000000077": 1, "req_000000000077 kite": 1, "req_000000000077 红": 0} {
		p, err := s.List(t.Context(), jobs.Query{Text: text, Limit: 100})
		require.NoError(t, err)
		assert.Len(t, p.Jobs, want, text)
	}
}

func TestWide(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"": nil, "kite": nil, "风": {"风"}, "风筝": {"风筝"}, "红色的": {"红色", "色的"}, "a风b筝的": {"风", "筝的"}, "ÄRGER": {"ä"}, "\xff": {"\ufffd"},
	} {
		assert.Equal(t, want, wide(text), text)
	}
}
