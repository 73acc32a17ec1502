-- What an account says it will build, for whoever reviews it. It is the account's own words and goes when the account is closed.
ALTER TABLE account ADD COLUMN purpose text NOT NULL DEFAULT '' CHECK (length(purpose) <= 500);
