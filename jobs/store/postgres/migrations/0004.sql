-- Which jobs a job was made from, to find those that were made from one. The draft says it, too,
-- and is what a job is read from; the parent may be gone or in another history.
CREATE TABLE job_parents (
	parent text COLLATE "C" NOT NULL,
	job_id text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	PRIMARY KEY (parent, job_id)
);
CREATE INDEX job_parents_job ON job_parents (job_id);
