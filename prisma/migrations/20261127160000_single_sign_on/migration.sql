-- AlterTable
ALTER TABLE "portal_session" ADD COLUMN     "organisation_id" INTEGER;

-- CreateTable
CREATE TABLE "single_sign_on" (
    "account_id" INTEGER NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret" BYTEA NOT NULL,
    "is_required" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "single_sign_on_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "linked_sign_in" (
    "account_id" INTEGER NOT NULL,
    "member_id" INTEGER NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "linked_sign_in_pkey" PRIMARY KEY ("account_id","member_id")
);

-- CreateIndex
CREATE INDEX "linked_sign_in_member_id_idx" ON "linked_sign_in"("member_id");

-- CreateIndex
CREATE UNIQUE INDEX "linked_sign_in_account_id_issuer_subject_key" ON "linked_sign_in"("account_id", "issuer", "subject");

-- AddForeignKey
ALTER TABLE "portal_session" ADD CONSTRAINT "portal_session_organisation_id_fkey" FOREIGN KEY ("organisation_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "single_sign_on" ADD CONSTRAINT "single_sign_on_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "linked_sign_in" ADD CONSTRAINT "linked_sign_in_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "single_sign_on"("account_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "linked_sign_in" ADD CONSTRAINT "linked_sign_in_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
