-- Admits a batch of requests: one statement, one transaction, one flush. server/metering/README.md has the model and the invariants.
-- The batch is normalised (accounts <- keys <- requests) and decided in order of arrival.
-- Answer: eight numbers a request (verdict, units, credits, balance, minute limit, minute left, day limit, day left), then the service version and
-- the clock in milliseconds since 1970. Verdicts: 0 granted, 1 stale, 2 key ended, 3 minute limit, 4 day limit, 5 insufficient credits, 6 spend cap,
-- 7 ceiling of the call, 8 replay, 9 idempotency conflict.
CREATE FUNCTION admit(
  p_service int,                                       -- version of the shared facts that the gateway decided with
  p_account bigint[],                                  -- accounts in this batch, each once
  p_key bigint[], p_key_account int[],                 -- keys, each once; the place of its account in p_account
  p_id uuid[], p_request_key int[],                    -- requests; the place of its key in p_key
  p_account_version int[], p_key_version int[],        -- versions of the facts that each request was decided with
  p_endpoint smallint[],
  p_status smallint[], p_error smallint[],             -- what the gateway would answer: 200, 304, 400, 404 ...
  p_stage smallint[],                                  -- 0 passes through the limits, 1 was refused before them and counts, 2 was refused and does not count
  p_price int[], p_units int[], p_ceiling int[],       -- credits a unit (0: only counted), units wanted, most credits this call may cost or null
  p_idempotency text[], p_request bytea[])             -- idempotency key and hash of the request; null when no request has one
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz; this_minute int; this_day int; this_month int; service int;
  n int := cardinality(p_id); accounts int := cardinality(p_account); keys int := cardinality(p_key);
  i int; o int; a int; k int; w record; x record;
  w_balance bigint[] := array_fill(NULL::bigint, ARRAY[accounts]);
  w_day int[] := array_fill(0, ARRAY[accounts]); w_used int[] := w_day; w_limit int[] := w_day; w_minute int[] := w_day;
  w_version int[] := w_day; k_version int[] := array_fill(NULL::int, ARRAY[keys]);
  k_ended boolean[] := array_fill(false, ARRAY[keys]); k_live boolean[] := k_ended;
  k_used int[] := array_fill(NULL::int, ARRAY[keys]); k_limit int[] := k_used;
  k_spent bigint[] := array_fill(NULL::bigint, ARRAY[keys]); k_room bigint[] := k_spent;  -- room: what the spend cap leaves, null without one
  affordable bigint; cost int; wanted int; verdict int; prior record;
  o_status smallint[] := p_status; o_error smallint[] := p_error;
  o_units int[] := array_fill(0, ARRAY[n]); o_credits int[] := o_units; o_balance bigint[] := array_fill(0::bigint, ARRAY[n]);
  answer bigint[] := array_fill(0::bigint, ARRAY[n * 8 + 2]);
