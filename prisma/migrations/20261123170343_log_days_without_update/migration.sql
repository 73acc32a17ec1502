-- Makes the partitions of the given days that are missing, as before. New tables get UPDATE and DELETE for the role that serves requests from the default
-- privileges of the owner. The request log only grows, so these are revoked before the partition is attached.
CREATE OR REPLACE FUNCTION make_log_partitions(p_from date, p_days int) RETURNS int LANGUAGE plpgsql
SECURITY DEFINER SET lock_timeout = '250ms' SET search_path = public, pg_temp AS $$
DECLARE
  made int := 0; d date; lo uuid; hi uuid; part text; role_ text;
BEGIN
  PERFORM pg_advisory_xact_lock(726001);
  FOR i IN 0 .. p_days - 1 LOOP
    d := p_from + i; part := 'request_log_' || to_char(d, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    lo := first_id_at(d::timestamp AT TIME ZONE 'UTC'); hi := first_id_at((d + 1)::timestamp AT TIME ZONE 'UTC');
    CONTINUE WHEN EXISTS (SELECT FROM request_log_rest WHERE id >= lo AND id < hi);
    BEGIN
      EXECUTE format('CREATE TABLE %I (LIKE request_log INCLUDING ALL)', part);
      FOR role_ IN SELECT DISTINCT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
          FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = to_regclass(part) AND a.grantee <> c.relowner LOOP
        EXECUTE format('REVOKE UPDATE, DELETE ON %I FROM %s', part, role_);
      END LOOP;
      EXECUTE format('ALTER TABLE request_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, lo, hi);
      made := made + 1;
    EXCEPTION WHEN lock_not_available THEN
      RETURN made;
    END;
  END LOOP;
  RETURN made;
EXCEPTION WHEN lock_not_available THEN
  RETURN made;                                         -- another process is making them
END $$;
