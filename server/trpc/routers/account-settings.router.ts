import { z } from 'zod'
import { currentLicence } from '#server/accounts/accounts.ts'
import { getAudit } from '#server/accounts/audit.ts'
import { dropCookie, makeCookie } from '#server/auth/cookies.ts'
import { reauthenticate, requireRecent } from '#server/auth/reauthentication.ts'
import { sitePath } from '#server/auth/same-origin.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { getUsableAccounts, switchAccount } from '#server/self-service/account-switch.ts'
import { endOwnSession, getSessions, signOutEverywhere, signOutOthers } from '#server/self-service/devices.ts'
import { changeAccountEmail } from '#server/self-service/email-confirmation.ts'
import { changeAccountPassword } from '#server/self-service/passwords.ts'
import { confirmSetUp, renewRecoveryCodes, setUp } from '#server/self-service/second-factor-setup.ts'
import {
  changeName,
  changePurpose,
  changeTimeZone,
  closeOwnAccount,
  disconnectProvider,
  readSecuritySummary,
  turnOffSecondFactor,
} from '#server/self-service/settings.ts'
import { acceptLicence, sendConfirmationAgain } from '#server/self-service/sign-up.ts'
import { providerIdForm } from '#server/self-service/single-sign-on/organisations.ts'
import {
  BigintCursor,
  forAccount,
  forActivePerson,
  forAnyPerson,
  forOwnSession,
  forPerson,
  forSession,
  forVerifiedPerson,
  ownSignIn,
  PublicId,
  publicProcedure,
  recent,
  router,
} from '../procedures.ts'

const Name = z.object({ name: z.string().max(1_000) })
const Purpose = z.object({ purpose: z.string().max(5_000) })
const TimeZone = z.object({ timeZone: z.string().max(64) })
const Page = z.object({ before: BigintCursor })

/** Details of the signed-in user that pages can show. */
type SessionSummary = Pick<Viewer, 'email' | 'name' | 'plan' | 'state' | 'isAdmin' | 'isConfirmed'> & {
  /** True while an administrator views the site as this customer. */
  readonly isViewing: boolean
}

function readSessionSummary(viewer: Viewer | null): SessionSummary | null {
  if (viewer === null) return null
  const { email, name, plan, state, isAdmin, isConfirmed } = viewer
  return { email, name, plan, state, isAdmin, isConfirmed, isViewing: viewer.viewing !== null }
}

/** Profile of the user, and purpose and history of the account. The rules are in server/self-service. */
export const profileRouter = router({
  read: forAccount.query(({ ctx }) => readSessionSummary(ctx.viewer)),
  rename: forActivePerson.input(Name).mutation(({ ctx, input }) => changeName(ctx.deps, ctx.asker, ctx.viewer, input.name)),
  setPurpose: forAccount.input(Purpose).mutation(({ ctx, input }) => changePurpose(ctx.deps, ctx.asker, ctx.viewer, input.purpose)),
  setTimeZone: forActivePerson.input(TimeZone).mutation(({ ctx, input }) => changeTimeZone(ctx.deps, ctx.asker, ctx.viewer, input.timeZone)),
  /** Sessions of the account's own login also see how that login was used. */
  history: forAccount.input(Page).query(({ ctx: { db, viewer, accountId }, input }) => {
    const isOwn = viewer.member.accountId === accountId
    return getAudit(db, accountId, isOwn && viewer.limitedTo === null, input.before)
  }),
})

const Account = z.object({ account: PublicId })
const SessionId = z.object({ id: PublicId })
const SessionsToEnd = z.object({ others: z.literal('yes').optional() }).optional()

/** Current session and all sessions of an account. The rules are in server/self-service. */
export const sessionRouter = router({
  current: publicProcedure.query(({ ctx }) => readSessionSummary(ctx.viewer)),
  /** Accounts that the user can switch to. */
  accounts: forAnyPerson.query(({ ctx }) => getUsableAccounts(ctx.deps, ctx.viewer)),
  switchAccount: forOwnSession.input(Account).mutation(({ ctx, input }) => switchAccount(ctx.deps, ctx.viewer, input.account)),
  list: forPerson.query(({ ctx }) => getSessions(ctx.deps, ctx.accountId, ctx.viewer.sessionId)),
  end: forPerson.input(SessionId).mutation(({ ctx, input }) => {
    // Signing out needs no re-authentication; ending another device's session does.
    if (input.id !== ctx.viewer.sessionId) requireRecent(ctx.viewer)
    return endOwnSession(ctx.deps, ctx.asker, ctx.viewer, input.id)
  }),
  /** Signs out all devices; with `others`, all but this one. */
  endAll: forPerson
    .use(recent)
    .input(SessionsToEnd)
    .mutation(async ({ ctx: { deps, asker, accountId, viewer, cookies }, input }) => {
      if (input?.others === 'yes') {
        await signOutOthers(deps, asker, { accountId, sessionId: viewer.sessionId })
        return { next: null }
      }
      await signOutEverywhere(deps, asker, accountId)
      await cookies.set(dropCookie(deps, 'session'))
      return { next: '/sign-in?done=everywhere' }
    }),
})

