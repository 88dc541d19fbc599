-- What a filter asks for of a long history: jobs of a time, and those with an error or a refused
-- request.
CREATE INDEX jobs_created ON jobs (created_at);
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at > 0;
CREATE INDEX jobs_error ON jobs (id) WHERE error <> '';
CREATE INDEX job_events_status ON job_events (job_id, http_status) WHERE http_status >= 400;
