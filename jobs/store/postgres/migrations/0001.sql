-- The shared history. Nothing is NULL: '' and 0 stand for none. Times are epoch
-- milliseconds by the clock of this server, ids are UUIDv7 text, so that their order is that
-- of the submissions. Texts that are JSON hold a NUL character as \u0000.

CREATE SEQUENCE rev AS bigint;
SELECT nextval('rev'); -- from now on last_value is one that was given out

-- What a person sees of a job, and what it was made of.
CREATE TABLE jobs (
	id           text COLLATE "C" NOT NULL PRIMARY KEY,
	profile      text   NOT NULL,
	grp          text   NOT NULL,
	modality     text   NOT NULL,
	model        text   NOT NULL,
	mode         text   NOT NULL,
	format       text   NOT NULL,
	query_format text   NOT NULL,
	state        text   NOT NULL,
	task_id      text   NOT NULL,
	raw_status   text   NOT NULL,
	progress     float8 NOT NULL,           -- -1 for none
	title        text   NOT NULL,
	note         text   NOT NULL,
	remark       text   NOT NULL,
	paused       bool   NOT NULL,
	draft        text   NOT NULL,           -- JSON
	error        text   NOT NULL,           -- JSON, '' for none
	assets       text   NOT NULL,           -- JSON, '' for none
	alt_ids      text   NOT NULL,           -- JSON, '' for none
	files        text   NOT NULL,           -- JSON, '' for none
	tags         text   NOT NULL,           -- JSON, '' for none
	created_at   bigint NOT NULL,
	submitted_at bigint NOT NULL,
	accepted_at  bigint NOT NULL,
	ended_at     bigint NOT NULL,
	updated_at   bigint NOT NULL,
	create_ms    bigint NOT NULL,           -- latency of the create
	polls        bigint NOT NULL
);
CREATE INDEX jobs_profile  ON jobs (profile, id);
CREATE INDEX jobs_state    ON jobs (profile, state, id);
CREATE INDEX jobs_model    ON jobs (model, id);
CREATE INDEX jobs_group    ON jobs (grp, id) WHERE grp <> '';
CREATE INDEX jobs_past     ON jobs (profile, model, mode, ended_at) WHERE state = 'completed' AND accepted_at > 0;

-- What is to be done next, and who may do it; this is the row that a writer locks first.
-- due 0 is nothing. A lease holds until lease_until, and longer while its owner beats.
CREATE TABLE work (
	job_id      text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
	profile     text   NOT NULL,
	rev         bigint NOT NULL,
	due         bigint NOT NULL,
	attempts    bigint NOT NULL,
	backoff     bigint NOT NULL,            -- milliseconds
	lease_owner text   NOT NULL,
	lease_token bigint NOT NULL,
	lease_until bigint NOT NULL,
	events      bigint NOT NULL,            -- how many there are
	exchanges   bigint NOT NULL             -- how many there were
) WITH (fillfactor = 80);
CREATE INDEX work_rev   ON work (rev, job_id);
CREATE INDEX work_due   ON work (profile, due, job_id) WHERE due > 0;
CREATE INDEX work_owner ON work (lease_owner) WHERE lease_owner <> '';

-- One row of each living owner, so that a beat renews any number of leases.
CREATE TABLE pollers (
	owner       text   NOT NULL PRIMARY KEY,
	lease_until bigint NOT NULL
) WITH (fillfactor = 50);

-- Ids that the gateway gave, to be found by. They are of any length, which only a hash
-- index takes.
CREATE TABLE job_ids (
	job_id text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	ext_id text NOT NULL
);
CREATE INDEX job_ids_job ON job_ids (job_id);
CREATE INDEX job_ids_ext ON job_ids USING hash (ext_id);

CREATE TABLE job_tags (
	job_id text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	tag    text NOT NULL,
	PRIMARY KEY (job_id, tag)
);
CREATE INDEX job_tags_tag ON job_tags (tag, job_id);

-- Bodies belong to one job each: what two jobs share is kept twice, and no writer ever waits
-- for another job's. The server compresses them.
CREATE TABLE bodies (
	job_id text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	sha256 text  NOT NULL,
	body   bytea NOT NULL,
	PRIMARY KEY (job_id, sha256)
);
CREATE INDEX bodies_sha ON bodies USING hash (sha256); -- what a prune frees

-- The current body of each kind.
CREATE TABLE job_payloads (
	job_id text COLLATE "C" NOT NULL,
	kind   text NOT NULL,
	sha256 text NOT NULL,
	PRIMARY KEY (job_id, kind),
	FOREIGN KEY (job_id, sha256) REFERENCES bodies (job_id, sha256) ON DELETE CASCADE
);

CREATE TABLE job_events (
	job_id      text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	seq         bigint NOT NULL,            -- 1, 2, 3 in each job
	at          bigint NOT NULL,
	kind        text   NOT NULL,
	from_state  text   NOT NULL,
	to_state    text   NOT NULL,
	raw_status  text   NOT NULL,
	http_status bigint NOT NULL,
	request_id  text   NOT NULL,
	message     text   NOT NULL,
	payload     text   NOT NULL,            -- sha256 of bodies, '' for none
	PRIMARY KEY (job_id, seq)
);

-- Events are only ever appended.
CREATE FUNCTION job_events_append() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'job_events is append-only';
END $$;
CREATE TRIGGER job_events_append BEFORE UPDATE ON job_events
	FOR EACH STATEMENT EXECUTE FUNCTION job_events_append();

-- A ring: exchange n of a job is in the slot n modulo the length of the ring.
CREATE TABLE job_exchanges (
	job_id text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	slot   bigint NOT NULL,
	n      bigint NOT NULL,
	data   text   NOT NULL,                 -- JSON
	PRIMARY KEY (job_id, slot)
) WITH (fillfactor = 80);

-- What a person paused beyond single jobs; host '' is all of the profile.
CREATE TABLE pauses (
	profile text   NOT NULL,
	host    text   NOT NULL,
	at      bigint NOT NULL,
	PRIMARY KEY (profile, host)
);

-- Everything that is searched, in lower case: the server's own idea of case is that of its
-- locale. A table of its own, since a new version of a row is entered into all its indexes.
CREATE TABLE job_search (
	job_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
	words  text NOT NULL
);
