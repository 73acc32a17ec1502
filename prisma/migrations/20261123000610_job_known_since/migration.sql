-- Since when a job is known: how late one is that has failed ever since counts from there.
ALTER TABLE job_run ADD COLUMN known_since timestamptz(3) NOT NULL DEFAULT now();
