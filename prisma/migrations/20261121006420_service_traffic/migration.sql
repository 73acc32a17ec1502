-- How the service as a whole fares: requests of each minute and of each hour, by status and by how long they took, in the buckets of usage_latency. Some
-- hundred rows for each, however many accounts there are; minutes go after two hours, hours after thirty days.
CREATE TABLE service_traffic (
  grain    text NOT NULL CONSTRAINT service_traffic_grain_known CHECK (grain IN ('minute', 'hour')),
  at       timestamptz(3) NOT NULL,
  status   smallint NOT NULL,
  bucket   smallint NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (grain, at, status, bucket)
);

-- As before, and the traffic with it: the log is still read once, and everything is written together or not at all.
CREATE OR REPLACE FUNCTION add_up_usage() RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  done bigint; upto bigint; moment timestamptz;
BEGIN
  SELECT next_tx INTO done FROM usage_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;               -- another process is at it
  moment := clock_timestamp();
  upto := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  -- What is not counted yet is either still under way, and then no older than its transaction, or was committed meanwhile and is seen below.
  SELECT least(moment, min(xact_start)) INTO moment FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid();
  SELECT least(moment, min(at)) INTO moment FROM request_log WHERE tx >= upto;
  WITH fresh AS MATERIALIZED (
    SELECT account_id, date_trunc('minute', at, 'UTC') AS minute, key_id, endpoint, status, took_bucket(took_ms(id, at)) AS bucket,
      count(*) AS requests, sum(credits) AS credits
    FROM request_log WHERE tx >= done AND tx < upto GROUP BY 1, 2, 3, 4, 5, 6),
  sums AS (
    INSERT INTO usage_day AS u (account_id, day, key_id, endpoint, status, requests, credits)
      SELECT account_id, (minute AT TIME ZONE 'UTC')::date, key_id, endpoint, status, sum(requests), sum(credits) FROM fresh GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (account_id, day, key_id, endpoint, status)
        DO UPDATE SET requests = u.requests + excluded.requests, credits = u.credits + excluded.credits),
  traffic AS (
    INSERT INTO service_traffic AS t (grain, at, status, bucket, requests)
      SELECT grain, date_trunc(grain, minute, 'UTC'), status, bucket, sum(requests) FROM fresh, (VALUES ('minute'), ('hour')) g(grain) GROUP BY 1, 2, 3, 4
      ON CONFLICT (grain, at, status, bucket) DO UPDATE SET requests = t.requests + excluded.requests)
  INSERT INTO usage_latency AS l (account_id, day, key_id, endpoint, status, bucket, requests)
    SELECT account_id, (minute AT TIME ZONE 'UTC')::date, key_id, endpoint, status, bucket, sum(requests) FROM fresh GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, day, key_id, endpoint, status, bucket) DO UPDATE SET requests = l.requests + excluded.requests;
  UPDATE usage_progress SET next_tx = upto, as_of = greatest(as_of, moment);
  RETURN moment;
END $$;

-- What came of the standing work of the role worker, by the name of the job. A job that runs as long as its process does has begun and not ended.
CREATE TABLE job_run (
  name       text PRIMARY KEY,
  begun_at   timestamptz(3),
  ok_at      timestamptz(3),
  took_ms    integer,
  failed_at  timestamptz(3),
  fault      text
);
