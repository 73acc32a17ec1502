import type { Pool } from 'pg'
import { readServerHistory } from './database-probes.sql.ts'
import { notifyPrimaryChange } from './primary-client.ts'

/**
 * Returns a function that detects a failover from the history of the database. With one host in the URL, such as a DNS name, a virtual address or a pooler, the
 * connections don't reveal that a different server has taken over. Only every `every`th call queries the database, so that an idle service sends few
 * statements.
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
