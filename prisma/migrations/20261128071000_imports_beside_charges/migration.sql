-- On a cluster, an import raised the version in cluster_state before its commit, and batches waited for it: they lock that row FOR SHARE, so that no epoch starts
-- before they have committed. Now they lock it FOR KEY SHARE. Only a change of a unique column waits for that lock, and the epoch becomes one.
-- blocks: nothing, because it replaces functions and, on a cluster, indexes a table of one row.
DO $$
DECLARE
  locks text := pg_get_functiondef('make_shard_functions'::regproc);
  tables text := pg_get_functiondef('distribute_charges'::regproc);
  made text := 'PERFORM create_reference_table(''public.cluster_state'');';
BEGIN
  IF position('FOR SHARE' IN locks) = 0 OR position(made IN tables) = 0 THEN RAISE EXCEPTION 'make_shard_functions or distribute_charges has another text'; END IF;
  EXECUTE replace(locks, 'FOR SHARE', 'FOR KEY SHARE');
  EXECUTE replace(tables, made, 'CREATE UNIQUE INDEX cluster_state_epoch ON cluster_state (epoch); ' || made);
  IF is_distributed() THEN
    CREATE UNIQUE INDEX cluster_state_epoch ON cluster_state (epoch);
    PERFORM make_shard_functions();
  END IF;
END $$;
