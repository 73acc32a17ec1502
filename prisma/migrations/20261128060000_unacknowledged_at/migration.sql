ALTER TABLE "webhook_account" ADD COLUMN "limited_notified_at" TIMESTAMPTZ(3);
ALTER TABLE "webhook_delivery" ADD COLUMN "unacknowledged_at" TIMESTAMPTZ(3);
