-- Every writer changes jobs before what is changed here: one that is just writing ends that
-- first, where it and this would wait for each other.
LOCK TABLE jobs IN SHARE ROW EXCLUSIVE MODE;

-- The search finds a job by the ids of the requests that its events name, and by what the
-- events said of a create that was lost or refused, or of a task that is lost: that stands
-- behind the other words of a job, each text begun by the character 1.
CREATE INDEX job_events_request ON job_events USING hash (request_id) WHERE request_id <> '';

UPDATE job_search s SET words = replace(s.words, E'\x01', ' ') || t.told
FROM (SELECT job_id, string_agg(E'\x01' || lower(message), '') AS told
	FROM (SELECT DISTINCT job_id, replace(message, E'\x01', ' ') AS message FROM job_events
		WHERE (kind IN ('ambiguous', 'refused') OR to_state = 'lost') AND message <> '') e GROUP BY job_id) t
WHERE t.job_id = s.job_id;
