-- Whose job it is: the installation that made it, and what proves whose files it names. What is
-- there already was made here: this is a history of one machine, and imports strip the mark.
ALTER TABLE jobs ADD COLUMN installation TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN proof        TEXT NOT NULL DEFAULT 'before';
ALTER TABLE job_results ADD COLUMN proof TEXT NOT NULL DEFAULT 'before';

-- Short texts about a job and its result.
ALTER TABLE jobs ADD COLUMN warnings TEXT NOT NULL DEFAULT ''; -- JSON, '' for none
