-- Also counts the delivered events that wait for payment, so that an account can't go on receiving events while it spends its credits on calls.
CREATE OR REPLACE FUNCTION webhook_unacknowledged(p_account int, p_now timestamptz, OUT events bigint, OUT allowed bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT count(*) INTO events FROM webhook_delivery d WHERE d.account_id = p_account AND d.unacknowledged_at > p_now - interval '7 days';
  events := events + (SELECT count(*) FROM webhook_delivery d WHERE d.account_id = p_account AND d.is_owed);
  allowed := 100;
  IF events >= 60 THEN
    allowed := 100 + (SELECT count(*) FROM (SELECT FROM ledger_entry l WHERE l.account_id = p_account AND l.kind = 'webhook' AND l.at > p_now - interval '7 days'
      LIMIT 4 * events) l) / 4;
  END IF;
END $$;

-- As before, but searches an index if only some of the waiting events may be sent.
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
    IF e.access = 'everything' AND capacity > 0 AND allowance > 0 THEN
      SELECT array_agg(d.id ORDER BY d.due_at, d.id) INTO due FROM (
        SELECT q.id, q.due_at FROM webhook_delivery q WHERE q.endpoint_id = e.id AND q.state = 'waiting' AND q.due_at <= now_
        ORDER BY q.due_at, q.id LIMIT CASE WHEN low THEN 1 ELSE p_batch END) d;
    ELSE
      -- Only events that cost nothing, or that the receiver may know already. The condition is that of an index, because many others may be waiting.
      SELECT array_agg(d.id ORDER BY d.due_at, d.id) INTO due FROM (
        SELECT q.id, q.due_at FROM webhook_delivery q WHERE q.endpoint_id = e.id AND q.state = 'waiting' AND q.due_at <= now_
          AND (q.is_test OR q.is_free OR q.charged_at IS NOT NULL OR q.unacknowledged_at IS NOT NULL OR q.is_owed)
          AND (q.is_test OR q.is_free OR e.access = 'everything' AND (q.charged_at IS NOT NULL OR capacity > 0))
        ORDER BY q.due_at, q.id LIMIT CASE WHEN low THEN 1 ELSE p_batch END) d;
    END IF;
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
