-- Lets the tables that a charge reads and writes be distributed over the nodes of a Citus cluster, by account (docs/decisions/0048). On a single server, these
-- functions do what they did before.

-- Returns true if the tables of charges are distributed. Only distribute_charges() creates this table.
CREATE FUNCTION is_distributed() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT to_regclass('public.cluster_state') IS NOT NULL $$;

-- Returns the shard that has an account's rows; null on a single server.
CREATE FUNCTION account_shard(p_account int) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT is_distributed() THEN RETURN NULL; END IF;
  RETURN get_shard_id_for_distribution_column('public.wallet', p_account);
END $$;

-- Rows of the request log are numbered, in `tx`, so that readers can continue where they stopped. On a single server, the number is the id of the transaction.
-- Transaction ids of several servers can't be compared, and a shard that moves takes its rows to another server. So on a cluster it is the epoch: a number
-- that every batch reads from a table that all nodes have, with a lock that it keeps until it commits. Starting an epoch waits for these locks, so no more rows
-- of earlier epochs can appear.

-- Starts an epoch. Must be a transaction of its own, because batches wait for it. Does nothing on a single server.
CREATE FUNCTION start_epoch() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz := clock_timestamp();
BEGIN
  IF is_distributed() THEN
    UPDATE cluster_state SET epoch = epoch + 1, epoch_at = now_;
  END IF;
END $$;

-- Returns the lowest number that rows of the log which aren't visible yet can have.
CREATE FUNCTION settled_tx() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF is_distributed() THEN RETURN (SELECT epoch FROM cluster_state); END IF;
  RETURN pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
END $$;

CREATE OR REPLACE FUNCTION roll_up_usage() RETURNS timestamptz LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  done bigint; upto bigint; moment timestamptz;
BEGIN
  SELECT next_tx INTO done FROM usage_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;               -- another process is running it
  moment := clock_timestamp();
  upto := settled_tx();
  IF done > upto THEN                                  -- some requests would be counted never and others twice
    RAISE EXCEPTION 'The request log comes from another PostgreSQL cluster with other transaction ids'
      USING HINT = 'Restart a service process: it adopts the log at start-up. See docs/operations.md.';
  END IF;
  -- Requests that aren't counted yet belong to transactions still in progress, or were committed meanwhile and are found below.
  IF is_distributed() THEN
    SELECT least(moment, epoch_at) INTO moment FROM cluster_state;
  ELSE
    SELECT least(moment, min(xact_start)) INTO moment FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid();
  END IF;
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

-- Locks wallets until the transaction ends, in id order. On a cluster one by one, because each may be on another node.
CREATE FUNCTION lock_wallets(p_account int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  a int;
BEGIN
  IF is_distributed() THEN
    FOR a IN SELECT DISTINCT u FROM unnest(p_account) u ORDER BY u LOOP
      PERFORM FROM wallet WHERE account_id = a FOR NO KEY UPDATE;
    END LOOP;
  ELSE
    PERFORM FROM wallet WHERE account_id = ANY (p_account) ORDER BY account_id FOR NO KEY UPDATE;
  END IF;
END $$;

-- Metering functions as before, but each of their statements reads the rows of one account.

CREATE OR REPLACE FUNCTION counted_in_log(p_account int, p_key int, p_from timestamptz, p_to timestamptz) RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT count(*)::int FROM request_log l JOIN key_meter k ON k.account_id = l.account_id AND k.key_id = l.key_id
    WHERE l.account_id = p_account AND l.id >= first_id_at(p_from - interval '1 hour') AND l.at >= p_from AND l.at < p_to
      AND (l.key_id = p_key OR p_key IS NULL AND k.live) AND l.error NOT IN (5, 6, 8, 16, 17));
END $$;

