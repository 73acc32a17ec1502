-- Decides whether an automatic top-up whose charge was never made may still be charged: what its owner decided and what came in since it began counts, under
-- the same locks and by the same rules as when it began. One that is not wanted any more ends here, gives its room under the ceiling back, and is no failure
-- of the card. True: charge it (or ask again for what the bank is still at).
CREATE FUNCTION resume_auto_top_up(p_top_up text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  t top_up; s auto_top_up; left_ bigint;
BEGIN
  SELECT * INTO t FROM top_up WHERE public_id = p_top_up;
  SELECT balance INTO left_ FROM wallet WHERE account_id = t.account_id FOR NO KEY UPDATE;
  SELECT * INTO t FROM top_up WHERE id = t.id FOR NO KEY UPDATE;
  SELECT * INTO s FROM auto_top_up WHERE account_id = t.account_id FOR NO KEY UPDATE;
  IF t.state <> 'open' THEN RETURN t.state = 'pending'; END IF;
  IF s.is_on AND left_ < s.threshold_credits AND s.amount_pence = t.amount_pence AND (s.month <> month_of(t.created_at) OR s.month_pence <= s.ceiling_pence)
    AND EXISTS (SELECT FROM payment_customer c WHERE c.account_id = t.account_id AND c.mode = t.mode AND c.payment_method_id IS NOT NULL)
    AND NOT EXISTS (SELECT FROM account a WHERE a.id = t.account_id AND (a.state = 'blocked' OR a.closed_at IS NOT NULL))
  THEN RETURN true; END IF;
  UPDATE top_up SET state = 'failed', failure = 'It was not wanted any more.' WHERE id = t.id;
  UPDATE auto_top_up u SET
      current_id = CASE WHEN u.current_id = t.id THEN NULL ELSE u.current_id END,
      month_pence = greatest(0, u.month_pence - CASE WHEN u.month = month_of(t.created_at) THEN t.amount_pence ELSE 0 END)
    WHERE u.account_id = t.account_id;
  RETURN false;
END $$;
