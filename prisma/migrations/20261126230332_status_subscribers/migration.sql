-- CreateTable
CREATE TABLE "status_subscriber" (
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "status_subscriber_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "status_subscriber_public_id_key" ON "status_subscriber"("public_id");

-- CreateIndex
CREATE UNIQUE INDEX "status_subscriber_email_key" ON "status_subscriber"("email");
