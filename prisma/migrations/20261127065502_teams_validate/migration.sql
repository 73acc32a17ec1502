ALTER TABLE "account" VALIDATE CONSTRAINT "account_owner_id_fkey";

ALTER TABLE "portal_session" VALIDATE CONSTRAINT "portal_session_acting_account_id_fkey";

ALTER TABLE "api_key" VALIDATE CONSTRAINT "api_key_created_by_fkey";

ALTER TABLE "audit_entry" VALIDATE CONSTRAINT "audit_entry_member_id_fkey";
