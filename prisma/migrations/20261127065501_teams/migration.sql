-- CreateEnum
CREATE TYPE "member_role" AS ENUM ('developer', 'billing', 'read_only');

-- AlterTable
ALTER TABLE "account" ADD COLUMN     "owner_id" INTEGER;

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "created_by" INTEGER;

-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "member_id" INTEGER;

-- AlterTable
ALTER TABLE "portal_session" ADD COLUMN     "acting_account_id" INTEGER;

-- CreateTable
CREATE TABLE "membership" (
    "account_id" INTEGER NOT NULL,
    "member_id" INTEGER NOT NULL,
    "role" "member_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "invited_by" INTEGER,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("account_id","member_id")
);

-- CreateTable
CREATE TABLE "invitation" (
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "hash" BYTEA,
    "account_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "role" "member_role" NOT NULL,
    "invited_by" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "membership_member_id_idx" ON "membership"("member_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_public_id_key" ON "invitation"("public_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_hash_key" ON "invitation"("hash");

-- CreateIndex
CREATE INDEX "invitation_account_id_id_idx" ON "invitation"("account_id", "id");

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "portal_session" ADD CONSTRAINT "portal_session_acting_account_id_fkey" FOREIGN KEY ("acting_account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_invited_by_fkey" FOREIGN KEY ("invited_by") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_invited_by_fkey" FOREIGN KEY ("invited_by") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
