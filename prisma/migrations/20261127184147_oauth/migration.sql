-- CreateTable
CREATE TABLE "oauth_client" (
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirect_uris" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_code" (
    "hash" BYTEA NOT NULL,
    "account_id" INTEGER NOT NULL,
    "member_id" INTEGER,
    "client_id" INTEGER NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "access" JSONB NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "key_id" TEXT,

    CONSTRAINT "oauth_code_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "oauth_client_public_id_key" ON "oauth_client"("public_id");

-- CreateIndex
CREATE INDEX "oauth_client_last_used_at_idx" ON "oauth_client"("last_used_at");

-- CreateIndex
CREATE INDEX "oauth_code_account_id_idx" ON "oauth_code"("account_id");

-- CreateIndex
CREATE INDEX "oauth_code_client_id_idx" ON "oauth_code"("client_id");

-- CreateIndex
CREATE INDEX "oauth_code_expires_at_idx" ON "oauth_code"("expires_at");

-- AddForeignKey
ALTER TABLE "oauth_code" ADD CONSTRAINT "oauth_code_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "oauth_code" ADD CONSTRAINT "oauth_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_client"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
