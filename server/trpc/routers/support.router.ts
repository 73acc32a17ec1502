import { z } from 'zod'
import { attempt, limits } from '#server/accounts/throttle.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import { addMessage, openTicket, ownTicket, ownTickets } from '#server/support/tickets.ts'
import { forSession, PublicId, router } from '../procedures.ts'

const Id = z.object({ id: PublicId })
const text = z.string().max(50_000)

/** Account of the customer, and the email of the member who writes. */
const owner = ({ accountId, publicId, member, isConfirmed }: Viewer) => ({
  accountId,
  publicId,
  email: member.email,
  isConfirmed,
  memberId: member.accountId === accountId ? null : member.accountId,
})

type Sender = { readonly deps: AuthContext; readonly asker: Asker; readonly viewer: Viewer }

/** Counts a message, because each sends an email to the administrators. @throws ThrottledError */
const countMessage = ({ deps, asker, viewer: { publicId, isConfirmed } }: Sender) =>
  attempt(deps.pool, [limits.networkMessages, getNetwork(asker.address)], [isConfirmed ? limits.supportMessages : limits.unconfirmedMessages, publicId])

/** Messages to support. Blocked accounts can write too. The rules are in server/support. */
export const supportRouter = router({
  list: forSession.query(({ ctx }) => ownTickets(ctx.db, ctx.accountId)),
  read: forSession.input(Id).query(({ ctx, input }) => ownTicket(ctx.db, ctx.accountId, input.id, ctx.viewer.member.accountId)),
  open: forSession.input(z.object({ topic: z.string().max(20).nullable(), text })).mutation(async ({ ctx, input }) => {
    await countMessage(ctx)
    return openTicket(ctx.db, owner(ctx.viewer), input)
  }),
  reply: forSession.input(Id.extend({ text })).mutation(async ({ ctx, input }) => {
    await countMessage(ctx)
    await addMessage(ctx.db, owner(ctx.viewer), input.id, input.text)
  }),
})
