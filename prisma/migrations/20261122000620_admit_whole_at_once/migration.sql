-- The same function, which no longer looks before it writes: it takes from each wallet and counts on each key where they allow it, which locks them, and takes
-- everything back when one of them did not. A batch that is granted, and nearly all are, reads and locks its rows once instead of twice.
--
-- Wallets have to be locked in the order of their ids, which is that of p_account, and an UPDATE has no order of its own. Without the joins and the scan that
-- are off here, what is left is a loop over the places of p_account that finds each wallet by its key, or one along the key: both take them in that order.
CREATE OR REPLACE FUNCTION admit_whole(
  p_service int,                                       -- version of the shared facts that the gateway decided with
  p_account bigint[], p_account_version int[],         -- accounts in this batch, each once and in order, and the version that all requests of each were decided with
  p_account_calls int[], p_account_credits bigint[],   -- in all: calls of live keys that count, and credits
  p_key bigint[], p_key_account int[],                 -- keys, each once and in order; the place of its account in p_account
  p_key_version int[], p_key_live boolean[],
  p_key_calls int[], p_key_credits bigint[],           -- in all: calls that count, and credits
  p_id uuid[], p_request_key int[],                    -- requests; the place of its key in p_key
  p_endpoint smallint[], p_status smallint[], p_error smallint[],
  p_units int[], p_credits int[], p_spent bigint[])    -- spent: credits of this request and of those before it on the same account
RETURNS text LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  now_ timestamptz; this_minute int; this_day int; this_month int; is_whole boolean;
  w_day int[]; w_month int[]; w_balance bigint[]; w_used int[]; w_limit int[]; w_minute int[]; k_used int[]; k_limit int[];
BEGIN
  -- 1. Take from the wallets. What is answered is what was there before.
  WITH charged AS (
    UPDATE wallet t SET balance = t.balance - p_account_credits[a], day_used = t.day_used + p_account_calls[a],
        month_spent = t.month_spent + p_account_credits[a], day_seen = greatest(t.day_seen, t.day), month_seen = greatest(t.month_seen, t.month)
      FROM generate_subscripts(p_account, 1) AS a
      WHERE t.account_id = p_account[a] AND t.version = p_account_version[a]
        AND t.balance >= p_account_credits[a] AND t.day_used + p_account_calls[a] <= t.day_limit
        AND (t.month_cap IS NULL OR t.month_spent + p_account_credits[a] <= t.month_cap)
      RETURNING t.account_id, t.day, t.month, t.balance + p_account_credits[a] AS balance, t.day_used - p_account_calls[a] AS day_used, t.day_limit, t.minute_limit)
  SELECT array_agg(c.account_id) = p_account, array_agg(c.day), array_agg(c.month), array_agg(c.balance), array_agg(c.day_used), array_agg(c.day_limit),
      array_agg(c.minute_limit)
    INTO is_whole, w_day, w_month, w_balance, w_used, w_limit, w_minute FROM charged c;
  IF is_whole IS NOT TRUE THEN RAISE SQLSTATE 'SVC01'; END IF;

  -- 2. Only now read the clock: nothing that the lock protects is older than the lock.
  now_ := clock_timestamp();
  this_minute := floor(extract(epoch FROM now_) / 60); this_day := this_minute / 1440;
  this_month := extract(year FROM now_ AT TIME ZONE 'UTC') * 12 + extract(month FROM now_ AT TIME ZONE 'UTC');
  IF this_day <> ANY (w_day) OR this_month <> ANY (w_month) THEN RAISE SQLSTATE 'SVC01'; END IF;

  -- 3. Count on the keys and write the log, in one statement: each has a price of its own.
  WITH counted AS (
    UPDATE key_meter t SET minute = this_minute, minute_used = CASE t.minute WHEN this_minute THEN t.minute_used ELSE 0 END + p_key_calls[k],
        month_spent = t.month_spent + p_key_credits[k], minute_seen = greatest(t.minute_seen, this_minute), month_seen = greatest(t.month_seen, this_month)
      FROM generate_subscripts(p_key, 1) AS k
      WHERE t.key_id = p_key[k] AND t.account_id = p_account[p_key_account[k]] AND t.version = p_key_version[k] AND t.live = p_key_live[k]
        AND (t.ends_at IS NULL OR t.ends_at > now_) AND t.month = this_month AND (t.minute = this_minute OR greatest(t.minute, t.minute_seen) < this_minute)
        AND CASE t.minute WHEN this_minute THEN t.minute_used ELSE 0 END + p_key_calls[k] <= coalesce(t.own_minute_limit, w_minute[p_key_account[k]])
        AND (t.month_cap IS NULL OR t.month_spent + p_key_credits[k] <= t.month_cap)
      RETURNING t.key_id, t.minute_used - p_key_calls[k] AS used, coalesce(t.own_minute_limit, w_minute[p_key_account[k]]) AS most),
  logged AS (
    INSERT INTO request_log (id, account_id, key_id, tx, balance, at, credits, units, endpoint, status, error)
      SELECT p_id[r], p_account[p_key_account[p_request_key[r]]], p_key[p_request_key[r]], x.tx, w_balance[p_key_account[p_request_key[r]]] - p_spent[r],
        now_, p_credits[r], p_units[r], p_endpoint[r], p_status[r], p_error[r]
      FROM (SELECT pg_current_xact_id()::text::bigint AS tx OFFSET 0) x, generate_subscripts(p_id, 1) AS r)
  SELECT array_agg(c.key_id) = p_key AND p_service = (SELECT s.version FROM service_state s), array_agg(c.used), array_agg(c.most)
    INTO is_whole, k_used, k_limit FROM counted c;
  IF is_whole IS NOT TRUE THEN RAISE SQLSTATE 'SVC01'; END IF;
  RETURN concat_ws(' ', p_service, floor(extract(epoch FROM now_) * 1000)::bigint, w_balance, w_used, w_limit, k_used, k_limit);
EXCEPTION WHEN SQLSTATE 'SVC01' THEN
  RETURN NULL;                                         -- and nothing is changed
END $$;
