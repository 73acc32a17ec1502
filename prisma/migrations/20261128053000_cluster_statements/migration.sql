-- As before, with a statement that a Citus cluster accepts: names the columns of the key of `idempotency` instead of its constraint, which has another name in each shard.
CREATE OR REPLACE FUNCTION admit(
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
            ON CONFLICT (account_id, key) DO UPDATE
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

SELECT make_shard_functions();
