-- What the desk changes stands in the same history as what accounts change: who did it, and why. A line may be about no account at all, such as one
-- about an endpoint. The reason is for the desk alone and is never shown to the account.
ALTER TABLE audit_entry
  ALTER COLUMN account_id DROP NOT NULL,
  ADD COLUMN actor_account_id bigint REFERENCES account (id),
  ADD COLUMN reason text,
  ADD CONSTRAINT audit_entry_desk_check CHECK ((actor = 'admin') = (actor_account_id IS NOT NULL) AND (actor <> 'admin' OR reason IS NOT NULL));
CREATE INDEX audit_entry_actor_account_id_id_idx ON audit_entry (actor_account_id, id) WHERE actor_account_id IS NOT NULL;
