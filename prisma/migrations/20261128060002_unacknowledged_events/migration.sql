-- Limits the market events of an account that its receivers got without acknowledging them. Such events aren't charged, so a receiver could read every event and
-- return an error.

-- Returns the number of events sent in the last seven days that wait for a 2xx response, and the number allowed: 100, plus a quarter of the events charged in
-- that time. These are counted up to four times the number of waiting events, so `allowed` is exact if it is reached.
CREATE FUNCTION webhook_unacknowledged(p_account int, p_now timestamptz, OUT events bigint, OUT allowed bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT count(*) INTO events FROM webhook_delivery d WHERE d.account_id = p_account AND d.unacknowledged_at > p_now - interval '7 days';
  allowed := 100;
  IF events >= 60 THEN
    allowed := 100 + (SELECT count(*) FROM (SELECT FROM ledger_entry l WHERE l.account_id = p_account AND l.kind = 'webhook' AND l.at > p_now - interval '7 days'
      LIMIT 4 * events) l) / 4;
  END IF;
END $$;

-- Returns true if an account has reached the limit, so that only events which were sent before are sent again.
CREATE FUNCTION webhooks_limited(p_account int, p_now timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT events >= allowed FROM webhook_unacknowledged(p_account, p_now)
$$;

-- Returns the number of further events that may be sent to an account. Each leased endpoint may be sending one event, so one is subtracted for each lease. Leases
-- are not counted if more events are allowed than an account can have endpoints.
CREATE FUNCTION webhook_allowance(p_account int, p_now timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN allowed - events > 40 THEN allowed - events
    ELSE allowed - events - (SELECT count(*) FROM webhook_endpoint WHERE account_id = p_account AND mode = 'live' AND leased_until > p_now) END
  FROM webhook_unacknowledged(p_account, p_now)
$$;

-- Returns true if an endpoint pays for its events: at most a fifth of those in the last seven days, with the next one, were sent without a 2xx response. Such an
-- endpoint gets events even if other endpoints have used up the account's limit.
CREATE FUNCTION webhook_endpoint_pays(p_endpoint int, p_account int, p_now timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE needed bigint;
BEGIN
  SELECT 4 * (count(*) + 1) INTO needed FROM webhook_delivery d
    WHERE d.account_id = p_account AND d.unacknowledged_at > p_now - interval '7 days' AND d.endpoint_id = p_endpoint;
  RETURN needed = (SELECT count(*) FROM (SELECT FROM webhook_delivery d
    WHERE d.endpoint_id = p_endpoint AND d.charged_at > p_now - interval '7 days' LIMIT needed) c);
END $$;

-- As before, within the limit.
CREATE OR REPLACE FUNCTION claim_webhooks(p_now timestamptz, p_lease uuid, p_limit int, p_batch int, p_lease_seconds int, p_price int)
RETURNS TABLE (endpoint int, delivery bigint) LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz := coalesce(p_now, clock_timestamp());
  e record; capacity bigint; allowance bigint; low boolean; credits_ bigint; balance_ bigint; due bigint[];
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
    capacity := 100; credits_ := webhook_credits(e.account_id, now_); allowance := webhook_allowance(e.account_id, now_);
    low := credits_ < 100 * p_price OR allowance <= 40;
    IF low THEN
      -- With few credits or a small allowance, workers lock the wallet in turn, so that they don't use the same ones.
      SELECT b.balance INTO balance_ FROM wallet b WHERE b.account_id = e.account_id FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN balance_ IS NULL;
      credits_ := webhook_credits(e.account_id, now_);
      capacity := webhook_capacity(e.account_id, credits_, p_price, now_); allowance := webhook_allowance(e.account_id, now_);
      IF allowance <= 0 AND webhook_endpoint_pays(e.id, e.account_id, now_) THEN allowance := 1; END IF;
    END IF;
    SELECT array_agg(d.id ORDER BY d.due_at, d.id) INTO due FROM (
      SELECT q.id, q.due_at FROM webhook_delivery q WHERE q.endpoint_id = e.id AND q.state = 'waiting' AND q.due_at <= now_
        AND (q.is_test OR q.is_free OR e.access = 'everything') AND (q.is_test OR q.is_free OR q.charged_at IS NOT NULL
          OR capacity > 0 AND (allowance > 0 OR q.unacknowledged_at IS NOT NULL OR q.is_owed))
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
    ELSIF webhooks_limited(e.account_id, now_) THEN
      PERFORM FROM webhook_account x WHERE x.account_id = e.account_id FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      -- Repeats of events that were sent before are still due at their time. Woken when another endpoint of the account is done.
      UPDATE webhook_endpoint q SET turn_at = coalesce(q.turn_at, q.next_at), next_at = least(now_ + interval '5 minutes',
          (SELECT min(d.due_at) FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND d.due_at > now_))
        WHERE q.id = e.id;
      UPDATE webhook_account x SET limited_notified_at = now_
        WHERE x.account_id = e.account_id AND (x.limited_notified_at IS NULL OR x.limited_notified_at < now_ - interval '1 day');
      IF FOUND THEN
        PERFORM email_webhook_notice(coalesce((SELECT d.endpoint_id FROM webhook_delivery d WHERE d.account_id = e.account_id
          AND d.unacknowledged_at > now_ - interval '7 days' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1), e.id), 'unacknowledged', now_);
      END IF;
    ELSE
      -- Waits until another endpoint of the account is done, in order of arrival. Checked again after a second in case none reports.
      UPDATE webhook_endpoint q SET turn_at = coalesce(q.turn_at, q.next_at), next_at = now_ + interval '1 second' WHERE q.id = e.id;
    END IF;
  END LOOP;
END $$;

-- As before, and marks events that were sent but not acknowledged. `p_sent`: true if the receiver may have got the body.
CREATE FUNCTION record_webhooks(p_now timestamptz, p_price int, p_warn interval, p_warn_failures int, p_disable interval, p_disable_failures int,
  p_endpoint int[], p_lease uuid[], p_delivery bigint[], p_round int[], p_attempt int[], p_ok boolean[], p_gone boolean[], p_wait int[], p_slow boolean[],
  p_last boolean[], p_at timestamptz[], p_status int[], p_fault text[], p_total int[], p_first int[], p_address text[], p_headers text[], p_body text[], p_sent boolean[])
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
        unacknowledged_at = CASE WHEN o.ok THEN NULL ELSE q.unacknowledged_at END,
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

  -- Whatever the state of the delivery, because the endpoint may have been deleted while the request was being sent.
  UPDATE webhook_delivery q SET unacknowledged_at = now_ FROM unnest(p_delivery, p_ok, p_sent) AS p(delivery, ok, sent)
    WHERE q.id = p.delivery AND p.sent AND NOT p.ok AND q.unacknowledged_at IS NULL AND q.charged_at IS NULL AND NOT q.is_owed AND NOT q.is_test AND NOT q.is_free;

  PERFORM webhook_health(w, p.ok, p.gone, p.at, now_, p_warn, p_warn_failures, p_disable, p_disable_failures)
    FROM unnest(p_endpoint, p_delivery, p_ok, p_gone, p_at) AS p(endpoint, delivery, ok, gone, at) JOIN webhook_endpoint w ON w.id = p.endpoint
    WHERE CASE WHEN p.ok THEN w.failing_since IS NOT NULL ELSE p.delivery = ANY (tried) END;

  WITH c AS MATERIALIZED (
    -- Computed once per account, because some have many endpoints.
    SELECT b.id AS account_id, webhook_credits(b.id, now_) AS credits, webhook_access(b, x.is_on, now_) AS access,
      webhook_allowance(b.id, now_) AS allowance
    FROM account b LEFT JOIN webhook_account x ON x.account_id = b.id WHERE b.id = ANY (accounts)
  ), s AS (
    SELECT p.n, w.id, w.account_id, w.lease IS NOT DISTINCT FROM p.lease AS own,
      w.lease IS NOT DISTINCT FROM p.lease AND NOT p.is_last AND NOT p.slow AND NOT w.is_changed AND w.state = 'active'
        AND c.access = 'everything' AND c.credits >= p_price AND c.allowance >= 0
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

-- Called by the previous release, which doesn't report whether a request without a response was sent.
CREATE OR REPLACE FUNCTION record_webhooks(p_now timestamptz, p_price int, p_warn interval, p_warn_failures int, p_disable interval, p_disable_failures int,
  p_endpoint int[], p_lease uuid[], p_delivery bigint[], p_round int[], p_attempt int[], p_ok boolean[], p_gone boolean[], p_wait int[], p_slow boolean[],
  p_last boolean[], p_at timestamptz[], p_status int[], p_fault text[], p_total int[], p_first int[], p_address text[], p_headers text[], p_body text[])
RETURNS boolean[] LANGUAGE sql AS $$
  SELECT record_webhooks(p_now, p_price, p_warn, p_warn_failures, p_disable, p_disable_failures,
    p_endpoint, p_lease, p_delivery, p_round, p_attempt, p_ok, p_gone, p_wait, p_slow, p_last,
    p_at, p_status, p_fault, p_total, p_first, p_address, p_headers, p_body,
    ARRAY(SELECT s IS NOT NULL FROM unnest(p_status) WITH ORDINALITY AS p(s, n) ORDER BY n))
$$;
