import { dayMs } from '#server/api/contract/dates.ts'
import { withdrawnDays } from '#server/api/contract/endpoint.ts'
import { invalid } from '#server/api/contract/errors.ts'
import { queryEnum, queryTime } from '#server/api/contract/query.ts'
import { clock } from '#server/clock.ts'
import type { ChangesQuery } from '#server/market/changes-query.ts'

/** Parameters of lists that callers copy and keep up to date. */
export const changeParameters = {
  updatedSince: queryTime()
    .optional()
    .describe(
      'ISO 8601 time in UTC: only rows whose updatedAt is later. Pass the newest updatedAt that you have received, including those of withdrawn rows, to get what has changed since.',
    ),
  withdrawn: queryEnum(['include'])
    .optional()
    .describe(`include: also rows withdrawn after updatedSince, with withdrawnAt set. Needs updatedSince, which may go back ${withdrawnDays} days.`),
}

type Changes = { readonly updatedSince?: string | undefined; readonly withdrawn?: 'include' | undefined }

/** Checks and converts the parameters. @throws RefusedError (400) that names the parameter. */
export function toChanges({ updatedSince: changedAfter, withdrawn }: Changes): ChangesQuery {
  if (withdrawn === undefined) return { changedAfter }
  if (changedAfter === undefined) throw invalid('"withdrawn" needs "updatedSince". Give the time of your last update, or omit "withdrawn".')
  if (Date.parse(changedAfter) < clock.now() - withdrawnDays * dayMs) {
    throw invalid(`With "withdrawn", "updatedSince" may go back ${withdrawnDays} days. Fetch the whole list, and update it from there.`)
  }
  return { changedAfter, withWithdrawn: true }
}
