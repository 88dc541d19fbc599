-- Which slot of which run of a comparison a job was submitted for.
ALTER TABLE jobs ADD COLUMN run  text NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN cell text NOT NULL DEFAULT '';
CREATE INDEX jobs_run ON jobs (run, id) WHERE run <> '';
