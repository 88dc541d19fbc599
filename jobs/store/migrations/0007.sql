-- Jobs of somebody else's tasks, which are watched and never sent.
ALTER TABLE jobs ADD COLUMN observed INTEGER NOT NULL DEFAULT 0;

-- Requests that failed alike are one row, the last of them.
ALTER TABLE job_exchanges ADD COLUMN times    INTEGER NOT NULL DEFAULT 1;
ALTER TABLE job_exchanges ADD COLUMN first_at INTEGER NOT NULL DEFAULT 0;

-- A ring has no more than it may have.
DELETE FROM job_exchanges AS x WHERE seq <= (SELECT max(seq) FROM job_exchanges WHERE job_id = x.job_id) - 20;
