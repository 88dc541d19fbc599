package postgres

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
	"darkroom/jobs/store/columns"
)

// table is the row of a job, made when it is first needed: most histories are on SQLite.
var table = sync.OnceValue(func() *columns.Table {
	return columns.New(columns.Dialect{
		Shared: true, Clean: text,
		Work: [...]string{"w.rev", "w.due", "w.attempts", "w.backoff", "w.lease_owner", "w.lease_token"},
	})
})

const fromJobs = ` FROM jobs j JOIN work w ON w.job_id = j.id `

// stored is a job as it lies in the database, with the counters of what is kept of it.
type stored struct {
	jobs.Work
	events, exchanges int64
	ring              []jobs.Exchange // oldest first, and which slot each is in
	slots             []int
}

// text makes a string fit for a column of text: without NUL and broken characters.
func text(s string) string {
	if utf8.ValidString(s) && !strings.ContainsRune(s, 0) {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "\ufffd")
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = text(string(s))
	}
	return out
}

// scanWork reads a row of the table's columns, and what follows them into more.
func (s *Store) scanWork(r pgx.Row, more ...any) (jobs.Work, error) {
	w, texts, err := table().Scan(r, s.skew.get(), more...)
	if err != nil {
		return w, err
	}
	if err := table().Decode(texts, &w.Job); err != nil {
		return w, err
	}
	w.Job.Strange() // whoever shares the history could have written it
	return w, nil
}

// ids are the ids that the gateway gave a job.
func ids(j *jobs.Job) []string {
	var out []string
	for _, id := range append([]string{j.TaskID}, j.AltIDs...) {
		if id = text(id); id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// toldMark begins each text from an event; these follow the texts of the job.
const toldMark = "\x01"

// words is what the text search looks at, in lower case. The parts are separated, so that no text
// is found across two of them.
func words(j *jobs.Job) string {
	parts := j.SearchTexts()
	return unmarked(strings.Join(parts[:], "\n"))
}

// told is what events add to the words of a job, in lower case.
func told(events []jobs.Event) []string {
	var out []string
	for _, e := range events {
		if t := e.Told(); t != "" {
			out = append(out, toldMark+unmarked(t))
		}
	}
	return out
}

func unmarked(s string) string { return strings.ReplaceAll(lower(s), toldMark, " ") }

// retell queues the new words of a job; the texts of earlier events stay after them.
func (t *tx) retell(j *jobs.Job, more []string) {
	t.exec(`UPDATE job_search SET words = $2 || CASE strpos(words, $3) WHEN 0 THEN '' ELSE substr(words, strpos(words, $3)) END
		|| (SELECT coalesce(string_agg(m, '' ORDER BY i), '') FROM unnest($4::text[]) WITH ORDINALITY u (m, i) WHERE strpos(words, m) = 0)
		WHERE job_id = $1`, text(j.ID), words(j), toldMark, more)
}

// lower returns a text as it is searched.
func lower(s string) string { return strings.ToLower(text(s)) }
