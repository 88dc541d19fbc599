-- Jobs of somebody else's tasks, which are watched and never sent.
ALTER TABLE jobs ADD COLUMN observed boolean NOT NULL DEFAULT false;
