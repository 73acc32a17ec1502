-- Stores the previous sort values of the rows that a statement moved, so that pagination keeps its order. Arguments: the columns of the key and of the sort value.
-- Runs once per statement: an import changes all rows of a table in one statement, and the deletion must not run for each row. Imports run one after the other, so
-- a cursor that includes a move includes all earlier ones.
CREATE OR REPLACE FUNCTION record_moved_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved bigint;
BEGIN
  EXECUTE format('INSERT INTO moved_row (dataset, list, key, previous_place)
    SELECT o.dataset, %L, o.%2$I, o.%3$I::text FROM old_rows o JOIN new_rows n ON n.dataset = o.dataset AND n.%2$I = o.%2$I WHERE n.%3$I <> o.%3$I',
    TG_TABLE_NAME, TG_ARGV[0], TG_ARGV[1]);
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved > 0 THEN
    DELETE FROM moved_row WHERE at < CURRENT_TIMESTAMP - interval '3 days';
  END IF;
  RETURN NULL;
END $$;

-- Stores the previous provider of products that moved to another one: its slug, a space and its name, by which lists are sorted.
CREATE FUNCTION record_provider_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO moved_row (dataset, list, key, previous_place)
    SELECT o.dataset, 'product_provider', o.source_key, v.slug || ' ' || v.name FROM old_rows o
    JOIN new_rows n ON n.dataset = o.dataset AND n.source_key = o.source_key
    JOIN provider v ON v.dataset = o.dataset AND v.slug = o.provider_slug WHERE n.provider_slug <> o.provider_slug;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER card_moved AFTER UPDATE ON card REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_moved_row('source_key', 'fx_fee_bp');
CREATE OR REPLACE TRIGGER product_moved AFTER UPDATE ON product REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_moved_row('source_key', 'min_balance_pence');
CREATE OR REPLACE TRIGGER provider_moved AFTER UPDATE ON provider REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_moved_row('slug', 'name');
CREATE OR REPLACE TRIGGER switch_offer_moved AFTER UPDATE ON switch_offer REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_moved_row('offer_key', 'bonus_pence');
CREATE TRIGGER product_provider_changed AFTER UPDATE ON product REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_provider_changes();
