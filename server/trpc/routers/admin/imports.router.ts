import { z } from 'zod'
import { getMorning, sourceDetail } from '#server/market/admin/imports.ts'
import { declineFeed, publishFeed } from '#server/market/admin/publish-feed.ts'
import { orderSource } from '#server/market/admin/source-orders.ts'
import { forAdmin, recent, router } from '../../procedures.ts'
import { adminActor, ReasonInput } from './action-input.ts'

const Source = z.object({ source: z.string().max(100) })
const Order = Source.extend(ReasonInput.shape)
const Held = z.object({ feed: z.string().regex(/^\d{1,18}$/) }).extend(ReasonInput.shape)

/** Data sources and imports of the market. */
export const adminImportsRouter = router({
  morning: forAdmin.query(({ ctx }) => getMorning(ctx.market)),
  source: forAdmin.input(Source).query(({ ctx, input }) => sourceDetail(ctx.market, input.source)),
  fetch: forAdmin.input(Order).mutation(({ ctx, input }) => orderSource(ctx.market, adminActor(ctx, input), input.source)),
  publish: forAdmin
    .use(recent)
    .input(Held)
    .mutation(({ ctx, input }) => publishFeed(ctx.market, adminActor(ctx, input), input.feed)),
  decline: forAdmin
    .use(recent)
    .input(Held)
    .mutation(({ ctx, input }) => declineFeed(ctx.market, adminActor(ctx, input), input.feed)),
})
