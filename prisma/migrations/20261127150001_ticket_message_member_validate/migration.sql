ALTER TABLE "ticket_message" VALIDATE CONSTRAINT "ticket_message_member_id_fkey";
