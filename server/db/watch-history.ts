import type { Pool } from 'pg'
import { readServerHistory } from './database-probes.sql.ts'
import { notifyPrimaryChange } from './primary-client.ts'

/**
 * Returns a function that notices a failover by the history of the database. With one host in the URL, such as a DNS name, a virtual address or a pooler, the
 * connections don't show that another server is behind it.
 */
export function watchHistory(pool: Pick<Pool, 'query'>): () => Promise<void> {
  let known: string | null = null
  return async () => {
    const current = await readServerHistory(pool)
    if (known !== null && current !== null && current !== known) notifyPrimaryChange()
    known = current ?? known
  }
}
