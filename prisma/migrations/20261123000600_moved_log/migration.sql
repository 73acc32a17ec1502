-- As before, and it refuses a log that was copied into a younger cluster, where transactions begin anew.
CREATE OR REPLACE FUNCTION add_up_usage() RETURNS timestamptz LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  done bigint; upto bigint; moment timestamptz;
BEGIN
  SELECT next_tx INTO done FROM usage_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;               -- another process is at it
  moment := clock_timestamp();
  upto := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  IF done > upto THEN                                  -- going on would count some calls never and others twice
    RAISE EXCEPTION 'The log of calls comes from another PostgreSQL, whose transactions have other numbers'
      USING HINT = 'Start a process of the service anew: it takes the log in. See docs/operations.md.';
  END IF;
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

-- Takes in a log that was copied from another cluster by pg_dump. What matters of the numbers of its transactions is which of the two readers of the log have
-- seen a row, so they are written as 0 (both), 1 (one of them) or 2 (neither), numbers that no transaction has, as a backup of the service writes them. All or
-- nothing, and calls wait meanwhile. Rows that were written here already are told by the transaction that wrote them: it is the one that they name. Returns
-- how many rows were given other numbers; null when the log is of this cluster.
CREATE FUNCTION take_in_moved_log() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  usage bigint; alerts bigint; part regclass; written bigint; total bigint := 0;
BEGIN
  SELECT next_tx INTO usage FROM usage_progress FOR UPDATE;
  SELECT next_tx INTO alerts FROM alert_progress FOR UPDATE;
  IF usage <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN RETURN NULL; END IF;
  -- Whoever is second waits above until the first is done; nobody is waited for long while calls queue behind.
  PERFORM set_config('lock_timeout', '10s', true);
  ALTER TABLE request_log DISABLE TRIGGER request_log_append_only;
  FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'request_log'::regclass ORDER BY inhrelid LOOP
    EXECUTE format('UPDATE %1$s SET tx = (tx >= $1)::int + (tx >= $2)::int
      WHERE xmin IN (SELECT xmin FROM %1$s WHERE xmin::text::bigint <> tx %% 4294967296)', part) USING usage, alerts;
    GET DIAGNOSTICS written = ROW_COUNT;
    total := total + written;
  END LOOP;
  ALTER TABLE request_log ENABLE TRIGGER request_log_append_only;
  UPDATE usage_progress SET next_tx = CASE WHEN usage <= alerts THEN 1 ELSE 2 END;
  UPDATE alert_progress SET next_tx = CASE WHEN usage <= alerts THEN 2 ELSE 1 END;
  RETURN total;
END $$;
