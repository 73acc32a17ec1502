-- What was charged in rows of the log that are gone, so that a balance is still the sum of all that ever moved.
CREATE TABLE dropped_charge (
  account_id bigint PRIMARY KEY,
  credits    bigint NOT NULL
);

-- Drops the oldest day of the log that lies before the given one and keeps its charges, all or nothing. The sums of days have to hold its rows already.
-- The log itself is locked last and for a moment only; behind a long look at it the day is left for the next turn. Returns the day, or null.
CREATE FUNCTION drop_log_day(p_before date) RETURNS date LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
DECLARE
  part text; d date; counted boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(726001);
  SELECT c.relname, to_date(right(c.relname, 8), 'YYYYMMDD') INTO part, d
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'request_log'::regclass AND c.relname ~ '^request_log_\d{8}$' AND to_date(right(c.relname, 8), 'YYYYMMDD') < p_before
    ORDER BY 2 LIMIT 1;
  IF part IS NULL THEN RETURN NULL; END IF;
  -- No row comes in any more.
  EXECUTE format('LOCK TABLE %I IN SHARE MODE', part);
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I WHERE tx >= (SELECT next_tx FROM usage_progress))', part) INTO counted;
  IF NOT counted THEN RETURN NULL; END IF;
  EXECUTE format('INSERT INTO dropped_charge AS g (account_id, credits)
    SELECT account_id, sum(credits) FROM %I GROUP BY account_id HAVING sum(credits) > 0 ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET credits = g.credits + excluded.credits', part);
  EXECUTE format('DROP TABLE %I', part);
  RETURN d;
EXCEPTION WHEN lock_not_available THEN
  RETURN NULL;                                         -- with all that it began taken back
END $$;