-- Returns a key and the keys that it replaced. The nodes of a cluster don't have api_key, so make_shard_functions() gives them a function that returns the key
-- and all ended keys of the account: after the clock was set back by a month, a key may then spend less than its cap, never more.
CREATE FUNCTION key_line(p_account int, p_key int) RETURNS SETOF int LANGUAGE sql STABLE AS $$
  WITH RECURSIVE line AS (SELECT p_key AS id UNION SELECT k.id FROM api_key k JOIN line n ON k.replaced_by = n.id WHERE k.account_id = p_account)
  SELECT id FROM line
$$;

CREATE OR REPLACE FUNCTION spent_in_log(p_account int, p_key int, p_from timestamptz, p_to timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    WITH shared AS (
      SELECT o.key_id AS id FROM key_meter k JOIN key_meter o ON o.account_id = k.account_id AND (o.key_id = k.key_id OR o.cap_id = k.cap_id)
      WHERE k.account_id = p_account AND k.key_id IN (SELECT key_line(p_account, p_key)))
    SELECT coalesce((SELECT sum(l.credits - coalesce(e.credits, 0)) FROM request_log l
        LEFT JOIN ledger_entry e ON e.account_id = l.account_id AND e.kind = 'reversal' AND e.reference = l.id::text
        WHERE l.account_id = p_account AND l.id >= first_id_at(p_from - interval '1 hour') AND l.at >= p_from AND l.at < p_to AND l.credits > 0
          AND (p_key IS NULL OR l.key_id IN (SELECT id FROM shared))), 0)
      - coalesce((SELECT sum(e.credits) FROM ledger_entry e
        WHERE p_key IS NULL AND e.account_id = p_account AND e.kind = 'webhook' AND e.at >= p_from AND e.at < p_to), 0))::bigint;
END $$;

