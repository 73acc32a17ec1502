-- Who fell is told some at a time. Behind a standstill one statement held the wallets of everybody who had fallen meanwhile, and their calls, until all of them
-- were told.
DROP FUNCTION tell_low_balances;

-- Looks at those who were charged since the last look, in so many transactions of theirs at most, and tells at most p_most accounts. The progress moves only
-- behind what was told to the end: while somebody is left, the next look begins at the same place, where those who were told are not armed any more. `more`
-- says that there is something left to look at. Null when another process is at it. The wallets that seem low are locked before anything is decided, in the
-- order in which charges lock them, and only then it is read what is armed: a credit that comes in at this moment is seen whole or not at all.
CREATE FUNCTION tell_low_balances(p_most int, OUT told int, OUT more boolean) LANGUAGE plpgsql AS $$
DECLARE
  span CONSTANT bigint := 100000;
  done bigint; upto bigint; stop bigint; behind bigint; w record; looked int := 0;
BEGIN
  SELECT next_tx INTO done FROM alert_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  told := 0;
  upto := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  -- In a database that was copied into a younger cluster transactions begin anew.
  done := least(done, upto);
  stop := least(done + span, upto);
  -- The last look goes on to the newest charge, though it looks at those behind `upto` once more.
  behind := CASE WHEN stop < upto THEN stop ELSE 9223372036854775807 END;
  FOR w IN
    WITH charged AS MATERIALIZED (SELECT DISTINCT account_id FROM request_log WHERE tx >= done AND tx < behind AND credits > 0)
    SELECT t.account_id, t.balance FROM charged c JOIN balance_alert b ON b.account_id = c.account_id JOIN wallet t ON t.account_id = c.account_id
    WHERE b.armed[1] >= t.balance ORDER BY t.account_id LIMIT p_most FOR NO KEY UPDATE OF t
  LOOP
    looked := looked + 1;
    IF tell_low_balance(w.account_id, w.balance) THEN told := told + 1; END IF;
  END LOOP;
  more := looked = p_most OR stop < upto;
  IF looked < p_most THEN UPDATE alert_progress SET next_tx = stop; END IF;
END $$;
