import { z } from 'zod'
import { eventTypes } from '#server/api/contract/webhooks.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { anyDelivery, failingEndpoints, getFailures, getOwner, waitingFailures } from '#server/webhooks/deliveries.ts'
import { type Again, redeliver } from '#server/webhooks/redeliver.ts'
import { BigintCursor, forAdmin, type PortalContext, PublicId, router } from '../../procedures.ts'
import { adminActor, ReasonInput } from './admin-input.ts'

const Kind = z.object({ kind: z.enum(['dead', 'retrying', 'held']) })
const Page = Kind.extend({ type: z.enum(eventTypes).nullable(), after: BigintCursor })
const Endpoint = z.object({ endpoint: PublicId })
const OfEndpoint = Endpoint.extend(ReasonInput.shape)

type AdminContext = PortalContext & { viewer: Viewer }

/** Redelivers on behalf of an endpoint's owner. The owner's rules apply. */
const again = async (ctx: AdminContext, input: z.infer<typeof OfEndpoint>, what: Again) =>
  redeliver(ctx.webhooks, { ...adminActor(ctx, input), accountId: await getOwner(ctx.webhooks, input.endpoint) }, input.endpoint, what)

/** Webhook deliveries across accounts. The rules (ordering, charging once, hourly limit) are in server/webhooks. */
export const adminDeliveriesRouter = router({
  waiting: forAdmin.input(Kind).query(({ ctx, input }) => waitingFailures(ctx.webhooks, input.kind)),
  list: forAdmin.input(Page.extend({ account: PublicId.nullable() })).query(({ ctx, input }) => failingEndpoints(ctx.webhooks, input, input.after)),
  endpoint: forAdmin.input(Page.extend(Endpoint.shape)).query(({ ctx, input }) => getFailures(ctx.webhooks, input.endpoint, input, input.after)),
  read: forAdmin.input(Endpoint.extend({ delivery: PublicId })).query(({ ctx, input }) => anyDelivery(ctx.webhooks, input.endpoint, input.delivery)),
  redeliver: forAdmin.input(OfEndpoint.extend({ delivery: PublicId })).mutation(({ ctx, input }) => again(ctx, input, { kind: 'one', id: input.delivery })),
  redeliverRange: forAdmin
    .input(OfEndpoint.extend({ from: z.iso.datetime(), to: z.iso.datetime(), after: BigintCursor.default(null) }))
    .mutation(({ ctx, input }) => again(ctx, input, { kind: 'range', from: new Date(input.from), to: new Date(input.to), after: input.after })),
  redeliverFailed: forAdmin.input(OfEndpoint).mutation(({ ctx, input }) => again(ctx, input, { kind: 'failed' })),
})
