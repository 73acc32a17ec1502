-- Webhooks, mended: receivers that hang rest, changes of an endpoint hold from the next post on, the month's cap of an account holds for events as well,
-- nobody gets live data who may not have them, and times are those of the database unless a test says one.

ALTER TABLE webhook_endpoint
  ADD COLUMN rests_until timestamptz,                  -- its receiver took too long: nothing is sent before this
  ADD COLUMN turn_at timestamptz,                      -- since when it waits for credits that others of its account may use up
  ADD COLUMN is_changed boolean NOT NULL DEFAULT false, -- since it was taken: whoever sends to it stops after this post, and it is taken anew
  ADD COLUMN again_from timestamptz,                   -- the hour in which deliveries were last sent again by hand, and how many in it
  ADD COLUMN again_count int NOT NULL DEFAULT 0;
CREATE INDEX webhook_endpoint_turn ON webhook_endpoint (account_id) WHERE turn_at IS NOT NULL;

-- Deliveries are kept by what last became of them, and for as long as they wait.
ALTER TABLE webhook_delivery ADD COLUMN settled_at timestamptz;
UPDATE webhook_delivery SET settled_at = greatest(created_at, due_at, delivered_at) WHERE state <> 'waiting';
DROP INDEX webhook_delivery_created_at_idx;
CREATE INDEX webhook_delivery_settled ON webhook_delivery (settled_at) WHERE state <> 'waiting';
CREATE INDEX webhook_delivery_dead ON webhook_delivery (endpoint_id, id) WHERE state = 'dead';

-- The health of an endpoint is read from its attempts alone.
ALTER TABLE webhook_attempt ADD COLUMN endpoint_id bigint;
UPDATE webhook_attempt t SET endpoint_id = d.endpoint_id FROM webhook_delivery d WHERE d.id = t.delivery_id;
ALTER TABLE webhook_attempt ALTER COLUMN endpoint_id SET NOT NULL;
CREATE INDEX webhook_attempt_endpoint_id_at_idx ON webhook_attempt (endpoint_id, at);

-- Events of this month so far count towards the cap of their account, as calls do.
UPDATE wallet w SET month = month_of(now()), month_spent = CASE WHEN w.month = month_of(now()) THEN w.month_spent ELSE 0 END + s.credits
  FROM (SELECT account_id, -sum(credits) AS credits FROM ledger_entry WHERE kind = 'webhook' AND month_of(at) = month_of(now()) GROUP BY account_id) s
  WHERE s.account_id = w.account_id;

