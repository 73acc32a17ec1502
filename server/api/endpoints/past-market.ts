import { fromPlan, keptDays } from '#server/api/contract/endpoint.ts'
import { invalid, notFound } from '#server/api/contract/errors.ts'
import { queryDay } from '#server/api/contract/query.ts'
import type { Context } from './define.ts'

/** Parameter that selects the market of a past day. */
export const asOfParameter = fromPlan(
  'enterprise',
  queryDay
    .optional()
    .describe(
      `Date, UK time: returns the market as it was after that morning's import. Today or up to ${keptDays} days ago; /snapshots lists the available days. Enterprise plan only.`,
    ),
)

/** Maximum time to build a page of a past day: its market may have to be loaded first. */
export const pastTimeoutMs = 10_000

type Given = { readonly asOf?: string | undefined; readonly updatedSince?: string | undefined; readonly withdrawn?: string | undefined }

/**
 * Returns the context with the market of the day in `asOf`, or the given context without it.
 * @throws RefusedError: 400 if `asOf` is combined with a parameter about changes, 404 if the day isn't stored.
 */
export async function atDay(context: Context, { asOf, updatedSince, withdrawn }: Given): Promise<Context> {
  if (asOf === undefined) return context
  if (updatedSince !== undefined || withdrawn !== undefined) {
    throw invalid(
      '"asOf" can\'t be combined with "updatedSince" or "withdrawn". To get the changes since that day, first call with "asOf" alone, then pass meta.updatedUntil from that response as "updatedSince", without "asOf".',
    )
  }
  const market = await context.market.readPast(asOf)
  if (market) return { ...context, market }
  const days = (await context.market.files.list({ name: 'rates' })).map(({ day }) => day)
  const [newest, oldest] = [days[0], days.at(-1)]
  const available = newest === undefined ? 'None has been stored yet.' : `Days from ${oldest} to ${newest} are stored; /snapshots lists them.`
  throw notFound(`No snapshot is stored for ${asOf}. ${available}`)
}
