-- What bounds when things happened, see jobs.Seen. The times called gateway are by its clock.
ALTER TABLE jobs
	ADD COLUMN sent_at            bigint NOT NULL DEFAULT 0,
	ADD COLUMN waiting_at         bigint NOT NULL DEFAULT 0,
	ADD COLUMN working_at         bigint NOT NULL DEFAULT 0,
	ADD COLUMN running_at         bigint NOT NULL DEFAULT 0,
	ADD COLUMN seen_ended_at      bigint NOT NULL DEFAULT 0,
	ADD COLUMN fetch_begun_at     bigint NOT NULL DEFAULT 0,
	ADD COLUMN fetched_at         bigint NOT NULL DEFAULT 0,
	ADD COLUMN gateway_created_at bigint NOT NULL DEFAULT 0,
	ADD COLUMN gateway_started_at bigint NOT NULL DEFAULT 0,
	ADD COLUMN gateway_ended_at   bigint NOT NULL DEFAULT 0;
