package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/cutdraft"
)

// jobColumns are read in the order of scanWork.
const jobColumns = `j.id, j.rev, j.profile, j.grp, j.format, j.query_format, j.state, j.task_id,
	j.raw_status, j.progress, j.title, j.note, j.draft, j.error, j.assets, j.created_at,
	j.submitted_at, j.accepted_at, j.ended_at, j.updated_at, j.create_ms, j.polls, j.remark, j.paused,
	j.installation, j.proof, j.warnings,
	p.next_poll_at, p.attempts, p.backoff, p.lease_owner, p.lease_token`

// listColumns are jobColumns with texts that are cut where they are long.
var listColumns = cutdraft.Columns(jobColumns)

const fromJobs = ` FROM jobs j JOIN job_polls p ON p.job_id = j.id `

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// encodeJSON is "" for what is empty.
func encodeJSON(v any, empty bool) (string, error) {
	if empty {
		return "", nil
	}
	b, err := json.Marshal(v)
	return string(b), err
}

func decodeJSON(s string, v any) error {
	if s == "" {
		return nil
	}
	return json.Unmarshal([]byte(s), v)
}

// values are what is kept of a job as JSON.
type values struct{ draft, taskErr, assets, warnings string }

// jobValues are those of a job whose draft is in JSON already.
func jobValues(j *jobs.Job, draft string) (v values, err error) {
	v.draft = draft
	if v.taskErr, err = encodeJSON(j.Error, j.Error == nil); err != nil {
		return v, err
	}
	if v.assets, err = encodeJSON(j.Assets, len(j.Assets) == 0); err != nil {
		return v, err
	}
	v.warnings, err = encodeJSON(j.Warnings, len(j.Warnings) == 0)
	return v, err
}

// decode reads the values into their job.
func (v *values) decode(j *jobs.Job) error {
	if err := cutdraft.Decode(v.draft, &j.Draft); err != nil {
		return fmt.Errorf("job %s: draft: %w", j.ID, err)
	}
	if v.taskErr != "" {
		j.Error = &client.TaskError{}
		if err := decodeJSON(v.taskErr, j.Error); err != nil {
			return fmt.Errorf("job %s: error: %w", j.ID, err)
		}
	}
	if err := decodeJSON(v.assets, &j.Assets); err != nil {
		return fmt.Errorf("job %s: assets: %w", j.ID, err)
	}
	if err := decodeJSON(v.warnings, &j.Warnings); err != nil {
		return fmt.Errorf("job %s: warnings: %w", j.ID, err)
	}
	return nil
}

// scanWork reads a row of jobColumns, without ids, tags and files.
func scanWork(r scanner) (jobs.Work, error) {
	w, v, err := scanRow(r)
	if err != nil {
		return w, err
	}
	return w, v.decode(&w.Job)
}

// scanRow reads a row that begins with jobColumns, and more into dest; the values are not
// decoded.
func scanRow(r scanner, dest ...any) (w jobs.Work, v values, err error) {
	var (
		j                                                = &w.Job
		state                                            string
		created, submitted, accepted, endedAt, updatedAt int64
		createMS, due, backoff                           int64
	)
	err = r.Scan(append([]any{&j.ID, &w.Rev, &j.Profile, &j.Group, &j.Format, &j.QueryFormat, &state, &j.TaskID,
		&j.RawStatus, &j.Progress, &j.Title, &j.Note, &v.draft, &v.taskErr, &v.assets, &created,
		&submitted, &accepted, &endedAt, &updatedAt, &createMS, &j.Polls, &j.Remark, &j.Paused,
		&j.Installation, &j.Proof, &v.warnings,
		&due, &w.Attempts, &backoff, &w.Owner, &w.Token}, dest...)...)
	if err != nil {
		return w, v, err
	}
	j.State = jobs.State(state)
	j.CreatedAt, j.SubmittedAt, j.AcceptedAt = fromMillis(created), fromMillis(submitted), fromMillis(accepted)
	j.EndedAt, j.UpdatedAt = fromMillis(endedAt), fromMillis(updatedAt)
	j.CreateTook = time.Duration(createMS) * time.Millisecond
	w.Due, w.Backoff = fromMillis(due), time.Duration(backoff)*time.Millisecond
	if j.State.Polled() {
		j.NextPollAt = w.Due
	}
	return w, v, nil
}

// complete adds the ids, tags and files of jobs that were read.
func (t *tx) complete(works []jobs.Work) error {
	if len(works) == 0 {
		return nil
	}
	at := make(map[string]*jobs.Job, len(works))
	ids := make([]string, len(works))
	for i := range works {
		ids[i] = works[i].Job.ID
		at[ids[i]] = &works[i].Job
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	args := []any{string(list)}
	err = t.each(`SELECT job_id, ext_id FROM job_ids
		WHERE job_id IN (SELECT value FROM json_each(?)) AND pos > 0 ORDER BY job_id, pos`, args,
		func(r scanner) error {
			var id, ext string
			if err := r.Scan(&id, &ext); err != nil {
				return err
			}
			at[id].AltIDs = append(at[id].AltIDs, ext)
			return nil
		})
	if err != nil {
		return err
	}
	err = t.each(`SELECT job_id, tag FROM job_tags
		WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY job_id, tag`, args,
		func(r scanner) error {
			var id, tag string
			if err := r.Scan(&id, &tag); err != nil {
				return err
			}
			at[id].Tags = append(at[id].Tags, tag)
			return nil
		})
	if err != nil {
		return err
	}
	return t.each(`SELECT job_id, idx, kind, state, path, bytes, total, sha256, media_type, error, proof FROM job_results
		WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY job_id, idx`, args,
		func(r scanner) error {
			var id, kind, state string
			var f jobs.File
			err := r.Scan(&id, &f.Index, &kind, &state, &f.Path, &f.Bytes, &f.Total, &f.SHA256, &f.MediaType, &f.Error, &f.Proof)
			if err != nil {
				return err
			}
			f.Kind, f.State = client.AssetKind(kind), jobs.FileState(state)
			at[id].Files = append(at[id].Files, f)
			return nil
		})
}

// searchPad ends every text of the search index, see migration 2.
const searchPad = "\n\n"

// told are the events of which a search knows the message, see [jobs.Event.Told].
const told = `(e.kind IN ('ambiguous', 'refused') OR e.to_state = 'lost')`

// toldOf reads what they told about a job.
func (t *tx) toldOf(id string) (text string, err error) {
	err = t.row(`SELECT coalesce(group_concat(message, char(10)), '') FROM (SELECT DISTINCT message FROM job_events e
		WHERE e.job_id = ? AND `+told+`)`, id).Scan(&text)
	return text, err
}

// tells reports whether events bring something to be searched.
func tells(events []jobs.Event) bool {
	return slices.ContainsFunc(events, func(e jobs.Event) bool { return e.Told() != "" })
}
