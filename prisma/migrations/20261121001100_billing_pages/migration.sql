-- What the pages about money need.

-- The newest notices of an account.
CREATE INDEX billing_notice_account_id_id_idx ON billing_notice (account_id, id);

-- Takes in one thing that Stripe says: an event, or with p_event null the answer to a call of ours. One statement, one transaction: event, payment,
-- purchase, balance, entry and notice, or none of them. Locks: event, payment, wallet, purchase, settings; nothing waits in the other direction.
-- Answers 'applied', 'duplicate', or 'unknown' when the payment is none of ours or its purchase is not known yet. What contradicts the purchase is
-- refused with SQLSTATE SVC01, and nothing is changed.
CREATE OR REPLACE FUNCTION apply_payment(
  p_event text, p_type text, p_livemode boolean, p_at timestamptz,
  p_top_up text, p_session text, p_intent text,        -- whose purchase it is, as far as Stripe says
  p_outcome text,                                      -- paid, pending, failed, declined (a try that may be followed by another), expired or null
  p_amount bigint, p_failure text,
  p_refunded bigint,                                   -- pence refunded of the payment in all
  p_dispute text, p_disputed bigint, p_status text, p_taken boolean, p_stage int)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  t top_up; failed boolean;
BEGIN
  -- 1. Once. Whoever brings the same event at the same moment waits here.
  IF p_event IS NOT NULL THEN
    INSERT INTO stripe_event (id, type, livemode, created_at) VALUES (p_event, p_type, p_livemode, p_at) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN RETURN 'duplicate'; END IF;
  END IF;

  -- 2. Keep what is said of the payment. Its row is a lock as well: of two events of one payment the later one sees what the earlier one wrote.
  IF p_intent IS NOT NULL THEN
    INSERT INTO stripe_payment AS s (id, refunded_pence) VALUES (p_intent, coalesce(p_refunded, 0))
      ON CONFLICT (id) DO UPDATE SET refunded_pence = greatest(s.refunded_pence, excluded.refunded_pence);
  END IF;
  IF p_dispute IS NOT NULL THEN
    INSERT INTO stripe_dispute AS d (id, payment_id, amount_pence, status, is_taken, told_at, stage)
      VALUES (p_dispute, p_intent, p_disputed, p_status, p_taken, p_at, p_stage)
      ON CONFLICT (id) DO UPDATE SET amount_pence = excluded.amount_pence, status = excluded.status, is_taken = excluded.is_taken,
        told_at = excluded.told_at, stage = excluded.stage
      WHERE (d.told_at, d.stage) < (excluded.told_at, excluded.stage);
  END IF;

  -- 3. Find the purchase and lock: wallet first, as everywhere.
  SELECT u.* INTO t FROM top_up u WHERE u.public_id = p_top_up OR u.checkout_session_id = p_session OR u.payment_intent_id = p_intent
    ORDER BY u.public_id IS NOT DISTINCT FROM p_top_up DESC LIMIT 1;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  PERFORM FROM wallet WHERE account_id = t.account_id FOR NO KEY UPDATE;
  SELECT u.* INTO t FROM top_up u WHERE u.id = t.id FOR NO KEY UPDATE;

  -- 4. Compare with what was asked for.
  IF (t.mode = 'live') IS DISTINCT FROM p_livemode THEN
    RAISE EXCEPTION '% was begun in % mode', t.public_id, t.mode USING ERRCODE = 'SVC01';
  ELSIF t.checkout_session_id <> p_session THEN
    RAISE EXCEPTION '% has another checkout session', t.public_id USING ERRCODE = 'SVC01';
  ELSIF t.payment_intent_id <> p_intent THEN
    RAISE EXCEPTION '% has another payment', t.public_id USING ERRCODE = 'SVC01';
  ELSIF p_outcome = 'paid' AND (p_amount IS DISTINCT FROM t.amount_pence OR p_intent IS NULL) THEN
    RAISE EXCEPTION '% asked for % pence, paid were %', t.public_id, t.amount_pence, p_amount USING ERRCODE = 'SVC01';
  END IF;

  -- 5. The state goes forward only, and paid is its end.
  failed := t.state IN ('open', 'pending') AND (p_outcome = 'failed' OR p_outcome = 'declined' AND t.origin = 'auto');
  UPDATE top_up SET
      checkout_session_id = coalesce(t.checkout_session_id, p_session),
      payment_intent_id = coalesce(t.payment_intent_id, p_intent),
      paid_at = CASE WHEN p_outcome = 'paid' THEN coalesce(t.paid_at, clock_timestamp()) ELSE t.paid_at END,
      state = CASE
        WHEN t.state = 'paid' OR p_outcome = 'paid' THEN 'paid'
        WHEN failed THEN 'failed'
        WHEN p_outcome = 'pending' AND t.state IN ('open', 'expired') THEN 'pending'
        WHEN p_outcome = 'expired' AND t.state = 'open' THEN 'expired'
        ELSE t.state END,
      failure = CASE WHEN t.state = 'paid' OR p_outcome = 'paid' THEN NULL ELSE coalesce(p_failure, t.failure) END
    WHERE id = t.id;
  IF t.origin = 'auto' AND t.state <> 'paid' AND (failed OR p_outcome = 'paid') THEN
    PERFORM end_auto_top_up(t, p_outcome = 'paid', p_failure);
  ELSIF t.state = 'pending' AND (failed OR p_outcome = 'paid')
    OR t.origin = 'checkout' AND t.state IN ('open', 'expired') AND p_outcome = 'paid' AND p_at < clock_timestamp() - interval '25 seconds' THEN
    -- The page that waits for the money gives up after 30 seconds and promises an email, whether the bank was slow or the news of it.
    PERFORM tell(t.account_id, CASE WHEN failed THEN 'top_up.failed' ELSE 'top_up.paid' END, jsonb_build_object('topUp', t.public_id, 'credits', t.credits));
  END IF;

  -- 6. The books.
  PERFORM post_top_up(t.id);
  RETURN 'applied';
END $$;
