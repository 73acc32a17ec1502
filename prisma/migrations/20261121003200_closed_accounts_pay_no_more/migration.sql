-- What a closed account began to buy is called off, and its card is forgotten, in the transaction that closes it. The wallet is held, so that a payment comes
-- either before, and is the account's, or behind it, and is told to the administrators. Checkouts that are open at Stripe are closed there by a job.
CREATE FUNCTION close_billing(p_account bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM wallet WHERE account_id = p_account FOR NO KEY UPDATE;
  UPDATE auto_top_up SET is_on = false, off_reason = 'The account was closed.' WHERE account_id = p_account;
  UPDATE payment_customer SET payment_method_id = NULL, card_brand = NULL, card_last4 = NULL, card_expires = NULL WHERE account_id = p_account;
END $$;

-- The same for those who closed before.
SELECT close_billing(id) FROM account WHERE closed_at IS NOT NULL;

-- Brings the ledger to what is known of a purchase, as before. A payment of a closed account is entered like any other, since the money is there, and
-- administrators are told, because nobody else can give it back.
CREATE OR REPLACE FUNCTION post_top_up(p_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t top_up; refunded bigint; disputed bigint; bought bigint; back bigint; held bigint; pounds text; cause text;
BEGIN
  SELECT * INTO t FROM top_up WHERE id = p_id;
  IF t.paid_at IS NULL THEN RETURN; END IF;
  SELECT least(refunded_pence, t.amount_pence) INTO refunded FROM stripe_payment WHERE id = t.payment_intent_id;
  SELECT least(coalesce(sum(amount_pence), 0), t.amount_pence) INTO disputed FROM stripe_dispute WHERE payment_id = t.payment_intent_id AND is_taken;
  bought := t.credits - t.entered_credits;
  back := coalesce(refunded, 0) * t.credits / t.amount_pence;
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
    PERFORM enter_credits(t.account_id, 'refund', t.refunded_credits - back, 'stripe', format('Refund of a top-up of %s.', pounds), t.public_id);
    PERFORM tell(t.account_id, 'refund', jsonb_build_object('topUp', t.public_id, 'credits', back - t.refunded_credits));
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
