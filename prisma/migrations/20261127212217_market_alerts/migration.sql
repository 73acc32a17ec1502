-- CreateTable
CREATE TABLE "market_alert" (
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "member_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "filter" JSONB NOT NULL,
    "providers" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "frequency" TEXT NOT NULL,
    "by_email" BOOLEAN NOT NULL,
    "by_webhook" BOOLEAN NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "evaluated_version" INTEGER NOT NULL,
    "state" JSONB NOT NULL,

    CONSTRAINT "market_alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "market_alert_notification" (
    "id" BIGSERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "alert_id" INTEGER NOT NULL,
    "market_version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "changes" JSONB NOT NULL,
    "change_count" INTEGER NOT NULL,
    "email_due_at" TIMESTAMPTZ(3),
    "email_id" BIGINT,

    CONSTRAINT "market_alert_notification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "market_alert_email" (
    "id" BIGSERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "member_id" INTEGER NOT NULL,
    "slot" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "market_alert_email_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "market_alert_public_id_key" ON "market_alert"("public_id");

-- CreateIndex
CREATE INDEX "market_alert_account_id_id_idx" ON "market_alert"("account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "market_alert_notification_public_id_key" ON "market_alert_notification"("public_id");

-- CreateIndex
CREATE INDEX "market_alert_notification_email_id_idx" ON "market_alert_notification"("email_id");

-- CreateIndex
CREATE INDEX "market_alert_notification_email_due_at_idx" ON "market_alert_notification"("email_due_at");

-- CreateIndex
CREATE INDEX "market_alert_notification_at_idx" ON "market_alert_notification"("at");

-- CreateIndex
CREATE UNIQUE INDEX "market_alert_notification_alert_id_market_version_key" ON "market_alert_notification"("alert_id", "market_version");

-- CreateIndex
CREATE UNIQUE INDEX "market_alert_email_public_id_key" ON "market_alert_email"("public_id");

-- CreateIndex
CREATE INDEX "market_alert_email_at_idx" ON "market_alert_email"("at");

-- CreateIndex
CREATE UNIQUE INDEX "market_alert_email_account_id_member_id_slot_key" ON "market_alert_email"("account_id", "member_id", "slot");

-- AddForeignKey
ALTER TABLE "market_alert" ADD CONSTRAINT "market_alert_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "market_alert" ADD CONSTRAINT "market_alert_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "market_alert_notification" ADD CONSTRAINT "market_alert_notification_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "market_alert"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "market_alert_notification" ADD CONSTRAINT "market_alert_notification_email_id_fkey" FOREIGN KEY ("email_id") REFERENCES "market_alert_email"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "market_alert_email" ADD CONSTRAINT "market_alert_email_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "market_alert_email" ADD CONSTRAINT "market_alert_email_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Wakes the jobs that evaluate alerts and send their emails.
CREATE TRIGGER send_jobs AFTER UPDATE OF market_version ON service_state FOR EACH STATEMENT EXECUTE FUNCTION send_jobs('alerts.evaluate');
CREATE TRIGGER send_jobs AFTER INSERT OR UPDATE OF revision ON market_alert FOR EACH STATEMENT EXECUTE FUNCTION send_jobs('alerts.evaluate');
CREATE TRIGGER send_jobs AFTER INSERT ON market_alert_notification FOR EACH STATEMENT EXECUTE FUNCTION send_jobs('alerts.email');
