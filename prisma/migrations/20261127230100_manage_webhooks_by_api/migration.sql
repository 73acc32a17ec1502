-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN     "mode" "key_mode" NOT NULL DEFAULT 'live';

-- CreateTable
CREATE TABLE "action_replay" (
    "account_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "request" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "answer" BYTEA NOT NULL,

    CONSTRAINT "action_replay_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateIndex
CREATE INDEX "action_replay_at_idx" ON "action_replay"("at");

-- Announces the endpoints on the changelog page.
INSERT INTO "changelog_entry" ("public_id", "published_at", "kind", "title", "body", "endpoint_ids") VALUES
  ('2026-11-27-account-endpoints', '2026-11-27T21:30:00Z', 'added', 'Usage and webhooks over the API',
   E'`GET /usage` lists the calls and credits of each day, key, endpoint and status, for free. A key sees its own usage.\n\nKeys with the new scope `account:manage` see the usage of all keys, and manage webhook endpoints and their deliveries under `/webhooks` and `/webhook-deliveries`, also for free. The scope is off by default: choose it for a key in the portal. Live keys manage live endpoints. Test keys manage test endpoints, which only get test events.',
   '{usage.list,webhooks.create,webhooks.deliveries,webhooks.list}')
ON CONFLICT DO NOTHING;
