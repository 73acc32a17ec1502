-- An account whose review ended with a no stays in review, so that it can be approved later: its test keys go on working, its live keys do not. The reason
-- is told to the account.
ALTER TABLE account
  ADD COLUMN declined_at timestamptz,
  ADD COLUMN decline_reason text,
  ADD CONSTRAINT account_decline_check CHECK ((declined_at IS NULL) = (decline_reason IS NULL));

-- The desk looks accounts up among a million: those that wait for their review, by state, by plan, and by address as a beginning or as a domain.
CREATE INDEX account_review_idx ON account (email_verified_at, id)
  WHERE state = 'review' AND email_verified_at IS NOT NULL AND declined_at IS NULL AND closed_at IS NULL;
CREATE INDEX account_state_id_idx ON account (state, id) WHERE closed_at IS NULL;
CREATE INDEX account_plan_id_idx ON account (plan, id) WHERE closed_at IS NULL;
CREATE INDEX account_email_beginning_idx ON account (email text_pattern_ops) WHERE closed_at IS NULL;
CREATE INDEX account_email_domain_idx ON account (split_part(email, '@', 2), id) WHERE closed_at IS NULL;
CREATE INDEX api_key_hint_account_id_idx ON api_key (hint, account_id);

-- From where accounts signed up, and what the desk noted about one.
CREATE INDEX audit_entry_sign_up_idx ON audit_entry (address, account_id) WHERE action = 'sign-up';
CREATE INDEX audit_entry_note_idx ON audit_entry (account_id, id) WHERE action = 'account.note';

-- Only an entry takes a balance below nothing: those that did lead to the accounts in debt, and the wallet keeps its pages.
CREATE INDEX ledger_entry_debt_idx ON ledger_entry (account_id, at) WHERE balance_after < 0;
CREATE INDEX webhook_account_asked_idx ON webhook_account (asked_at) WHERE asked_at IS NOT NULL AND NOT is_on;

-- Whose call an id is of, when nothing but the id is known. Ids come nearly in order, so the index costs a call next to nothing.
CREATE INDEX request_log_id_idx ON request_log USING brin (id) WITH (pages_per_range = 32, autosummarize = on);
