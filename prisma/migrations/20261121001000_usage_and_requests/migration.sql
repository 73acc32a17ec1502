-- What the portal's pages about usage and requests need: how long calls took, added up beside the requests and credits of a day, and for thirty days
-- what the log does not hold of a call.

-- Milliseconds from the arrival of a request, which is in its id, to the moment it was decided.
CREATE FUNCTION took_ms(p_id uuid, p_at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(0, floor(extract(epoch FROM p_at) * 1000)::bigint - ('x' || left(replace(p_id::text, '-', ''), 12))::bit(48)::bigint)
$$;

-- The bucket of a duration: how many of the bounds it has reached. server/metering/latency.ts holds the same bounds, and a test compares them.
CREATE FUNCTION took_bucket(p_ms bigint) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
  SELECT width_bucket(p_ms, ARRAY[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600, 800,
    1000, 1250, 1500, 2000, 3000, 5000, 10000]::bigint[])::smallint
$$;

CREATE TABLE usage_latency (
  account_id bigint NOT NULL,
  day        date NOT NULL,
  key_id     bigint NOT NULL,
  endpoint   smallint NOT NULL,
  status     smallint NOT NULL,
  bucket     smallint NOT NULL,
  requests   bigint NOT NULL,
  PRIMARY KEY (account_id, day, key_id, endpoint, status, bucket)
);

-- What was added up before is added up here as well, as far as it was; nobody adds anything meanwhile.
SELECT FROM usage_progress FOR UPDATE;
INSERT INTO usage_latency (account_id, day, key_id, endpoint, status, bucket, requests)
  SELECT r.account_id, (r.at AT TIME ZONE 'UTC')::date, r.key_id, r.endpoint, r.status, took_bucket(took_ms(r.id, r.at)), count(*)
  FROM request_log r JOIN usage_progress p ON r.tx < p.next_tx GROUP BY 1, 2, 3, 4, 5, 6;

-- As before, and the durations with it: the log is read once, and both sums and the place reached are written together or not at all.
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
    SELECT account_id, (at AT TIME ZONE 'UTC')::date AS day, key_id, endpoint, status, took_bucket(took_ms(id, at)) AS bucket,
      count(*) AS requests, sum(credits) AS credits
    FROM request_log WHERE tx >= done AND tx < upto GROUP BY 1, 2, 3, 4, 5, 6),
  sums AS (
    INSERT INTO usage_day AS u (account_id, day, key_id, endpoint, status, requests, credits)
      SELECT account_id, day, key_id, endpoint, status, sum(requests), sum(credits) FROM fresh GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (account_id, day, key_id, endpoint, status)
        DO UPDATE SET requests = u.requests + excluded.requests, credits = u.credits + excluded.credits)
  INSERT INTO usage_latency AS l (account_id, day, key_id, endpoint, status, bucket, requests)
    SELECT account_id, day, key_id, endpoint, status, bucket, requests FROM fresh
    ON CONFLICT (account_id, day, key_id, endpoint, status, bucket) DO UPDATE SET requests = l.requests + excluded.requests;
  UPDATE usage_progress SET next_tx = upto, as_of = greatest(as_of, moment);
  RETURN moment;
END $$;

-- Written beside the calls, seconds later, for their owner to read; it decides nothing and is no part of the books. A row goes after thirty days.
CREATE TABLE request_detail (
  account_id bigint NOT NULL,
  id         uuid NOT NULL,
  target     text NOT NULL,
  headers    jsonb NOT NULL DEFAULT '{}',
  message    text,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX request_detail_id_idx ON request_detail USING brin (id);
