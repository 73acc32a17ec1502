import { z } from 'zod'
import { textFault, titleFault } from '#server/admin/changelog/publish-change.ts'
import { changeAvailability, findAdminEndpoint, getDraft, loadAdminEndpoints } from '#server/admin/publishing/availability.ts'
import { notifyKeyHolders } from '#server/admin/publishing/notify-key-holders.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { countKeyHolders } from '#server/keys/key-holders.ts'
import { forAdmin, recent, router } from '../../procedures.ts'
import { adminActor, checkedText, ReasonInput } from './action-input.ts'

const Availability = z.enum(['open', 'test-only', 'coming-soon'])
const EndpointId = z.string().max(100)
const Asked = z.object({ endpoint: EndpointId })
const Wanted = z.object({ endpoint: EndpointId, to: Availability })
const Change = z
  .object({ endpoint: EndpointId, from: Availability, to: Availability, title: checkedText(1_000, titleFault), body: checkedText(20_000, textFault) })
  .extend(ReasonInput.shape)

async function getEndpoint(pool: Parameters<typeof findAdminEndpoint>[0], id: string) {
  const endpoint = await findAdminEndpoint(pool, id)
  if (endpoint === null) throw new RefusedError(refuse('not_found', {}, 'Endpoint not found.'))
  return endpoint
}

/** Availability of endpoints. The rules are in server/admin/publishing. */
export const adminEndpointsRouter = router({
  list: forAdmin.query(({ ctx }) => loadAdminEndpoints(ctx.deps.pool)),
  read: forAdmin.input(Asked).query(({ ctx, input }) => getEndpoint(ctx.deps.pool, input.endpoint)),
  draft: forAdmin.input(Wanted).query(async ({ ctx, input }) => ({
    ...getDraft(await getEndpoint(ctx.deps.pool, input.endpoint), input.to),
    recipientCount: await countKeyHolders(ctx.deps.pool),
  })),
  setAvailability: forAdmin
    .use(recent)
    .input(Change)
    .mutation(async ({ ctx, input }) => {
      const { endpoint: endpointId, ...change } = input
      const { entry, recipientCount } = await changeAvailability(ctx.deps.pool, adminActor(ctx, input), { ...change, endpointId }, notifyKeyHolders)
      return { entry: entry.id, recipientCount }
    }),
})
