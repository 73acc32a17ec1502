-- A month that is entered again, because the clock was set back, is added up anew for everything that spends in it: webhooks as well as calls, and keys that
-- took the place of others. It was so for calls alone: what webhooks had spent was forgotten, and they forgot what calls had.

-- Credits between two times, less those that were given back: of a key, those that it took the place of and those that it shares its cap with; or of an
-- account, its webhooks included.
CREATE OR REPLACE FUNCTION spent_in_log(p_account bigint, p_key bigint, p_from timestamptz, p_to timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  WITH RECURSIVE line AS (SELECT p_key AS id UNION SELECT k.id FROM api_key k JOIN line n ON k.replaced_by = n.id WHERE k.account_id = p_account),
    shared AS (SELECT o.key_id AS id FROM line n JOIN key_meter k ON k.key_id = n.id JOIN key_meter o ON o.key_id = k.key_id OR o.cap_id = k.cap_id)
  SELECT (coalesce((SELECT sum(l.credits - coalesce(e.credits, 0)) FROM request_log l
      LEFT JOIN ledger_entry e ON e.account_id = l.account_id AND e.kind = 'reversal' AND e.reference = l.id::text
      WHERE l.account_id = p_account AND l.id >= first_id_at(p_from - interval '1 hour') AND l.at >= p_from AND l.at < p_to AND l.credits > 0
        AND (p_key IS NULL OR l.key_id IN (SELECT id FROM shared))), 0)
    - coalesce((SELECT sum(e.credits) FROM ledger_entry e
      WHERE p_key IS NULL AND e.account_id = p_account AND e.kind = 'webhook' AND e.at >= p_from AND e.at < p_to), 0))::bigint
$$;

-- What an account has spent in the month of a moment.
CREATE FUNCTION spent_in_month(w wallet, p_at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN w.month = month_of(p_at) THEN w.month_spent
    WHEN month_of(p_at) <= greatest(w.month, w.month_seen)
      THEN spent_in_log(w.account_id, NULL, date_trunc('month', p_at, 'UTC'), date_trunc('month', p_at, 'UTC') + interval '1 month')
    ELSE 0 END
$$;

CREATE OR REPLACE FUNCTION webhook_credits(w wallet, p_now timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT least(w.balance, w.month_cap - spent_in_month(w, p_now))
$$;

-- As before, but for the month.
CREATE OR REPLACE FUNCTION record_webhooks(p_now timestamptz, p_price int, p_warn interval, p_warn_failures int, p_disable interval, p_disable_failures int,
  p_endpoint bigint[], p_lease uuid[], p_delivery bigint[], p_round int[], p_attempt int[], p_ok boolean[], p_gone boolean[], p_wait int[], p_slow boolean[],
  p_last boolean[], p_at timestamptz[], p_status int[], p_fault text[], p_total int[], p_first int[], p_address text[], p_headers text[], p_body text[])
RETURNS boolean[] LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz; tried bigint[]; go_on boolean[];
BEGIN
  -- Each lock is a statement of its own, so that what follows sees what others wrote before.
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
    -- Two senders of one attempt: what was delivered counts.
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
    -- Once for each account, of which some have many endpoints.
    SELECT b.account_id, webhook_credits(b, now_) AS credits, webhook_access(a, x.is_on, now_) AS access
    FROM wallet b JOIN account a ON a.id = b.account_id LEFT JOIN webhook_account x ON x.account_id = b.account_id
    WHERE b.account_id IN (SELECT q.account_id FROM webhook_endpoint q WHERE q.id = ANY (p_endpoint))
  ), s AS (
    SELECT p.n, w.id, w.account_id, w.lease IS NOT DISTINCT FROM p.lease AS own,
      w.lease IS NOT DISTINCT FROM p.lease AND NOT p.is_last AND NOT p.slow AND NOT w.is_changed AND w.state = 'active'
        AND c.access = 'everything' AND c.credits >= p_price
        AND EXISTS (SELECT FROM webhook_delivery d WHERE d.id = p.delivery) AND webhook_room(w.account_id, c.credits, p_price, now_) >= 0 AS may,
      CASE WHEN p.slow THEN now_ + interval '10 seconds' * (1 << least(greatest(w.failures, 1) - 1, 5)) END AS rests_until
    FROM unnest(p_endpoint, p_lease, p_delivery, p_slow, p_last) WITH ORDINALITY AS p(endpoint, lease, delivery, slow, is_last, n)
      JOIN webhook_endpoint w ON w.id = p.endpoint JOIN c ON c.account_id = w.account_id
  ), freed AS (
    UPDATE webhook_endpoint w SET lease = NULL, leased_until = NULL, rests_until = s.rests_until, next_at = greatest(webhook_next(w.id, now_), s.rests_until)
    FROM s WHERE w.id = s.id AND s.own AND NOT s.may
  ), woken AS (
    -- Those that wait for credits that this one did not use, before it comes again. Who holds one of them has its own reasons to look at it.
    UPDATE webhook_endpoint w SET next_at = greatest(w.turn_at, w.rests_until), turn_at = NULL
    FROM (SELECT q.id FROM webhook_endpoint q WHERE q.turn_at IS NOT NULL AND q.account_id IN (SELECT s.account_id FROM s WHERE s.own AND NOT s.may)
          FOR NO KEY UPDATE SKIP LOCKED) l
    WHERE w.id = l.id AND NOT w.id = ANY (p_endpoint)
  )
  SELECT array_agg(may ORDER BY n) INTO go_on FROM s;
  RETURN go_on;
END $$;

-- As before, but for the month.
CREATE OR REPLACE FUNCTION resume_webhooks(p_account bigint, p_now timestamptz, p_price int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  d record; now_ timestamptz; credits_ bigint; went int;
BEGIN
  PERFORM FROM wallet WHERE account_id = p_account FOR NO KEY UPDATE;
  PERFORM FROM webhook_endpoint WHERE account_id = p_account ORDER BY id FOR NO KEY UPDATE;
  now_ := coalesce(p_now, clock_timestamp());
  SELECT webhook_credits(w, now_) INTO credits_ FROM wallet w WHERE w.account_id = p_account;
  FOR d IN SELECT id, public_id FROM webhook_delivery WHERE account_id = p_account AND is_owed ORDER BY id LOOP
    EXIT WHEN credits_ < p_price;
    UPDATE webhook_delivery SET is_owed = false, charged_at = now_ WHERE id = d.id;
    -- Before the entry, which would be counted with what was spent before it.
    UPDATE wallet w SET month = month_of(now_), month_spent = spent_in_month(w, now_) + p_price, month_seen = greatest(w.month_seen, w.month, month_of(now_))
      WHERE w.account_id = p_account;
    PERFORM enter_credits(p_account, 'webhook', -p_price, 'service', 'Webhook event delivered.', d.public_id);
    credits_ := credits_ - p_price;
  END LOOP;
  IF credits_ IS NULL OR credits_ < p_price THEN RETURN 0; END IF;
  UPDATE webhook_endpoint SET state = 'active', next_at = greatest(webhook_next(id, now_), rests_until) WHERE account_id = p_account AND state = 'held';
  GET DIAGNOSTICS went = ROW_COUNT;
  RETURN went;
END $$;
