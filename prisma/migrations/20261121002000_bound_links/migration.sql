-- A link that moves an account to another address holds no longer than the sign-in in which it was asked for: the version of the account's sessions at that
-- time. Changing the password or signing out everywhere raises the version, and with it ends what somebody else began.
ALTER TABLE email_token ADD COLUMN session_version int;
