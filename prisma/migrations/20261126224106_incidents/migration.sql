-- CreateTable
CREATE TABLE "incident" (
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "impact" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "incident_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "incident_update" (
    "id" SERIAL NOT NULL,
    "incident_id" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_update_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "incident_public_id_key" ON "incident"("public_id");

-- CreateIndex
CREATE INDEX "incident_started_at_idx" ON "incident"("started_at");

-- CreateIndex
CREATE INDEX "incident_update_incident_id_idx" ON "incident_update"("incident_id");

-- AddForeignKey
ALTER TABLE "incident_update" ADD CONSTRAINT "incident_update_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
