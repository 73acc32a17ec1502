import type { Pool } from 'pg'
import { creditsPerEvent } from '../contract/events.ts'
import { readPayers, resumeAccount } from './queue.store.ts'

const accountsAtOnce = 1_000

/** Lets endpoints that waited for credits go on in order, once the balance covers what is owed and one event more. */
export async function resumeHeld(pool: Pool, now: () => number): Promise<void> {
  for (const account of await readPayers(pool, creditsPerEvent, accountsAtOnce)) await resumeAccount(pool, account, new Date(now()), creditsPerEvent)
}
