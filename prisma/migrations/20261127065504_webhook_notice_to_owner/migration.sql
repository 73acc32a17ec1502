-- Notices about a webhook endpoint go to the owner of the account, who can have another sign-in since ownership can be transferred.
CREATE OR REPLACE FUNCTION email_webhook_notice(p_endpoint int, p_notice text, p_now timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO email (kind, recipient, data, due_at, created_at)
  SELECT 'webhook', coalesce(o.email, a.email), jsonb_build_object('notice', p_notice, 'endpoint', e.public_id, 'host', substring(e.url from '^[^:]+://([^/?#]+)'), 'since', e.failing_since), p_now, p_now
  FROM webhook_endpoint e JOIN account a ON a.id = e.account_id LEFT JOIN account o ON o.id = a.owner_id WHERE e.id = p_endpoint AND a.closed_at IS NULL
$$;
