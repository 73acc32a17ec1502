import type { Pool } from 'pg'
import { readServerHistory } from './database-probes.sql.ts'
import { notifyPrimaryChange } from './primary-client.ts'

/**
 * Returns a function that notices a failover by the history of the database. With one host in the URL, such as a DNS name, a virtual address or a pooler, the
 * connections don't show that another server is behind it. Only each `every`th call asks the database, so that an idle service sends few statements.
 */
export function watchHistory(pool: Pick<Pool, 'query'>, every = 1): () => Promise<void> {
  let known: string | null = null
  let calls = 0
  return async () => {
    if (calls++ % every !== 0) return
    const current = await readServerHistory(pool)
    if (known !== null && current !== null && current !== known) notifyPrimaryChange()
    known = current ?? known
  }
}
