-- Functions and triggers of the metered path and the ledger.

-- Shared

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: correct an entry with another entry', TG_TABLE_NAME;
END $$;

-- Returns the smallest version-7 UUID with the given timestamp.
CREATE FUNCTION first_id_at(p_at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM p_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

CREATE FUNCTION month_of(p_at timestamptz) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT (extract(year FROM p_at AT TIME ZONE 'UTC') * 12 + extract(month FROM p_at AT TIME ZONE 'UTC'))::int
$$;

-- Ledger

-- Changes a balance and records the entry. Only charges, their reversal by reconcile() and webhook charges change a balance in another way. A credit arms the
-- low-balance alerts below the new balance. Returns the new balance; null if the account has no wallet.
CREATE FUNCTION enter_credits(p_account int, p_kind text, p_credits bigint, p_actor text, p_reason text, p_reference text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  new_balance bigint;
BEGIN
  UPDATE wallet SET balance = balance + p_credits WHERE account_id = p_account RETURNING balance INTO new_balance;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO ledger_entry (account_id, kind, credits, balance_after, actor, reason, reference)
    VALUES (p_account, p_kind, p_credits, new_balance, p_actor, p_reason, p_reference);
  IF p_credits > 0 THEN
    INSERT INTO balance_alert (account_id, thresholds) VALUES (p_account, '{50,10,0}') ON CONFLICT (account_id) DO NOTHING;
    UPDATE balance_alert b SET armed = ARRAY(SELECT t FROM unnest(b.thresholds) t WHERE t < new_balance ORDER BY t DESC) WHERE b.account_id = p_account;
  END IF;
  RETURN new_balance;
END $$;

-- Metering: admission and reconciliation

CREATE FUNCTION share_cap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE key_meter t SET month = NEW.month,
      month_spent = CASE WHEN t.month = NEW.month THEN t.month_spent ELSE 0 END
        + NEW.month_spent - CASE WHEN OLD.month = NEW.month THEN OLD.month_spent ELSE 0 END
    WHERE t.cap_id = NEW.cap_id AND t.key_id <> NEW.key_id;
  RETURN NULL;
END $$;

-- Counts the requests in a period that count towards the limit of a key, or of an account if p_key is null (its live keys only). Requests rejected by a limit
-- (16), requests that may not come from the owner (5 revoked, 6 blocked, 8 wrong address) and lost requests (17) don't count. The timestamp of an id can be
-- older than `at`, because the gateway's clock may be slow.
CREATE FUNCTION counted_in_log(p_account int, p_key int, p_from timestamptz, p_to timestamptz) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT count(*)::int FROM request_log l JOIN key_meter k ON k.key_id = l.key_id
  WHERE l.account_id = p_account AND l.id >= first_id_at(p_from - interval '1 hour') AND l.at >= p_from AND l.at < p_to
    AND (l.key_id = p_key OR p_key IS NULL AND k.live) AND l.error NOT IN (5, 6, 8, 16, 17)
$$;

-- Returns the credits spent in a period, less reversals: by a key, the keys that it replaced and the keys that share its cap; or, if p_key is null, by an
-- account, including its webhooks.
CREATE FUNCTION spent_in_log(p_account int, p_key int, p_from timestamptz, p_to timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  WITH RECURSIVE line AS (SELECT p_key AS id UNION SELECT k.id FROM api_key k JOIN line n ON k.replaced_by = n.id WHERE k.account_id = p_account),
    shared AS (SELECT o.key_id AS id FROM line n JOIN key_meter k ON k.key_id = n.id JOIN key_meter o ON o.key_id = k.key_id OR o.cap_id = k.cap_id)
  SELECT (coalesce((SELECT sum(l.credits - coalesce(e.credits, 0)) FROM request_log l
      LEFT JOIN ledger_entry e ON e.account_id = l.account_id AND e.kind = 'reversal' AND e.reference = l.id::text
      WHERE l.account_id = p_account AND l.id >= first_id_at(p_from - interval '1 hour') AND l.at >= p_from AND l.at < p_to AND l.credits > 0
        AND (p_key IS NULL OR l.key_id IN (SELECT id FROM shared))), 0)
    - coalesce((SELECT sum(e.credits) FROM ledger_entry e
      WHERE p_key IS NULL AND e.account_id = p_account AND e.kind = 'webhook' AND e.at >= p_from AND e.at < p_to), 0))::bigint
$$;

-- Returns the credits that an account has spent in the month of p_at.
CREATE FUNCTION spent_in_month(w wallet, p_at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN w.month = month_of(p_at) THEN w.month_spent
    WHEN month_of(p_at) <= greatest(w.month, w.month_seen)
      THEN spent_in_log(w.account_id, NULL, date_trunc('month', p_at, 'UTC'), date_trunc('month', p_at, 'UTC') + interval '1 month')
    ELSE 0 END
$$;

-- Decides and charges a batch of requests. A repeated idempotency key gets verdict 8 if the current response is the one that was paid for, 11 if the response
-- that the gateway cached for the first call is, and 12 if neither is: then nothing is charged, and the tag of the paid response follows the other columns.
-- If a tag is missing, as from an earlier release, the current response counts as the paid one.
CREATE FUNCTION admit(
  p_service int,                                       -- version of the configuration that the gateway used
  p_account int[],                                     -- distinct accounts in this batch
  p_key int[], p_key_account int[],                    -- distinct keys; index of each key's account in p_account
  p_id uuid[], p_request_key int[],                    -- requests; index of each request's key in p_key
  p_account_version int[], p_key_version int[],        -- versions of the account and key records that the gateway used
  p_endpoint smallint[],
  p_status smallint[], p_error smallint[],             -- the gateway's own response: 200, 304, 400, 404 ...
  p_stage smallint[],                                  -- 0: subject to limits; 1: already rejected, counts towards limits; 2: already rejected, doesn't count
  p_price int[], p_units int[], p_ceiling int[],       -- credits per unit (0: free), requested units, the caller's maximum cost in credits or null
  p_idempotency text[], p_request bytea[])             -- idempotency key; hash of the request (32 bytes), then the tags of the current response and of
                                                       -- the response cached for the first call (22 bytes each, or none)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz; this_minute int; this_day int; this_month int; service int; tx_ bigint;
  accounts int := cardinality(p_account); keys int := cardinality(p_key);
  i int; a int; k int; w record; x record;
  -- Filled in advance, so that accounts and keys that are not in the database have an element too.
  w_balance bigint[] := array_fill(NULL::bigint, ARRAY[accounts]);
  w_day int[] := array_fill(0, ARRAY[accounts]); w_used int[] := w_day; w_limit int[] := w_day; w_minute int[] := w_day; w_version int[] := w_day;
  -- Within a batch, only charges change a balance. So the month's spending follows from the balance, and a cap is a minimum balance (floor; null if there is
  -- none). Neither has to be updated for each request.
  w_month int[] := w_day; w_first bigint[] := w_balance; w_floor bigint[] := w_balance;
  -- Latest periods in which requests were counted. If the clock goes back to one of them or earlier, the log is counted instead.
  w_day_seen int[] := w_day; w_month_seen int[] := w_day; day_start timestamptz; month_start timestamptz; spent bigint;
  k_version int[] := array_fill(NULL::int, ARRAY[keys]); k_used int[] := k_version; k_limit int[] := k_version;
  k_ended boolean[] := array_fill(false, ARRAY[keys]); k_live boolean[] := k_ended;
  k_spent bigint[] := array_fill(NULL::bigint, ARRAY[keys]); k_cap bigint[] := k_spent;  -- cap: null if there is none
  affordable bigint; cost int; wanted int; verdict int; prior record; tag_ text;
  o_status smallint[] := p_status; o_error smallint[] := p_error;
  o_verdict int[]; o_units int[]; o_credits int[]; o_balance bigint[]; o_minute int[]; o_day int[];
  o_paid int[];                                        -- for each verdict 12: the length of the paid tag and its characters; null if there are none
BEGIN
  -- 1. Lock the wallets in account order, so that batches can't deadlock.
  FOR w IN SELECT p.slot, t.balance, t.version, t.day, t.day_used, t.day_limit, t.minute_limit, t.month, t.month_spent, t.month_cap,
             greatest(t.day, t.day_seen) AS day_seen, greatest(t.month, t.month_seen) AS month_seen
           FROM unnest(p_account) WITH ORDINALITY AS p(id, slot) JOIN wallet t ON t.account_id = p.id
           ORDER BY t.account_id FOR NO KEY UPDATE OF t LOOP
    w_balance[w.slot] := w.balance; w_version[w.slot] := w.version;
    w_day[w.slot] := w.day; w_used[w.slot] := w.day_used; w_limit[w.slot] := w.day_limit; w_minute[w.slot] := w.minute_limit;
    w_day_seen[w.slot] := w.day_seen; w_month_seen[w.slot] := w.month_seen;
    w_month[w.slot] := w.month; w_first[w.slot] := w.balance + w.month_spent; w_floor[w.slot] := w.balance + w.month_spent - w.month_cap;
  END LOOP;

  -- 2. Read the clock, the keys and the configuration version after locking, so that none of them is older than the lock.
  now_ := clock_timestamp();
  this_minute := floor(extract(epoch FROM now_) / 60); this_day := this_minute / 1440;
  this_month := extract(year FROM now_ AT TIME ZONE 'UTC') * 12 + extract(month FROM now_ AT TIME ZONE 'UTC');
  tx_ := pg_current_xact_id()::text::bigint;
  SELECT t.version INTO service FROM service_state t;
  day_start := date_trunc('day', now_, 'UTC'); month_start := date_trunc('month', now_, 'UTC');
  FOR a IN 1 .. accounts LOOP
    IF w_day[a] <> this_day THEN
      w_used[a] := CASE WHEN this_day <= w_day_seen[a] THEN counted_in_log(p_account[a], NULL, day_start, day_start + interval '1 day') ELSE 0 END;
    END IF;
    IF w_month[a] <> this_month THEN
      spent := CASE WHEN this_month <= w_month_seen[a] THEN spent_in_log(p_account[a], NULL, month_start, month_start + interval '1 month') ELSE 0 END;
      w_floor[a] := w_floor[a] - (w_first[a] - w_balance[a]) + spent; w_first[a] := w_balance[a] + spent;
    END IF;
  END LOOP;
  FOR x IN SELECT p.slot, p.account, t.version, t.live, t.ends_at, t.minute, t.minute_used, t.own_minute_limit, t.month, t.month_spent, t.month_cap,
             greatest(t.minute, t.minute_seen) AS minute_seen, greatest(t.month, t.month_seen) AS month_seen
           FROM unnest(p_key, p_key_account) WITH ORDINALITY AS p(id, account, slot)
           JOIN key_meter t ON t.key_id = p.id AND t.account_id = p_account[p.account] LOOP
    k_version[x.slot] := x.version; k_live[x.slot] := x.live; k_ended[x.slot] := coalesce(x.ends_at <= now_, false);
    k_used[x.slot] := CASE WHEN x.minute = this_minute THEN x.minute_used WHEN this_minute <= x.minute_seen
      THEN counted_in_log(p_account[x.account], p_key[x.slot], to_timestamp(this_minute::bigint * 60), to_timestamp((this_minute::bigint + 1) * 60)) ELSE 0 END;
    k_limit[x.slot] := coalesce(x.own_minute_limit, w_minute[x.account]);
    k_spent[x.slot] := CASE WHEN x.month = this_month THEN x.month_spent WHEN this_month <= x.month_seen
      THEN spent_in_log(p_account[x.account], p_key[x.slot], month_start, month_start + interval '1 month') ELSE 0 END;
    k_cap[x.slot] := x.month_cap;
  END LOOP;

  -- 3. Decide.
  FOR i IN 1 .. cardinality(p_id) LOOP
    k := p_request_key[i]; a := p_key_account[k]; verdict := 0; cost := 0; wanted := 0;
    IF service <> p_service OR k_version[k] IS DISTINCT FROM p_key_version[i] OR w_version[a] <> p_account_version[i] THEN
      verdict := 1;
    ELSIF p_stage[i] = 2 THEN
      NULL;                                            -- a leaked or expired key must not use up the owner's limits
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
      k_used[k] := k_used[k] + 1;                      -- requests over a limit aren't counted
      IF k_live[k] THEN w_used[a] := w_used[a] + 1; END IF;
      wanted := p_units[i];
      IF p_price[i] > 0 THEN
        affordable := least(w_balance[a], k_cap[k] - k_spent[k], w_balance[a] - w_floor[a], p_ceiling[i]) / p_price[i];
        IF p_idempotency[i] IS NOT NULL THEN
          tag_ := encode(substr(p_request[i], 33, 22), 'escape');
          SELECT t.request, t.units, t.tag INTO prior FROM idempotency t
            WHERE t.account_id = p_account[a] AND t.key = p_idempotency[i] AND t.at > now_ - interval '10 minutes';
          IF FOUND THEN
            verdict := CASE WHEN prior.request <> substr(p_request[i], 1, 32) THEN 9
              WHEN prior.tag IS NULL OR tag_ = '' OR left(prior.tag, 22) = tag_ THEN 8
              WHEN left(prior.tag, 22) = encode(substr(p_request[i], 55, 22), 'escape') THEN 11 ELSE 12 END;
          END IF;
        END IF;
        IF verdict = 8 THEN
          wanted := least(wanted, prior.units);
        ELSIF verdict = 11 THEN
          wanted := prior.units;                       -- units of the cached response, which has other rows than the current one
        ELSIF verdict = 12 THEN
          wanted := 0;
          o_paid := o_paid || length(prior.tag) || ARRAY(SELECT ascii(c) FROM string_to_table(prior.tag, NULL) c);
        ELSIF verdict = 9 THEN
          wanted := 0;
        ELSIF affordable < 1 THEN
          verdict := CASE WHEN w_balance[a] < p_price[i] THEN 5 WHEN k_cap[k] - k_spent[k] < p_price[i] THEN 6
            WHEN w_balance[a] - w_floor[a] < p_price[i] THEN 10 ELSE 7 END;
          wanted := 0;
        ELSE
          wanted := least(wanted, affordable); cost := wanted * p_price[i];
          w_balance[a] := w_balance[a] - cost; k_spent[k] := k_spent[k] + cost;
          IF p_idempotency[i] IS NOT NULL THEN
            INSERT INTO idempotency (account_id, key, request, request_id, units, at, tag)
            VALUES (p_account[a], p_idempotency[i], substr(p_request[i], 1, 32), p_id[i], wanted, now_,
              nullif(CASE WHEN wanted < p_units[i] THEN tag_ || '-' || wanted ELSE tag_ END, ''))
            ON CONFLICT ON CONSTRAINT idempotency_pkey DO UPDATE
              SET request = excluded.request, request_id = excluded.request_id, units = excluded.units, at = excluded.at, tag = excluded.tag;
          END IF;
        END IF;
      END IF;
    END IF;
    IF verdict = 0 THEN
      NULL;                                            -- the gateway's response stands
    ELSIF verdict IN (1, 2) THEN
      o_status[i] := NULL;                             -- not logged: the gateway reloads the records and retries
    ELSIF verdict BETWEEN 3 AND 7 OR verdict = 10 THEN
      o_status[i] := CASE WHEN verdict < 5 THEN 429 ELSE 402 END; o_error[i] := CASE WHEN verdict < 5 THEN 16 ELSE 4 END;
    ELSIF verdict = 9 THEN
      o_status[i] := 400; o_error[i] := 1;
    ELSIF verdict = 12 THEN
      o_status[i] := 409; o_error[i] := 18;
    END IF;
    o_verdict[i] := verdict; o_units[i] := wanted; o_credits[i] := cost; o_balance[i] := w_balance[a]; o_minute[i] := k_used[k]; o_day[i] := w_used[a];
  END LOOP;

  -- 4. Write. Elements of accounts and keys that are not in the database are null.
  UPDATE wallet t SET balance = p.balance, day = this_day, day_used = p.used, month = this_month, month_spent = p.first - p.balance,
      day_seen = greatest(t.day, t.day_seen, this_day), month_seen = greatest(t.month, t.month_seen, this_month)
    FROM unnest(p_account, w_balance, w_used, w_first) AS p(id, balance, used, first) WHERE t.account_id = p.id AND p.balance IS NOT NULL;
  UPDATE key_meter t SET minute = this_minute, minute_used = p.used, month = this_month, month_spent = p.spent,
      minute_seen = greatest(t.minute, t.minute_seen, this_minute), month_seen = greatest(t.month, t.month_seen, this_month)
    FROM unnest(p_key, k_used, k_spent) AS p(id, used, spent) WHERE t.key_id = p.id AND p.used IS NOT NULL;
  INSERT INTO request_log (id, account_id, key_id, tx, balance, at, credits, units, endpoint, status, error)
    SELECT p.id, p_account[p_key_account[p.k]], p_key[p.k], tx_, p.balance, now_, p.credits, p.units, p.endpoint, p.status, p.error
    FROM unnest(p_id, p_request_key, o_balance, o_credits, o_units, p_endpoint, o_status, o_error)
      AS p(id, k, balance, credits, units, endpoint, status, error)
    WHERE p.status IS NOT NULL;
  RETURN concat_ws(' ', service, floor(extract(epoch FROM now_) * 1000)::bigint, o_verdict, o_units, o_credits, o_balance, o_minute, o_day, k_limit, w_limit, o_paid);
END $$;

-- Charges a batch whose requests are all expected to succeed, as nearly all do. Updates wallets and keys without reading them first, so each row is read and
-- locked only once, and returns null without any change if a limit, a balance or a version forbids it: the gateway then calls `admit`.
--
-- Wallets must be locked in the order of their ids, which is that of p_account, but an UPDATE has no defined order. With hash joins, merge joins and sequential
-- scans disabled, the remaining plans look up or scan the wallets by primary key in that order.
CREATE FUNCTION admit_whole(
  p_service int,                                       -- version of the configuration that the gateway used
  p_account int[], p_account_version int[],            -- distinct accounts, in ascending order, and the version of each record that the gateway used
  p_account_calls int[], p_account_credits bigint[],   -- totals: calls with live keys that count, and credits
  p_key int[], p_key_account int[],                    -- distinct keys, in ascending order; index of each key's account in p_account
  p_key_version int[], p_key_live boolean[],
  p_key_calls int[], p_key_credits bigint[],           -- totals: calls that count, and credits
  p_id uuid[], p_request_key int[],                    -- requests; index of each request's key in p_key
  p_endpoint smallint[], p_status smallint[], p_error smallint[],
  p_units int[], p_credits int[], p_spent bigint[])    -- spent: credits of this request and the account's earlier ones in the batch
RETURNS text LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  now_ timestamptz; this_minute int; this_day int; this_month int; is_whole boolean;
  w_day int[]; w_month int[]; w_balance bigint[]; w_used int[]; w_limit int[]; w_minute int[]; k_used int[]; k_limit int[];
BEGIN
  -- 1. Charge the wallets. Returns the values from before the charge.
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

  -- 2. Read the clock after locking, so that it isn't older than the lock.
  now_ := clock_timestamp();
  this_minute := floor(extract(epoch FROM now_) / 60); this_day := this_minute / 1440;
  this_month := extract(year FROM now_ AT TIME ZONE 'UTC') * 12 + extract(month FROM now_ AT TIME ZONE 'UTC');
  IF this_day <> ANY (w_day) OR this_month <> ANY (w_month) THEN RAISE SQLSTATE 'SVC01'; END IF;

  -- 3. Update the keys and write the log in one statement, because each statement has a cost.
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
  RETURN NULL;                                         -- everything is rolled back
END $$;

-- Runs `admit` in two transactions: the first commits asynchronously, which unlocks the wallets at once; the second waits until the first is on disk. The
-- caller may use the result once the procedure returns. If the second fails, it is unknown whether the first is durable. `decided_us` is the duration of the
-- first.
CREATE PROCEDURE admit_durably(
  p_service int, p_account int[], p_key int[], p_key_account int[], p_id uuid[], p_request_key int[], p_account_version int[],
  p_key_version int[], p_endpoint smallint[], p_status smallint[], p_error smallint[], p_stage smallint[], p_price int[], p_units int[],
  p_ceiling int[], p_idempotency text[], p_request bytea[], INOUT answer text, INOUT decided_us int) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  answer := admit(
    p_service, p_account, p_key, p_key_account, p_id, p_request_key, p_account_version, p_key_version, p_endpoint, p_status, p_error, p_stage,
    p_price, p_units, p_ceiling, p_idempotency, p_request);
  COMMIT;
  decided_us := extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000000;
  PERFORM pg_logical_emit_message(true, 'svc', '');  -- an empty message, to force a flush to disk
END $$;

CREATE PROCEDURE admit_whole_durably(
  p_service int, p_account int[], p_account_version int[], p_account_calls int[], p_account_credits bigint[], p_key int[], p_key_account int[],
  p_key_version int[], p_key_live boolean[], p_key_calls int[], p_key_credits bigint[], p_id uuid[], p_request_key int[], p_endpoint smallint[],
  p_status smallint[], p_error smallint[], p_units int[], p_credits int[], p_spent bigint[], INOUT answer text, INOUT decided_us int) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  answer := admit_whole(
    p_service, p_account, p_account_version, p_account_calls, p_account_credits, p_key, p_key_account, p_key_version, p_key_live, p_key_calls,
    p_key_credits, p_id, p_request_key, p_endpoint, p_status, p_error, p_units, p_credits, p_spent);
  COMMIT;
  decided_us := extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000000;
  IF answer IS NULL THEN RETURN; END IF;
  PERFORM pg_logical_emit_message(true, 'svc', '');  -- an empty message, to force a flush to disk
END $$;

-- Resolves requests whose outcome the gateway doesn't know. A request without a row in the log gets a row that says it failed; a charge marked void is reversed
-- and deducted from this month's spending of the account and the key. Returns four numbers per request: status, units, credits and balance.
CREATE FUNCTION reconcile(p_account int[], p_key int[], p_id uuid[], p_endpoint smallint[], p_void boolean[])
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  l record; i int; answer bigint[] := '{}'; left_ bigint; this_month int; is_of_month boolean;
BEGIN
  PERFORM FROM wallet WHERE account_id = ANY (p_account) ORDER BY account_id FOR NO KEY UPDATE;
  this_month := month_of(clock_timestamp());
  FOR i IN 1 .. cardinality(p_id) LOOP
    SELECT t.status, t.units, t.credits, t.balance, t.at INTO l FROM request_log t WHERE t.account_id = p_account[i] AND t.id = p_id[i];
    IF NOT FOUND THEN
      SELECT t.balance INTO left_ FROM wallet t WHERE t.account_id = p_account[i];
      INSERT INTO request_log (id, account_id, key_id, balance, at, credits, units, endpoint, status, error)
        VALUES (p_id[i], p_account[i], p_key[i], left_, clock_timestamp(), 0, 0, p_endpoint[i], 500, 17);
      answer := answer || ARRAY[500, 0, 0, left_];
    ELSIF p_void[i] AND l.credits > 0 THEN
      is_of_month := month_of(l.at) = this_month;
      UPDATE wallet t SET balance = t.balance + l.credits,
          month_spent = t.month_spent - CASE WHEN is_of_month AND t.month = this_month THEN l.credits ELSE 0 END
        WHERE t.account_id = p_account[i]
        AND NOT EXISTS (SELECT FROM ledger_entry e WHERE e.account_id = p_account[i] AND e.kind = 'reversal' AND e.reference = p_id[i]::text)
        RETURNING t.balance INTO left_;
      IF FOUND THEN
        INSERT INTO ledger_entry (account_id, kind, credits, balance_after, actor, reason, reference)
          VALUES (p_account[i], 'reversal', l.credits, left_, 'system', 'The answer of this request could not be sent in time.', p_id[i]::text);
        UPDATE key_meter t SET month_spent = t.month_spent - l.credits WHERE t.key_id = p_key[i] AND t.month = this_month AND is_of_month;
        DELETE FROM idempotency t WHERE t.account_id = p_account[i] AND t.request_id = p_id[i];
      END IF;
      answer := answer || ARRAY[500, 0, 0, coalesce(left_, l.balance)];
    ELSE
      answer := answer || ARRAY[l.status, l.units, l.credits, l.balance];
    END IF;
  END LOOP;
  RETURN answer;
END $$;

-- Request log and usage

-- Creates missing daily partitions, and returns how many. By the owner's default privileges, the runtime role may update and delete rows of new tables. The
-- request log is append-only, so these privileges are revoked before the partition is attached.
CREATE FUNCTION make_log_partitions(p_from date, p_days int) RETURNS int LANGUAGE plpgsql
SECURITY DEFINER SET lock_timeout = '250ms' SET search_path = public, pg_temp AS $$
DECLARE
  made int := 0; d date; lo uuid; hi uuid; part text; role_ text;
BEGIN
  PERFORM pg_advisory_xact_lock(726001);
  FOR i IN 0 .. p_days - 1 LOOP
    d := p_from + i; part := 'request_log_' || to_char(d, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    lo := first_id_at(d::timestamp AT TIME ZONE 'UTC'); hi := first_id_at((d + 1)::timestamp AT TIME ZONE 'UTC');
    CONTINUE WHEN EXISTS (SELECT FROM request_log_rest WHERE id >= lo AND id < hi);
    BEGIN
      EXECUTE format('CREATE TABLE %I (LIKE request_log INCLUDING ALL)', part);
      FOR role_ IN SELECT DISTINCT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
          FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = to_regclass(part) AND a.grantee <> c.relowner LOOP
        EXECUTE format('REVOKE UPDATE, DELETE ON %I FROM %s', part, role_);
      END LOOP;
      EXECUTE format('ALTER TABLE request_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, lo, hi);
      made := made + 1;
    EXCEPTION WHEN lock_not_available THEN
      RETURN made;
    END;
  END LOOP;
  RETURN made;
EXCEPTION WHEN lock_not_available THEN
  RETURN made;                                         -- another process is creating them
END $$;

-- Drops the oldest partition of the log before the given day, and adds its charges to dropped_charge. Returns the day; null if there is none, if the usage
-- roll-up hasn't counted all of its rows, or if a long query keeps the log locked: then the next run tries again.
CREATE FUNCTION drop_log_day(p_before date) RETURNS date LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
DECLARE
  part text; d date; counted boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(726001);
  SELECT c.relname, to_date(right(c.relname, 8), 'YYYYMMDD') INTO part, d
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'request_log'::regclass AND c.relname ~ '^request_log_\d{8}$' AND to_date(right(c.relname, 8), 'YYYYMMDD') < p_before
    ORDER BY 2 LIMIT 1;
  IF part IS NULL THEN RETURN NULL; END IF;
  -- No more rows can be added.
  EXECUTE format('LOCK TABLE %I IN SHARE MODE', part);
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I WHERE tx >= (SELECT next_tx FROM usage_progress))', part) INTO counted;
  IF NOT counted THEN RETURN NULL; END IF;
  EXECUTE format('INSERT INTO dropped_charge AS g (account_id, credits)
    SELECT account_id, sum(credits) FROM %I GROUP BY account_id HAVING sum(credits) > 0 ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET credits = g.credits + excluded.credits', part);
  EXECUTE format('DROP TABLE %I', part);
  RETURN d;
EXCEPTION WHEN lock_not_available THEN
  RETURN NULL;                                         -- everything is rolled back
END $$;

-- Runs drop_log_day with the owner's privileges. Rejects the last two months, which statements and the portal read.
CREATE FUNCTION drop_expired_log_day(p_before date) RETURNS date LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF p_before > (now() AT TIME ZONE 'UTC')::date - 62 THEN
    RAISE EXCEPTION 'The log keeps 62 days or more';
  END IF;
  RETURN drop_log_day(p_before);
END $$;

-- Returns the duration of a request in milliseconds. STABLE, not IMMUTABLE: otherwise PostgreSQL couldn't inline it, which makes each call ten times as slow.
CREATE FUNCTION duration_ms(p_id uuid, p_at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT greatest(0, floor(extract(epoch FROM p_at) * 1000)::bigint - ('x' || encode(substring(uuid_send(p_id) FROM 1 FOR 6), 'hex'))::bit(48)::bigint)
$$;

-- Returns the latency bucket of a duration. server/metering/latency.ts has the same bounds, and a test compares them.
CREATE FUNCTION duration_bucket(p_ms bigint) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
  SELECT width_bucket(p_ms, ARRAY[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600, 800,
    1000, 1250, 1500, 2000, 3000, 5000, 10000]::bigint[])::smallint
$$;

-- Adds the requests logged since the last run to the usage totals. Returns the time up to which usage is complete; null if another process is running it.
-- Fails if the log was copied from another cluster, because its transaction ids mean nothing here.
CREATE FUNCTION roll_up_usage() RETURNS timestamptz LANGUAGE plpgsql SET enable_seqscan = off AS $$
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

-- Adds rejected calls, which a process counts in memory, to the usage totals. Locks the same row as roll_up_usage first, so that the two can't deadlock.
CREATE FUNCTION add_refused_calls(p_account int[], p_key int[], p_endpoint smallint[], p_status smallint[], p_minute timestamptz[], p_bucket smallint[],
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

-- Summarises the full pages of the log in the BRIN index on `tx`. Until then, every query that uses the index reads those pages. Autovacuum does this only once
-- a minute. Skips the page range that is still being filled, because a summarised range must be updated for every new row.
CREATE FUNCTION summarise_log() RETURNS int LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '20ms' SET search_path = public, pg_temp AS $$
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

-- Adopts a request log that pg_dump copied from another cluster, whose transaction ids mean nothing here. Replaces each id by the number of readers (usage
-- roll-up, balance alerts) that have yet to process the row: 0, 1 or 2, which are never real ids. Backups do the same. Rows written in this cluster keep their
-- id, which equals the transaction that wrote them. Blocks calls meanwhile. Returns the number of changed rows; null if the log belongs to this cluster.
CREATE FUNCTION adopt_moved_log() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  usage bigint; alerts bigint; part regclass; written bigint; total bigint := 0;
BEGIN
  SELECT next_tx INTO usage FROM usage_progress FOR UPDATE;
  SELECT next_tx INTO alerts FROM alert_progress FOR UPDATE;
  IF usage <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN RETURN NULL; END IF;
  -- A second process waits for the rows above. The wait for the table is short, because calls queue behind it.
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

-- Low-balance alerts

-- Records an account event for the endpoints that are subscribed to it now, in the transaction of the change that it reports. Records nothing if there are
-- none. Locks no endpoint, because the caller has locked wallets and possibly other endpoints and deliveries.
CREATE FUNCTION add_account_event(p_account int, p_type text, p_facts jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO account_event (event_id, account_id, type, data, endpoints)
  SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''), p_account, p_type, p_facts, array_agg(e.id ORDER BY e.id)
  FROM webhook_endpoint e JOIN webhook_account x ON x.account_id = e.account_id AND x.is_on
  WHERE e.account_id = p_account AND p_type = ANY (e.types) AND e.state IN ('active', 'paused', 'held') HAVING count(*) > 0
$$;

-- Disarms the alerts that a balance has reached, and writes one notice and one webhook event for the lowest of them. The caller has locked the wallet. Returns
-- false if no alert was armed at this balance.
CREATE FUNCTION notify_low_balance(p_account int, p_balance bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  lowest bigint; facts jsonb;
BEGIN
  UPDATE balance_alert b SET armed = ARRAY(SELECT t FROM unnest(b.armed) t WHERE t < p_balance ORDER BY t DESC)
    WHERE b.account_id = p_account AND b.armed[1] >= p_balance RETURNING (SELECT min(t) FROM unnest(b.thresholds) t WHERE t >= p_balance) INTO lowest;
  IF NOT FOUND THEN RETURN false; END IF;
  facts := jsonb_build_object('balanceCredits', p_balance, 'thresholdCredits', lowest);
  INSERT INTO billing_notice (account_id, kind, data) VALUES (p_account, 'balance.low', facts);
  PERFORM add_account_event(p_account, 'balance.low', facts);
  RETURN true;
END $$;

-- Alerts the account of a ledger entry that takes credits. A job alerts accounts of charges.
CREATE FUNCTION notify_low_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_low_balance(NEW.account_id, NEW.balance_after);
  RETURN NULL;
END $$;

-- Webhooks

-- Emails the owner of an endpoint. The email contains only the host of the URL, because the path and the query can contain secrets.
CREATE FUNCTION email_webhook_notice(p_endpoint int, p_notice text, p_now timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO email (kind, recipient, data, due_at, created_at)
  SELECT 'webhook', a.email, jsonb_build_object('notice', p_notice, 'endpoint', e.public_id, 'host', substring(e.url from '^[^:]+://([^/?#]+)'), 'since', e.failing_since), p_now, p_now
  FROM webhook_endpoint e JOIN account a ON a.id = e.account_id WHERE e.id = p_endpoint AND a.closed_at IS NULL
$$;

-- Returns the credits that an account can spend on events: the balance, within the account's monthly cap.
CREATE FUNCTION webhook_credits(w wallet, p_now timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT least(w.balance, w.month_cap - spent_in_month(w, p_now))
$$;

-- Returns what an account can be sent: everything; only test events, which contain sample data, while its live keys are rejected; or nothing.
CREATE FUNCTION webhook_access(a account, p_is_on boolean, p_now timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN a.state = 'blocked' OR a.closed_at IS NOT NULL OR NOT coalesce(p_is_on, false) THEN 'nothing'
    WHEN a.state <> 'open' OR p_now >= (SELECT min(l.grace_ends_at) FROM licence_version l
      WHERE l.published_at > coalesce((SELECT o.published_at FROM licence_version o WHERE o.label = a.accepted_licence), '-infinity')) THEN 'tests'
    ELSE 'everything' END
$$;

-- Returns the time at which an endpoint's next delivery is due, at the earliest p_now; null if none is waiting. An endpoint that was just served therefore queues
-- behind the others, so that a long queue doesn't delay them. The caller must have locked the endpoint in an earlier statement, or new deliveries could be missed.
CREATE FUNCTION webhook_next(p_endpoint int, p_now timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT greatest(due_at, p_now) FROM webhook_delivery WHERE endpoint_id = p_endpoint AND state = 'waiting' ORDER BY due_at, id LIMIT 1
$$;

-- Returns how many more events an account can pay for. Each leased endpoint may be sending one event, so one is subtracted for each lease. Leases are not counted
-- if the credits cover more events than an account can have endpoints.
CREATE FUNCTION webhook_capacity(p_account int, p_balance bigint, p_price int, p_now timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_balance >= 100 * p_price THEN 100
    ELSE p_balance / p_price - (SELECT count(*) FROM webhook_endpoint WHERE account_id = p_account AND leased_until > p_now) END
$$;

-- Updates the failure record of an endpoint after an attempt, warns its owner, and disables the endpoint. The caller must have locked the endpoint.
CREATE FUNCTION webhook_health(e webhook_endpoint, p_ok boolean, p_gone boolean, p_at timestamptz, p_now timestamptz, p_warn interval, p_warn_failures int,
  p_disable interval, p_disable_failures int)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_ok THEN
    UPDATE webhook_endpoint w SET failing_since = NULL, failures = 0, warned_at = NULL WHERE w.id = e.id;
    RETURN;
  END IF;
  e.failing_since := coalesce(e.failing_since, p_at); e.failures := e.failures + 1;
  UPDATE webhook_endpoint w SET failing_since = e.failing_since, failures = e.failures WHERE w.id = e.id;
  IF e.state NOT IN ('disabled', 'deleted') AND (p_gone OR e.failures >= p_disable_failures AND e.failing_since <= p_now - p_disable) THEN
    UPDATE webhook_endpoint w SET state = 'disabled', state_reason = CASE WHEN p_gone THEN 'gone' ELSE 'failures' END WHERE w.id = e.id;
    PERFORM email_webhook_notice(e.id, CASE WHEN p_gone THEN 'gone' ELSE 'disabled' END, p_now);
  ELSIF e.state = 'active' AND e.warned_at IS NULL AND e.failures >= p_warn_failures AND e.failing_since <= p_now - p_warn THEN
    UPDATE webhook_endpoint w SET warned_at = p_now WHERE w.id = e.id;
    PERFORM email_webhook_notice(e.id, 'failing', p_now);
  END IF;
END $$;

-- Leases due endpoints and returns their due deliveries, in order per endpoint. Free and test deliveries need no credits.
CREATE FUNCTION claim_webhooks(p_now timestamptz, p_lease uuid, p_limit int, p_batch int, p_lease_seconds int, p_price int)
RETURNS TABLE (endpoint int, delivery bigint) LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz := coalesce(p_now, clock_timestamp());
  e record; capacity bigint; low boolean; credits_ bigint; balance_ bigint; due bigint[];
BEGIN
  FOR e IN
    SELECT w.id, w.account_id, webhook_access(a, x.is_on, now_) AS access, webhook_credits(b, now_) AS credits
    FROM (SELECT q.id, q.account_id FROM webhook_endpoint q
          WHERE q.state = 'active' AND q.next_at <= now_ AND (q.leased_until IS NULL OR q.leased_until <= now_)
          ORDER BY q.next_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) w
      JOIN account a ON a.id = w.account_id JOIN wallet b ON b.account_id = w.account_id LEFT JOIN webhook_account x ON x.account_id = w.account_id
  LOOP
    IF e.access = 'nothing' THEN
      UPDATE webhook_endpoint q SET next_at = now_ + interval '5 minutes' WHERE q.id = e.id;
      CONTINUE;
    END IF;
    capacity := 100; low := e.credits < 100 * p_price; credits_ := e.credits;
    IF low THEN
      -- With few credits, workers lock the wallet in turn, so that they don't spend the same credits.
      credits_ := NULL;
      SELECT b.balance, webhook_credits(b, now_) INTO balance_, credits_ FROM wallet b WHERE b.account_id = e.account_id FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN credits_ IS NULL;
      capacity := webhook_capacity(e.account_id, credits_, p_price, now_);
    END IF;
    SELECT array_agg(d.id ORDER BY d.due_at, d.id) INTO due FROM (
      SELECT q.id, q.due_at FROM webhook_delivery q WHERE q.endpoint_id = e.id AND q.state = 'waiting' AND q.due_at <= now_
        AND (q.is_test OR q.is_free OR e.access = 'everything') AND (capacity > 0 OR q.is_test OR q.is_free OR q.charged_at IS NOT NULL)
      ORDER BY q.due_at, q.id LIMIT CASE WHEN low THEN 1 ELSE p_batch END) d;
    IF due IS NOT NULL THEN
      UPDATE webhook_endpoint q SET lease = p_lease, leased_until = now_ + make_interval(secs => p_lease_seconds), turn_at = NULL, is_changed = false
        WHERE q.id = e.id;
      RETURN QUERY SELECT e.id, t.id FROM unnest(due) WITH ORDINALITY AS t(id, n) ORDER BY t.n;
    ELSIF NOT EXISTS (SELECT FROM webhook_delivery q WHERE q.endpoint_id = e.id AND q.state = 'waiting' AND q.due_at <= now_) THEN
      UPDATE webhook_endpoint q SET next_at = webhook_next(e.id, now_), turn_at = NULL WHERE q.id = e.id;
    ELSIF e.access <> 'everything' THEN
      UPDATE webhook_endpoint q SET next_at = now_ + interval '5 minutes', turn_at = NULL WHERE q.id = e.id;
    ELSIF credits_ < p_price THEN
      -- A locked row is being changed by another transaction. The next claim tries again.
      PERFORM FROM webhook_account x WHERE x.account_id = e.account_id FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      UPDATE webhook_endpoint q SET state = 'held', turn_at = NULL WHERE q.id = e.id;
      UPDATE webhook_account x SET paused_notified_at = now_
        WHERE x.account_id = e.account_id AND (x.paused_notified_at IS NULL OR x.paused_notified_at < now_ - interval '1 day');
      IF FOUND THEN PERFORM email_webhook_notice(e.id, CASE WHEN balance_ < p_price THEN 'held' ELSE 'capped' END, now_); END IF;
    ELSE
      -- Waits until another endpoint of the account is done, in order of arrival. Checked again after a second in case none reports.
      UPDATE webhook_endpoint q SET turn_at = coalesce(q.turn_at, q.next_at), next_at = now_ + interval '1 second' WHERE q.id = e.id;
    END IF;
  END LOOP;
END $$;

-- Records the outcomes of attempts, charges delivered events, and releases endpoints. Returns for each outcome whether its sender may continue with the endpoint.
CREATE FUNCTION record_webhooks(p_now timestamptz, p_price int, p_warn interval, p_warn_failures int, p_disable interval, p_disable_failures int,
  p_endpoint int[], p_lease uuid[], p_delivery bigint[], p_round int[], p_attempt int[], p_ok boolean[], p_gone boolean[], p_wait int[], p_slow boolean[],
  p_last boolean[], p_at timestamptz[], p_status int[], p_fault text[], p_total int[], p_first int[], p_address text[], p_headers text[], p_body text[])
RETURNS boolean[] LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz; tried bigint[]; continues boolean[];
BEGIN
  -- Each lock is a separate statement, so that the following statements see what other transactions wrote before.
  PERFORM FROM wallet w WHERE w.account_id IN (SELECT q.account_id FROM webhook_endpoint q WHERE q.id = ANY (p_endpoint)) ORDER BY w.account_id FOR NO KEY UPDATE;
  PERFORM FROM webhook_endpoint w WHERE w.id = ANY (p_endpoint) ORDER BY w.id FOR NO KEY UPDATE;
  PERFORM FROM webhook_delivery q WHERE q.id = ANY (p_delivery) ORDER BY q.id FOR NO KEY UPDATE;
  now_ := coalesce(p_now, clock_timestamp());

  WITH o AS (
    SELECT p.*, d.account_id, d.endpoint_id, d.public_id, d.state, d.attempts, d.round = p.round AS is_current, b.balance, webhook_credits(b, now_) AS credits,
      p.ok AND NOT d.is_test AND NOT d.is_free AND d.charged_at IS NULL AND NOT d.is_owed AS is_first
    FROM unnest(p_delivery, p_round, p_attempt, p_ok, p_wait, p_at, p_status, p_fault, p_total, p_first, p_address, p_headers, p_body)
        WITH ORDINALITY AS p(delivery, round, attempt, ok, wait, at, status, fault, total, first, address, headers, body, n)
      JOIN webhook_delivery d ON d.id = p.delivery JOIN wallet b ON b.account_id = d.account_id
  ), priced AS (
    SELECT o.delivery, o.account_id, o.public_id, o.balance, o.credits, p_price * row_number() OVER (PARTITION BY o.account_id ORDER BY o.n) AS cost
    FROM o WHERE o.is_first
  ), paid AS (
    SELECT priced.*, balance - cost AS balance_after FROM priced WHERE cost <= credits
  ), entered AS (
    INSERT INTO ledger_entry (account_id, kind, credits, balance_after, actor, reason, reference)
    SELECT account_id, 'webhook', -p_price, balance_after, 'service', 'Webhook event delivered.', public_id FROM paid ORDER BY account_id, balance_after DESC
  ), spent AS (
    UPDATE wallet w SET balance = s.balance_after, month = month_of(now_), month_spent = spent_in_month(w, now_) + s.cost,
        month_seen = greatest(w.month_seen, w.month, month_of(now_))
      FROM (SELECT account_id, min(balance_after) AS balance_after, max(cost) AS cost FROM paid GROUP BY account_id) s WHERE w.account_id = s.account_id
  ), written AS (
    UPDATE webhook_delivery q SET
        state = CASE WHEN NOT o.is_current THEN q.state WHEN o.ok THEN 'delivered' WHEN o.wait IS NULL THEN 'dead' ELSE 'waiting' END,
        settled_at = CASE WHEN o.is_current AND (o.ok OR o.wait IS NULL) THEN now_ ELSE q.settled_at END,
        attempts = CASE WHEN o.is_current THEN greatest(q.attempts, o.attempt) ELSE q.attempts END,
        due_at = CASE WHEN o.ok OR o.wait IS NULL THEN q.due_at ELSE now_ + o.wait * interval '1 millisecond' END,
        delivered_at = CASE WHEN o.ok THEN coalesce(q.delivered_at, now_) ELSE q.delivered_at END,
        charged_at = CASE WHEN paid.delivery IS NOT NULL THEN now_ ELSE q.charged_at END,
        is_owed = q.is_owed OR o.is_first AND paid.delivery IS NULL,
        last_status = o.status
      FROM o LEFT JOIN paid ON paid.delivery = o.delivery
      WHERE q.id = o.delivery AND (o.ok OR o.state = 'waiting' AND o.is_current AND o.attempts < o.attempt)
  ), made AS (
    INSERT INTO webhook_attempt AS t (delivery_id, endpoint_id, round, attempt, at, outcome, status, fault, total_ms, first_byte_ms, address, headers, body)
    SELECT delivery, endpoint_id, round, attempt, at, CASE WHEN ok THEN 'delivered' ELSE 'failed' END, status, fault, total, first, address, headers::jsonb, body
    FROM o
    -- If two workers made the same attempt, the successful one is kept.
    ON CONFLICT (delivery_id, round, attempt) DO UPDATE SET at = excluded.at, outcome = excluded.outcome, status = excluded.status, fault = excluded.fault,
      total_ms = excluded.total_ms, first_byte_ms = excluded.first_byte_ms, address = excluded.address, headers = excluded.headers, body = excluded.body
      WHERE t.outcome = 'failed' AND excluded.outcome = 'delivered'
    RETURNING t.delivery_id
  )
  SELECT array_agg(delivery_id) INTO tried FROM made;

  PERFORM webhook_health(w, p.ok, p.gone, p.at, now_, p_warn, p_warn_failures, p_disable, p_disable_failures)
    FROM unnest(p_endpoint, p_delivery, p_ok, p_gone, p_at) AS p(endpoint, delivery, ok, gone, at) JOIN webhook_endpoint w ON w.id = p.endpoint
    WHERE CASE WHEN p.ok THEN w.failing_since IS NOT NULL ELSE p.delivery = ANY (tried) END;

  WITH c AS MATERIALIZED (
    -- Computed once per account, because some have many endpoints.
    SELECT b.account_id, webhook_credits(b, now_) AS credits, webhook_access(a, x.is_on, now_) AS access
    FROM wallet b JOIN account a ON a.id = b.account_id LEFT JOIN webhook_account x ON x.account_id = b.account_id
    WHERE b.account_id IN (SELECT q.account_id FROM webhook_endpoint q WHERE q.id = ANY (p_endpoint))
  ), s AS (
    SELECT p.n, w.id, w.account_id, w.lease IS NOT DISTINCT FROM p.lease AS own,
      w.lease IS NOT DISTINCT FROM p.lease AND NOT p.is_last AND NOT p.slow AND NOT w.is_changed AND w.state = 'active'
        AND c.access = 'everything' AND c.credits >= p_price
        AND EXISTS (SELECT FROM webhook_delivery d WHERE d.id = p.delivery) AND webhook_capacity(w.account_id, c.credits, p_price, now_) >= 0 AS may,
      CASE WHEN p.slow THEN now_ + interval '10 seconds' * (1 << least(greatest(w.failures, 1) - 1, 5)) END AS rests_until
    FROM unnest(p_endpoint, p_lease, p_delivery, p_slow, p_last) WITH ORDINALITY AS p(endpoint, lease, delivery, slow, is_last, n)
      JOIN webhook_endpoint w ON w.id = p.endpoint JOIN c ON c.account_id = w.account_id
  ), freed AS (
    UPDATE webhook_endpoint w SET lease = NULL, leased_until = NULL, rests_until = s.rests_until, next_at = greatest(webhook_next(w.id, now_), s.rests_until)
    FROM s WHERE w.id = s.id AND s.own AND NOT s.may
  ), woken AS (
    -- Wakes endpoints that wait for credits which this one didn't use, before it is claimed again. Skips locked endpoints, which are being updated anyway.
    UPDATE webhook_endpoint w SET next_at = greatest(w.turn_at, w.rests_until), turn_at = NULL
    FROM (SELECT q.id FROM webhook_endpoint q WHERE q.turn_at IS NOT NULL AND q.account_id IN (SELECT s.account_id FROM s WHERE s.own AND NOT s.may)
          FOR NO KEY UPDATE SKIP LOCKED) l
    WHERE w.id = l.id AND NOT w.id = ANY (p_endpoint)
  )
  SELECT array_agg(may ORDER BY n) INTO continues FROM s;
  RETURN continues;
END $$;

-- Charges an account's owed events as far as its credits last, and then reactivates its held endpoints. Returns the number of endpoints reactivated.
CREATE FUNCTION resume_webhooks(p_account int, p_now timestamptz, p_price int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  d record; now_ timestamptz; credits_ bigint; resumed int;
BEGIN
  PERFORM FROM wallet WHERE account_id = p_account FOR NO KEY UPDATE;
  PERFORM FROM webhook_endpoint WHERE account_id = p_account ORDER BY id FOR NO KEY UPDATE;
  now_ := coalesce(p_now, clock_timestamp());
  SELECT webhook_credits(w, now_) INTO credits_ FROM wallet w WHERE w.account_id = p_account;
  FOR d IN SELECT id, public_id FROM webhook_delivery WHERE account_id = p_account AND is_owed ORDER BY id LOOP
    EXIT WHEN credits_ < p_price;
    UPDATE webhook_delivery SET is_owed = false, charged_at = now_ WHERE id = d.id;
    -- Before the ledger entry, which would otherwise count towards the month's spending twice.
    UPDATE wallet w SET month = month_of(now_), month_spent = spent_in_month(w, now_) + p_price, month_seen = greatest(w.month_seen, w.month, month_of(now_))
      WHERE w.account_id = p_account;
    PERFORM enter_credits(p_account, 'webhook', -p_price, 'service', 'Webhook event delivered.', d.public_id);
    credits_ := credits_ - p_price;
  END LOOP;
  IF credits_ IS NULL OR credits_ < p_price THEN RETURN 0; END IF;
  UPDATE webhook_endpoint SET state = 'active', next_at = greatest(webhook_next(id, now_), rests_until) WHERE account_id = p_account AND state = 'held';
  GET DIAGNOSTICS resumed = ROW_COUNT;
  RETURN resumed;
END $$;

-- Market

-- Keeps the history append-only. Two operations set market.rewrites_history for their transaction: a history feed, which may correct the first row of a
-- product, and the seed, which replaces the history of its own dataset.
CREATE FUNCTION protect_rate_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('market.rewrites_history', true) IS DISTINCT FROM 'on' THEN
    RAISE EXCEPTION 'rate_change is append-only (seq %): add another change instead', OLD.seq;
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

-- Stores the previous sort value of a row, so that pagination keeps its order. Arguments: the columns of the key and of the sort value. Imports run one after
-- the other, so a cursor that includes a move includes all earlier ones.
CREATE FUNCTION record_moved_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO moved_row (dataset, list, key, previous_place)
    VALUES (OLD.dataset, TG_TABLE_NAME, to_jsonb(OLD) ->> TG_ARGV[0], to_jsonb(OLD) ->> TG_ARGV[1]);
  DELETE FROM moved_row WHERE at < CURRENT_TIMESTAMP - interval '3 days';
  RETURN NULL;
END $$;

-- Analyses the history after an import of many rows. Runs as the owner of the table, because only the owner may analyse it.
CREATE FUNCTION analyse_history() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  ANALYZE rate_change;
END $$;

-- Payments

-- Marks the email address at Stripe as outdated when an account changes its own. Retries start again with the new address.
CREATE FUNCTION mark_customer_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_customer SET is_stale = true, attempts = 0, not_before = NULL WHERE account_id = NEW.id;
  RETURN NULL;
END $$;

-- Triggers

CREATE TRIGGER account_email_changed AFTER UPDATE OF email ON account FOR EACH ROW WHEN ((new.email IS DISTINCT FROM old.email) AND (new.closed_at IS NULL)) EXECUTE FUNCTION mark_customer_stale();
CREATE TRIGGER audit_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER card_moved AFTER UPDATE ON card FOR EACH ROW WHEN (old.fx_fee_bp <> new.fx_fee_bp) EXECUTE FUNCTION record_moved_row('source_key', 'fx_fee_bp');
CREATE TRIGGER share_cap AFTER UPDATE OF month_spent ON key_meter FOR EACH ROW WHEN ((new.cap_id IS NOT NULL) AND ((new.month_spent <> old.month_spent) OR (new.month <> old.month)) AND (pg_trigger_depth() = 0)) EXECUTE FUNCTION share_cap();
CREATE TRIGGER ledger_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_low_balance AFTER INSERT ON ledger_entry FOR EACH ROW WHEN (new.credits < 0) EXECUTE FUNCTION notify_low_entry();
CREATE TRIGGER licence_version_immutable BEFORE UPDATE OF label, published_at, changes, body ON licence_version FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_moved AFTER UPDATE ON provider FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION record_moved_row('slug', 'name');
CREATE TRIGGER protect_rate_history BEFORE DELETE OR UPDATE ON rate_change FOR EACH ROW EXECUTE FUNCTION protect_rate_history();
CREATE TRIGGER request_log_append_only BEFORE DELETE OR UPDATE ON request_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER request_log_never_emptied BEFORE TRUNCATE ON request_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER switch_offer_moved AFTER UPDATE ON switch_offer FOR EACH ROW WHEN (old.bonus_pence <> new.bonus_pence) EXECUTE FUNCTION record_moved_row('offer_key', 'bonus_pence');

-- Only the owner of the tables, and roles that it grants this to.
REVOKE EXECUTE ON FUNCTION make_log_partitions(date, int), summarise_log(), drop_expired_log_day(date), analyse_history() FROM PUBLIC;
