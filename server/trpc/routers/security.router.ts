import { z } from 'zod'
import { confirmSetUp } from '../../auth/second-factor.ts'
import {
  beginConnect,
  beginSecondFactor,
  changeEmailOf,
  changePasswordOf,
  closeAccountOf,
  disconnectOf,
  renewCodesOf,
  securityFacts,
  turnOffSecondFactor,
} from '../../auth/security.ts'
import { sendOwnConfirmation } from '../../auth/sign-up.ts'
import { forAccount, forSession, forVerified, router } from '../procedures.ts'

const typed = z.string().max(1_000)
const Proof = z.object({ currentPassword: typed })
const NewPassword = Proof.extend({ password: typed })
const NewEmail = Proof.extend({ email: typed })
const Connected = Proof.extend({ issuer: typed })
const Code = z.object({ code: typed })

/** How an account is signed in to. The rules (password asked again, everybody else signed out) live in server/auth. */
export const securityRouter = router({
  read: forAccount.query(({ ctx }) => securityFacts(ctx.room, ctx.viewer)),
  sendConfirmation: forAccount.mutation(({ ctx }) => sendOwnConfirmation(ctx.room, ctx.viewer)),
  changePassword: forAccount.input(NewPassword).mutation(({ ctx, input }) => changePasswordOf(ctx.room, ctx.asker, ctx.viewer, input)),
  changeEmail: forAccount.input(NewEmail).mutation(({ ctx, input }) => changeEmailOf(ctx.room, ctx.asker, ctx.viewer, input)),
  beginSecondFactor: forVerified.input(Proof).mutation(({ ctx, input }) => beginSecondFactor(ctx.room, ctx.viewer, input)),
  confirmSecondFactor: forVerified.input(Code).mutation(({ ctx, input }) => confirmSetUp(ctx.room, ctx.asker, ctx.viewer, input.code)),
  turnOffSecondFactor: forAccount.input(Proof).mutation(({ ctx, input }) => turnOffSecondFactor(ctx.room, ctx.asker, ctx.viewer, input)),
  renewRecoveryCodes: forVerified.input(Proof).mutation(({ ctx, input }) => renewCodesOf(ctx.room, ctx.asker, ctx.viewer, input)),
  beginConnect: forVerified.input(Proof).mutation(({ ctx, input }) => beginConnect(ctx.room, ctx.viewer, input)),
  disconnect: forAccount.input(Connected).mutation(({ ctx, input }) => disconnectOf(ctx.room, ctx.asker, ctx.viewer, input)),
  closeAccount: forSession.input(NewEmail).mutation(({ ctx, input }) => closeAccountOf(ctx.room, ctx.asker, ctx.viewer, input)),
})
