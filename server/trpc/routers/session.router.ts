import { z } from 'zod'
import { endSessionOf, sessionFacts } from '../../auth/session-facts.ts'
import { sessionsOf, signOutEverywhere } from '../../auth/sessions.ts'
import { forSession, publicProcedure, router } from '../procedures.ts'
import { PublicId } from './public-id.ts'

const SessionId = z.object({ id: PublicId })

/** Who is signed in, and where. The rules live in server/auth. */
export const sessionRouter = router({
  current: publicProcedure.query(({ ctx }) => sessionFacts(ctx.viewer)),
  list: forSession.query(({ ctx }) => sessionsOf(ctx.room, ctx.viewer.accountId, ctx.viewer.sessionId)),
  end: forSession.input(SessionId).mutation(({ ctx, input }) => endSessionOf(ctx.room, ctx.asker, ctx.viewer, input.id)),
  endAll: forSession.mutation(({ ctx }) => signOutEverywhere(ctx.room, ctx.asker, ctx.viewer.accountId)),
})
