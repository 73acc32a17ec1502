import { dayMs } from '#server/api/contract/dates.ts'
import { withdrawnDays } from '#server/api/contract/endpoint.ts'
import { invalid } from '#server/api/contract/errors.ts'
import { queryEnum, queryTime } from '#server/api/contract/query.ts'
import { clock } from '#server/clock.ts'
import type { ChangesQuery } from '#server/market/changes-query.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import type { ListCursor } from './list-cursor.ts'

/** Parameters of lists that callers copy and keep up to date. */
export const changeParameters = {
  updatedSince: queryTime()
    .optional()
    .describe('Return only rows with a later updatedAt (ISO 8601, UTC). Pass meta.updatedUntil from your last update to get every change since.'),
  withdrawn: queryEnum(['include'])
    .optional()
    .describe(`Use \`include\` to return rows withdrawn after updatedSince too, with withdrawnAt set. Needs updatedSince, at most ${withdrawnDays} days ago.`),
}

type Changes = { readonly updatedSince?: string | undefined; readonly withdrawn?: 'include' | undefined }

/** True if every row withdrawn after a time is still stored, because the time is recent or not before the newest change. */
const areKept = (time: string, { changedAt }: MarketView) =>
  Date.parse(time) >= clock.now() - withdrawnDays * dayMs || (changedAt !== null && Date.parse(time) >= Date.parse(changedAt))

/** Checks and converts the parameters. @throws RefusedError (400) that names the parameter. */
export function toChanges({ updatedSince: changedAfter, withdrawn }: Changes, market: MarketView): ChangesQuery {
  if (withdrawn === undefined) return { changedAfter }
  if (changedAfter === undefined) throw invalid('"withdrawn" needs "updatedSince". Give the time of your last update, or omit "withdrawn".')
  if (!areKept(changedAfter, market)) {
    throw invalid(`With "withdrawn", "updatedSince" can be at most ${withdrawnDays} days ago. Fetch the whole list again, then continue from there.`)
  }
  return { changedAfter, withWithdrawn: true }
}

/**
 * Returns `updatedUntil` of a page: the time of the newest change in the market when the first page was read. All pages return the same time, so that rows that
 * change while the list is read are returned again next time.
 */
export const getUpdatedUntil = (after: ListCursor<unknown> | null, changedAt: string | null): string | null =>
  after === null ? changedAt : (after.updatedUntil ?? null)
