import type { Pool } from 'pg'
import { type LowBalance, topUpUrl } from '#server/api/contract/events.ts'
import { type AccountEventRow, handOnEvents } from './account-events.store.ts'
import type { DatabaseTime } from './queue.store.ts'
import type { WrittenData } from './webhook-room.ts'

const eventsAtOnce = 200

/** A low balance is all that an account is told of so far. */
function write({ account, facts, at }: AccountEventRow, publicUrl: string): WrittenData {
  const { thresholdCredits, balanceCredits } = facts
  const data = JSON.stringify({ account, thresholdCredits, balanceCredits, at: at.toISOString(), topUp: topUpUrl(publicUrl) } satisfies LowBalance)
  return { data, dataWithLogos: data }
}

type Options = { readonly now?: DatabaseTime; readonly signal?: AbortSignal }

/** Turns what happened to accounts into deliveries, until there is no more. Several processes may do it at once: each event is handed on by one of them. */
export async function fanOutToOwners(pool: Pool, publicUrl: string, { now = null, signal }: Options = {}): Promise<void> {
  for (let taken = eventsAtOnce; taken === eventsAtOnce && !signal?.aborted; ) {
    taken = await handOnEvents(pool, now, eventsAtOnce, (row) => write(row, publicUrl))
  }
}
