-- A refund can fail days after it was made, when the bank does not take it: then the money is ours again, and its credits are the account's. So refunds are
-- kept by id with the latest status that was told, beside the totals that charges tell of, which cannot say that one came back.
CREATE TABLE stripe_refund (
  id           text PRIMARY KEY,
  payment_id   text NOT NULL REFERENCES stripe_payment (id),
  amount_pence bigint NOT NULL CHECK (amount_pence >= 0),
  status       text NOT NULL,
  is_gone      boolean NOT NULL,                       -- whether the money is on its way back to the card, or there
  told_at      timestamptz NOT NULL,
  stage        smallint NOT NULL                       -- orders what was told in the same second
);
CREATE INDEX stripe_refund_payment_id_idx ON stripe_refund (payment_id);

-- Pence refunded of a payment, as far as is known: what single refunds say, or what the charge said in all, less what came back of it, whichever is more. A
-- total never holds more than all refunds that were ever made, so once every refund is known by itself they alone decide, in whatever order they were told.
CREATE FUNCTION refunded_of(p_payment text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT greatest(0, p.refunded_pence - coalesce(sum(r.amount_pence) FILTER (WHERE NOT r.is_gone), 0), coalesce(sum(r.amount_pence) FILTER (WHERE r.is_gone), 0))::bigint
  FROM stripe_payment p LEFT JOIN stripe_refund r ON r.payment_id = p.id WHERE p.id = p_payment GROUP BY p.id
$$;

-- Takes in what an event says of one refund, and answers as apply_payment does, which does the rest in the same transaction. Locks: refund, event, payment, and
-- on as there. An event of a refund is only ever taken in here, so two of the same wait for each other at the refund.
CREATE FUNCTION apply_refund(
  p_event text, p_type text, p_livemode boolean, p_at timestamptz,
  p_intent text, p_refund text, p_amount bigint, p_status text, p_gone boolean, p_stage int)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stripe_payment (id) VALUES (p_intent) ON CONFLICT (id) DO NOTHING;
  INSERT INTO stripe_refund AS r (id, payment_id, amount_pence, status, is_gone, told_at, stage)
    VALUES (p_refund, p_intent, p_amount, p_status, p_gone, p_at, p_stage)
    ON CONFLICT (id) DO UPDATE SET amount_pence = excluded.amount_pence, status = excluded.status, is_gone = excluded.is_gone,
      told_at = excluded.told_at, stage = excluded.stage
    WHERE (r.told_at, r.stage) < (excluded.told_at, excluded.stage);
  RETURN apply_payment(p_event, p_type, p_livemode, p_at, NULL, NULL, p_intent, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
END $$;

-- Brings the ledger to what is known of a purchase, as before; a refund that failed gives its credits back.
CREATE OR REPLACE FUNCTION post_top_up(p_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t top_up; refunded bigint; disputed bigint; bought bigint; back bigint; held bigint; pounds text; cause text;
BEGIN
  SELECT * INTO t FROM top_up WHERE id = p_id;
  IF t.paid_at IS NULL THEN RETURN; END IF;
  refunded := least(coalesce(refunded_of(t.payment_intent_id), 0), t.amount_pence);
  SELECT least(coalesce(sum(amount_pence), 0), t.amount_pence) INTO disputed FROM stripe_dispute WHERE payment_id = t.payment_intent_id AND is_taken;
  bought := t.credits - t.entered_credits;
  back := refunded * t.credits / t.amount_pence;
  held := least(disputed * t.credits / t.amount_pence, t.credits - back);
  pounds := '£' || trim(to_char(t.amount_pence / 100.0, '999999990.00'));
  IF bought <> 0 THEN
    PERFORM enter_credits(t.account_id, 'top_up', bought, CASE t.origin WHEN 'auto' THEN 'auto top-up' ELSE 'account' END,
      format('%s of %s.', CASE t.origin WHEN 'auto' THEN 'Automatic top-up' ELSE 'Top-up' END, pounds), t.public_id);
    IF EXISTS (SELECT FROM account a WHERE a.id = t.account_id AND a.closed_at IS NOT NULL) THEN
      PERFORM tell(NULL, 'top_up.closed', jsonb_build_object('account', (SELECT a.public_id FROM account a WHERE a.id = t.account_id), 'topUp', t.public_id,
        'payment', t.payment_intent_id, 'amountPence', t.amount_pence));
    END IF;
  END IF;
  IF back <> t.refunded_credits THEN
    PERFORM enter_credits(t.account_id, 'refund', t.refunded_credits - back, 'stripe',
      format(CASE WHEN back > t.refunded_credits THEN 'Refund of a top-up of %s.' ELSE 'Refund of a top-up of %s failed: credits given back.' END, pounds),
      t.public_id);
    PERFORM tell(t.account_id, CASE WHEN back > t.refunded_credits THEN 'refund' ELSE 'refund.failed' END,
      jsonb_build_object('topUp', t.public_id, 'credits', abs(back - t.refunded_credits)));
  END IF;
  IF held <> t.disputed_credits THEN
    PERFORM enter_credits(t.account_id, 'dispute', t.disputed_credits - held, 'stripe',
      format(CASE WHEN held > t.disputed_credits THEN 'Top-up of %s disputed.' ELSE 'Dispute of a top-up of %s: credits given back.' END, pounds), t.public_id);
    PERFORM tell(t.account_id, CASE WHEN held > t.disputed_credits THEN 'dispute.opened' ELSE 'dispute.returned' END,
      jsonb_build_object('topUp', t.public_id, 'credits', abs(held - t.disputed_credits)));
  END IF;
  cause := CASE WHEN held > t.disputed_credits THEN 'dispute' WHEN back > t.refunded_credits THEN 'refund' END;
  IF cause IS NOT NULL THEN
    UPDATE auto_top_up SET is_on = false, off_reason = CASE cause WHEN 'dispute' THEN 'A payment was disputed.' ELSE 'A payment was refunded.' END
      WHERE account_id = t.account_id AND is_on;
    IF FOUND THEN PERFORM tell(t.account_id, 'auto_top_up.stopped', jsonb_build_object('topUp', t.public_id, 'cause', cause)); END IF;
  END IF;
  UPDATE top_up SET entered_credits = t.credits, refunded_credits = back, disputed_credits = held WHERE id = p_id;
END $$;
