-- Test endpoints send free events only, so their leases reserve no credits of the account.
CREATE OR REPLACE FUNCTION webhook_capacity(p_account int, p_balance bigint, p_price int, p_now timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_balance >= 100 * p_price THEN 100
    ELSE p_balance / p_price - (SELECT count(*) FROM webhook_endpoint WHERE account_id = p_account AND mode = 'live' AND leased_until > p_now) END
$$;
