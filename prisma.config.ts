import { defineConfig } from 'prisma/config'

// Only the Prisma command line (`prisma migrate deploy`, `prisma studio`) uses this URL; the service runs its migrations itself.
const url = process.env['DATABASE_URL']

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  ...(url === undefined ? {} : { datasource: { url } }),
})
