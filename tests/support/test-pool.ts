import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type PoolConfig } from 'pg'
import { type Database, withPrisma } from '#server/db/prisma.ts'

const open = new WeakMap<Pool, Set<unknown>>()

/** Tracks the connections of a pool, so that `endPool` knows when the last one is closed. Call before the first connection. */
export function watched(pool: Database): Database {
  const clients = new Set<unknown>()
  open.set(pool, clients)
  pool.on('connect', (client) => clients.add(client))
  pool.on('remove', (client) => clients.delete(client))
  return pool
}

/** Opens a pool with Prisma's models. */
export const openTestPool = (config: PoolConfig): Database => withPrisma(new Pool(config))

/** Ends a pool and waits until its connections are closed. `pool.end()` resolves earlier, and dropping the database would then break the connections. */
export async function endPool(pool: Pool): Promise<void> {
  await pool.end()
  while (open.get(pool)?.size) await sleep(2)
}