BEGIN
  -- 1. Lock the wallets, always in account order: batches wait for each other and never cross.
  FOR w IN SELECT p.slot, t.* FROM unnest(p_account) WITH ORDINALITY AS p(id, slot) JOIN wallet t ON t.account_id = p.id
           ORDER BY t.account_id FOR NO KEY UPDATE OF t LOOP
    w_balance[w.slot] := w.balance; w_version[w.slot] := w.version;
    w_day[w.slot] := w.day; w_used[w.slot] := w.day_used; w_limit[w.slot] := w.day_limit; w_minute[w.slot] := w.minute_limit;
  END LOOP;

  -- 2. Only now read the clock, the keys and the shared version: nothing that the lock protects is older than the lock.
  now_ := clock_timestamp();
  this_minute := floor(extract(epoch FROM now_) / 60); this_day := this_minute / 1440;
  this_month := extract(year FROM now_ AT TIME ZONE 'UTC') * 12 + extract(month FROM now_ AT TIME ZONE 'UTC');
  SELECT t.version INTO service FROM service_state t;
  FOR a IN 1 .. accounts LOOP
    IF w_day[a] <> this_day THEN w_used[a] := 0; END IF;
  END LOOP;
  FOR x IN SELECT p.slot, p.account, t.* FROM unnest(p_key, p_key_account) WITH ORDINALITY AS p(id, account, slot)
           JOIN key_meter t ON t.key_id = p.id AND t.account_id = p_account[p.account] LOOP
    k_version[x.slot] := x.version; k_live[x.slot] := x.live; k_ended[x.slot] := coalesce(x.ends_at <= now_, false);
    k_used[x.slot] := CASE WHEN x.minute = this_minute THEN x.minute_used ELSE 0 END;
    k_limit[x.slot] := coalesce(x.own_minute_limit, w_minute[x.account]);
    k_spent[x.slot] := CASE WHEN x.month = this_month THEN x.month_spent ELSE 0 END;
    k_room[x.slot] := x.month_cap - k_spent[x.slot];
  END LOOP;

  -- 3. Decide.
  FOR i IN 1 .. n LOOP
    k := p_request_key[i]; a := p_key_account[k]; verdict := 0; cost := 0; wanted := 0;
    IF service <> p_service OR k_version[k] IS DISTINCT FROM p_key_version[i] OR w_version[a] <> p_account_version[i] THEN
      verdict := 1;
    ELSIF p_stage[i] = 2 THEN
      NULL;                                            -- whoever holds a leaked or ended key must not use up what its owner has
    ELSIF p_stage[i] = 1 THEN
      k_used[k] := least(k_used[k] + 1, greatest(k_used[k], k_limit[k]));
      IF k_live[k] THEN w_used[a] := least(w_used[a] + 1, greatest(w_used[a], w_limit[a])); END IF;
    ELSIF k_ended[k] THEN
      verdict := 2;
    ELSIF k_used[k] >= k_limit[k] THEN
      verdict := 3;
    ELSIF k_live[k] AND w_used[a] >= w_limit[a] THEN
      verdict := 4;
    ELSE
      k_used[k] := k_used[k] + 1;                      -- a request over a limit is not counted
      IF k_live[k] THEN w_used[a] := w_used[a] + 1; END IF;
      wanted := p_units[i];
      IF p_price[i] > 0 THEN
        affordable := least(w_balance[a], k_room[k], p_ceiling[i]) / p_price[i];
        IF p_idempotency[i] IS NOT NULL THEN
          SELECT t.request, t.units INTO prior FROM idempotency t
            WHERE t.account_id = p_account[a] AND t.key = p_idempotency[i] AND t.at > now_ - interval '10 minutes';
          IF FOUND THEN verdict := CASE WHEN prior.request = p_request[i] THEN 8 ELSE 9 END; END IF;
        END IF;
        IF verdict = 8 THEN
          wanted := least(wanted, prior.units);
        ELSIF verdict = 9 THEN
          wanted := 0;
        ELSIF affordable < 1 THEN
          verdict := CASE WHEN w_balance[a] < p_price[i] THEN 5 WHEN k_room[k] < p_price[i] THEN 6 ELSE 7 END; wanted := 0;
        ELSE
          wanted := least(wanted, affordable); cost := wanted * p_price[i];
          w_balance[a] := w_balance[a] - cost; k_spent[k] := k_spent[k] + cost; k_room[k] := k_room[k] - cost;
          IF p_idempotency[i] IS NOT NULL THEN
            INSERT INTO idempotency VALUES (p_account[a], p_idempotency[i], p_request[i], p_id[i], wanted, now_)
            ON CONFLICT ON CONSTRAINT idempotency_pkey
              DO UPDATE SET request = excluded.request, request_id = excluded.request_id, units = excluded.units, at = excluded.at;
          END IF;
        END IF;
      END IF;
    END IF;
    IF verdict IN (1, 2) THEN
      o_status[i] := NULL;                             -- the gateway reloads its facts and asks again: nothing is logged
    ELSIF verdict BETWEEN 3 AND 7 THEN
      o_status[i] := CASE WHEN verdict < 5 THEN 429 ELSE 402 END; o_error[i] := CASE WHEN verdict < 5 THEN 16 ELSE 4 END;
    ELSIF verdict = 9 THEN
      o_status[i] := 400; o_error[i] := 1;
    END IF;
    o_units[i] := wanted; o_credits[i] := cost; o_balance[i] := w_balance[a]; o := (i - 1) * 8;
    answer[o + 1] := verdict; answer[o + 2] := wanted; answer[o + 3] := cost; answer[o + 4] := w_balance[a];
    answer[o + 5] := k_limit[k]; answer[o + 6] := k_limit[k] - k_used[k]; answer[o + 7] := w_limit[a]; answer[o + 8] := w_limit[a] - w_used[a];
  END LOOP;

  -- 4. Write. What is not in the database has no counters: its slot is null.
  UPDATE wallet t SET balance = p.balance, day = this_day, day_used = p.used
    FROM unnest(p_account, w_balance, w_used) AS p(id, balance, used) WHERE t.account_id = p.id AND p.balance IS NOT NULL;
  UPDATE key_meter t SET minute = this_minute, minute_used = p.used, month = this_month, month_spent = p.spent
    FROM unnest(p_key, k_used, k_spent) AS p(id, used, spent) WHERE t.key_id = p.id AND p.used IS NOT NULL;
  INSERT INTO request_log (id, account_id, key_id, balance, at, credits, units, endpoint, status, error)
    SELECT p.id, p_account[p_key_account[p.k]], p_key[p.k], p.balance, now_, p.credits, p.units, p.endpoint, p.status, p.error
    FROM unnest(p_id, p_request_key, o_balance, o_credits, o_units, p_endpoint, o_status, o_error)
      AS p(id, k, balance, credits, units, endpoint, status, error)
    WHERE p.status IS NOT NULL;
  answer[n * 8 + 1] := service; answer[n * 8 + 2] := floor(extract(epoch FROM now_) * 1000);
  RETURN answer;
