import { z } from 'zod'
import * as drafts from '#server/admin/publishing/data-licence.ts'
import { accountsToAccept, licenceVersions } from '#server/admin/publishing/data-licence.ts'
import { getMailings } from '#server/email/bulk-emails.ts'
import { plainEmails } from '#server/email/email.ts'
import { renderPreview } from '#server/email/email-content.ts'
import { countKeyHolders } from '#server/keys/keys.ts'
import { forAdmin, type PortalContext, router } from '../../procedures.ts'
import { adminActor, checkedText, DraftId, ReasonInput, recentAdmin, SeenDraft } from './admin-input.ts'

const { licenceFaults } = drafts
const Text = z.object({
  label: checkedText(100, licenceFaults.label),
  changes: checkedText(20_000, licenceFaults.changes),
  graceEndsOn: checkedText(100, licenceFaults.graceEndsOn),
  body: checkedText(200_000, licenceFaults.body),
})

/** Renders the email that announces a draft. */
const toEmailContent = ({ deps: { publicUrl } }: PortalContext, { label, changes, graceEndsOn }: drafts.LicenceDraft) =>
  renderPreview(plainEmails.licence({ publicUrl, recipient: '' }, { label, changes, graceEndsAt: `${graceEndsOn}T00:00:00.000Z` }), publicUrl)

/** Versions of the Data Licence. The rules are in server/admin/publishing. */
export const adminLicencesRouter = router({
  list: forAdmin.query(async ({ ctx }) => {
    const [{ versions, none }, waiting] = await Promise.all([licenceVersions(ctx.db), drafts.licenceDrafts(ctx.db)])
    const labels = versions.map(({ label }) => label)
    const mails = await getMailings(ctx.db, 'licence', labels)
    return { none, drafts: waiting, versions: versions.map((version) => ({ ...version, mails: mails.get(version.label) ?? null })) }
  }),
  read: forAdmin.input(DraftId).query(async ({ ctx, input }) => {
    const draft = await drafts.licenceDraft(ctx.db, input.id)
    return { draft, message: toEmailContent(ctx, draft), concerned: await accountsToAccept(ctx.db), recipientCount: await countKeyHolders(ctx.db) }
  }),
  begin: forAdmin
    .input(Text.extend(ReasonInput.shape))
    .mutation(async ({ ctx, input }) => ({ id: await drafts.createLicenceDraft(ctx.db, adminActor(ctx, input), input) })),
  rewrite: forAdmin.input(SeenDraft.extend(Text.shape)).mutation(({ ctx, input }) => drafts.updateLicence(ctx.db, adminActor(ctx, input), input, input)),
  discard: forAdmin.input(SeenDraft).mutation(({ ctx, input }) => drafts.discardLicenceDraft(ctx.db, adminActor(ctx, input), input)),
  publish: recentAdmin.input(SeenDraft).mutation(({ ctx, input }) => drafts.publishLicence(ctx.db, adminActor(ctx, input), input)),
})
