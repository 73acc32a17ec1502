-- As before, but an endpoint's delivered events that wait for payment count too. Otherwise, an endpoint with a few charged events would never reach the limit.
CREATE OR REPLACE FUNCTION webhook_endpoint_pays(p_endpoint int, p_account int, p_now timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE needed bigint;
BEGIN
  needed := 4 * (1 + (SELECT count(*) FROM webhook_delivery d
      WHERE d.account_id = p_account AND d.unacknowledged_at > p_now - interval '7 days' AND d.endpoint_id = p_endpoint)
    + (SELECT count(*) FROM webhook_delivery d WHERE d.account_id = p_account AND d.is_owed AND d.endpoint_id = p_endpoint));
  RETURN needed = (SELECT count(*) FROM (SELECT FROM webhook_delivery d
    WHERE d.endpoint_id = p_endpoint AND d.charged_at > p_now - interval '7 days' LIMIT needed) c);
END $$;
