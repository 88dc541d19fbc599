-- When a person rejected a job, and the process that still has to see to its files.
ALTER TABLE jobs
	ADD COLUMN rejected_at bigint NOT NULL DEFAULT 0,
	ADD COLUMN rejected_by text NOT NULL DEFAULT '';
CREATE INDEX jobs_rejected ON jobs (id) WHERE rejected_at > 0;
