import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { PrismaClient } from '#server/db/generated/client.ts'
import type { PoolOptions } from '#server/db/pool.ts'
import { openPool } from '#server/db/pool.ts'

export type Database = { pool: Pool; prisma: PrismaClient; close: () => Promise<void> }

/** Opens Prisma and a pool that share connections. Use `pool` for hand-written SQL and Prisma for everything else. */
export function connect(url: string, options: Omit<PoolOptions, 'url'>): Database {
  const pool = openPool({ url, ...options })
  const adapter = new PrismaPg(pool, { onConnectionError: options.onError })
  const prisma = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: 5_000, timeout: options.statementTimeoutMs },
  })
  const end = async () => {
    await prisma.$disconnect()
    await pool.end()
  }
  let closed: Promise<void> | undefined
  return { pool, prisma, close: () => (closed ??= end()) }
}
