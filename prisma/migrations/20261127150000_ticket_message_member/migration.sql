-- AlterTable
ALTER TABLE "ticket_message" ADD COLUMN     "member_id" INTEGER;

-- AddForeignKey
ALTER TABLE "ticket_message" ADD CONSTRAINT "ticket_message_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;
