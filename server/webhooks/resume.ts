import type { Pool } from 'pg'
import { creditsPerEvent } from '#server/api/contract/events.ts'
import { type DatabaseTime, readPayers, resumeAccount, wakeFree } from './queue.store.ts'

const accountsAtOnce = 1_000
const endpointsAtOnce = 1_000

/** Lets endpoints that waited for credits go on in order, once what may be spent covers what is owed and one event more, and send what is free meanwhile. */
export async function resumeHeld(pool: Pool, now: DatabaseTime = null): Promise<void> {
  for (const account of await readPayers(pool, now, creditsPerEvent, accountsAtOnce)) await resumeAccount(pool, account, now, creditsPerEvent)
  await wakeFree(pool, now, endpointsAtOnce)
}
