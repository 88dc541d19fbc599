-- When a person rejected a job, and the process that still has to see to its files. Lists leave these
-- jobs out, by a small index where nothing else of a job is read.
ALTER TABLE jobs ADD COLUMN rejected_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN rejected_by TEXT NOT NULL DEFAULT '';
CREATE INDEX jobs_rejected ON jobs (id) WHERE rejected_at > 0;
