// Package columns is the one list of what the row of a job holds. Both databases build their
// statements from it, and read and write rows by it.
package columns

import (
	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/cutdraft"
)

// column is one fact of a job as a database keeps it.
type column struct {
	name string
	// field is where the job has it: a *string, *bool, *int, *float64, *time.Time (kept in
	// milliseconds, 0 for none) or *time.Duration (in milliseconds). Of a fact that is kept as
	// JSON it is whatever JSON is read into.
	field func(*jobs.Job) any
	json  bool
	empty func(*jobs.Job) bool          // of JSON: kept as ""; nil for never
	list  func(name string) string      // how a list of jobs reads it; nil for as it is
	parse func(string, *jobs.Job) error // of JSON: in place of the plain way

	once    bool // written with the job and never again
	running bool // changes while a task runs, and no index has it
	copied  bool // for indexes alone: a copy of what another column holds, never read
	theirs  bool // a time by the gateway's clock, which stays as it is where clocks differ
	shared  bool // only in a shared history: SQLite has a table of its own for it, or works it out
}

// all lists the facts that are kept of a job, its id first.
func all() []column {
	return []column{
		{name: "id", field: func(j *jobs.Job) any { return &j.ID }, once: true},
		{name: "profile", field: func(j *jobs.Job) any { return &j.Profile }, once: true},
		{name: "grp", field: func(j *jobs.Job) any { return &j.Group }, once: true},
		{name: "run", field: func(j *jobs.Job) any { return &j.Run }, once: true},
		{name: "cell", field: func(j *jobs.Job) any { return &j.Cell }, once: true},
		{name: "modality", field: func(j *jobs.Job) any { return (*string)(&j.Draft.Modality) }, once: true, copied: true},
		{name: "model", field: func(j *jobs.Job) any { return &j.Draft.Model }, once: true, copied: true},
		{name: "mode", field: func(j *jobs.Job) any { return &j.Draft.Mode }, once: true, copied: true, shared: true},
		{name: "format", field: func(j *jobs.Job) any { return &j.Format }, once: true},
		{name: "query_format", field: func(j *jobs.Job) any { return &j.QueryFormat }, running: true},
		{name: "state", field: func(j *jobs.Job) any { return (*string)(&j.State) }},
		{name: "task_id", field: func(j *jobs.Job) any { return &j.TaskID }},
		{name: "raw_status", field: func(j *jobs.Job) any { return &j.RawStatus }, running: true},
		{name: "progress", field: func(j *jobs.Job) any { return &j.Progress }, running: true},
		{name: "title", field: func(j *jobs.Job) any { return &j.Title }, running: true, list: cutdraft.Text},
		{name: "note", field: func(j *jobs.Job) any { return &j.Note }, running: true, list: cutdraft.Text},
		{name: "remark", field: func(j *jobs.Job) any { return &j.Remark }},
		{name: "paused", field: func(j *jobs.Job) any { return &j.Paused }},
		{name: "rejected_at", field: func(j *jobs.Job) any { return &j.Rejected }},
		{name: "rejected_by", field: func(j *jobs.Job) any { return &j.RejectedBy }},
		{
			name: "draft", field: func(j *jobs.Job) any { return &j.Draft }, json: true, list: cutdraft.Draft,
			parse: func(text string, j *jobs.Job) error { return cutdraft.Decode(text, &j.Draft) },
		},
		{
			name: "error", field: func(j *jobs.Job) any { return &j.Error }, json: true, list: cutdraft.Error,
			empty: func(j *jobs.Job) bool { return j.Error == nil },
			parse: parseError,
		},
		listOf("assets", func(j *jobs.Job) *[]client.Asset { return &j.Assets }, column{running: true}),
		listOf("alt_ids", func(j *jobs.Job) *[]string { return &j.AltIDs }, column{shared: true}),
		listOf("files", func(j *jobs.Job) *[]jobs.File { return &j.Files }, column{shared: true}),
		listOf("tags", func(j *jobs.Job) *[]string { return &j.Tags }, column{shared: true}),
		listOf("warnings", func(j *jobs.Job) *[]string { return &j.Warnings }, column{}),
		{name: "installation", field: func(j *jobs.Job) any { return &j.Installation }},
		{name: "proof", field: func(j *jobs.Job) any { return &j.Proof }},
		{name: "observed", field: func(j *jobs.Job) any { return &j.Observed }, once: true},
		{name: "created_at", field: func(j *jobs.Job) any { return &j.CreatedAt }, once: true},
		{name: "submitted_at", field: func(j *jobs.Job) any { return &j.SubmittedAt }},
		{name: "accepted_at", field: func(j *jobs.Job) any { return &j.AcceptedAt }},
		{name: "ended_at", field: func(j *jobs.Job) any { return &j.EndedAt }},
		{name: "updated_at", field: func(j *jobs.Job) any { return &j.UpdatedAt }, running: true},
		{name: "create_ms", field: func(j *jobs.Job) any { return &j.CreateTook }},
		{name: "sent_at", field: func(j *jobs.Job) any { return &j.Seen.Sent }, running: true},
		{name: "waiting_at", field: func(j *jobs.Job) any { return &j.Seen.Waiting }, running: true},
		{name: "working_at", field: func(j *jobs.Job) any { return &j.Seen.Working }, running: true},
		{name: "running_at", field: func(j *jobs.Job) any { return &j.Seen.Running }, running: true},
		{name: "seen_ended_at", field: func(j *jobs.Job) any { return &j.Seen.Ended }},
		{name: "fetch_begun_at", field: func(j *jobs.Job) any { return &j.Seen.FetchBegun }},
		{name: "fetched_at", field: func(j *jobs.Job) any { return &j.Seen.Fetched }},
		{name: "gateway_created_at", field: func(j *jobs.Job) any { return &j.Seen.GatewayCreated }, running: true, theirs: true},
		{name: "gateway_started_at", field: func(j *jobs.Job) any { return &j.Seen.GatewayStarted }, running: true, theirs: true},
		{name: "gateway_ended_at", field: func(j *jobs.Job) any { return &j.Seen.GatewayEnded }, theirs: true},
		{name: "polls", field: func(j *jobs.Job) any { return &j.Polls }, running: true},
	}
}

// listOf is a column for a list that is kept as JSON, with the settings of c.
func listOf[T any](name string, field func(*jobs.Job) *[]T, c column) column {
	c.name, c.json = name, true
	c.field = func(j *jobs.Job) any { return field(j) }
	c.empty = func(j *jobs.Job) bool { return len(*field(j)) == 0 }
	return c
}
