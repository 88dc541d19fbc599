-- Whose job it is: the installation that made it, and what proves whose files it names. What is
-- there already was made here, since this is a history of one machine: imports strip the mark.
ALTER TABLE jobs ADD COLUMN installation TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN proof        TEXT NOT NULL DEFAULT '';
ALTER TABLE job_results ADD COLUMN proof TEXT NOT NULL DEFAULT '';
UPDATE jobs SET proof = 'before' WHERE instr(draft, 'file://') > 0;
UPDATE job_results SET proof = 'before' WHERE path <> '';

-- Short texts about a job and its result.
ALTER TABLE jobs ADD COLUMN warnings TEXT NOT NULL DEFAULT ''; -- JSON, '' for none
