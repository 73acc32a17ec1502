-- Two-factor authentication and re-authentication belong to one session, not to the account.
ALTER TABLE "portal_session" ADD COLUMN     "reauthenticated_at" TIMESTAMPTZ,
ADD COLUMN     "second_factor_at" TIMESTAMPTZ;
