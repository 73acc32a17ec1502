import { csvLine } from '#server/api/contract/csv.ts'
import type { Database } from '#server/db/prisma.ts'
import { type LogFilter, type NumberedFilter, type Operations, operationName, toNumberedFilter } from './log-filter.ts'
import { readUsageRange, type UsageDates } from './usage-range.ts'

/** Maximum number of days in a file: two years, as in the report by month. */
const maxDays = 732

const head = ['day', 'endpoint', 'key', 'keyName', 'mode', 'status', 'calls', 'credits'] as const

/**
 * Streams daily usage as CSV, one chunk per day and one line per endpoint, key and status. The totals match the usage page once the calls of the last few
 * seconds are added up. @throws RefusedError (400) for an invalid range, before the first chunk.
 */
export async function exportUsage(db: Database, accountId: number, question: UsageDates & LogFilter, operations: Operations): Promise<AsyncGenerator<string>> {
  const { periods } = readUsageRange(question, 'day', maxDays)
  return chunks(db, accountId, periods, await toNumberedFilter(db, accountId, question, operations), operations)
}

const maxLines = 100_000

/** Reads the usage of one day in full detail: by endpoint, key and status. */
async function readDay(db: Database, accountId: number, day: string, { endpoint, keyId, minStatus, maxStatus }: NumberedFilter) {
  const where = {
    accountId,
    day: new Date(day),
    status: { gte: minStatus, lte: maxStatus },
    ...(endpoint === null ? {} : { endpoint }),
    ...(keyId === null ? {} : { keyId }),
  }
  const rows = await db.usageDay.findMany({ where, orderBy: [{ endpoint: 'asc' }, { keyId: 'asc' }, { status: 'asc' }], take: maxLines })
  const keyIds = [...new Set(rows.map((row) => row.keyId))]
  const keys = await db.apiKey.findMany({ where: { id: { in: keyIds } }, take: maxLines, select: { id: true, publicId: true, name: true, mode: true } })
  const byId = new Map(keys.map((key) => [key.id, key]))
  return rows.map((row) => ({ ...row, key: byId.get(row.keyId) }))
}

async function* chunks(
  db: Database,
  accountId: number,
  days: readonly string[],
  filter: NumberedFilter | null,
  operations: Operations,
): AsyncGenerator<string> {
  yield csvLine(head)
  if (filter === null) return
  for (const day of days) {
    const rows = await readDay(db, accountId, day, filter)
    const lines = rows.map(({ endpoint, key, status, requests, credits }) =>
      csvLine([
        day,
        operationName(operations, endpoint),
        ...(key ? [key.publicId, key.name, key.mode] : ['', '', '']),
        status,
        Number(requests),
        Number(credits),
      ]),
    )
    if (lines.length > 0) yield lines.join('')
  }
}
