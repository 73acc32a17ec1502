import type { Pool } from 'pg'
import { csvLine } from '#server/api/contract/csv.ts'
import { type Operations, operationName } from './operations.ts'
import { listDays } from './usage-range.ts'
import { type DayRange, readDay } from './usage-report.store.ts'

const head = ['day', 'endpoint', 'key', 'keyName', 'mode', 'status', 'calls', 'credits'] as const

/**
 * Streams usage as CSV, one chunk per day and one line per endpoint, key and status. The totals match the usage page.
 * @throws RefusedError (400) for an invalid range, before the first chunk.
 */
export function exportUsage(pool: Pool, accountId: number, range: DayRange, operations: Operations): AsyncGenerator<string> {
  const days = listDays(range)
  return chunks(pool, accountId, days, operations)
}

async function* chunks(pool: Pool, accountId: number, days: readonly string[], operations: Operations): AsyncGenerator<string> {
  yield csvLine(head)
  for (const day of days) {
    const rows = await readDay(pool, accountId, day)
    const lines = rows.map((row) =>
      csvLine([row.day, operationName(operations, row.endpoint), row.key, row.name, row.mode, row.status, Number(row.calls), Number(row.credits)]),
    )
    if (lines.length > 0) yield lines.join('')
  }
}
