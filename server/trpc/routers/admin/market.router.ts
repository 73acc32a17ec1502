import { z } from 'zod'
import type { Viewer } from '#server/auth/viewer.ts'
import { getMorning, orderSource, sourceDetail } from '#server/market/admin/imports.ts'
import { getAdminProduct, searchProducts } from '#server/market/admin/products.ts'
import { declineFeed, publishFeed } from '#server/market/admin/publish-feed.ts'
import { correctProduct, endProductCorrection, previewCorrection, withdrawProduct } from '#server/market/corrections/correct-product.ts'
import { forAdmin, type PortalContext, router } from '../../procedures.ts'
import { adminActor, getEmails, ReasonInput, recentAdmin } from './admin-input.ts'
import { getFigures } from './boards.router.ts'

const typed = z.string().max(200)
const Key = z.object({ sourceKey: z.string().min(1).max(120) })
const Search = z.object({ text: z.string().max(200), isCorrected: z.boolean(), after: z.string().max(120) })
const Terms = z.object({ accountName: typed, rate: typed, boostRate: typed, boostDuration: typed, minBalance: typed, maxBalance: typed })
const Asked = Key.extend({ seen: z.string().max(40), until: z.string().max(40) }).extend(ReasonInput.shape)

const corrector = (ctx: PortalContext & { viewer: Viewer }, input: z.infer<typeof ReasonInput>) => ({
  actor: adminActor(ctx, input),
  publicId: ctx.viewer.publicId,
})

/** Products in the live market and their manual corrections. */
export const adminProductsRouter = router({
  search: forAdmin.input(Search).query(({ ctx, input }) => searchProducts(ctx.market, input)),
  read: forAdmin.input(Key).query(async ({ ctx, input }) => {
    const { correction, former, ...product } = await getAdminProduct(ctx.market, input.sourceKey)
    const all = [...(correction ? [correction] : []), ...former]
    const getEmail = await getEmails(
      ctx.db,
      all.flatMap(({ by, endedBy }) => [by, endedBy]),
    )
    const named = <Row extends (typeof all)[number]>(row: Row) => ({ ...row, byEmail: getEmail(row.by) ?? row.by, endedByEmail: getEmail(row.endedBy) })
    return { ...product, correction: correction && named(correction), former: former.map(named) }
  }),
  /** Describes a correction before the administrator confirms it. */
  preview: forAdmin.input(Key.extend(Terms.shape)).query(async ({ ctx, input }) => {
    const { lines } = await previewCorrection(ctx.market, input.sourceKey, input)
    const [only] = lines.length === 1 ? lines : []
    return {
      lines: [
        ...lines.map(({ label, from, to }) => `${label} ${from} → ${to}`),
        'Callers get the new terms on their next call. Rate changes are added to the history and sent to webhooks.',
      ],
      message: null,
      button: only ? `Change ${only.label.toLowerCase()} to ${only.to}` : `Change ${lines.length} terms`,
    }
  }),
  correct: recentAdmin.input(Asked.extend(Terms.shape)).mutation(({ ctx, input }) => correctProduct(ctx.market, corrector(ctx, input), input)),
  withdraw: recentAdmin.input(Asked).mutation(({ ctx, input }) => withdrawProduct(ctx.market, corrector(ctx, input), input)),
  endCorrection: recentAdmin
    .input(Key.extend(ReasonInput.shape))
    .mutation(({ ctx, input }) => endProductCorrection(ctx.market, corrector(ctx, input), input.sourceKey)),
})

const Source = z.object({ source: z.string().max(100) })
const Order = Source.extend(ReasonInput.shape)
const Held = z.object({ feed: z.string().regex(/^\d{1,18}$/) }).extend(ReasonInput.shape)

/** Market data sources and imports. */
export const adminImportsRouter = router({
  morning: forAdmin.query(async ({ ctx }) => ({ ...(await getMorning(ctx.market)), figures: getFigures(ctx.market) })),
  source: forAdmin.input(Source).query(({ ctx, input }) => sourceDetail(ctx.market, input.source)),
  fetch: forAdmin.input(Order).mutation(({ ctx, input }) => orderSource(ctx.market, adminActor(ctx, input), input.source)),
  publish: recentAdmin.input(Held).mutation(({ ctx, input }) => publishFeed(ctx.market, adminActor(ctx, input), Number(input.feed))),
  decline: recentAdmin.input(Held).mutation(({ ctx, input }) => declineFeed(ctx.market, adminActor(ctx, input), Number(input.feed))),
})
