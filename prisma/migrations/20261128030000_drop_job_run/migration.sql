-- blocks: empty since pg-boss runs the jobs; no release with this baseline reads or writes it
DROP TABLE IF EXISTS job_run;
