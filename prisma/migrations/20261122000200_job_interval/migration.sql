-- How often a job is to run, so that whoever reads how it went can tell whether it is late. A release before this one leaves it out.
ALTER TABLE job_run ADD COLUMN every_ms integer;