-- As before; a host ends where a path, a query or a fragment begins, so that nothing behind it gets into a mail.
CREATE OR REPLACE FUNCTION tell_webhook(p_endpoint bigint, p_notice text, p_now timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO mail (kind, recipient, facts, due_at, created_at)
  SELECT 'webhook', a.email, jsonb_build_object('notice', p_notice, 'endpoint', e.public_id, 'host', substring(e.url from '^[^:]+://([^/?#]+)'), 'since', e.failing_since), p_now, p_now
  FROM webhook_endpoint e JOIN account a ON a.id = e.account_id WHERE e.id = p_endpoint AND a.closed_at IS NULL
$$;

-- What an account may spend on events: its balance, or what its cap leaves of this month when that is less.
CREATE FUNCTION webhook_credits(w wallet, p_now timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT least(w.balance, w.month_cap - CASE WHEN w.month = month_of(p_now) THEN w.month_spent ELSE 0 END)
$$;

-- What an account may be sent: everything; only tests, whose data are those of the sample, as long as a live key of it would be refused; or nothing.
CREATE FUNCTION webhook_access(a account, p_is_on boolean, p_now timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN a.state = 'blocked' OR a.closed_at IS NOT NULL OR NOT coalesce(p_is_on, false) THEN 'nothing'
    WHEN a.state <> 'open' OR p_now >= (SELECT min(l.grace_ends_at) FROM licence_version l
      WHERE l.published_at > coalesce((SELECT o.published_at FROM licence_version o WHERE o.label = a.accepted_licence), '-infinity')) THEN 'tests'
    ELSE 'everything' END
$$;

-- Takes endpoints as before. What is new: an endpoint that waits for credits of others keeps its place, and nothing here waits for a lock.
CREATE OR REPLACE FUNCTION claim_webhooks(p_now timestamptz, p_lease uuid, p_limit int, p_batch int, p_lease_seconds int, p_price int)
RETURNS TABLE (endpoint bigint, delivery bigint) LANGUAGE plpgsql AS $$
DECLARE
  now_ timestamptz := coalesce(p_now, clock_timestamp());
  e record; room bigint; low boolean; credits_ bigint; balance_ bigint; due bigint[];
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
    room := 100; low := e.credits < 100 * p_price; credits_ := e.credits;
    IF low THEN
      -- Few credits: workers of one account take turns, so that none counts on what another one spends.
      credits_ := NULL;
      SELECT b.balance, webhook_credits(b, now_) INTO balance_, credits_ FROM wallet b WHERE b.account_id = e.account_id FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN credits_ IS NULL;
      room := webhook_room(e.account_id, credits_, p_price, now_);
    END IF;
    SELECT array_agg(d.id ORDER BY d.due_at, d.id) INTO due FROM (
      SELECT q.id, q.due_at FROM webhook_delivery q WHERE q.endpoint_id = e.id AND q.state = 'waiting' AND q.due_at <= now_
        AND (q.is_test OR e.access = 'everything') AND (room > 0 OR q.is_test OR q.charged_at IS NOT NULL)
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
      -- Whoever has the account changes it at this moment: the next claim looks again.
      PERFORM FROM webhook_account x WHERE x.account_id = e.account_id FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      UPDATE webhook_endpoint q SET state = 'held', turn_at = NULL WHERE q.id = e.id;
      UPDATE webhook_account x SET held_told_at = now_
        WHERE x.account_id = e.account_id AND (x.held_told_at IS NULL OR x.held_told_at < now_ - interval '1 day');
      IF FOUND THEN PERFORM tell_webhook(e.id, CASE WHEN balance_ < p_price THEN 'held' ELSE 'capped' END, now_); END IF;
    ELSE
      -- Looked at again when an endpoint of the account is done, in the order in which they came; should none say so, in a second.
      UPDATE webhook_endpoint q SET turn_at = coalesce(q.turn_at, q.next_at), next_at = now_ + interval '1 second' WHERE q.id = e.id;
    END IF;
  END LOOP;
END $$;

DROP FUNCTION record_webhooks;

-- Writes down what came of attempts: the attempt, the state of its delivery, the charge of a first 2xx, the health of its endpoint; at most one attempt of
-- an endpoint at a time. Locks: wallets in the order of accounts, endpoints and deliveries in theirs. The same attempt told twice is written once, and the
-- charge depends on the row alone: it is made when the first 2xx is written, and never again; beyond the balance or the cap of the month it is owed.
-- Charges are entered together, each with its own entry, as enter_credits would enter them one by one. p_wait is the time until the next attempt in
-- milliseconds, null: there is none. A receiver that took too long rests, longer each time, so that it does not hold a place as long as it has a backlog.
-- Says for each whether its sender may go on with the endpoint.
CREATE FUNCTION record_webhooks(p_now timestamptz, p_price int, p_warn interval, p_warn_failures int, p_disable interval, p_disable_failures int,
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
      p.ok AND NOT d.is_test AND d.charged_at IS NULL AND NOT d.is_owed AS is_first
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
    UPDATE wallet w SET balance = s.balance_after, month = month_of(now_),
        month_spent = CASE WHEN w.month = month_of(now_) THEN w.month_spent ELSE 0 END + s.cost
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

-- Takes what an account owes as soon as its credits cover it, oldest first, and lets its endpoints that were held go on. Returns how many went on.
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
    PERFORM enter_credits(p_account, 'webhook', -p_price, 'service', 'Webhook event delivered.', d.public_id);
    UPDATE wallet w SET month = month_of(now_), month_spent = CASE WHEN w.month = month_of(now_) THEN w.month_spent ELSE 0 END + p_price
      WHERE w.account_id = p_account;
    credits_ := credits_ - p_price;
  END LOOP;
  IF credits_ IS NULL OR credits_ < p_price THEN RETURN 0; END IF;
  UPDATE webhook_endpoint SET state = 'active', next_at = greatest(webhook_next(id, now_), rests_until) WHERE account_id = p_account AND state = 'held';
  GET DIAGNOSTICS went = ROW_COUNT;
  RETURN went;
END $$;
