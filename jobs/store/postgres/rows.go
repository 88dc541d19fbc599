package postgres

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/cutdraft"
)

// jobColumns are read in the order of scanWork.
const jobColumns = `j.id, w.rev, j.profile, j.grp, j.format, j.query_format, j.state, j.task_id,
	j.raw_status, j.progress, j.title, j.note, j.remark, j.paused, j.draft, j.error, j.assets, j.alt_ids,
	j.files, j.tags, j.warnings, j.installation, j.proof, j.created_at, j.submitted_at, j.accepted_at, j.ended_at, j.updated_at, j.create_ms,
	j.polls, w.due, w.attempts, w.backoff, w.lease_owner, w.lease_token`

// listColumns are jobColumns with texts that are cut where they are long.
var listColumns = cutdraft.Columns(jobColumns)

const fromJobs = ` FROM jobs j JOIN work w ON w.job_id = j.id `

// held is a job as it lies in the database, with the counters of what is kept of it.
type held struct {
	jobs.Work
	events, exchanges int64
}

// text is what a column of text takes: no NUL and no broken characters.
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

// encode is "" for what is empty. JSON writes a NUL as an escape.
func encode(v any, empty bool) (string, error) {
	if empty {
		return "", nil
	}
	b, err := json.Marshal(v)
	return text(string(b)), err
}

func decode(s string, v any) error {
	if s == "" {
		return nil
	}
	return json.Unmarshal([]byte(s), v)
}

// packed are the columns of a job that hold JSON.
type packed struct{ draft, taskErr, assets, altIDs, files, tags, warnings string }

func pack(j *jobs.Job) (p packed, err error) {
	for _, f := range []struct {
		into  *string
		v     any
		empty bool
	}{
		{&p.draft, j.Draft, false},
		{&p.taskErr, j.Error, j.Error == nil},
		{&p.assets, j.Assets, len(j.Assets) == 0},
		{&p.altIDs, j.AltIDs, len(j.AltIDs) == 0},
		{&p.files, j.Files, len(j.Files) == 0},
		{&p.tags, j.Tags, len(j.Tags) == 0},
		{&p.warnings, j.Warnings, len(j.Warnings) == 0},
	} {
		if *f.into, err = encode(f.v, f.empty); err != nil {
			return p, fmt.Errorf("job %s: %w", j.ID, err)
		}
	}
	return p, nil
}

func (p packed) unpack(j *jobs.Job) error {
	if err := cutdraft.Decode(p.draft, &j.Draft); err != nil {
		return fmt.Errorf("job %s: draft: %w", j.ID, err)
	}
	if p.taskErr != "" {
		j.Error = &client.TaskError{}
	}
	for _, f := range []struct {
		name, from string
		into       any
	}{
		{"error", p.taskErr, j.Error}, {"assets", p.assets, &j.Assets},
		{"alternative ids", p.altIDs, &j.AltIDs}, {"files", p.files, &j.Files}, {"tags", p.tags, &j.Tags},
		{"warnings", p.warnings, &j.Warnings},
	} {
		if err := decode(f.from, f.into); err != nil {
			return fmt.Errorf("job %s: %s: %w", j.ID, f.name, err)
		}
	}
	return nil
}

// scanWork reads a row of jobColumns, and what follows them into more.
func (s *Store) scanWork(r pgx.Row, more ...any) (jobs.Work, error) {
	var (
		w                                            jobs.Work
		j                                            = &w.Job
		p                                            packed
		state                                        string
		created, submitted, accepted, ended, updated int64
		createMS, due, backoff                       int64
	)
	err := r.Scan(append([]any{
		&j.ID, &w.Rev, &j.Profile, &j.Group, &j.Format, &j.QueryFormat, &state, &j.TaskID,
		&j.RawStatus, &j.Progress, &j.Title, &j.Note, &j.Remark, &j.Paused, &p.draft, &p.taskErr, &p.assets, &p.altIDs,
		&p.files, &p.tags, &p.warnings, &j.Installation, &j.Proof, &created, &submitted, &accepted, &ended, &updated, &createMS,
		&j.Polls, &due, &w.Attempts, &backoff, &w.Owner, &w.Token,
	}, more...)...)
	if err != nil {
		return w, err
	}
	at := s.skew.time
	j.State = jobs.State(state)
	j.CreatedAt, j.SubmittedAt, j.AcceptedAt = at(created), at(submitted), at(accepted)
	j.EndedAt, j.UpdatedAt = at(ended), at(updated)
	j.CreateTook = time.Duration(createMS) * time.Millisecond
	w.Due, w.Backoff = at(due), time.Duration(backoff)*time.Millisecond
	if j.State.Polled() {
		j.NextPollAt = w.Due
	}
	if err := p.unpack(j); err != nil {
		return w, err
	}
	j.Strange() // whoever shares the history could have written it
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

// toldMark begins each text that events told, behind those of the job.
const toldMark = "\x01"

// words is what the text search looks at, in lower case. The parts are apart, so that no
// text is found across two of them.
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

// retell queues the new words of a job; what earlier events told stays behind them.
func (t *tx) retell(j *jobs.Job, more []string) {
	t.exec(`UPDATE job_search SET words = $2 || CASE strpos(words, $3) WHEN 0 THEN '' ELSE substr(words, strpos(words, $3)) END
		|| (SELECT coalesce(string_agg(m, '' ORDER BY i), '') FROM unnest($4::text[]) WITH ORDINALITY u (m, i) WHERE strpos(words, m) = 0)
		WHERE job_id = $1`, text(j.ID), words(j), toldMark, more)
}

// lower is a text as it is searched.
func lower(s string) string { return strings.ToLower(text(s)) }
