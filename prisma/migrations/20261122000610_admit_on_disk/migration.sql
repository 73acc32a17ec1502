-- A batch in two transactions of one call: the first decides it and gives its wallets back at once, the second ends when all before it is on disk. Whoever gets
-- the answer may tell of it; whoever gets an error of the second does not know whether the first was kept. `decided_us` is how long the first took.
CREATE PROCEDURE admit_on_disk(
  p_service int, p_account bigint[], p_key bigint[], p_key_account int[], p_id uuid[], p_request_key int[], p_account_version int[],
  p_key_version int[], p_endpoint smallint[], p_status smallint[], p_error smallint[], p_stage smallint[], p_price int[], p_units int[],
  p_ceiling int[], p_idempotency text[], p_request bytea[], INOUT answer text, INOUT decided_us int) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  answer := admit(
    p_service, p_account, p_key, p_key_account, p_id, p_request_key, p_account_version, p_key_version, p_endpoint, p_status, p_error, p_stage,
    p_price, p_units, p_ceiling, p_idempotency, p_request);
  COMMIT;
  decided_us := extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000000;
  PERFORM pg_logical_emit_message(true, 'svc', '');  -- means nothing, and has to be on disk
END $$;

CREATE PROCEDURE admit_whole_on_disk(
  p_service int, p_account bigint[], p_account_version int[], p_account_calls int[], p_account_credits bigint[], p_key bigint[], p_key_account int[],
  p_key_version int[], p_key_live boolean[], p_key_calls int[], p_key_credits bigint[], p_id uuid[], p_request_key int[], p_endpoint smallint[],
  p_status smallint[], p_error smallint[], p_units int[], p_credits int[], p_spent bigint[], INOUT answer text, INOUT decided_us int) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  answer := admit_whole(
    p_service, p_account, p_account_version, p_account_calls, p_account_credits, p_key, p_key_account, p_key_version, p_key_live, p_key_calls,
    p_key_credits, p_id, p_request_key, p_endpoint, p_status, p_error, p_units, p_credits, p_spent);
  COMMIT;
  decided_us := extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000000;
  IF answer IS NULL THEN RETURN; END IF;
  PERFORM pg_logical_emit_message(true, 'svc', '');  -- means nothing, and has to be on disk
END $$;
