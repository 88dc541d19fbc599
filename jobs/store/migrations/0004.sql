-- The search finds a job by the ids of the requests that its events name, and by what the
-- events said of a create that was lost or refused, or of a task that is lost.
CREATE INDEX job_events_request ON job_events (request_id) WHERE request_id <> '';

CREATE TEMP TABLE told AS SELECT DISTINCT job_id FROM job_events
	WHERE (kind IN ('ambiguous', 'refused') OR to_state = 'lost') AND message <> '';
DELETE FROM jobs_fts WHERE rowid IN (SELECT n FROM jobs WHERE id IN (SELECT job_id FROM told));
INSERT INTO jobs_fts (rowid, prompt, ids, title, error, note, tags, remark)
SELECT n,
	coalesce(json_extract(draft, '$.prompt'), '') || char(10, 10),
	id || ' ' || coalesce((SELECT group_concat(ext_id, ' ' ORDER BY pos) FROM job_ids WHERE job_id = id), '') || char(10, 10),
	title || char(10, 10),
	iif(error = '', '', coalesce(json_extract(error, '$.code'), '') || ' ' || coalesce(json_extract(error, '$.message'), ''))
		|| char(10) || (SELECT group_concat(message, char(10)) FROM (SELECT DISTINCT message FROM job_events e
			WHERE e.job_id = jobs.id AND (e.kind IN ('ambiguous', 'refused') OR e.to_state = 'lost'))) || char(10, 10),
	note || char(10, 10),
	coalesce((SELECT group_concat(tag, ' ' ORDER BY tag) FROM job_tags WHERE job_id = id), '') || char(10, 10),
	remark || char(10, 10)
FROM jobs WHERE id IN (SELECT job_id FROM told);
DROP TABLE told;
