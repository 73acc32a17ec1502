-- What is begun for an account, or asked of Stripe, and fails is put off, for longer each time, and has a last time. It stands in nobody's way meanwhile.
ALTER TABLE top_up ADD COLUMN attempts smallint NOT NULL DEFAULT 0, ADD COLUMN not_before timestamptz;
ALTER TABLE payment_customer ADD COLUMN attempts smallint NOT NULL DEFAULT 0, ADD COLUMN not_before timestamptz;
ALTER TABLE auto_top_up ADD COLUMN attempts smallint NOT NULL DEFAULT 0;

-- Another address is told anew, whatever became of the one before.
CREATE OR REPLACE FUNCTION mark_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_customer SET is_stale = true, attempts = 0, not_before = NULL WHERE account_id = NEW.id;
  RETURN NULL;
END $$;

-- Decides whether an automatic top-up begins now, and begins it: below the threshold, switched on, none under way, within the ceiling of the month, with a
-- card. The wallet is locked before anything is read, so that a credit that comes in at this moment is seen. Null: it does not begin. What kept one from
-- beginning before is forgotten when one begins. A month other than that of the last one is added up: it may be one that the clock was in before.
CREATE OR REPLACE FUNCTION begin_auto_top_up(p_account bigint, p_mode text, p_public_id text, p_amount bigint, p_credits bigint, p_vat_basis_points int, p_vat bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  s auto_top_up; left_ bigint; now_ timestamptz; this_month int; made bigint;
BEGIN
  SELECT balance INTO left_ FROM wallet WHERE account_id = p_account FOR NO KEY UPDATE;
  SELECT * INTO s FROM auto_top_up WHERE account_id = p_account FOR NO KEY UPDATE;
  now_ := clock_timestamp(); this_month := month_of(now_);
  IF NOT coalesce(s.is_on, false) OR s.current_id IS NOT NULL OR s.not_before > now_ OR left_ >= s.threshold_credits OR s.amount_pence <> p_amount
    OR NOT EXISTS (SELECT FROM payment_customer c WHERE c.account_id = p_account AND c.mode = p_mode AND c.payment_method_id IS NOT NULL)
    OR EXISTS (SELECT FROM account a WHERE a.id = p_account AND (a.state = 'blocked' OR a.closed_at IS NOT NULL))
  THEN RETURN NULL; END IF;
  IF s.month <> this_month THEN
    SELECT coalesce(sum(t.amount_pence), 0) INTO s.month_pence FROM top_up t
      WHERE t.account_id = p_account AND t.origin = 'auto' AND t.state IN ('open', 'pending', 'paid') AND month_of(t.created_at) = this_month;
    UPDATE auto_top_up SET month = this_month, month_pence = s.month_pence WHERE account_id = p_account;
  END IF;
  IF s.month_pence + s.amount_pence > s.ceiling_pence THEN
    IF s.ceiling_told <> this_month THEN
      UPDATE auto_top_up SET ceiling_told = this_month WHERE account_id = p_account;
      PERFORM tell(p_account, 'auto_top_up.ceiling', jsonb_build_object('ceilingPence', s.ceiling_pence));
    END IF;
    RETURN NULL;
  END IF;
  INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits, vat_basis_points, vat_pence)
    VALUES (p_public_id, p_account, p_public_id, 'auto', p_mode, p_amount, p_credits, p_vat_basis_points, p_vat) RETURNING id INTO made;
  UPDATE auto_top_up SET month_pence = s.month_pence + p_amount, current_id = made, attempts = 0 WHERE account_id = p_account;
  RETURN made;
END $$;
