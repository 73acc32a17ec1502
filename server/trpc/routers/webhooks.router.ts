import { z } from 'zod'
import { attempt, limits } from '#server/accounts/throttle.ts'
import { readRange, typedRange } from '#server/api/contract/time-range.ts'
import { deliveryStates, eventTypes } from '#server/api/contract/webhooks.ts'
import { accountActor, type Viewer } from '#server/auth/viewer.ts'
import { enqueueEmails } from '#server/email/email.ts'
import { askForWebhooks, enableOwnWebhooks, getAccess } from '#server/webhooks/access.ts'
import { getDeliveries, getDelivery, getHealth, isDisclosed } from '#server/webhooks/deliveries.ts'
import { getWebhook, getWebhooks } from '#server/webhooks/endpoints.ts'
import { createWebhook, deleteWebhook, pauseWebhook, resumeWebhook, rotateSecret, testWebhook, updateWebhook } from '#server/webhooks/manage-endpoints.ts'
import { redeliver } from '#server/webhooks/redeliver.ts'
import { inTurn } from '#server/webhooks/sent-events.ts'
import { toNewWebhook, typedWebhook } from '#server/webhooks/webhook-form.ts'
import { BigintCursor, forAccount, forVerified, forWebhooks, type PortalContext, PublicId, recent, router } from '../procedures.ts'

const Id = z.object({ id: PublicId })
const Type = z.object({ type: z.enum(eventTypes) })
/** Deliveries to one endpoint, or to all of the account's if `id` is null. */
const Asked = z.object({
  id: PublicId.nullable(),
  state: z.enum(deliveryStates).nullable(),
  type: z.enum(eventTypes).nullable(),
  cursor: z.string().max(100).nullable(),
})
const Again = Id.extend({ delivery: PublicId })
const Range = Id.extend({ ...typedRange, after: BigintCursor.default(null) })
const NewWebhook = z.object(typedWebhook)

/** Procedure for actions that reveal a signing secret or change where events are sent. Requires a recent sign-in. */
const forChange = forWebhooks.use(recent)

type SignedIn = PortalContext & { viewer: Viewer }

const owner = ({ viewer, asker }: SignedIn) => ({ accountId: viewer.accountId, ...accountActor(viewer, asker) })

const ask = (ctx: SignedIn) =>
  askForWebhooks(ctx.webhooks, owner(ctx), (client, recipients, at) =>
    enqueueEmails(client, 'webhooks-asked', recipients, { at: at.toISOString(), account: ctx.viewer.publicId, email: ctx.viewer.email, name: ctx.viewer.name }),
  )

/** Webhooks. The rules (enabled by approved accounts unless an administrator disabled them, secrets shown once) are in server/webhooks. */
export const webhooksRouter = router({
  access: forAccount.query(({ ctx }) => getAccess(ctx.webhooks, ctx.accountId)),
  enable: forVerified.mutation(({ ctx }) => enableOwnWebhooks(ctx.webhooks, owner(ctx))),
  ask: forVerified.mutation(({ ctx }) => ask(ctx)),
  list: forWebhooks.query(({ ctx }) => getWebhooks(ctx.webhooks, ctx.accountId)),
  read: forWebhooks.input(Id).query(({ ctx, input }) => getWebhook(ctx.webhooks, ctx.accountId, input.id)),
  create: forChange.input(NewWebhook).mutation(async ({ ctx, input }) => {
    await attempt(ctx.webhooks.pool, [limits.webhooksCreated, String(ctx.viewer.accountId)])
    return createWebhook(ctx.webhooks, owner(ctx), toNewWebhook(input))
  }),
  update: forChange.input(NewWebhook.extend(Id.shape)).mutation(({ ctx, input }) => updateWebhook(ctx.webhooks, owner(ctx), input.id, toNewWebhook(input))),
  rotate: forChange.input(Id).mutation(({ ctx, input }) => rotateSecret(ctx.webhooks, owner(ctx), input.id)),
  pause: forWebhooks.input(Id).mutation(({ ctx, input }) => pauseWebhook(ctx.webhooks, owner(ctx), input.id)),
  resume: forWebhooks.input(Id).mutation(({ ctx, input }) => resumeWebhook(ctx.webhooks, owner(ctx), input.id)),
  delete: forWebhooks.input(Id).mutation(({ ctx, input }) => deleteWebhook(ctx.webhooks, owner(ctx), input.id)),
  test: forWebhooks
    .input(Id.extend({ type: Type.shape.type.nullable().default(null) }))
    .mutation(({ ctx, input }) => testWebhook(ctx.webhooks, owner(ctx), input.id, input.type)),
  sample: forWebhooks.input(Type).query(async ({ ctx, input }) => JSON.parse((await ctx.webhooks.sample(input.type)).data) as object),
  health: forWebhooks.input(Id).query(({ ctx, input }) => inTurn(ctx.accountId, () => getHealth(ctx.webhooks, ctx.accountId, input.id))),
  deliveries: forWebhooks.input(Asked).query(({ ctx, input }) => getDeliveries(ctx.webhooks, ctx.accountId, input.id, input)),
  /** Returns a delivery with its attempts. `data` is null if the event has not been delivered and charged yet. */
  delivery: forWebhooks.input(Id).query(async ({ ctx, input }) => {
    const delivery = await getDelivery(ctx.webhooks, ctx.accountId, input.id)
    return { ...delivery, data: isDisclosed(delivery) ? delivery.data : null }
  }),
  redeliver: forWebhooks.input(Again).mutation(({ ctx, input }) => redeliver(ctx.webhooks, owner(ctx), input.id, { kind: 'one', id: input.delivery })),
  /** Times are in the user's time zone. */
  redeliverRange: forWebhooks
    .input(Range)
    .mutation(({ ctx, input }) =>
      redeliver(ctx.webhooks, owner(ctx), input.id, { kind: 'range', ...readRange(input, ctx.viewer.timeZone), after: input.after }),
    ),
  redeliverFailed: forWebhooks.input(Id).mutation(({ ctx, input }) => redeliver(ctx.webhooks, owner(ctx), input.id, { kind: 'failed' })),
})