-- Changes the table that has the trigger, which is a shard on a cluster. Keys that share a cap belong to one account, so they are in one shard.
CREATE OR REPLACE FUNCTION share_cap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE %s t SET month = $1, month_spent = CASE WHEN t.month = $1 THEN t.month_spent ELSE 0 END + $2
    WHERE t.account_id = $3 AND t.cap_id = $4 AND t.key_id <> $5', TG_RELID::regclass)
    USING NEW.month, NEW.month_spent - CASE WHEN OLD.month = NEW.month THEN OLD.month_spent ELSE 0 END, NEW.account_id, NEW.cap_id, NEW.key_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION enter_credits(p_account int, p_kind text, p_credits bigint, p_actor text, p_reason text, p_reference text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  new_balance bigint;
BEGIN
  UPDATE wallet SET balance = balance + p_credits WHERE account_id = p_account RETURNING balance INTO new_balance;
  IF new_balance IS NULL THEN RETURN NULL; END IF;
  INSERT INTO ledger_entry (account_id, kind, credits, balance_after, actor, reason, reference)
    VALUES (p_account, p_kind, p_credits, new_balance, p_actor, p_reason, p_reference);
  IF p_credits > 0 THEN
    INSERT INTO balance_alert (account_id, thresholds) VALUES (p_account, '{50,10,0}') ON CONFLICT (account_id) DO NOTHING;
    UPDATE balance_alert b SET armed = ARRAY(SELECT t FROM unnest(b.thresholds) t WHERE t < new_balance ORDER BY t DESC) WHERE b.account_id = p_account;
  END IF;
  -- On a single server, triggers of ledger_entry do this.
  IF is_distributed() AND p_credits < 0 THEN PERFORM notify_low_balance(p_account, new_balance); END IF;
  IF is_distributed() AND p_credits > 0 THEN PERFORM send_job('webhooks.resume'); END IF;
  RETURN new_balance;
END $$;

-- Returns the credits that an account has spent in the month of p_at, including its webhooks. Replaces the function that takes a row of wallet, which a cluster
-- can't evaluate; the previous release still calls that one.
CREATE FUNCTION spent_in_month(p_account int, p_at timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  this_month int := month_of(p_at); w record;
BEGIN
  SELECT month, month_spent, month_seen INTO w FROM wallet WHERE account_id = p_account;
  RETURN CASE
    WHEN w.month = this_month THEN w.month_spent
    WHEN this_month <= greatest(w.month, w.month_seen)
      THEN spent_in_log(p_account, NULL, date_trunc('month', p_at, 'UTC'), date_trunc('month', p_at, 'UTC') + interval '1 month')
    ELSE 0 END;
END $$;

-- Returns the credits that a key could spend now: the lowest of the balance, the remaining account cap and the remaining key cap. Null if it doesn't exist.
CREATE FUNCTION spendable_credits(p_account int, p_key int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  this_month int := month_of(clock_timestamp()); x record;
BEGIN
  SELECT w.balance, w.month_cap, k.month_cap - CASE WHEN k.month = this_month THEN k.month_spent ELSE 0 END AS key_left INTO x
    FROM wallet w JOIN key_meter k ON k.account_id = w.account_id WHERE w.account_id = p_account AND k.account_id = p_account AND k.key_id = p_key;
  RETURN least(x.balance, x.month_cap - CASE WHEN x.month_cap IS NOT NULL THEN spent_in_month(p_account, clock_timestamp()) END, x.key_left);
END $$;

-- Deletes idempotency keys that have expired. Skips rows that a batch is using: waiting for them could deadlock with the batch.
CREATE FUNCTION delete_expired_idempotency() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  a int; expired timestamptz := now() - interval '10 minutes';
BEGIN
  IF NOT is_distributed() THEN
    DELETE FROM idempotency WHERE (account_id, key) IN (SELECT account_id, key FROM idempotency WHERE at < expired LIMIT 10000 FOR UPDATE SKIP LOCKED);
    RETURN;
  END IF;
  -- Rows can be locked in one shard at a time.
  FOR a IN SELECT DISTINCT account_id FROM idempotency WHERE at < expired LIMIT 1000 LOOP
    DELETE FROM idempotency WHERE account_id = a AND key IN (SELECT key FROM idempotency WHERE account_id = a AND at < expired FOR UPDATE SKIP LOCKED);
  END LOOP;
END $$;

-- As before, but names the columns whose defaults a shard doesn't have.
CREATE OR REPLACE FUNCTION reconcile(p_account int[], p_key int[], p_id uuid[], p_endpoint smallint[], p_void boolean[])
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
      INSERT INTO request_log (id, account_id, key_id, tx, balance, at, credits, units, endpoint, status, error)
        VALUES (p_id[i], p_account[i], p_key[i], pg_current_xact_id()::text::bigint, left_, clock_timestamp(), 0, 0, p_endpoint[i], 500, 17);
      answer := answer || ARRAY[500, 0, 0, left_];
    ELSIF p_void[i] AND l.credits > 0 THEN
      is_of_month := month_of(l.at) = this_month;
      UPDATE wallet t SET balance = t.balance + l.credits,
          month_spent = t.month_spent - CASE WHEN is_of_month AND t.month = this_month THEN l.credits ELSE 0 END
        WHERE t.account_id = p_account[i]
        AND NOT EXISTS (SELECT FROM ledger_entry e WHERE e.account_id = p_account[i] AND e.kind = 'reversal' AND e.reference = p_id[i]::text)
        RETURNING t.balance INTO left_;
      IF FOUND THEN
        INSERT INTO ledger_entry (id, account_id, kind, credits, balance_after, actor, reason, reference)
          VALUES (nextval('public.ledger_entry_id_seq'), p_account[i], 'reversal', l.credits, left_, 'system', 'The answer of this request could not be sent in time.', p_id[i]::text);
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

-- Webhooks: as before, but with one statement for each wallet

-- Returns the credits that an account can spend on events: the balance, within the account's monthly cap. Replaces the function that takes a row of wallet.
CREATE FUNCTION webhook_credits(p_account int, p_now timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  w record;
BEGIN
  SELECT balance, month_cap INTO w FROM wallet WHERE account_id = p_account;
  IF w.month_cap IS NULL THEN RETURN w.balance; END IF;
  RETURN least(w.balance, w.month_cap - spent_in_month(p_account, p_now));
END $$;

CREATE OR REPLACE FUNCTION claim_webhooks(p_now timestamptz, p_lease uuid, p_limit int, p_batch int, p_lease_seconds int, p_price int)
RETURNS TABLE (endpoint int, delivery bigint) LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz := coalesce(p_now, clock_timestamp());
  e record; capacity bigint; low boolean; credits_ bigint; balance_ bigint; due bigint[];
BEGIN
  FOR e IN
    SELECT w.id, w.account_id, webhook_access(a, x.is_on, now_) AS access
    FROM (SELECT q.id, q.account_id FROM webhook_endpoint q
          WHERE q.state = 'active' AND q.next_at <= now_ AND (q.leased_until IS NULL OR q.leased_until <= now_)
          ORDER BY q.next_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) w
      JOIN account a ON a.id = w.account_id LEFT JOIN webhook_account x ON x.account_id = w.account_id
  LOOP
    IF e.access = 'nothing' THEN
      UPDATE webhook_endpoint q SET next_at = now_ + interval '5 minutes' WHERE q.id = e.id;
      CONTINUE;
    END IF;
    capacity := 100; credits_ := webhook_credits(e.account_id, now_); low := credits_ < 100 * p_price;
    IF low THEN
      -- With few credits, workers lock the wallet in turn, so that they don't spend the same credits.
      SELECT b.balance INTO balance_ FROM wallet b WHERE b.account_id = e.account_id FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN balance_ IS NULL;
      credits_ := webhook_credits(e.account_id, now_);
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

CREATE OR REPLACE FUNCTION record_webhooks(p_now timestamptz, p_price int, p_warn interval, p_warn_failures int, p_disable interval, p_disable_failures int,
  p_endpoint int[], p_lease uuid[], p_delivery bigint[], p_round int[], p_attempt int[], p_ok boolean[], p_gone boolean[], p_wait int[], p_slow boolean[],
  p_last boolean[], p_at timestamptz[], p_status int[], p_fault text[], p_total int[], p_first int[], p_address text[], p_headers text[], p_body text[])
RETURNS boolean[] LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz; tried bigint[]; continues boolean[]; payer int; month_credits bigint; charge record;
  accounts int[] := ARRAY(SELECT DISTINCT q.account_id FROM webhook_endpoint q WHERE q.id = ANY (p_endpoint) ORDER BY 1);
  balances bigint[] := '{}'; credits_ bigint[] := '{}';
  paid_account int[]; paid_balance bigint[]; paid_event text[];  -- events to charge, in order of account
BEGIN
  -- Each lock is a separate statement, so that the following statements see what other transactions wrote before.
  PERFORM lock_wallets(accounts);
  PERFORM FROM webhook_endpoint w WHERE w.id = ANY (p_endpoint) ORDER BY w.id FOR NO KEY UPDATE;
  PERFORM FROM webhook_delivery q WHERE q.id = ANY (p_delivery) ORDER BY q.id FOR NO KEY UPDATE;
  now_ := coalesce(p_now, clock_timestamp());
  FOREACH payer IN ARRAY accounts LOOP
    balances := balances || (SELECT w.balance FROM wallet w WHERE w.account_id = payer); credits_ := credits_ || webhook_credits(payer, now_);
  END LOOP;

  WITH o AS (
    SELECT p.*, d.account_id, d.endpoint_id, d.public_id, d.state, d.attempts, d.round = p.round AS is_current, b.balance, b.credits,
      p.ok AND NOT d.is_test AND NOT d.is_free AND d.charged_at IS NULL AND NOT d.is_owed AS is_first
    FROM unnest(p_delivery, p_round, p_attempt, p_ok, p_wait, p_at, p_status, p_fault, p_total, p_first, p_address, p_headers, p_body)
        WITH ORDINALITY AS p(delivery, round, attempt, ok, wait, at, status, fault, total, first, address, headers, body, n)
      JOIN webhook_delivery d ON d.id = p.delivery JOIN unnest(accounts, balances, credits_) AS b(account_id, balance, credits) ON b.account_id = d.account_id
  ), priced AS (
    SELECT o.delivery, o.account_id, o.public_id, o.balance, o.credits, p_price * row_number() OVER (PARTITION BY o.account_id ORDER BY o.n) AS cost
    FROM o WHERE o.is_first
  ), paid AS (
    SELECT priced.*, balance - cost AS balance_after FROM priced WHERE cost <= credits
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
  SELECT (SELECT array_agg(delivery_id) FROM made), array_agg(account_id ORDER BY account_id, balance_after DESC),
      array_agg(balance_after ORDER BY account_id, balance_after DESC), array_agg(public_id ORDER BY account_id, balance_after DESC)
    INTO tried, paid_account, paid_balance, paid_event FROM paid;
  FOR charge IN SELECT p.account_id, min(p.balance_after) AS balance_after, count(*) * p_price AS cost
      FROM unnest(paid_account, paid_balance) AS p(account_id, balance_after) GROUP BY 1 ORDER BY 1 LOOP
    -- Before the ledger entries, which would otherwise count towards the month's spending twice.
    month_credits := spent_in_month(charge.account_id, now_) + charge.cost;
    UPDATE wallet w SET balance = charge.balance_after, month = month_of(now_), month_spent = month_credits, month_seen = greatest(w.month_seen, w.month, month_of(now_))
      WHERE w.account_id = charge.account_id;
  END LOOP;
  FOR charge IN SELECT * FROM unnest(paid_account, paid_balance, paid_event) AS p(account_id, balance_after, public_id) LOOP
    INSERT INTO ledger_entry (account_id, kind, credits, balance_after, actor, reason, reference)
      VALUES (charge.account_id, 'webhook', -p_price, charge.balance_after, 'service', 'Webhook event delivered.', charge.public_id);
    -- On a single server, a trigger of ledger_entry does this.
    IF is_distributed() THEN PERFORM notify_low_balance(charge.account_id, charge.balance_after); END IF;
  END LOOP;

  PERFORM webhook_health(w, p.ok, p.gone, p.at, now_, p_warn, p_warn_failures, p_disable, p_disable_failures)
    FROM unnest(p_endpoint, p_delivery, p_ok, p_gone, p_at) AS p(endpoint, delivery, ok, gone, at) JOIN webhook_endpoint w ON w.id = p.endpoint
    WHERE CASE WHEN p.ok THEN w.failing_since IS NOT NULL ELSE p.delivery = ANY (tried) END;

  WITH c AS MATERIALIZED (
    -- Computed once per account, because some have many endpoints.
    SELECT b.id AS account_id, webhook_credits(b.id, now_) AS credits, webhook_access(b, x.is_on, now_) AS access
    FROM account b LEFT JOIN webhook_account x ON x.account_id = b.id WHERE b.id = ANY (accounts)
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

CREATE OR REPLACE FUNCTION resume_webhooks(p_account int, p_now timestamptz, p_price int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  d record; now_ timestamptz; credits_ bigint; resumed int; spent bigint;
BEGIN
  PERFORM FROM wallet WHERE account_id = p_account FOR NO KEY UPDATE;
  PERFORM FROM webhook_endpoint WHERE account_id = p_account ORDER BY id FOR NO KEY UPDATE;
  now_ := coalesce(p_now, clock_timestamp());
  credits_ := webhook_credits(p_account, now_);
  FOR d IN SELECT id, public_id FROM webhook_delivery WHERE account_id = p_account AND is_owed ORDER BY id LOOP
    EXIT WHEN credits_ < p_price;
    UPDATE webhook_delivery SET is_owed = false, charged_at = now_ WHERE id = d.id;
    -- Before the ledger entry, which would otherwise count towards the month's spending twice.
    spent := spent_in_month(p_account, now_) + p_price;
    UPDATE wallet w SET month = month_of(now_), month_spent = spent, month_seen = greatest(w.month_seen, w.month, month_of(now_))
      WHERE w.account_id = p_account;
    PERFORM enter_credits(p_account, 'webhook', -p_price, 'service', 'Webhook event delivered.', d.public_id);
    credits_ := credits_ - p_price;
  END LOOP;
  IF credits_ IS NULL OR credits_ < p_price THEN RETURN 0; END IF;
  UPDATE webhook_endpoint SET state = 'active', next_at = greatest(webhook_next(id, now_), rests_until) WHERE account_id = p_account AND state = 'held';
  GET DIAGNOSTICS resumed = ROW_COUNT;
  RETURN resumed;
END $$;

-- Distributing the tables

-- Creates the functions that charge the accounts of one shard, in a schema of that shard. They are the functions above, but their statements name the shard's
-- tables instead of the distributed ones, so that PostgreSQL plans them as on a single server. They run on the node that has the shard. `enter` ensures this:
-- it takes the lock that Citus takes for a write, so that the shard can't move until the batch has committed, and fails with SVC02 if the shard is on another
-- node. Must run again after a migration that replaces one of these functions. Returns the number of shards; 0 on a single server.
CREATE FUNCTION make_shard_functions() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  s record; f text; t text; def text; state text; made int := 0;
BEGIN
  IF NOT is_distributed() THEN RETURN 0; END IF;
  SELECT 'public.cluster_state_' || shardid INTO state FROM pg_dist_shard WHERE logicalrelid = 'public.cluster_state'::regclass;
  FOR s IN SELECT shardid AS id, 'shard_' || shardid AS name, shardminvalue AS place FROM pg_dist_shard WHERE logicalrelid = 'public.wallet'::regclass ORDER BY 1 LOOP
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', s.name);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', s.name);
    EXECUTE format($f$CREATE OR REPLACE FUNCTION %1$s.enter() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $e$
DECLARE
  answer bigint;
BEGIN
  PERFORM lock_shard_metadata(5, ARRAY[%2$s]);
  IF NOT EXISTS (SELECT FROM pg_dist_placement p JOIN pg_dist_local_group g ON g.groupid = p.groupid WHERE p.shardid = %2$s) THEN
    RAISE EXCEPTION 'The shard is on another node' USING ERRCODE = 'SVC02';
  END IF;
  SELECT epoch INTO answer FROM %3$s FOR SHARE;
  RETURN answer;
END $e$ $f$, s.name, s.id, state);
    EXECUTE format($f$CREATE OR REPLACE FUNCTION %1$s.key_line(p_account int, p_key int) RETURNS SETOF int LANGUAGE plpgsql STABLE AS $e$
BEGIN
  RETURN QUERY SELECT p_key UNION SELECT k.key_id FROM key_meter k WHERE k.account_id = p_account AND k.ends_at IS NOT NULL;
END $e$ $f$, s.name);
    FOREACH f IN ARRAY ARRAY['key_line', 'counted_in_log', 'spent_in_log', 'admit', 'admit_whole', 'reconcile'] LOOP
      SELECT pg_get_functiondef(p.oid) INTO STRICT def FROM pg_proc p
        WHERE p.proname = f AND p.pronamespace = (CASE f WHEN 'key_line' THEN s.name ELSE 'public' END)::regnamespace;
      def := regexp_replace(def, 'FUNCTION public\.', format('FUNCTION %s.', s.name));
      IF f IN ('admit', 'admit_whole', 'reconcile') THEN
        def := regexp_replace(def, 'DECLARE', format('DECLARE epoch_ bigint := %s.enter();', s.name));
        def := replace(def, 'pg_current_xact_id()::text::bigint', 'epoch_');
      END IF;
      def := regexp_replace(def, '(?<![.\w])(key_line|counted_in_log|spent_in_log)\(', format('%s.\1(', s.name), 'g');
      def := regexp_replace(def, '\mservice_state\M', state, 'g');
      FOREACH t IN ARRAY ARRAY['wallet', 'key_meter', 'request_log', 'idempotency', 'ledger_entry'] LOOP
        def := regexp_replace(def, '(?<!\.)\m' || t || '\M', (SELECT format('public.%s_%s', t, o.shardid) FROM pg_dist_shard o
          WHERE o.logicalrelid = ('public.' || t)::regclass AND o.shardminvalue = s.place), 'g');
      END LOOP;
      EXECUTE def;
    END LOOP;
    made := made + 1;
  END LOOP;
  RETURN made;
END $$;

-- Distributes the tables of charges over the workers of a Citus cluster, in one transaction, and creates the functions of each shard. Constraints that no shard
-- could check are replaced or dropped: keys get the account as their first column, and references to tables that stay on the coordinator end. Returns the
-- number of shards. Does nothing but refresh the functions if the tables are distributed already.
CREATE FUNCTION distribute_charges(p_shards int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  latest bigint;
BEGIN
  IF is_distributed() THEN RETURN make_shard_functions(); END IF;
  PERFORM set_config('citus.shard_count', p_shards::text, true), set_config('citus.enable_unsafe_triggers', 'on', true),
    set_config('citus.multi_shard_modify_mode', 'sequential', true);
  LOCK TABLE wallet, key_meter, request_log, idempotency, ledger_entry, dropped_charge, service_state IN ACCESS EXCLUSIVE MODE;
  ALTER TABLE wallet DROP CONSTRAINT wallet_account_id_fkey;
  ALTER TABLE key_meter DROP CONSTRAINT key_meter_key_id_fkey, DROP CONSTRAINT key_meter_pkey, ADD PRIMARY KEY (account_id, key_id);
  ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_account_id_fkey, DROP CONSTRAINT ledger_entry_pkey, ADD PRIMARY KEY (account_id, id);
  DROP INDEX ledger_entry_adjusted_once, ledger_entry_webhook_once;
  CREATE UNIQUE INDEX ledger_entry_adjusted_once ON ledger_entry (account_id, reference) WHERE (kind = 'adjustment') AND (reference IS NOT NULL);
  CREATE UNIQUE INDEX ledger_entry_webhook_once ON ledger_entry (account_id, reference) WHERE kind = 'webhook';
  -- A trigger runs on the node of the shard, so these could not reach the tables that they write.
  DROP TRIGGER ledger_entry_low_balance ON ledger_entry;
  DROP TRIGGER send_jobs ON ledger_entry;
  DROP TRIGGER send_jobs ON wallet;
  -- Citus has no row triggers on partitioned tables. The runtime role may not change the log.
  DROP TRIGGER request_log_append_only ON request_log;
  DROP TRIGGER request_log_never_emptied ON request_log;
  DROP TRIGGER ledger_entry_append_only ON ledger_entry;
  SELECT greatest(pg_current_xact_id()::text::bigint, (SELECT max(tx) FROM request_log)) INTO latest;
  PERFORM create_distributed_table('public.wallet', 'account_id');
  PERFORM create_distributed_table('public.' || t, 'account_id', colocate_with := 'public.wallet')
    FROM unnest(ARRAY['key_meter', 'request_log', 'idempotency', 'ledger_entry', 'dropped_charge']) t;
  CREATE TABLE cluster_state (id int PRIMARY KEY, version int NOT NULL, epoch bigint NOT NULL, epoch_at timestamptz NOT NULL);
  PERFORM create_reference_table('public.cluster_state');
  INSERT INTO cluster_state (id, version, epoch, epoch_at) SELECT id, version, latest + 1, now() FROM service_state;
  EXECUTE $f$CREATE FUNCTION copy_service_version() RETURNS trigger LANGUAGE plpgsql AS $e$
BEGIN
  UPDATE public.cluster_state SET version = NEW.version WHERE id = NEW.id;
  RETURN NULL;
END $e$ $f$;
  CREATE TRIGGER copy_service_version AFTER UPDATE OF version ON service_state FOR EACH ROW EXECUTE FUNCTION copy_service_version();
  RETURN make_shard_functions();
END $$;

REVOKE EXECUTE ON FUNCTION make_shard_functions(), distribute_charges(int) FROM PUBLIC;

-- Every migration that replaces a function of charges ends with this.
SELECT make_shard_functions();
