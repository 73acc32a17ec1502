-- After a rotation with an overlap two keys or more work on one spend cap. Keys with the same number here count on it together: what a charge adds to
-- one of them, or a settlement takes back, is added to the others in the same transaction, under the lock of the wallet. The gateway never puts two of
-- them into one batch, so each is decided with what the other has spent. A key that shares no cap pays nothing for this but the look at the column.
ALTER TABLE key_meter ADD COLUMN cap_id bigint;

-- It is not touched by a charge, so an update of the counters still stays on its page.
CREATE INDEX key_meter_cap_id_idx ON key_meter (cap_id) WHERE cap_id IS NOT NULL;

CREATE FUNCTION share_cap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE key_meter t SET month = NEW.month,
      month_spent = CASE WHEN t.month = NEW.month THEN t.month_spent ELSE 0 END
        + NEW.month_spent - CASE WHEN OLD.month = NEW.month THEN OLD.month_spent ELSE 0 END
    WHERE t.cap_id = NEW.cap_id AND t.key_id <> NEW.key_id;
  RETURN NULL;
END $$;

CREATE TRIGGER share_cap AFTER UPDATE OF month_spent ON key_meter FOR EACH ROW
  WHEN (NEW.cap_id IS NOT NULL AND (NEW.month_spent <> OLD.month_spent OR NEW.month <> OLD.month) AND pg_trigger_depth() = 0)
  EXECUTE FUNCTION share_cap();
