import { z } from 'zod'
import { requireRecent } from '#server/auth/reauthenticate.ts'
import { endOwnSession, readSessionSummary } from '#server/auth/session-summary.ts'
import { getSessions, signOutEverywhere } from '#server/auth/sessions.ts'
import { forSession, publicProcedure, recent, router } from '../procedures.ts'
import { PublicId } from './public-id.ts'

const SessionId = z.object({ id: PublicId })

/** Current session and all sessions of an account. The rules are in server/auth. */
export const sessionRouter = router({
  current: publicProcedure.query(({ ctx }) => readSessionSummary(ctx.viewer)),
  list: forSession.query(({ ctx }) => getSessions(ctx.deps, ctx.viewer.accountId, ctx.viewer.sessionId)),
  end: forSession.input(SessionId).mutation(({ ctx, input }) => {
    // Signing out needs no re-authentication; ending another device's session does.
    if (input.id !== ctx.viewer.sessionId) requireRecent(ctx.viewer)
    return endOwnSession(ctx.deps, ctx.asker, ctx.viewer, input.id)
  }),
  endAll: forSession.use(recent).mutation(({ ctx }) => signOutEverywhere(ctx.deps, ctx.asker, ctx.viewer.accountId)),
})
