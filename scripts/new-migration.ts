/**
 * npm run migration -- <name>
 * Writes prisma/migrations/<time>_<name>/migration.sql with the difference between prisma/schema and the existing migrations, which it applies to a temporary
 * PostgreSQL. It changes no other database.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { startEmbedded } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { migrationsFolder } from '../server/db/migrations.sql.ts'
import { schemaDiff } from '../server/db/schema-diff.ts'

const silent = () => undefined

async function difference(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-migration-'))
  try {
    const server = await startEmbedded({ dataDir, log: silent, settings: { fsync: 'off', max_connections: '20' } })
    try {
      await migrate(server.url, { log: silent })
      return await schemaDiff(server.url)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function main(name: string | undefined): Promise<void> {
  if (name === undefined || !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) {
    throw new Error('Pass a lower-case name, such as: npm run migration -- add_webhooks')
  }
  const sql = await difference()
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const file = join(migrationsFolder, `${stamp}_${name}`, 'migration.sql')
  await mkdir(join(file, '..'))
  await writeFile(file, sql === '' ? '-- No schema changes. Add what Prisma does not support (functions, triggers, checks, partitions).\n' : `${sql}\n`)
  console.log(`wrote ${relative(process.cwd(), file)}${sql === '' ? ' (empty: prisma/schema matches the migrations)' : ''}`)
}

await main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
