ALTER TABLE "webhook_account" ADD COLUMN "is_blocked" BOOLEAN NOT NULL DEFAULT false;

-- Accounts whose webhooks an administrator disabled can't enable them themselves.
-- blocks: the table has one row for each account that asked for webhooks, and few of them are disabled.
UPDATE "webhook_account" SET "is_blocked" = true
WHERE NOT "is_on" AND EXISTS (SELECT 1 FROM "audit_entry" a WHERE a."account_id" = "webhook_account"."account_id" AND a."action" = 'webhooks.off');
