-- Most batches ask for nothing that is not granted. Such a batch needs no look at each of its requests: what it asks of each account and key in all decides.
-- This grants a batch whole and leaves every row as `admit` would, or changes nothing and answers null. It does that also when it only cannot tell: the first
-- call of a day or a month, and a clock that was set back, are for `admit`. Locks and clock are as there.
CREATE FUNCTION admit_whole(
  p_service int,                                       -- version of the shared facts that the gateway decided with
  p_account bigint[], p_account_version int[],         -- accounts in this batch, each once and in order, and the version that all requests of each were decided with
  p_account_calls int[], p_account_credits bigint[],   -- in all: calls of live keys that count, and credits
  p_key bigint[], p_key_account int[],                 -- keys, each once; the place of its account in p_account
  p_key_version int[], p_key_live boolean[],
  p_key_calls int[], p_key_credits bigint[],           -- in all: calls that count, and credits
  p_id uuid[], p_request_key int[],                    -- requests; the place of its key in p_key
  p_endpoint smallint[], p_status smallint[], p_error smallint[],
  p_units int[], p_credits int[], p_spent bigint[])    -- spent: credits of this request and of those before it on the same account
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz; this_minute int; this_day int; this_month int; is_whole boolean;
  w_day int[]; w_month int[]; w_balance bigint[]; w_used int[]; w_limit int[]; w_minute int[]; k_used int[]; k_limit int[];
BEGIN
  -- 1. Lock the wallets, always in account order: batches wait for each other and never cross.
  SELECT array_agg(l.account_id) = p_account AND bool_and(l.fits IS TRUE), array_agg(l.day), array_agg(l.month), array_agg(l.balance), array_agg(l.day_used),
      array_agg(l.day_limit), array_agg(l.minute_limit)
    INTO is_whole, w_day, w_month, w_balance, w_used, w_limit, w_minute
    FROM (SELECT t.account_id, t.day, t.month, t.balance, t.day_used, t.day_limit, t.minute_limit,
            t.version = p.version AND t.balance >= p.credits AND t.day_used + p.calls <= t.day_limit
              AND (t.month_cap IS NULL OR t.month_spent + p.credits <= t.month_cap) AS fits
          FROM unnest(p_account, p_account_version, p_account_calls, p_account_credits) AS p(id, version, calls, credits) JOIN wallet t ON t.account_id = p.id
          ORDER BY t.account_id FOR NO KEY UPDATE OF t) l;
  IF is_whole IS NOT TRUE THEN RETURN NULL; END IF;

  -- 2. Only now read the clock, the keys and the shared version: nothing that the lock protects is older than the lock.
  now_ := clock_timestamp();
  this_minute := floor(extract(epoch FROM now_) / 60); this_day := this_minute / 1440;
  this_month := extract(year FROM now_ AT TIME ZONE 'UTC') * 12 + extract(month FROM now_ AT TIME ZONE 'UTC');
  IF this_day <> ANY (w_day) OR this_month <> ANY (w_month) THEN RETURN NULL; END IF;
  SELECT count(*) = cardinality(p_key) AND p_service = (SELECT s.version FROM service_state s) AND bool_and((k.version = k.asked_version AND k.live = k.asked_live
      AND (k.ends_at IS NULL OR k.ends_at > now_) AND k.month = this_month AND (k.minute = this_minute OR greatest(k.minute, k.minute_seen) < this_minute)
      AND k.used + k.calls <= k.most AND (k.month_cap IS NULL OR k.month_spent + k.credits <= k.month_cap)) IS TRUE),
      array_agg(k.used ORDER BY k.slot), array_agg(k.most ORDER BY k.slot)
    INTO is_whole, k_used, k_limit
    FROM (SELECT p.slot, p.version AS asked_version, p.live AS asked_live, p.calls, p.credits, t.version, t.live, t.ends_at, t.month, t.month_spent, t.month_cap,
            t.minute, t.minute_seen, CASE t.minute WHEN this_minute THEN t.minute_used ELSE 0 END AS used, coalesce(t.own_minute_limit, w_minute[p.account]) AS most
          FROM unnest(p_key, p_key_account, p_key_version, p_key_live, p_key_calls, p_key_credits) WITH ORDINALITY
              AS p(id, account, version, live, calls, credits, slot)
            JOIN key_meter t ON t.key_id = p.id AND t.account_id = p_account[p.account]) k;
  IF is_whole IS NOT TRUE THEN RETURN NULL; END IF;

  -- 3. Write, in one statement: each has a price of its own.
  WITH charged AS (
    UPDATE wallet t SET balance = t.balance - p.credits, day_used = t.day_used + p.calls, month_spent = t.month_spent + p.credits,
        day_seen = greatest(t.day_seen, this_day), month_seen = greatest(t.month_seen, this_month)
      FROM unnest(p_account, p_account_calls, p_account_credits) AS p(id, calls, credits) WHERE t.account_id = p.id),
  counted AS (
    UPDATE key_meter t SET minute = this_minute, minute_used = p.used + p.calls, month_spent = t.month_spent + p.credits,
        minute_seen = greatest(t.minute_seen, this_minute), month_seen = greatest(t.month_seen, this_month)
      FROM unnest(p_key, k_used, p_key_calls, p_key_credits) AS p(id, used, calls, credits) WHERE t.key_id = p.id)
  INSERT INTO request_log (id, account_id, key_id, tx, balance, at, credits, units, endpoint, status, error)
    SELECT p.id, p_account[p_key_account[p.k]], p_key[p.k], x.tx, w_balance[p_key_account[p.k]] - p.spent, now_, p.credits, p.units, p.endpoint, p.status, p.error
    FROM (SELECT pg_current_xact_id()::text::bigint AS tx OFFSET 0) x,
      unnest(p_id, p_request_key, p_endpoint, p_status, p_error, p_units, p_credits, p_spent) AS p(id, k, endpoint, status, error, units, credits, spent);
  RETURN concat_ws(' ', p_service, floor(extract(epoch FROM now_) * 1000)::bigint, w_balance, w_used, w_limit, k_used, k_limit);
END $$;
