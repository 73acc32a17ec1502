-- The log is searched by any of these and by days at once, newest first.
CREATE INDEX audit_entry_at_id_idx ON audit_entry (at, id);
CREATE INDEX audit_entry_account_id_at_id_idx ON audit_entry (account_id, at, id);
CREATE INDEX audit_entry_action_at_id_idx ON audit_entry (action, at, id);
CREATE INDEX audit_entry_subject_at_id_idx ON audit_entry (subject, at, id) WHERE subject IS NOT NULL;
DROP INDEX audit_entry_actor_account_id_id_idx;
CREATE INDEX audit_entry_actor_account_id_at_id_idx ON audit_entry (actor_account_id, at, id) WHERE actor_account_id IS NOT NULL;
