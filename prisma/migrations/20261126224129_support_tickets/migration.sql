-- CreateEnum
CREATE TYPE "ticket_topic" AS ENUM ('payment', 'approval', 'keys', 'data', 'other');

-- CreateEnum
CREATE TYPE "ticket_state" AS ENUM ('open', 'answered', 'closed');

-- CreateTable
CREATE TABLE "ticket" (
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "topic" "ticket_topic" NOT NULL,
    "state" "ticket_state" NOT NULL DEFAULT 'open',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ticket_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticket_message" (
    "id" BIGSERIAL NOT NULL,
    "ticket_id" INTEGER NOT NULL,
    "admin_id" INTEGER,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ticket_message_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ticket_public_id_key" ON "ticket"("public_id");

-- CreateIndex
CREATE INDEX "ticket_account_id_id_idx" ON "ticket"("account_id", "id");

-- CreateIndex
CREATE INDEX "ticket_state_changed_at_id_idx" ON "ticket"("state", "changed_at", "id");

-- CreateIndex
CREATE INDEX "ticket_message_ticket_id_id_idx" ON "ticket_message"("ticket_id", "id");

-- AddForeignKey
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ticket_message" ADD CONSTRAINT "ticket_message_ticket_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "ticket"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ticket_message" ADD CONSTRAINT "ticket_message_admin_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