const typed = z.string().max(1_000)
const Entered = z.object({ password: typed, code: typed })
/** `currentPassword` is empty for accounts without a password. */
const NewPassword = z.object({ currentPassword: typed.default(''), password: typed })
const Code = z.object({ code: typed })
/** Code from the authenticator app, required only for accounts with two-factor sign-in. */
const Proof = z.object({ code: typed.default('') })
const NewEmail = Proof.extend({ email: typed })
const Next = z.object({ next: typed })
const Provider = z.object({ provider: z.union([z.enum(['google', 'oidc']), z.string().regex(providerIdForm)]) })
const Closing = z.object({ email: typed })
const Connected = z.object({ issuer: typed })

const recentPerson = forActivePerson.use(recent)
const recentVerified = forVerifiedPerson.use(recent)

/** Sign-in settings. The rules (re-authentication, ending other sessions) are in server/self-service. */
export const securityRouter = router({
  read: forActivePerson.query(({ ctx }) => readSecuritySummary(ctx.deps, ctx.viewer)),
  /** `isSent` is false if the email is already confirmed. */
  sendConfirmation: forActivePerson.mutation(async ({ ctx: { deps, viewer } }) => {
    if (!viewer.isConfirmed) await sendConfirmationAgain(deps, viewer.publicId)
    return { isSent: !viewer.isConfirmed }
  }),
  changePassword: forActivePerson.input(NewPassword).mutation(({ ctx, input }) => changeAccountPassword(ctx.deps, ctx.asker, ctx.viewer, input)),
  changeEmail: forActivePerson.input(NewEmail).mutation(({ ctx, input }) => changeAccountEmail(ctx.deps, ctx.asker, ctx.viewer, input)),
  /** Administrators can do this while they view the portal as a customer. */
  reauthenticate: forOwnSession.input(Entered).mutation(({ ctx, input }) => reauthenticate(ctx.deps, ctx.asker, ctx.viewer, input.password, input.code)),
  /** Last step of the re-authentication page. Returns the page to open next. */
  requireRecent: forOwnSession
    .use(recent)
    .input(Next)
    .mutation(({ input }) => ({ next: sitePath(input.next) })),
  beginSecondFactor: recentVerified.mutation(({ ctx }) => setUp(ctx.deps, ctx.viewer)),
  /** Also requires a recent sign-in: the owner may have started the set-up before the session was stolen. */
  confirmSecondFactor: recentVerified.input(Code).mutation(({ ctx, input }) => confirmSetUp(ctx.deps, ctx.asker, ctx.viewer, input.code)),
  turnOffSecondFactor: forActivePerson.input(Proof).mutation(({ ctx, input }) => turnOffSecondFactor(ctx.deps, ctx.asker, ctx.viewer, input)),
  renewRecoveryCodes: forVerifiedPerson.input(Proof).mutation(({ ctx, input }) => renewRecoveryCodes(ctx.deps, ctx.asker, ctx.viewer, input)),
  /** Checks re-authentication before a provider is connected, because the provider's callback can't check it. Returns the page to open next. */
  beginConnect: recentVerified.input(Provider).mutation(async ({ ctx: { deps, viewer, cookies }, input }) => {
    await cookies.set(await makeCookie(deps, 'connect', { session: viewer.sessionId, provider: input.provider }))
    return { next: `/sign-in/connect?provider=${input.provider}` }
  }),
  disconnect: recentPerson.input(Connected).mutation(({ ctx, input }) => disconnectProvider(ctx.deps, ctx.asker, ctx.viewer, input.issuer)),
  closeAccount: forSession
    .use(ownSignIn)
    .input(Closing)
    .mutation(async ({ ctx: { deps, asker, viewer, cookies }, input }) => {
      await closeOwnAccount(deps, asker, viewer, input)
      // A new owner who closes an account that was transferred to them stays signed in.
      if (viewer.member.accountId !== viewer.accountId) return { next: '/portal' }
      await cookies.set(dropCookie(deps, 'session'))
      return { next: '/sign-in?done=closed' }
    }),
})

/** Licence version that the user was shown. */
const Version = z.object({ label: z.string().max(100) })

/** Reads and accepts the Data Licence. The logic is in server/self-service. */
export const licenceRouter = router({
  current: forAccount.query(({ ctx }) => currentLicence(ctx.db)),
  accept: forAccount.input(Version).mutation(({ ctx, input }) => acceptLicence(ctx.deps, ctx.asker, ctx.viewer, input.label)),
})
