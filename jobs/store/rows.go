package store

import (
	"encoding/json"
	"slices"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/columns"
)

// table is the row of a job.
var table = columns.New(columns.Dialect{
	Work: [...]string{"j.rev", "p.next_poll_at", "p.attempts", "p.backoff", "p.lease_owner", "p.lease_token"},
})

// Where the texts of a row are that are looked at by themselves.
var draftText, taskErrorText = table.Text("draft"), table.Text("error")

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

// scanWork reads a row of the table's columns, without ids, tags and files.
func scanWork(r scanner) (jobs.Work, error) {
	w, texts, err := table.Scan(r, 0)
	if err != nil {
		return w, err
	}
	return w, table.Decode(texts, &w.Job)
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
