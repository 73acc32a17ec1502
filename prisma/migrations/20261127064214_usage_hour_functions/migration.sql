-- The roll-up waits until the hours of the existing log are complete. No call waits for it.
SELECT 1 FROM "usage_progress" FOR UPDATE;

-- Adds up the requests of the last 31 days that the roll-up has already counted, and the rejected calls that are missing from the log. A request id begins with
-- the time of arrival, in milliseconds. The durations of those rejected calls are known only by day; they count as the shortest.
INSERT INTO "usage_hour" ("account_id", "hour", "key_id", "endpoint", "status", "bucket", "requests", "credits")
SELECT "account_id", date_trunc('hour', "at", 'UTC'), "key_id", "endpoint", "status", "bucket", sum("requests"), sum("credits")
FROM (
  SELECT "account_id", "at", "key_id", "endpoint", "status", 1::bigint AS "requests", "credits"::bigint AS "credits",
    width_bucket(greatest(0, floor(extract(epoch FROM "at") * 1000)::bigint - ('x' || left(replace("id"::text, '-', ''), 12))::bit(48)::bigint),
      ARRAY[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1250, 1500, 2000, 3000, 5000,
        10000]::bigint[])::smallint AS "bucket"
  FROM "request_log"
  WHERE "id" >= (lpad(to_hex((extract(epoch FROM now() - interval '31 days') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
    AND "tx" < (SELECT "next_tx" FROM "usage_progress")
  UNION ALL
  SELECT "account_id", "hour", "key_id", "endpoint", "status", "requests", 0, 0::smallint FROM "refused_calls") past
WHERE NOT EXISTS (SELECT 1 FROM "usage_hour")
GROUP BY 1, 2, 3, 4, 5, 6;

-- Both functions as before, but they also count by hour.
CREATE OR REPLACE FUNCTION roll_up_usage() RETURNS timestamptz LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  done bigint; upto bigint; moment timestamptz;
BEGIN
  SELECT next_tx INTO done FROM usage_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;               -- another process is running it
  moment := clock_timestamp();
  upto := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  IF done > upto THEN                                  -- some requests would be counted never and others twice
    RAISE EXCEPTION 'The request log comes from another PostgreSQL cluster with other transaction ids'
      USING HINT = 'Restart a service process: it adopts the log at start-up. See docs/operations.md.';
  END IF;
  -- Requests that aren't counted yet belong to transactions still in progress, or were committed meanwhile and are found below.
  SELECT least(moment, min(xact_start)) INTO moment FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid();
  WITH recent AS MATERIALIZED (
    SELECT tx < upto AS is_settled, account_id, date_bin('1 minute', at, 'epoch') AS minute, key_id, endpoint, status, duration_bucket(duration_ms(id, at)) AS bucket,
      count(*) AS requests, sum(credits) AS credits, min(at) AS earliest
    FROM request_log WHERE tx >= done GROUP BY 1, 2, 3, 4, 5, 6, 7),
  fresh AS (SELECT * FROM recent WHERE is_settled),
  sums AS (
    INSERT INTO usage_day AS u (account_id, day, key_id, endpoint, status, requests, credits)
      SELECT account_id, (minute AT TIME ZONE 'UTC')::date, key_id, endpoint, status, sum(requests), sum(credits) FROM fresh GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (account_id, day, key_id, endpoint, status)
        DO UPDATE SET requests = u.requests + excluded.requests, credits = u.credits + excluded.credits),
  hours AS (
    INSERT INTO usage_hour AS h (account_id, hour, key_id, endpoint, status, bucket, requests, credits)
      SELECT account_id, date_trunc('hour', minute, 'UTC'), key_id, endpoint, status, bucket, sum(requests), sum(credits) FROM fresh GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (account_id, hour, key_id, endpoint, status, bucket)
        DO UPDATE SET requests = h.requests + excluded.requests, credits = h.credits + excluded.credits),
  traffic AS (
    INSERT INTO service_traffic AS t (grain, at, status, bucket, requests)
      SELECT grain, date_trunc(grain, minute, 'UTC'), status, bucket, sum(requests) FROM fresh, (VALUES ('minute'), ('hour')) g(grain) GROUP BY 1, 2, 3, 4
      ON CONFLICT (grain, at, status, bucket) DO UPDATE SET requests = t.requests + excluded.requests),
  latencies AS (
    INSERT INTO usage_latency AS l (account_id, day, key_id, endpoint, status, bucket, requests)
      SELECT account_id, (minute AT TIME ZONE 'UTC')::date, key_id, endpoint, status, bucket, sum(requests) FROM fresh GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (account_id, day, key_id, endpoint, status, bucket) DO UPDATE SET requests = l.requests + excluded.requests)
  SELECT least(moment, min(earliest)) INTO moment FROM recent WHERE NOT is_settled;
  UPDATE usage_progress SET next_tx = upto, as_of = greatest(as_of, moment);
  RETURN moment;
END $$;

CREATE OR REPLACE FUNCTION add_refused_calls(p_account int[], p_key int[], p_endpoint smallint[], p_status smallint[], p_minute timestamptz[], p_bucket smallint[],
  p_requests bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM usage_progress FOR UPDATE;
  WITH added AS MATERIALIZED (
    SELECT * FROM unnest(p_account, p_key, p_endpoint, p_status, p_minute, p_bucket, p_requests)
      AS p(account_id, key_id, endpoint, status, minute, bucket, requests)),
  hours AS (
    INSERT INTO refused_calls AS r (account_id, hour, key_id, endpoint, status, requests)
      SELECT account_id, date_trunc('hour', minute, 'UTC'), key_id, endpoint, status, sum(requests) FROM added GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (account_id, hour, key_id, endpoint, status) DO UPDATE SET requests = r.requests + excluded.requests),
  usage_hours AS (
    INSERT INTO usage_hour AS h (account_id, hour, key_id, endpoint, status, bucket, requests, credits)
      SELECT account_id, date_trunc('hour', minute, 'UTC'), key_id, endpoint, status, bucket, sum(requests), 0 FROM added GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (account_id, hour, key_id, endpoint, status, bucket) DO UPDATE SET requests = h.requests + excluded.requests),
  days AS (
    INSERT INTO usage_day AS u (account_id, day, key_id, endpoint, status, requests, credits)
      SELECT account_id, (minute AT TIME ZONE 'UTC')::date, key_id, endpoint, status, sum(requests), 0 FROM added GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (account_id, day, key_id, endpoint, status) DO UPDATE SET requests = u.requests + excluded.requests),
  latencies AS (
    INSERT INTO usage_latency AS l (account_id, day, key_id, endpoint, status, bucket, requests)
      SELECT account_id, (minute AT TIME ZONE 'UTC')::date, key_id, endpoint, status, bucket, sum(requests) FROM added GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (account_id, day, key_id, endpoint, status, bucket) DO UPDATE SET requests = l.requests + excluded.requests)
  INSERT INTO service_traffic AS t (grain, at, status, bucket, requests)
    SELECT grain, date_trunc(grain, minute, 'UTC'), status, bucket, sum(requests) FROM added, (VALUES ('minute'), ('hour')) g(grain) GROUP BY 1, 2, 3, 4
    ON CONFLICT (grain, at, status, bucket) DO UPDATE SET requests = t.requests + excluded.requests;
END $$;
