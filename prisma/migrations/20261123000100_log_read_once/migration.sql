-- How long a request took, in milliseconds, as before. It said that it never changes with its surroundings, and what it calls does not promise that: so
-- PostgreSQL could not put its text in place of the call, and each call cost ten times as much.
CREATE OR REPLACE FUNCTION took_ms(p_id uuid, p_at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT greatest(0, floor(extract(epoch FROM p_at) * 1000)::bigint - ('x' || encode(substring(uuid_send(p_id) FROM 1 FOR 6), 'hex'))::bit(48)::bigint)
$$;

-- As before, and the log is read once: what is not settled yet is found with what is. It is read along the index of transactions, whatever PostgreSQL knows
-- of a day's partition that has only begun to fill: to read the whole of a busy day at each turn takes longer the later it gets.
CREATE OR REPLACE FUNCTION add_up_usage() RETURNS timestamptz LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  done bigint; upto bigint; moment timestamptz;
BEGIN
  SELECT next_tx INTO done FROM usage_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;               -- another process is at it
  moment := clock_timestamp();
  upto := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  -- What is not counted yet is either still under way, and then no older than its transaction, or was committed meanwhile and is seen below.
  SELECT least(moment, min(xact_start)) INTO moment FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid();
  WITH recent AS MATERIALIZED (
    SELECT tx < upto AS is_settled, account_id, date_bin('1 minute', at, 'epoch') AS minute, key_id, endpoint, status, took_bucket(took_ms(id, at)) AS bucket,
      count(*) AS requests, sum(credits) AS credits, min(at) AS earliest
    FROM request_log WHERE tx >= done GROUP BY 1, 2, 3, 4, 5, 6, 7),
  fresh AS (SELECT * FROM recent WHERE is_settled),
  sums AS (
    INSERT INTO usage_day AS u (account_id, day, key_id, endpoint, status, requests, credits)
      SELECT account_id, (minute AT TIME ZONE 'UTC')::date, key_id, endpoint, status, sum(requests), sum(credits) FROM fresh GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (account_id, day, key_id, endpoint, status)
        DO UPDATE SET requests = u.requests + excluded.requests, credits = u.credits + excluded.credits),
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

-- Has the index of transactions note what stands on the pages of the log that have become full, of which it knows nothing until somebody has it do so: until
-- then every reader along it looks at those pages. PostgreSQL has autovacuum do so, once a minute and for some hundred thousand rows at most. A page
-- that still fills is left alone, because from then on every new row would have to be noted. Where a vacuum is at work on a day, it does the same.
CREATE FUNCTION summarise_log() RETURNS int LANGUAGE plpgsql SET lock_timeout = '20ms' AS $$
DECLARE
  pages_per_range CONSTANT int := 32;                  -- of request_log_tx_idx
  part record; page bigint; summarised int := 0;
BEGIN
  FOR part IN SELECT x.indexrelid AS index, pg_relation_size(x.indrelid) / current_setting('block_size')::int AS pages
              FROM pg_inherits h JOIN pg_index x ON x.indexrelid = h.inhrelid WHERE h.inhparent = 'request_log_tx_idx'::regclass LOOP
    page := (part.pages / pages_per_range - 1) * pages_per_range;
    WHILE page >= 0 AND brin_summarize_range(part.index, page) > 0 LOOP
      summarised := summarised + 1; page := page - pages_per_range;
    END LOOP;
  END LOOP;
  RETURN summarised;
EXCEPTION WHEN lock_not_available THEN
  RETURN summarised;
END $$;

-- Looks at the newest rows as well.
ALTER FUNCTION tell_low_balances(int) SET enable_seqscan = off;
