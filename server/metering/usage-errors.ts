import { dayMs } from '#server/api/contract/dates.ts'
import { errorCodes, errors } from '#server/api/contract/errors.ts'
import type { Database } from '#server/db/prisma.ts'
import { type LogFilter, type Operations, statusGroups, toNumberedFilter } from './log-filter.ts'
import { type ErrorGroupRow, readErrorGroups, shownSince } from './requests.sql.ts'
import type { Grain } from './usage.sql.ts'
import { readUsageRange, type UsageDates } from './usage-range.ts'

/** Maximum number of calls to read, of days to read them from, and of groups to return. */
const [maxCalls, maxDays, maxGroups] = [2_000, 7, 20]

function toGroup({ key, key_name, key_hint, mode, error, calls, last, message }: ErrorGroupRow) {
  const code = errorCodes.find((one) => errors[one].no === error) ?? null
  return {
    /** Null for an error without a code. */
    code,
    /** Error message of the newest call, with advice; general advice if the message is no longer stored. */
    message: code === null ? null : (message ?? errors[code].message),
    status: code === null ? null : errors[code].status,
    key: { id: key, name: key_name === '' ? `svc_${mode}_…${key_hint}` : key_name, mode },
    calls,
    last,
  }
}

type ErrorQuestion = UsageDates & LogFilter & { readonly grain: Grain }

/**
 * Groups the failed calls of a range by key and error code, the most frequent first. To limit the cost, reads only the newest 2,000 calls in the last seven
 * days of the range. `from` is the start of the period read, and `isComplete` is false if there are more calls. @throws RefusedError (400) for an invalid range
 */
export async function usageErrors(db: Database, accountId: number, question: ErrorQuestion, operations: Operations) {
  const range = readUsageRange(question, question.grain)
  const filter = await toNumberedFilter(db, accountId, { ...question, status: question.status ?? 'failed' }, operations)
  const from = new Date(Math.max(range.from.getTime(), range.to.getTime() - maxDays * dayMs, shownSince().getTime()))
  const [minStatus] = statusGroups.failed
  const wanted = filter && { ...filter, minStatus: Math.max(filter.minStatus, minStatus), from, to: range.to }
  const rows = wanted === null || from >= range.to ? [] : await readErrorGroups(db, accountId, wanted, maxCalls, maxGroups)
  return { from, groups: rows.map(toGroup), isComplete: rows.reduce((sum, { calls }) => sum + calls, 0) < maxCalls }
}
