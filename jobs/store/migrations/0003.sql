-- The current answer of a job while no event names it: one row that is written in its place at
-- each poll, where a body of payloads would come and go with its entries in four indexes.
-- A job has its answer either here or in job_payloads.
CREATE TABLE job_answers (
	n      INTEGER PRIMARY KEY REFERENCES jobs (n) ON DELETE CASCADE,
	sha256 TEXT    NOT NULL,
	enc    TEXT    NOT NULL,                -- '' or 'deflate'
	size   INTEGER NOT NULL,                -- before compression
	body   BLOB    NOT NULL
);
