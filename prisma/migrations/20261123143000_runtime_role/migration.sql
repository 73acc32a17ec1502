-- The role that serves requests need not own the tables. These functions change tables, so they run with the rights of their owner. pg_temp comes last, so
-- that a temporary table of the caller never replaces one of ours.
ALTER FUNCTION make_log_partitions(date, int) SECURITY DEFINER SET search_path = public, pg_temp;
ALTER FUNCTION summarise_log() SECURITY DEFINER SET search_path = public, pg_temp;

-- Drops the oldest day of the log before the given one, as drop_log_day does, with the rights of the owner. Refuses days of the last two months, which
-- statements and the portal read.
CREATE FUNCTION drop_expired_log_day(p_before date) RETURNS date LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF p_before > (now() AT TIME ZONE 'UTC')::date - 62 THEN
    RAISE EXCEPTION 'The log keeps 62 days or more';
  END IF;
  RETURN drop_log_day(p_before);
END $$;

-- Updates the statistics of the history after an import of many rows: only the owner may.
CREATE FUNCTION analyse_history() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  ANALYZE rate_change;
END $$;

-- Only the owner, and roles that it grants this to.
REVOKE EXECUTE ON FUNCTION make_log_partitions(date, int), summarise_log(), drop_expired_log_day(date), analyse_history() FROM PUBLIC;