END $$;

-- Settles requests whose batch was lost on the way (connection broken, answer too late): finds each in the log, or writes it there as failed, which makes
-- a batch that still lingers somewhere fail as a whole. A charge that nobody was told of (p_void) is given back as a ledger entry.
-- Answer: four numbers a request (status, units, credits, balance); credits are 0 when the charge was given back.
CREATE FUNCTION settle(p_account bigint[], p_key bigint[], p_id uuid[], p_endpoint smallint[], p_void boolean[])
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  l record; i int; answer bigint[] := '{}'; left_ bigint; this_month int;
BEGIN
  PERFORM FROM wallet WHERE account_id = ANY (p_account) ORDER BY account_id FOR NO KEY UPDATE;
  this_month := extract(year FROM clock_timestamp() AT TIME ZONE 'UTC') * 12 + extract(month FROM clock_timestamp() AT TIME ZONE 'UTC');
  FOR i IN 1 .. cardinality(p_id) LOOP
    SELECT t.status, t.units, t.credits, t.balance, t.at INTO l FROM request_log t WHERE t.account_id = p_account[i] AND t.id = p_id[i];
    IF NOT FOUND THEN
      SELECT t.balance INTO left_ FROM wallet t WHERE t.account_id = p_account[i];
      INSERT INTO request_log (id, account_id, key_id, balance, at, credits, units, endpoint, status, error)
        VALUES (p_id[i], p_account[i], p_key[i], left_, clock_timestamp(), 0, 0, p_endpoint[i], 500, 17);
      answer := answer || ARRAY[500, 0, 0, left_];
    ELSIF p_void[i] AND l.credits > 0 THEN
      UPDATE wallet t SET balance = t.balance + l.credits WHERE t.account_id = p_account[i]
        AND NOT EXISTS (SELECT FROM ledger_entry e WHERE e.account_id = p_account[i] AND e.kind = 'reversal' AND e.reference = p_id[i]::text)
        RETURNING t.balance INTO left_;
      IF FOUND THEN
        INSERT INTO ledger_entry (account_id, kind, credits, balance_after, actor, reason, reference)
          VALUES (p_account[i], 'reversal', l.credits, left_, 'system', 'The answer of this request could not be sent in time.', p_id[i]::text);
        UPDATE key_meter t SET month_spent = t.month_spent - l.credits WHERE t.key_id = p_key[i] AND t.month = this_month
          AND this_month = extract(year FROM l.at AT TIME ZONE 'UTC') * 12 + extract(month FROM l.at AT TIME ZONE 'UTC');
        DELETE FROM idempotency t WHERE t.account_id = p_account[i] AND t.request_id = p_id[i];
      END IF;
      answer := answer || ARRAY[500, 0, 0, coalesce(left_, l.balance)];
    ELSE
      answer := answer || ARRAY[l.status, l.units, l.credits, l.balance];
    END IF;
  END LOOP;
  RETURN answer;
END $$;

-- Adds what was committed since the last time to the usage of each day. Every row is added exactly once: a transaction counts when no
-- older one is still under way, and the place reached is written with the sums. Returns the moment up to which the sums are complete.
CREATE FUNCTION add_up_usage() RETURNS timestamptz LANGUAGE plpgsql AS $$
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
  INSERT INTO usage_day AS u (account_id, day, key_id, endpoint, status, requests, credits)
    SELECT account_id, (at AT TIME ZONE 'UTC')::date, key_id, endpoint, status, count(*), sum(credits)
    FROM request_log WHERE tx >= done AND tx < upto GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (account_id, day, key_id, endpoint, status)
      DO UPDATE SET requests = u.requests + excluded.requests, credits = u.credits + excluded.credits;
  UPDATE usage_progress SET next_tx = upto, as_of = greatest(as_of, moment);
  RETURN moment;
END $$;
