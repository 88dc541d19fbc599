-- Each body once, whichever jobs it belongs to, compressed by who writes it; and when the
-- upkeep was done.

CREATE TABLE payloads (
	sha256 text COLLATE "C" NOT NULL PRIMARY KEY,
	enc    text   NOT NULL,                 -- '' or 'deflate'
	size   bigint NOT NULL,                 -- before compression
	body   bytea  NOT NULL
);
INSERT INTO payloads (sha256, enc, size, body) SELECT sha256, '', octet_length(body), body FROM bodies
	ON CONFLICT DO NOTHING;

-- Which bodies are a job's. The key to payloads makes sure that none is removed while
-- somebody else is about to name it.
CREATE TABLE job_bodies (
	job_id text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	sha256 text COLLATE "C" NOT NULL REFERENCES payloads (sha256),
	PRIMARY KEY (job_id, sha256)
);
INSERT INTO job_bodies (job_id, sha256) SELECT job_id, sha256 FROM bodies;
CREATE INDEX job_bodies_sha ON job_bodies (sha256);

ALTER TABLE job_payloads DROP CONSTRAINT job_payloads_job_id_sha256_fkey;
ALTER TABLE job_payloads ALTER COLUMN sha256 TYPE text COLLATE "C";
ALTER TABLE job_payloads ADD FOREIGN KEY (job_id, sha256) REFERENCES job_bodies (job_id, sha256) ON DELETE CASCADE;
DROP TABLE bodies;

-- Removes those of some bodies that are no job's, and returns their size before
-- compression. A body that another transaction is just naming, or freeing too, stays; who
-- does the upkeep removes what stayed for nothing. So nobody waits here.
CREATE FUNCTION free_bodies(shas text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	free  text[];
	freed bigint;
BEGIN
	SELECT array_agg(x.sha256) INTO free FROM (
		SELECT p.sha256 FROM payloads p WHERE p.sha256 = ANY (shas)
		AND NOT EXISTS (SELECT 1 FROM job_bodies b WHERE b.sha256 = p.sha256)
		FOR UPDATE OF p SKIP LOCKED) x;
	-- From here on nobody can name them; this statement sees who did until now.
	WITH gone AS (DELETE FROM payloads p WHERE p.sha256 = ANY (free)
		AND NOT EXISTS (SELECT 1 FROM job_bodies b WHERE b.sha256 = p.sha256) RETURNING p.size)
	SELECT coalesce(sum(size), 0) INTO freed FROM gone;
	RETURN freed;
END $$;

-- Takes from a job the bodies that neither an event of it names nor is current.
CREATE FUNCTION sweep_job(id text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	gone text[];
BEGIN
	WITH g AS (DELETE FROM job_bodies b WHERE b.job_id = id
		AND NOT EXISTS (SELECT 1 FROM job_payloads k WHERE k.job_id = id AND k.sha256 = b.sha256)
		AND NOT EXISTS (SELECT 1 FROM job_events e WHERE e.job_id = id AND e.payload = b.sha256) RETURNING b.sha256)
	SELECT array_agg(sha256) INTO gone FROM g;
	IF gone IS NULL THEN
		RETURN 0;
	END IF;
	RETURN free_bodies(gone);
END $$;

-- Removes jobs with everything of them, and returns the size of the bodies that went.
CREATE FUNCTION remove_jobs(ids text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	shas text[];
BEGIN
	SELECT array_agg(DISTINCT b.sha256) INTO shas FROM job_bodies b WHERE b.job_id = ANY (ids);
	DELETE FROM jobs j WHERE j.id = ANY (ids);
	RETURN free_bodies(coalesce(shas, '{}'));
END $$;

-- Most lists are of all profiles.
DROP INDEX jobs_state;
CREATE INDEX jobs_state    ON jobs (state, id);
CREATE INDEX jobs_modality ON jobs (modality, id);

-- The characters beyond ASCII that occur in a text, and their pairs: what trigrams do not
-- have, where a word has two characters, or where the server's locale takes none of them for
-- a letter.
CREATE FUNCTION wide(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT coalesce(array_agg(DISTINCT g COLLATE "C"), '{}') FROM (
		SELECT c, coalesce(lead(c) OVER (ORDER BY i), '') AS next
		FROM unnest(string_to_array(words, NULL)) WITH ORDINALITY AS u (c, i)) x,
		LATERAL (VALUES (c), (CASE WHEN octet_length(next) > 1 THEN c || next ELSE c END)) AS v (g)
	WHERE octet_length(c) > 1
$$;
CREATE INDEX job_search_wide ON job_search USING gin ((wide(words)) COLLATE "C");

-- When a task of the upkeep was last done, so that it is done once a day by whoever comes
-- first.
CREATE TABLE upkeep (
	task text   NOT NULL PRIMARY KEY,
	at   bigint NOT NULL
);
