-- What bounds when things happened, see jobs.Seen. The times called gateway are by its clock.
ALTER TABLE jobs ADD COLUMN sent_at            INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN waiting_at         INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN working_at         INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN running_at         INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN seen_ended_at      INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN fetch_begun_at     INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN fetched_at         INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN gateway_created_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN gateway_started_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN gateway_ended_at   INTEGER NOT NULL DEFAULT 0;
