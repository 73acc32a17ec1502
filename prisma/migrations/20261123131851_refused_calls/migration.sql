-- CreateTable
CREATE TABLE "refused_calls" (
    "account_id" BIGINT NOT NULL,
    "hour" TIMESTAMPTZ NOT NULL,
    "key_id" BIGINT NOT NULL,
    "endpoint" SMALLINT NOT NULL,
    "status" SMALLINT NOT NULL,
    "requests" BIGINT NOT NULL,

    CONSTRAINT "refused_calls_pkey" PRIMARY KEY ("account_id","hour","key_id","endpoint","status")
);

-- Adds refused calls that were counted in a process to the sums that the log is added up to. Takes the row that add_up_usage locks, so neither waits for rows
-- of the other.
CREATE FUNCTION add_refused_calls(p_account bigint[], p_key bigint[], p_endpoint smallint[], p_status smallint[], p_minute timestamptz[], p_bucket smallint[],
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
