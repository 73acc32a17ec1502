import { z } from 'zod'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { getMoments } from '#server/api/contract/time-zones.ts'
import { eventTypes } from '#server/api/contract/webhooks.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { anyDelivery, failingEndpoints, getFailures, getOwner, waitingFailures } from '#server/webhooks/deliveries.ts'
import { type Again, redeliver } from '#server/webhooks/redeliver.ts'
import { BigintCursor, forAdmin, type PortalContext, PublicId, router } from '../../procedures.ts'
import { adminActor, getEmails, ReasonInput } from './admin-input.ts'

const Kind = z.object({ kind: z.enum(['dead', 'retrying', 'held']) })
const Page = Kind.extend({ type: z.enum(eventTypes).nullable(), after: BigintCursor })
const Endpoint = z.object({ endpoint: PublicId })
const OfEndpoint = Endpoint.extend(ReasonInput.shape)

const badTime = 'Enter a date and time, e.g. 2026-11-21T09:30.'

/** Returns the first or the last moment at which clocks in a zone show a time. A time with an offset is exact. Null if the time is invalid. */
const toMoment = (text: string, zone: string, which: 'first' | 'last'): Date | null =>
  z.iso.datetime().safeParse(text).success ? new Date(text) : (getMoments(text, zone)?.[which] ?? null)

/** Time in the administrator's zone, as forms send it, or with an offset. */
const Moment = z
  .string()
  .max(40)
  .refine((text) => toMoment(text, 'UTC', 'first') !== null, badTime)

const Range = z.object({ endpoint: PublicId, from: Moment, to: Moment, after: BigintCursor.default(null) }).extend(ReasonInput.shape)

/** Converts a range from the administrator's time zone. If a time occurs twice because the clocks go back, the range includes both. @throws FieldsError */
function toSpan({ from, to }: z.infer<typeof Range>, zone: string): { from: Date; to: Date } {
  const span = { from: toMoment(from, zone, 'first') ?? new Date(0), to: toMoment(to, zone, 'last') ?? new Date(0) }
  if (span.from >= span.to) throw new FieldsError({ to: 'End must be after start.' })
  return span
}

type AdminContext = PortalContext & { viewer: Viewer }

/** Redelivers on behalf of an endpoint's owner. The owner's rules apply. */
const again = async (ctx: AdminContext, input: z.infer<typeof OfEndpoint>, what: Again) =>
  redeliver(ctx.webhooks, { ...adminActor(ctx, input), accountId: await getOwner(ctx.webhooks, input.endpoint) }, input.endpoint, what)

/** Redelivers one delivery; returns false if its state doesn't allow it. */
async function againUnlessWaiting(ctx: AdminContext, input: z.infer<typeof OfEndpoint>, id: string): Promise<boolean> {
  try {
    await again(ctx, input, { kind: 'one', id })
    return true
  } catch (error) {
    if (error instanceof FieldsError) return false
    throw error
  }
}

/** Webhook deliveries across accounts. The rules (ordering, charging once, hourly limit) are in server/webhooks. */
export const adminDeliveriesRouter = router({
  waiting: forAdmin.input(Kind).query(({ ctx, input }) => waitingFailures(ctx.webhooks, input.kind)),
  list: forAdmin.input(Page.extend({ account: PublicId.nullable() })).query(async ({ ctx, input }) => {
    const page = await failingEndpoints(ctx.webhooks, input, input.after)
    const getEmail = await getEmails(ctx.db, [input.account, ...page.endpoints.map(({ account }) => account)])
    const endpoints = page.endpoints.map((row) => ({ ...row, email: getEmail(row.account) ?? row.account }))
    return { ...page, endpoints, accountEmail: getEmail(input.account) }
  }),
  endpoint: forAdmin.input(Page.extend(Endpoint.shape)).query(async ({ ctx, input }) => {
    const page = await getFailures(ctx.webhooks, input.endpoint, input, input.after)
    return { ...page, email: (await getEmails(ctx.db, [page.account]))(page.account) ?? page.account }
  }),
  read: forAdmin.input(Endpoint.extend({ delivery: PublicId })).query(({ ctx, input }) => anyDelivery(ctx.webhooks, input.endpoint, input.delivery)),
  redeliver: forAdmin.input(OfEndpoint.extend({ delivery: PublicId })).mutation(({ ctx, input }) => again(ctx, input, { kind: 'one', id: input.delivery })),
  /** Redelivers several deliveries with one reason. Those that are already waiting to be sent are skipped. */
  redeliverMany: forAdmin.input(OfEndpoint.extend({ deliveries: z.array(PublicId).min(1).max(50) })).mutation(async ({ ctx, input }) => {
    const results = []
    for (const id of input.deliveries) results.push(await againUnlessWaiting(ctx, input, id))
    const count = results.filter((isQueued) => isQueued).length
    return { count, skipped: results.length - count }
  }),
  redeliverRange: forAdmin
    .input(Range)
    .mutation(({ ctx, input }) => again(ctx, input, { kind: 'range', ...toSpan(input, ctx.viewer.timeZone), after: input.after })),
  redeliverFailed: forAdmin.input(OfEndpoint).mutation(({ ctx, input }) => again(ctx, input, { kind: 'failed' })),
})
