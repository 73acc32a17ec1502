-- Ends an automatic top-up, given as it was before. A failure gives its room under the ceiling back and waits an hour more each time; the third in a
-- row switches off. One that is paid after all takes its room again. After one that is paid the next waits a minute, so that nothing, neither settings of
-- before they were checked nor a debt that one top-up does not pay, takes the ceiling of a month in seconds.
CREATE OR REPLACE FUNCTION end_auto_top_up(t top_up, p_paid boolean, p_failure text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  s auto_top_up; room bigint;
BEGIN
  room := CASE WHEN p_paid AND t.state = 'failed' THEN t.amount_pence WHEN p_paid THEN 0 ELSE -t.amount_pence END;
  UPDATE auto_top_up u SET
      current_id = CASE WHEN u.current_id = t.id THEN NULL ELSE u.current_id END,
      month_pence = greatest(0, u.month_pence + CASE WHEN u.month = month_of(t.created_at) THEN room ELSE 0 END),
      failures = CASE WHEN p_paid THEN 0 ELSE u.failures + 1 END,
      not_before = clock_timestamp() + CASE WHEN p_paid THEN interval '1 minute' ELSE make_interval(hours => u.failures + 1) END,
      is_on = u.is_on AND (p_paid OR u.failures < 2),
      off_reason = CASE WHEN NOT p_paid AND u.failures >= 2 THEN coalesce(p_failure, 'The card was declined.') ELSE u.off_reason END
    WHERE u.account_id = t.account_id RETURNING * INTO s;
  PERFORM tell(t.account_id, CASE WHEN p_paid THEN 'auto_top_up.paid' WHEN s.failures >= 3 THEN 'auto_top_up.off' ELSE 'auto_top_up.failed' END,
    jsonb_build_object('topUp', t.public_id, 'credits', t.credits, 'reason', p_failure));
END $$;
