-- An administrator moves credits of the own account with a second one only, and does not decide about them: self.
CREATE OR REPLACE FUNCTION adjust_credits(p_public_id text, p_form_key text, p_account bigint, p_credits bigint, p_note text, p_reason text, p_admin bigint,
  p_alone bigint, p_within interval, OUT outcome text, OUT balance_before bigint, OUT balance_after bigint, OUT proposal_ends_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  moved bigint;
BEGIN
  SELECT w.balance INTO balance_before FROM wallet w WHERE w.account_id = p_account FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM credit_adjustment c WHERE c.form_key = p_form_key) THEN outcome := 'again'; RETURN; END IF;
  outcome := adjustment_fault(p_account, balance_before, p_credits);
  IF outcome IS NOT NULL THEN RETURN; END IF;
  SELECT coalesce(sum(abs(c.credits)), 0) INTO moved FROM credit_adjustment c
    WHERE c.account_id = p_account AND c.proposed_by = p_admin AND c.ends_at IS NULL AND c.proposed_at > clock_timestamp() - interval '1 day';
  IF p_account = p_admin OR moved + abs(p_credits) > p_alone THEN proposal_ends_at := clock_timestamp() + p_within; END IF;
  outcome := CASE WHEN proposal_ends_at IS NULL THEN 'entered' ELSE 'waiting' END;
  INSERT INTO credit_adjustment (public_id, form_key, account_id, credits, note, reason, state, proposed_by, ends_at)
    VALUES (p_public_id, p_form_key, p_account, p_credits, p_note, p_reason, outcome, p_admin, proposal_ends_at) ON CONFLICT (form_key) DO NOTHING;
  IF NOT FOUND THEN outcome := 'again'; RETURN; END IF;
  IF outcome = 'entered' THEN balance_after := enter_credits(p_account, 'adjustment', p_credits, 'operator', p_note, p_public_id); END IF;
END $$;

CREATE OR REPLACE FUNCTION decide_adjustment(p_public_id text, p_admin bigint, p_approves boolean, p_reason text, OUT outcome text, OUT account_id_ bigint,
  OUT credits_ bigint, OUT balance_before bigint, OUT balance_after bigint)
LANGUAGE plpgsql AS $$
DECLARE
  c credit_adjustment;
BEGIN
  SELECT a.account_id INTO account_id_ FROM credit_adjustment a WHERE a.public_id = p_public_id;
  IF NOT FOUND THEN outcome := 'unknown'; RETURN; END IF;
  SELECT w.balance INTO balance_before FROM wallet w WHERE w.account_id = account_id_ FOR NO KEY UPDATE;
  SELECT * INTO c FROM credit_adjustment a WHERE a.public_id = p_public_id FOR NO KEY UPDATE;
  credits_ := c.credits;
  outcome := CASE WHEN c.state <> 'waiting' THEN 'decided' WHEN c.proposed_by = p_admin THEN 'own' WHEN account_id_ = p_admin THEN 'self'
    WHEN c.ends_at <= clock_timestamp() THEN 'ended'
    WHEN p_approves THEN adjustment_fault(account_id_, balance_before, c.credits) END;
  IF outcome IS NOT NULL THEN RETURN; END IF;
  outcome := CASE WHEN p_approves THEN 'entered' ELSE 'declined' END;
  UPDATE credit_adjustment a SET state = outcome, decided_by = p_admin, decided_at = clock_timestamp(), decision_reason = p_reason WHERE a.id = c.id;
  IF p_approves THEN balance_after := enter_credits(account_id_, 'adjustment', c.credits, 'operator', c.note, c.public_id); END IF;
END $$;
