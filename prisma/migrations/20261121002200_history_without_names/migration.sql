-- The history of an account stays when the account is closed, and its address and name do not: so the history says that they were changed, and not to what.
-- Lines of before are made the same. This once, and for these fields alone, a line is changed.
ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only;
UPDATE audit_entry SET before = NULL, after = NULL WHERE action IN ('email.confirm', 'email.change', 'name.change');
ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append_only;

-- Where somebody was signed in ends with the account as well.
DELETE FROM portal_session s USING account a WHERE a.id = s.account_id AND a.closed_at IS NOT NULL;
