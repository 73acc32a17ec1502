import { z } from 'zod'
import { entryId, publishedChanges, textFault, titleFault } from '#server/admin/changelog/changelog.ts'
import * as drafts from '#server/admin/changelog/drafts.ts'
import { changeAvailability, findAdminEndpoint, getDraft, loadAdminEndpoints, notifyKeyHolders } from '#server/admin/publishing/availability.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { isEndpointId } from '#server/api/documents/catalogue.ts'
import { clock } from '#server/clock.ts'
import { getMailings } from '#server/email/bulk-emails.ts'
import { plainEmails } from '#server/email/email.ts'
import { renderPreview } from '#server/email/email-content.ts'
import { countKeyHolders } from '#server/keys/keys.ts'
import { forAdmin, type PortalContext, router } from '../../procedures.ts'
import { adminActor, checkedText, DraftId, ReasonInput, recentAdmin, SeenDraft } from './admin-input.ts'

const Change = z.object({
  kind: z.enum(['added', 'changed', 'deprecated'], 'Choose a kind.'),
  title: checkedText(1_000, titleFault),
  body: checkedText(20_000, textFault),
  /** Forms send the ids as text, separated by spaces, commas or line breaks. */
  endpointIds: z
    .union([
      z.array(z.string().max(100)),
      z
        .string()
        .max(10_000)
        .transform((text) => text.split(/[\s,]+/).filter((id) => id !== '')),
    ])
    .refine((ids) => ids.length <= 100, 'Enter up to 100 endpoint ids.')
    .refine((ids) => ids.every(isEndpointId), 'Every value must be an endpoint id, such as rates.list.'),
})

/** Maximum number of published entries listed on the admin changelog page. */
const newest = 10

/** Renders the email about a draft, as if the draft were published today. */
const toEmailContent = ({ deps: { publicUrl } }: PortalContext, { title, body }: drafts.ChangeDraft) =>
  renderPreview(plainEmails.change({ publicUrl, recipient: '' }, { entry: entryId(title, new Date(clock.now())), title, body }), publicUrl)

/** Changelog. The rules are in server/admin/changelog. */
export const adminChangelogRouter = router({
  list: forAdmin.query(async ({ ctx }) => {
    const entries = (await publishedChanges(ctx.db)).slice(0, newest)
    const ids = entries.map(({ id }) => id)
    const mails = await getMailings(ctx.db, 'change', ids)
    return { drafts: await drafts.changeDrafts(ctx.db), entries: entries.map((entry) => ({ ...entry, mails: mails.get(entry.id) ?? null })) }
  }),
  read: forAdmin.input(DraftId).query(async ({ ctx, input }) => {
    const draft = await drafts.changeDraft(ctx.db, input.id)
    return { draft, message: toEmailContent(ctx, draft), recipientCount: await countKeyHolders(ctx.db) }
  }),
  begin: forAdmin
    .input(Change.extend(ReasonInput.shape))
    .mutation(async ({ ctx, input }) => ({ id: await drafts.createChangeDraft(ctx.db, adminActor(ctx, input), input) })),
  rewrite: forAdmin.input(SeenDraft.extend(Change.shape)).mutation(({ ctx, input }) => drafts.updateChangeDraft(ctx.db, adminActor(ctx, input), input, input)),
  discard: forAdmin.input(SeenDraft).mutation(({ ctx, input }) => drafts.discardChangeDraft(ctx.db, adminActor(ctx, input), input)),
  publish: recentAdmin.input(SeenDraft).mutation(async ({ ctx, input }) => {
    const { entry, recipientCount } = await drafts.publishDraft(ctx.db, adminActor(ctx, input), input, notifyKeyHolders)
    return { entry: entry.id, recipientCount }
  }),
})

const Availability = z.enum(['open', 'test-only', 'coming-soon'])
const EndpointId = z.string().max(100)
const EndpointInput = z.object({ endpoint: EndpointId })
const Wanted = z.object({ endpoint: EndpointId, to: Availability })
const AvailabilityInput = z
  .object({ endpoint: EndpointId, from: Availability, to: Availability, title: checkedText(1_000, titleFault), body: checkedText(20_000, textFault) })
  .extend(ReasonInput.shape)

async function getEndpoint(pool: Parameters<typeof findAdminEndpoint>[0], id: string) {
  const endpoint = await findAdminEndpoint(pool, id)
  if (endpoint === null) throw new RefusedError(refuse('not_found', {}, 'Endpoint not found.'))
  return endpoint
}

/** Endpoint availability. The rules are in server/admin/publishing. */
export const adminEndpointsRouter = router({
  list: forAdmin.query(({ ctx }) => loadAdminEndpoints(ctx.db)),
  read: forAdmin.input(EndpointInput).query(({ ctx, input }) => getEndpoint(ctx.db, input.endpoint)),
  draft: forAdmin.input(Wanted).query(async ({ ctx, input }) => ({
    ...getDraft(await getEndpoint(ctx.db, input.endpoint), input.to),
    recipientCount: await countKeyHolders(ctx.db),
  })),
  setAvailability: recentAdmin.input(AvailabilityInput).mutation(async ({ ctx, input }) => {
    const { endpoint: endpointId, ...change } = input
    const { entry, recipientCount } = await changeAvailability(ctx.db, adminActor(ctx, input), { ...change, endpointId }, notifyKeyHolders)
    return { entry: entry.id, recipientCount }
  }),
})
