-- Lets `svc cluster distribute` run while the service runs (docs/decisions/0048). The request log, which is nearly all of the data, is copied in advance. While the
-- last rows and the other tables are copied, gateways keep their calls back. Afterwards, they charge on the nodes.

-- Refuses a batch, before it changes anything, while the tables of charges are being distributed and once they are. The process that distributes them holds the
-- lock until its transaction has ended. So a batch that gets the lock sees whether the tables are distributed, and they stay as they are until it commits.
CREATE FUNCTION refuse_if_moving() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF pg_try_advisory_xact_lock_shared(726002) THEN
    IF NOT is_distributed() THEN RETURN true; END IF;
  END IF;
  RAISE EXCEPTION 'The tables of charges are being distributed' USING ERRCODE = 'SVC02';
END $$;

-- Makes the functions that gateways call on a single server refuse batches when refuse_if_moving() does, or removes this check.
CREATE FUNCTION guard_admission(p_on boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  f text; def text; guard CONSTANT text := 'is_here boolean := refuse_if_moving();';
BEGIN
  FOREACH f IN ARRAY ARRAY['admit', 'admit_whole', 'reconcile'] LOOP
    SELECT pg_get_functiondef(p.oid) INTO STRICT def FROM pg_proc p WHERE p.proname = f AND p.pronamespace = 'public'::regnamespace;
    CONTINUE WHEN p_on = (position(guard IN def) > 0);
    EXECUTE CASE WHEN p_on THEN regexp_replace(def, 'DECLARE', 'DECLARE ' || guard) ELSE replace(def, 'DECLARE ' || guard, 'DECLARE') END;
  END LOOP;
END $$;

-- Copying the request log in advance. Its rows never change, and each has the number of the transaction that inserted it. So after a partition has been copied, only
-- rows of transactions that hadn't ended can be missing.

-- Drops what an earlier attempt has left.
CREATE FUNCTION drop_log_copies() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c record;
BEGIN
  IF to_regclass('public.log_copy') IS NULL THEN RETURN; END IF;
  FOR c IN SELECT name FROM log_copy LOOP EXECUTE format('DROP TABLE IF EXISTS %I', c.name || '_copy'); END LOOP;
  DROP TABLE log_copy, shard_plan;
END $$;

-- Creates an empty distributed table for each partition of the log, and returns the partitions. As in make_log_partitions(), the runtime role may not change rows.
CREATE FUNCTION make_log_copies(p_shards int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  p record; copy text; role_ text;
BEGIN
  IF is_distributed() THEN RETURN; END IF;
  PERFORM drop_log_copies();
  PERFORM set_config('citus.shard_count', p_shards::text, true);
  CREATE TABLE log_copy (name text PRIMARY KEY, next_tx bigint NOT NULL DEFAULT 0);
  CREATE TABLE shard_plan (account_id int PRIMARY KEY);
  PERFORM create_distributed_table('public.shard_plan', 'account_id', colocate_with := 'none');
  FOR p IN SELECT c.oid, c.relname AS name FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid WHERE h.inhparent = 'request_log'::regclass ORDER BY 2 LOOP
    copy := p.name || '_copy';
    EXECUTE format('CREATE TABLE %I (LIKE request_log INCLUDING ALL)', copy);
    -- Spares reading all rows when the partition is attached.
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT in_partition CHECK (%s)', copy, pg_get_partition_constraintdef(p.oid));
    FOR role_ IN SELECT DISTINCT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
        FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = to_regclass(copy) AND a.grantee <> c.relowner LOOP
      EXECUTE format('REVOKE UPDATE, DELETE ON %I FROM %s', copy, role_);
    END LOOP;
    PERFORM create_distributed_table('public.' || copy, 'account_id', colocate_with := 'public.shard_plan');
    INSERT INTO log_copy (name) VALUES (p.name);
    RETURN NEXT p.name;
  END LOOP;
END $$;

-- Copies the rows of a partition that haven't been copied, and returns how many. Null if the partition no longer exists: its copy is then dropped.
CREATE FUNCTION copy_log(p_name text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  done bigint; upto bigint; copied bigint;
BEGIN
  SELECT next_tx INTO STRICT done FROM log_copy WHERE name = p_name;
  IF to_regclass('public.' || p_name) IS NULL THEN
    EXECUTE format('DROP TABLE %I', p_name || '_copy');
    DELETE FROM log_copy WHERE name = p_name;
    RETURN NULL;
  END IF;
  -- Read before the rows, so that no row is missed.
  upto := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  EXECUTE format('INSERT INTO %I SELECT * FROM %I %s', p_name || '_copy', p_name, CASE WHEN done > 0 THEN format('WHERE tx >= %s ON CONFLICT DO NOTHING', done) ELSE '' END);
  GET DIAGNOSTICS copied = ROW_COUNT;
  UPDATE log_copy SET next_tx = upto WHERE name = p_name;
  RETURN copied;
END $$;

-- As before, and the copies don't contain the check of guard_admission().

-- Creates the functions that charge the accounts of one shard, in a schema of that shard. They are the functions above, but their statements name the shard's
-- tables instead of the distributed ones, so that PostgreSQL plans them as on a single server. They run on the node that has the shard. `enter` ensures this:
-- it takes the lock that Citus takes for a write, so that the shard can't move until the batch has committed, and fails with SVC02 if the shard is on another
-- node. Must run again after a migration that replaces one of these functions. The functions of the
-- coordinator then refuse batches. Returns the number of shards; 0 on a single server.
CREATE OR REPLACE FUNCTION make_shard_functions() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  s record; f text; t text; def text; state text; made int := 0;
BEGIN
  IF NOT is_distributed() THEN RETURN 0; END IF;
  SELECT 'public.cluster_state_' || shardid INTO state FROM pg_dist_shard WHERE logicalrelid = 'public.cluster_state'::regclass;
  FOR s IN SELECT shardid AS id, 'shard_' || shardid AS name, shardminvalue AS place FROM pg_dist_shard WHERE logicalrelid = 'public.wallet'::regclass ORDER BY 1 LOOP
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', s.name);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', s.name);
    EXECUTE format($f$CREATE OR REPLACE FUNCTION %1$s.enter() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $e$
DECLARE
  answer bigint;
BEGIN
  PERFORM lock_shard_metadata(5, ARRAY[%2$s]);
  IF NOT EXISTS (SELECT FROM pg_dist_placement p JOIN pg_dist_local_group g ON g.groupid = p.groupid WHERE p.shardid = %2$s) THEN
    RAISE EXCEPTION 'The shard is on another node' USING ERRCODE = 'SVC02';
  END IF;
  SELECT epoch INTO answer FROM %3$s FOR SHARE;
  RETURN answer;
END $e$ $f$, s.name, s.id, state);
    EXECUTE format($f$CREATE OR REPLACE FUNCTION %1$s.key_line(p_account int, p_key int) RETURNS SETOF int LANGUAGE plpgsql STABLE AS $e$
BEGIN
  RETURN QUERY SELECT p_key UNION SELECT k.key_id FROM key_meter k WHERE k.account_id = p_account AND k.ends_at IS NOT NULL;
END $e$ $f$, s.name);
    FOREACH f IN ARRAY ARRAY['key_line', 'counted_in_log', 'spent_in_log', 'admit', 'admit_whole', 'reconcile'] LOOP
      SELECT pg_get_functiondef(p.oid) INTO STRICT def FROM pg_proc p
        WHERE p.proname = f AND p.pronamespace = (CASE f WHEN 'key_line' THEN s.name ELSE 'public' END)::regnamespace;
      def := regexp_replace(def, 'FUNCTION public\.', format('FUNCTION %s.', s.name));
      IF f IN ('admit', 'admit_whole', 'reconcile') THEN
        def := replace(def, 'is_here boolean := refuse_if_moving();', '');
        def := regexp_replace(def, 'DECLARE', format('DECLARE epoch_ bigint := %s.enter();', s.name));
        def := replace(def, 'pg_current_xact_id()::text::bigint', 'epoch_');
      END IF;
      def := regexp_replace(def, '(?<![.\w])(key_line|counted_in_log|spent_in_log)\(', format('%s.\1(', s.name), 'g');
      def := regexp_replace(def, '\mservice_state\M', state, 'g');
      FOREACH t IN ARRAY ARRAY['wallet', 'key_meter', 'request_log', 'idempotency', 'ledger_entry'] LOOP
        def := regexp_replace(def, '(?<!\.)\m' || t || '\M', (SELECT format('public.%s_%s', t, o.shardid) FROM pg_dist_shard o
          WHERE o.logicalrelid = ('public.' || t)::regclass AND o.shardminvalue = s.place), 'g');
      END LOOP;
      EXECUTE def;
    END LOOP;
    made := made + 1;
  END LOOP;
  PERFORM guard_admission(true);
  RETURN made;
END $$;

-- Distributes the tables of charges over the workers of a Citus cluster, in one transaction, and creates the functions of each shard. Constraints that no shard
-- could check are replaced or dropped: keys get the account as their first column, and references to tables that stay on the coordinator end. Copies only the rows
-- of the request log that copy_log() hasn't copied. Returns the number of shards. Does nothing but refresh the functions if the tables are distributed already.
CREATE OR REPLACE FUNCTION distribute_charges(p_shards int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  latest bigint; plan text := 'default'; c record; names text[] := '{}'; bounds text[] := '{}'; i text;
BEGIN
  IF is_distributed() THEN RETURN make_shard_functions(); END IF;
  PERFORM set_config('citus.shard_count', p_shards::text, true), set_config('citus.enable_unsafe_triggers', 'on', true),
    set_config('citus.multi_shard_modify_mode', 'sequential', true);
  PERFORM pg_advisory_xact_lock(726001);               -- no partition is made or dropped meanwhile
  LOCK TABLE wallet, key_meter, request_log, idempotency, ledger_entry, dropped_charge, service_state IN ACCESS EXCLUSIVE MODE;
  ALTER TABLE wallet DROP CONSTRAINT wallet_account_id_fkey;
  ALTER TABLE key_meter DROP CONSTRAINT key_meter_key_id_fkey, DROP CONSTRAINT key_meter_pkey, ADD PRIMARY KEY (account_id, key_id);
  ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_account_id_fkey, DROP CONSTRAINT ledger_entry_pkey, ADD PRIMARY KEY (account_id, id);
  DROP INDEX ledger_entry_adjusted_once, ledger_entry_webhook_once;
  CREATE UNIQUE INDEX ledger_entry_adjusted_once ON ledger_entry (account_id, reference) WHERE (kind = 'adjustment') AND (reference IS NOT NULL);
  CREATE UNIQUE INDEX ledger_entry_webhook_once ON ledger_entry (account_id, reference) WHERE kind = 'webhook';
  -- A trigger runs on the node of the shard, so these could not reach the tables that they write.
  DROP TRIGGER ledger_entry_low_balance ON ledger_entry;
  DROP TRIGGER send_jobs ON ledger_entry;
  DROP TRIGGER send_jobs ON wallet;
  -- Citus has no row triggers on partitioned tables. The runtime role may not change the log.
  DROP TRIGGER request_log_append_only ON request_log;
  DROP TRIGGER request_log_never_emptied ON request_log;
  DROP TRIGGER ledger_entry_append_only ON ledger_entry;
  -- Every row before next_tx is counted already, so it has a lower number.
  SELECT greatest(pg_current_xact_id()::text::bigint, p.next_tx, (SELECT max(tx) FROM request_log WHERE tx >= p.next_tx)) INTO latest FROM usage_progress p;
  IF to_regclass('public.log_copy') IS NOT NULL THEN
    plan := 'public.shard_plan';
    FOR c IN SELECT name FROM log_copy ORDER BY name LOOP
      CONTINUE WHEN copy_log(c.name) IS NULL;
      names := names || c.name::text;
      bounds := bounds || (SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE oid = c.name::regclass);
      EXECUTE format('ALTER TABLE request_log DETACH PARTITION %I', c.name);
      EXECUTE format('DROP TABLE %I', c.name);
      EXECUTE format('ALTER TABLE %I RENAME TO %I', c.name || '_copy', c.name);
      FOR i IN SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = c.name::regclass LOOP
        EXECUTE format('ALTER INDEX %s RENAME TO %s', i, replace(i, '_copy', ''));
      END LOOP;
    END LOOP;
  END IF;
  PERFORM create_distributed_table('public.wallet', 'account_id', colocate_with := plan);
  PERFORM create_distributed_table('public.' || t, 'account_id', colocate_with := 'public.wallet')
    FROM unnest(ARRAY['key_meter', 'request_log', 'idempotency', 'ledger_entry', 'dropped_charge']) t;
  FOR n IN 1 .. cardinality(names) LOOP
    EXECUTE format('ALTER TABLE request_log ATTACH PARTITION %I %s', names[n], bounds[n]);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT in_partition', names[n]);
  END LOOP;
  DROP TABLE IF EXISTS log_copy, shard_plan;
  CREATE TABLE cluster_state (id int PRIMARY KEY, version int NOT NULL, epoch bigint NOT NULL, epoch_at timestamptz NOT NULL);
  PERFORM create_reference_table('public.cluster_state');
  INSERT INTO cluster_state (id, version, epoch, epoch_at) SELECT id, version, latest + 1, now() FROM service_state;
  EXECUTE $f$CREATE FUNCTION copy_service_version() RETURNS trigger LANGUAGE plpgsql AS $e$
BEGIN
  UPDATE public.cluster_state SET version = NEW.version WHERE id = NEW.id;
  RETURN NULL;
END $e$ $f$;
  CREATE TRIGGER copy_service_version AFTER UPDATE OF version ON service_state FOR EACH ROW EXECUTE FUNCTION copy_service_version();
  RETURN make_shard_functions();
END $$;

-- As before, but Citus rejects a SELECT without columns in EXISTS, and a subquery on a table that only the coordinator has.

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
    CONTINUE WHEN EXISTS (SELECT 1 FROM request_log_rest WHERE id >= lo AND id < hi);
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
  RETURN made;                                         -- another process is creating them
END $$;

CREATE OR REPLACE FUNCTION drop_log_day(p_before date) RETURNS date LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
DECLARE
  part text; d date; next_ bigint; counted boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(726001);
  SELECT c.relname, to_date(right(c.relname, 8), 'YYYYMMDD') INTO part, d
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'request_log'::regclass AND c.relname ~ '^request_log_\d{8}$' AND to_date(right(c.relname, 8), 'YYYYMMDD') < p_before
    ORDER BY 2 LIMIT 1;
  IF part IS NULL THEN RETURN NULL; END IF;
  -- No more rows can be added.
  EXECUTE format('LOCK TABLE %I IN SHARE MODE', part);
  SELECT next_tx INTO next_ FROM usage_progress;
  EXECUTE format('SELECT NOT EXISTS (SELECT 1 FROM %I WHERE tx >= $1)', part) INTO counted USING next_;
  IF NOT counted THEN RETURN NULL; END IF;
  EXECUTE format('INSERT INTO dropped_charge AS g (account_id, credits)
    SELECT account_id, sum(credits) FROM %I GROUP BY account_id HAVING sum(credits) > 0 ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET credits = g.credits + excluded.credits', part);
  EXECUTE format('DROP TABLE %I', part);
  RETURN d;
EXCEPTION WHEN lock_not_available THEN
  RETURN NULL;                                         -- everything is rolled back
END $$;

REVOKE EXECUTE ON FUNCTION guard_admission(boolean), drop_log_copies(), make_log_copies(int), copy_log(text) FROM PUBLIC;

SELECT make_shard_functions();
