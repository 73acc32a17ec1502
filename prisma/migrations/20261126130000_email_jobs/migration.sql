-- Adds a job for each of these emails. Its key is the id of the email. The queue of bulk emails is separate, so that they don't delay others.
CREATE FUNCTION send_email_jobs(p_ids int[]) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO pgboss.job (name, data, singleton_key, start_after, keep_until, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff,
    retry_delay_max, policy, dead_letter, heartbeat_seconds)
  SELECT q.name, jsonb_build_object('id', e.id), e.id::text, s.at, s.at + retention_seconds * interval '1 second', expire_seconds, deletion_seconds, retry_limit,
    retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds
  FROM public.email e JOIN pgboss.queue q ON q.name = CASE WHEN e.bulk_email_id IS NULL THEN 'mail.send' ELSE 'mail.send-mailings' END
    CROSS JOIN LATERAL (SELECT greatest(now(), e.due_at) AS at) s
  WHERE e.id = ANY (p_ids)
$$;

CREATE FUNCTION send_jobs_of_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM send_email_jobs(array_agg(id)) FROM added;
  RETURN NULL;
END $$;

DROP TRIGGER send_jobs ON email;
CREATE TRIGGER send_jobs AFTER INSERT ON email REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION send_jobs_of_emails();
