-- Who has to be told of a low balance is looked for among those who were charged since the last look, however many accounts there are. What an entry of the
-- ledger takes (a refund, a dispute, a correction, a delivery) is told with the entry itself, behind the lock of the wallet that it holds.

-- Transactions up to here have been looked at. Those that were under way then are looked at once more, which tells nothing twice.
CREATE TABLE alert_progress (
  id      int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  next_tx bigint NOT NULL
);
INSERT INTO alert_progress VALUES (1, pg_snapshot_xmin(pg_current_snapshot())::text::bigint);

-- Writes the notice of a balance that fell to a threshold that has not been told since the last credit: one, of the lowest that was passed. What was told is
-- disarmed with it. The caller holds the wallet.
CREATE FUNCTION tell_low_balance(p_account bigint, p_balance bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  lowest bigint;
BEGIN
  UPDATE balance_alert b SET armed = ARRAY(SELECT t FROM unnest(b.armed) t WHERE t < p_balance ORDER BY t DESC)
    WHERE b.account_id = p_account AND b.armed[1] >= p_balance RETURNING (SELECT min(t) FROM unnest(b.thresholds) t WHERE t >= p_balance) INTO lowest;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM tell(p_account, 'balance.low', jsonb_build_object('balanceCredits', p_balance, 'thresholdCredits', lowest));
  RETURN true;
END $$;

CREATE FUNCTION tell_low_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_low_balance(NEW.account_id, NEW.balance_after);
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_tells_low AFTER INSERT ON ledger_entry FOR EACH ROW WHEN (NEW.credits < 0) EXECUTE FUNCTION tell_low_entry();

-- Looks at those who were charged since the last look; null when another process is at it. The wallets that seem low are locked before anything is decided,
-- in the order in which charges lock them, and only then it is read what is armed: a credit that comes in at this moment is seen whole or not at all.
CREATE FUNCTION tell_low_balances() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  done bigint; upto bigint; w record; told int := 0;
BEGIN
  SELECT next_tx INTO done FROM alert_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  upto := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  -- In a database that was copied into a younger cluster transactions begin anew.
  done := least(done, upto);
  FOR w IN
    WITH charged AS MATERIALIZED (SELECT DISTINCT account_id FROM request_log WHERE tx >= done AND credits > 0)
    SELECT t.account_id, t.balance FROM charged c JOIN balance_alert b ON b.account_id = c.account_id JOIN wallet t ON t.account_id = c.account_id
    WHERE b.armed[1] >= t.balance ORDER BY t.account_id FOR NO KEY UPDATE OF t
  LOOP
    IF tell_low_balance(w.account_id, w.balance) THEN told := told + 1; END IF;
  END LOOP;
  UPDATE alert_progress SET next_tx = upto;
  RETURN told;
END $$;

-- Once for all, what fell before this.
SELECT tell_low_balance(w.account_id, w.balance) FROM wallet w JOIN balance_alert b ON b.account_id = w.account_id WHERE b.armed[1] >= w.balance;
