import { z } from 'zod'
import { operations } from '#server/api/documents/catalogue.ts'
import { getRequestWithDetails, requestPage, unlistedRequests } from '#server/metering/requests.ts'
import { forAccount, router } from '../procedures.ts'
import { PublicId } from './public-id.ts'

const text = z.string().max(100).nullable()
const Question = z.object({
  search: text,
  endpoint: text,
  key: text,
  status: z.int().min(100).max(599).nullable(),
  before: text,
  limit: z.int().min(1).max(100),
})
const RequestId = z.object({ id: PublicId })

/** Request log of an account. Its contents and retention are defined in server/metering. */
export const requestsRouter = router({
  list: forAccount.input(Question).query(({ ctx, input }) => requestPage(ctx.deps.pool, ctx.viewer.accountId, input, operations)),
  unlisted: forAccount
    .input(Question.omit({ before: true, limit: true }))
    .query(({ ctx, input }) => unlistedRequests(ctx.deps.pool, ctx.viewer.accountId, input, operations)),
  read: forAccount.input(RequestId).query(({ ctx, input }) => getRequestWithDetails(ctx.deps.pool, ctx.viewer.accountId, input.id, operations)),
})
