-- Whose job it is: the installation that made it, and what proves whose files it names.
ALTER TABLE jobs ADD COLUMN installation text NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN proof        text NOT NULL DEFAULT '';

-- Short texts about a job and its result.
ALTER TABLE jobs ADD COLUMN warnings text NOT NULL DEFAULT ''; -- JSON, '' for none
