-- The history. Nothing is NULL: '' and 0 stand for none. Times are epoch milliseconds, ids
-- are UUIDv7 text, so that their order is that of the submissions.

-- "rev" counts the transactions that touch a job; jobs.rev is the last one that did.
CREATE TABLE counters (
	name  TEXT    NOT NULL PRIMARY KEY,
	value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO counters (name, value) VALUES ('rev', 0);

CREATE TABLE jobs (
	n            INTEGER PRIMARY KEY,       -- rowid of the search index
	id           TEXT    NOT NULL UNIQUE,
	rev          INTEGER NOT NULL,          -- grows with every transaction
	profile      TEXT    NOT NULL,
	grp          TEXT    NOT NULL,
	modality     TEXT    NOT NULL,
	model        TEXT    NOT NULL,
	format       TEXT    NOT NULL,
	query_format TEXT    NOT NULL,
	state        TEXT    NOT NULL,
	task_id      TEXT    NOT NULL,
	raw_status   TEXT    NOT NULL,
	progress     REAL    NOT NULL,          -- -1 for none
	title        TEXT    NOT NULL,
	note         TEXT    NOT NULL,
	draft        TEXT    NOT NULL,          -- JSON
	error        TEXT    NOT NULL,          -- JSON, '' for none
	assets       TEXT    NOT NULL,          -- JSON, '' for none
	created_at   INTEGER NOT NULL,
	submitted_at INTEGER NOT NULL,
	accepted_at  INTEGER NOT NULL,
	ended_at     INTEGER NOT NULL,
	updated_at   INTEGER NOT NULL,
	create_ms    INTEGER NOT NULL,          -- latency of the create
	polls        INTEGER NOT NULL
);
CREATE UNIQUE INDEX jobs_rev      ON jobs (rev, id);
CREATE INDEX        jobs_profile  ON jobs (profile, id);
CREATE INDEX        jobs_state    ON jobs (profile, state, id);
CREATE INDEX        jobs_model    ON jobs (model, id);
CREATE INDEX        jobs_modality ON jobs (modality, id);
CREATE INDEX        jobs_group    ON jobs (grp, id) WHERE grp <> '';

-- Ids that the gateway gave: the task's own first, then others of its answers.
CREATE TABLE job_ids (
	job_id TEXT    NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	pos    INTEGER NOT NULL,
	ext_id TEXT    NOT NULL,
	PRIMARY KEY (job_id, pos)
) WITHOUT ROWID;
CREATE INDEX job_ids_ext ON job_ids (ext_id, job_id);

-- What is to be done next, and who may do it. next_poll_at 0 is nothing. A lease holds
-- until lease_until, and longer while its owner beats.
CREATE TABLE job_polls (
	job_id       TEXT    NOT NULL PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
	next_poll_at INTEGER NOT NULL,
	attempts     INTEGER NOT NULL,
	backoff      INTEGER NOT NULL,          -- milliseconds
	lease_owner  TEXT    NOT NULL,
	lease_token  INTEGER NOT NULL,
	lease_until  INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX job_polls_due   ON job_polls (next_poll_at, job_id) WHERE next_poll_at > 0;
CREATE INDEX job_polls_owner ON job_polls (lease_owner) WHERE lease_owner <> '';

-- One row of each living owner, so that a beat renews any number of leases.
CREATE TABLE pollers (
	owner       TEXT    NOT NULL PRIMARY KEY,
	lease_until INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE payloads (
	sha256 TEXT    NOT NULL PRIMARY KEY,
	enc    TEXT    NOT NULL,                -- '' or 'deflate'
	size   INTEGER NOT NULL,                -- before compression
	body   BLOB    NOT NULL
);

-- The current body of each kind.
CREATE TABLE job_payloads (
	job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	kind   TEXT NOT NULL,
	sha256 TEXT NOT NULL REFERENCES payloads (sha256),
	PRIMARY KEY (job_id, kind)
) WITHOUT ROWID;
CREATE INDEX job_payloads_sha ON job_payloads (sha256);

CREATE TABLE job_events (
	job_id      TEXT    NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	seq         INTEGER NOT NULL,           -- 1, 2, 3 in each job
	at          INTEGER NOT NULL,
	kind        TEXT    NOT NULL,
	from_state  TEXT    NOT NULL,
	to_state    TEXT    NOT NULL,
	raw_status  TEXT    NOT NULL,
	http_status INTEGER NOT NULL,
	request_id  TEXT    NOT NULL,
	message     TEXT    NOT NULL,
	payload     TEXT    NOT NULL,           -- sha256 of payloads, '' for none
	PRIMARY KEY (job_id, seq)
) WITHOUT ROWID;
CREATE INDEX job_events_payload ON job_events (payload) WHERE payload <> '';

-- Events are only ever appended.
CREATE TRIGGER job_events_append BEFORE UPDATE ON job_events
BEGIN
	SELECT RAISE(ABORT, 'job_events is append-only');
END;

CREATE TABLE job_results (
	job_id     TEXT    NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	idx        INTEGER NOT NULL,
	kind       TEXT    NOT NULL,
	state      TEXT    NOT NULL,
	path       TEXT    NOT NULL,
	bytes      INTEGER NOT NULL,
	total      INTEGER NOT NULL,            -- -1 when not known
	sha256     TEXT    NOT NULL,
	media_type TEXT    NOT NULL,
	error      TEXT    NOT NULL,
	PRIMARY KEY (job_id, idx)
) WITHOUT ROWID;
CREATE INDEX job_results_sha ON job_results (sha256) WHERE sha256 <> '';

CREATE TABLE job_tags (
	job_id TEXT    NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	tag    TEXT    NOT NULL,
	at     INTEGER NOT NULL,
	PRIMARY KEY (job_id, tag)
) WITHOUT ROWID;
CREATE INDEX job_tags_tag ON job_tags (tag, job_id);

-- Substrings of three characters and more, in any script.
CREATE VIRTUAL TABLE jobs_fts USING fts5 (
	prompt, ids, title, error, note, tags,
	content = '', contentless_delete = 1, tokenize = 'trigram'
);
