import { z } from 'zod'
import { disconnectProvider } from '#server/auth/connected-providers.ts'
import { reauthenticate } from '#server/auth/reauthenticate.ts'
import { confirmSetUp, setUp } from '#server/auth/second-factor.ts'
import { changeAccountEmail, changeAccountPassword, closeOwnAccount, readSecuritySummary, renewCodes, turnOffSecondFactor } from '#server/auth/security.ts'
import { sendOwnConfirmation } from '#server/auth/sign-up.ts'
import { forAccount, forSession, forVerified, recent, router } from '../procedures.ts'

const typed = z.string().max(1_000)
const Entered = z.object({ password: typed, code: typed })
const NewPassword = z.object({ currentPassword: typed, password: typed })
const Code = z.object({ code: typed })
/** Required from accounts with a second factor only. */
const Proof = z.object({ code: typed.default('') })
const NewEmail = Proof.extend({ email: typed })
const Closing = z.object({ email: typed })
const Connected = z.object({ issuer: typed })

/** Sign-in settings. The rules (re-authentication, ending other sessions) are in server/auth. */
export const securityRouter = router({
  read: forAccount.query(({ ctx }) => readSecuritySummary(ctx.deps, ctx.viewer)),
  sendConfirmation: forAccount.mutation(({ ctx }) => sendOwnConfirmation(ctx.deps, ctx.viewer)),
  changePassword: forAccount.input(NewPassword).mutation(({ ctx, input }) => changeAccountPassword(ctx.deps, ctx.asker, ctx.viewer, input)),
  changeEmail: forAccount.input(NewEmail).mutation(({ ctx, input }) => changeAccountEmail(ctx.deps, ctx.asker, ctx.viewer, input)),
  reauthenticate: forSession.input(Entered).mutation(({ ctx, input }) => reauthenticate(ctx.deps, ctx.asker, ctx.viewer, input)),
  requireRecent: forSession.use(recent).query(() => null),
  beginSecondFactor: forVerified.use(recent).mutation(({ ctx }) => setUp(ctx.deps, ctx.viewer)),
  /** Requires a recent sign-in too: the owner may have started the set-up before the session was stolen. */
  confirmSecondFactor: forVerified
    .use(recent)
    .input(Code)
    .mutation(({ ctx, input }) => confirmSetUp(ctx.deps, ctx.asker, ctx.viewer, input.code)),
  turnOffSecondFactor: forAccount.input(Proof).mutation(({ ctx, input }) => turnOffSecondFactor(ctx.deps, ctx.asker, ctx.viewer, input)),
  renewRecoveryCodes: forVerified.input(Proof).mutation(({ ctx, input }) => renewCodes(ctx.deps, ctx.asker, ctx.viewer, input)),
  /** Checks re-authentication before a provider is connected, because the provider's callback can't. */
  beginConnect: forVerified.use(recent).mutation(() => null),
  disconnect: forAccount
    .use(recent)
    .input(Connected)
    .mutation(({ ctx, input }) => disconnectProvider(ctx.deps, ctx.asker, ctx.viewer, input.issuer)),
  closeAccount: forSession.input(Closing).mutation(({ ctx, input }) => closeOwnAccount(ctx.deps, ctx.asker, ctx.viewer, input)),
})
