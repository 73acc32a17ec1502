-- Emails of market alerts are sent in bursts after an import, so they go to the queue of bulk emails and don't delay emails that people wait for, such as those
-- of sign-in.
CREATE OR REPLACE FUNCTION send_email_jobs(p_ids int[]) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO pgboss.job (name, data, singleton_key, start_after, keep_until, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff,
    retry_delay_max, policy, dead_letter, heartbeat_seconds)
  SELECT q.name, jsonb_build_object('id', e.id), e.id::text, s.at, s.at + retention_seconds * interval '1 second', expire_seconds, deletion_seconds, retry_limit,
    retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds
  FROM public.email e JOIN pgboss.queue q ON q.name = CASE WHEN e.bulk_email_id IS NULL AND e.kind <> 'market-alert' THEN 'mail.send' ELSE 'mail.send-mailings' END
    CROSS JOIN LATERAL (SELECT greatest(now(), e.due_at) AS at) s
  WHERE e.id = ANY (p_ids);
  SELECT pg_notify('svc_jobs', '')
$$;
