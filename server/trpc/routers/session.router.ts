import { z } from 'zod'
import { requireRecent } from '#server/auth/reauthenticate.ts'
import { endSessionOf, sessionFacts } from '#server/auth/session-facts.ts'
import { sessionsOf, signOutEverywhere } from '#server/auth/sessions.ts'
import { forSession, publicProcedure, recent, router } from '../procedures.ts'
import { PublicId } from './public-id.ts'

const SessionId = z.object({ id: PublicId })

/** Current session and all sessions of an account. The rules are in server/auth. */
export const sessionRouter = router({
  current: publicProcedure.query(({ ctx }) => sessionFacts(ctx.viewer)),
  list: forSession.query(({ ctx }) => sessionsOf(ctx.room, ctx.viewer.accountId, ctx.viewer.sessionId)),
  end: forSession.input(SessionId).mutation(({ ctx, input }) => {
    // Signing out needs no re-authentication; ending another device's session does.
    if (input.id !== ctx.viewer.sessionId) requireRecent(ctx.viewer)
    return endSessionOf(ctx.room, ctx.asker, ctx.viewer, input.id)
  }),
  endAll: forSession.use(recent).mutation(({ ctx }) => signOutEverywhere(ctx.room, ctx.asker, ctx.viewer.accountId)),
})
