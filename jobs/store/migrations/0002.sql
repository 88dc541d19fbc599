-- Remarks, pauses, the last exchanges of each job, and the lookup of earlier durations.

ALTER TABLE jobs ADD COLUMN remark TEXT    NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN mode   TEXT    NOT NULL GENERATED ALWAYS AS (coalesce(json_extract(draft, '$.mode'), '')) VIRTUAL;

-- late rows were written after one with a greater id: the order of n is not that of ids.
ALTER TABLE jobs ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET late = 1 WHERE n IN (SELECT n FROM (
	SELECT n, id, max(id) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM jobs) WHERE id < before);
CREATE INDEX jobs_late ON jobs (id) WHERE late = 1;

CREATE INDEX jobs_past ON jobs (profile, model, mode, ended_at) WHERE state = 'completed' AND accepted_at > 0;

-- A ring: the rows with the greatest seq of each job.
CREATE TABLE job_exchanges (
	job_id      TEXT    NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	seq         INTEGER NOT NULL,
	at          INTEGER NOT NULL,
	kind        TEXT    NOT NULL,
	format      TEXT    NOT NULL,
	path        TEXT    NOT NULL,
	http_status INTEGER NOT NULL,
	latency     INTEGER NOT NULL,           -- milliseconds
	request_id  TEXT    NOT NULL,
	raw_status  TEXT    NOT NULL,
	error       TEXT    NOT NULL,
	PRIMARY KEY (job_id, seq)
) WITHOUT ROWID;

-- What a person paused beyond single jobs; host '' is all of the profile.
CREATE TABLE pauses (
	profile TEXT    NOT NULL,
	host    TEXT    NOT NULL,
	at      INTEGER NOT NULL,
	PRIMARY KEY (profile, host)
) WITHOUT ROWID;

-- The search index anew, with remarks. Every text ends in two line feeds, so that each of
-- its characters begins a trigram: texts of one and two characters are looked up by the
-- beginnings of trigrams.
DROP TABLE jobs_fts;
CREATE VIRTUAL TABLE jobs_fts USING fts5 (
	prompt, ids, title, error, note, tags, remark,
	content = '', contentless_delete = 1, tokenize = 'trigram'
);
CREATE VIRTUAL TABLE jobs_terms USING fts5vocab (jobs_fts, instance);
INSERT INTO jobs_fts (rowid, prompt, ids, title, error, note, tags, remark)
SELECT n,
	coalesce(json_extract(draft, '$.prompt'), '') || char(10, 10),
	id || ' ' || coalesce((SELECT group_concat(ext_id, ' ' ORDER BY pos) FROM job_ids WHERE job_id = id), '') || char(10, 10),
	title || char(10, 10),
	iif(error = '', '', coalesce(json_extract(error, '$.code'), '') || ' ' || coalesce(json_extract(error, '$.message'), '')) || char(10, 10),
	note || char(10, 10),
	coalesce((SELECT group_concat(tag, ' ' ORDER BY tag) FROM job_tags WHERE job_id = id), '') || char(10, 10),
	char(10, 10)
FROM jobs;
