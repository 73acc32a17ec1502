import { z } from 'zod'
import { accountById } from '#server/accounts/accounts.ts'
import { loadAdminAccount } from '#server/admin/review/account-list.ts'
import { ticketStates } from '#server/api/contract/support.ts'
import { getAccountPayments } from '#server/billing/account-payments.ts'
import { answerTicket, closeTicket, ticketForAdmin, ticketQueue, writeToCustomer } from '#server/support/ticket-queue.ts'
import { forAdmin, PublicId, router } from '../../procedures.ts'
import { adminActor, ReasonInput } from './admin-input.ts'

const Id = z.object({ id: PublicId })

/** Customers' messages. The rules are in server/support. */
export const adminSupportRouter = router({
  list: forAdmin
    .input(z.object({ state: z.enum(ticketStates), after: PublicId.nullable() }))
    .query(({ ctx, input }) => ticketQueue(ctx.db, input.state, input.after)),
  /** Returns a ticket with what support needs to know about its customer: balance, plan and last payments. */
  read: forAdmin.input(Id).query(async ({ ctx, input }) => {
    const ticket = await ticketForAdmin(ctx.db, input.id)
    const accountId = await accountById(ctx.db, ticket.account.publicId)
    const [{ plan, balanceCredits, standing }, payments] = await Promise.all([loadAdminAccount(ctx.db, accountId), getAccountPayments(ctx.db, accountId, 3)])
    return { ...ticket, customer: { plan, balanceCredits, standing, payments } }
  }),
  /** Starts a ticket with a message to a customer. */
  write: forAdmin
    .input(z.object({ account: PublicId, topic: z.string().nullable().default(null), text: z.string().max(50_000) }).extend(ReasonInput.shape))
    .mutation(async ({ ctx, input }) => writeToCustomer(ctx.db, adminActor(ctx, input), await accountById(ctx.db, input.account), input)),
  answer: forAdmin
    .input(Id.extend({ text: z.string().max(50_000) }).extend(ReasonInput.shape))
    .mutation(({ ctx, input }) => answerTicket(ctx.db, adminActor(ctx, input), input.id, input.text)),
  close: forAdmin.input(Id.extend(ReasonInput.shape)).mutation(({ ctx, input }) => closeTicket(ctx.db, adminActor(ctx, input), input.id)),
})
