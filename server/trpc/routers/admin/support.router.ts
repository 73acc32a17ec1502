import { z } from 'zod'
import { ticketStates } from '#server/api/contract/support.ts'
import { answerTicket, closeTicket, ticketForAdmin, ticketQueue } from '#server/support/ticket-queue.ts'
import { forAdmin, PublicId, router } from '../../procedures.ts'
import { adminActor, ReasonInput } from './admin-input.ts'

const Id = z.object({ id: PublicId })

/** Customers' messages. The rules are in server/support. */
export const adminSupportRouter = router({
  list: forAdmin
    .input(z.object({ state: z.enum(ticketStates), after: PublicId.nullable() }))
    .query(({ ctx, input }) => ticketQueue(ctx.db, input.state, input.after)),
  read: forAdmin.input(Id).query(({ ctx, input }) => ticketForAdmin(ctx.db, input.id)),
  answer: forAdmin
    .input(Id.extend({ text: z.string().max(50_000) }).extend(ReasonInput.shape))
    .mutation(({ ctx, input }) => answerTicket(ctx.db, adminActor(ctx, input), input.id, input.text)),
  close: forAdmin.input(Id.extend(ReasonInput.shape)).mutation(({ ctx, input }) => closeTicket(ctx.db, adminActor(ctx, input), input.id)),
})
