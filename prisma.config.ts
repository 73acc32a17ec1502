import { defineConfig } from 'prisma/config'

// Only the Prisma command line asks for the address (`prisma migrate deploy`, `prisma studio`); the service migrates by itself.
const url = process.env['DATABASE_URL']

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  ...(url === undefined ? {} : { datasource: { url } }),
})
