-- Lists that are ordered by something that can change (a bonus, a charge, a name) keep their order while somebody walks through them: a row stands where
-- it stood when the walk began. This is where it stood. Rates need no row here: their history says the same. Only the last days are kept, because a walk
-- takes minutes.
CREATE TABLE "place_move" (
  "seq"        BIGSERIAL NOT NULL,
  "dataset"    TEXT NOT NULL,
  "list"       TEXT NOT NULL, -- the table of the row: provider, card, switch_offer
  "key"        TEXT NOT NULL,
  "from_place" TEXT NOT NULL, -- name, hundredths of a percent, pence
  "at"         TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "place_move_pkey" PRIMARY KEY ("seq")
);
CREATE INDEX "place_move_at_idx" ON "place_move" ("at");

-- Its arguments are the column of the key and the column of the place. Whoever changes the row writes the move, in the same transaction; imports take
-- turns until they have committed, so a walk that knows of a number knows of every one before it.
CREATE FUNCTION keep_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO place_move (dataset, list, key, from_place)
    VALUES (OLD.dataset, TG_TABLE_NAME, to_jsonb(OLD) ->> TG_ARGV[0], to_jsonb(OLD) ->> TG_ARGV[1]);
  DELETE FROM place_move WHERE at < CURRENT_TIMESTAMP - interval '3 days';
  RETURN NULL;
END $$;
CREATE TRIGGER provider_keeps_place AFTER UPDATE ON "provider" FOR EACH ROW WHEN (OLD."name" <> NEW."name") EXECUTE FUNCTION keep_place('slug', 'name');
CREATE TRIGGER card_keeps_place AFTER UPDATE ON "card" FOR EACH ROW WHEN (OLD."fx_fee_bp" <> NEW."fx_fee_bp") EXECUTE FUNCTION keep_place('source_key', 'fx_fee_bp');
CREATE TRIGGER switch_offer_keeps_place AFTER UPDATE ON "switch_offer" FOR EACH ROW WHEN (OLD."bonus_pence" <> NEW."bonus_pence") EXECUTE FUNCTION keep_place('offer_key', 'bonus_pence');
