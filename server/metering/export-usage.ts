import type { Pool } from 'pg'
import { csvLine } from '#server/api/contract/csv.ts'
import { type Operations, operationName } from './operations.ts'
import { daysOf } from './usage-range.ts'
import { type DayRange, readDay } from './usage-report.store.ts'

const head = ['day', 'endpoint', 'key', 'keyName', 'mode', 'status', 'calls', 'credits'] as const

/**
 * Usage as CSV, a piece for each day: one line for each endpoint, key and status. Its sums are those of the page. @throws RefusedError (400) for a range
 * that is none, before the first piece.
 */
export function exportUsage(pool: Pool, accountId: number, range: DayRange, operations: Operations): AsyncGenerator<string> {
  const days = daysOf(range)
  return pieces(pool, accountId, days, operations)
}

async function* pieces(pool: Pool, accountId: number, days: readonly string[], operations: Operations): AsyncGenerator<string> {
  yield csvLine(head)
  for (const day of days) {
    const rows = await readDay(pool, accountId, day)
    const lines = rows.map((row) =>
      csvLine([row.day, operationName(operations, row.endpoint), row.key, row.name, row.mode, row.status, Number(row.calls), Number(row.credits)]),
    )
    if (lines.length > 0) yield lines.join('')
  }
}
