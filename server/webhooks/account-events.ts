import type { Pool } from 'pg'
import { type LowBalance, topUpUrl } from '#server/api/contract/events.ts'
import { type AccountEventRow, forwardEvents } from './account-events.store.ts'
import type { DatabaseTime } from './queue.store.ts'
import type { WrittenData } from './webhook-deps.ts'

const batchSize = 200

/** `balance.low` is the only account event so far. */
function write({ account, facts, at }: AccountEventRow, publicUrl: string): WrittenData {
  const { thresholdCredits, balanceCredits } = facts
  const data = JSON.stringify({ account, thresholdCredits, balanceCredits, at: at.toISOString(), topUp: topUpUrl(publicUrl) } satisfies LowBalance)
  return { data, dataWithLogos: data }
}

type Options = { readonly now?: DatabaseTime; readonly signal?: AbortSignal }

/** Turns account events into deliveries until none are left. Safe to run concurrently: each event is handled once. */
export async function fanOutToOwners(pool: Pool, publicUrl: string, { now = null, signal }: Options = {}): Promise<void> {
  for (let taken = batchSize; taken === batchSize && !signal?.aborted; ) {
    taken = await forwardEvents(pool, now, batchSize, (row) => write(row, publicUrl))
  }
}
