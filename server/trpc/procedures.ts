import { initTRPC, TRPCError } from '@trpc/server'
import { z } from 'zod'
import { AccessError, requireAccess, requireSameAccount } from '#server/accounts/permissions.ts'
import { askedAs, type ViewAsSession } from '#server/admin/view-as/view-as.ts'
import type { AlertDeps } from '#server/alerts/alert-deps.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { limitedFault, ownSignInFault } from '#server/api/contract/teams.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import type { CookieJar } from '#server/auth/cookies.ts'
import { requireRecent } from '#server/auth/reauthentication.ts'
import { logRefusedAdmin } from '#server/auth/security-history.ts'
import { SignedOutError } from '#server/auth/sessions.ts'
import { mayAdminister, type Viewer } from '#server/auth/viewer.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import type { ServedMarketDeps } from '#server/market/admin/market-deps.ts'
import { newReference, withReference } from '#server/observability/log-reference.ts'
import { demandAccess } from '#server/webhooks/access.ts'
import type { WebhookDeps } from '#server/webhooks/webhook-deps.ts'
import { hasNul } from './bounded-input.ts'
import { FailureError, getCause, getCode, getShownMessage, portalFault } from './portal-fault.ts'
import { transformer } from './transformer.ts'

/** Context of every procedure. */
export type PortalContext = {
  readonly deps: AuthContext
  readonly billing: BillingDeps
  readonly webhooks: WebhookDeps
  readonly alerts: AlertDeps
  readonly market: ServedMarketDeps
  readonly asker: Asker
  /** Signed-in user; null if there is no session. */
  readonly viewer: Viewer | null
  /** The same user and the account that is shown, which can be one that they are a member of. */
  readonly shown: Viewer | null
  /** Public id of the account that the calling page shows; null if unknown. */
  readonly page: string | null
  /** View-as session of the administrator; null if the user's own portal is shown. */
  readonly viewing: ViewAsSession | null
  readonly cookies: CookieJar
}

/**
 * `isPublic` marks procedures without authentication. Bodies of unauthenticated requests are read only for these. `isPersonal` marks procedures that act on the
 * user's own login and need no role.
 */
export type Meta = { readonly isPublic?: boolean; readonly isPersonal?: boolean }

const t = initTRPC
  .context<PortalContext>()
  .meta<Meta>()
  .create({
    transformer,
    isServer: true,
    // Never expose stack traces; internal errors are only logged.
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      message: error.code === 'INTERNAL_SERVER_ERROR' ? 'There is a problem with the service. Nothing was charged.' : getShownMessage(error),
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path: shape.data.path, ...portalFault(error) },
    }),
  })

export const { router, createCallerFactory } = t

/** Error codes that are logged as refused access. A missing session is not logged, because open pages keep polling after their session has ended. */
const refusedAccess: ReadonlySet<string> = new Set(['FORBIDDEN', 'NOT_FOUND'])

function logRefusedAccess({ deps, asker, viewer }: PortalContext, procedure: string, code: string): void {
  if (!refusedAccess.has(code)) return
  const account = viewer?.publicId ?? null
  deps.log.info({ event: 'portal.refuse', account, network: getNetwork(asker.address), procedure, code }, 'Refused a portal call.')
}

/** Converts expected errors to tRPC errors with a code. Anything else is logged here, once, and returned as an internal error without details. */
const reportErrors = t.middleware(async ({ ctx, path, next }) => {
  const result = await next()
  if (result.ok) return result
  const cause = getCause(result.error)
  const code = getCode(cause)
  logRefusedAccess(ctx, path, code ?? result.error.code)
  if (code !== null) throw new TRPCError({ code, message: cause.message, cause })
  if (result.error.code !== 'INTERNAL_SERVER_ERROR') return result
  const failure = new FailureError(newReference(), cause)
  ctx.deps.log.error({ err: cause, procedure: path, reference: failure.reference }, 'A portal procedure failed.')
  throw withReference(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: failure.message, cause: failure }), failure.reference)
})

/** Rejects NUL characters, which PostgreSQL can't store and no one types. */
const rejectNul = t.middleware(async ({ getRawInput, next }) => {
  if (hasNul(await getRawInput())) throw new FieldsError({ form: "Text can't contain NUL characters." })
  return next()
})

/** Base of all procedures. Adds the database to the context as `db`. */
const reported = t.procedure.use(reportErrors).use(({ ctx, next }) => next({ ctx: { ...ctx, db: ctx.deps.pool } }))

/** Procedure without authentication. */
export const publicProcedure = reported.meta({ isPublic: true }).use(rejectNul)

/** Procedure that requires a session. The session is checked before the input is parsed. */
const authenticated = reported
  .use(({ ctx, next }) => {
    if (ctx.viewer === null || ctx.shown === null) throw new SignedOutError()
    return next({ ctx: { ...ctx, viewer: ctx.viewer, shown: ctx.shown } })
  })
  .use(rejectNul)

function refuseUnconfirmed({ isConfirmed }: Viewer): void {
  if (!isConfirmed) throw new RefusedError(refuse('email_not_verified'))
}

function refuseBlocked({ state, blockReason }: Viewer): void {
  if (state !== 'blocked') return
  throw new RefusedError(refuse('account_blocked', { reason: blockReason }, 'This account is blocked. Contact support.'))
}

/**
 * Procedure for any session that may access the account that is shown. Blocked accounts are included, so that they can see the reason and close their account.
 * Base of all procedures about the account. The role of the user decides which mutations they can run (server/accounts/permissions.ts). While an administrator views
 * the portal as a customer, queries run as that account and mutations are rejected. Adds the account's id to the context as `accountId`.
 */
export const forSession = authenticated.use(({ ctx, path, type, next }) => {
  const isQuery = type === 'query'
  const viewer = ctx.viewing === null ? ctx.shown : askedAs(ctx.viewing, isQuery)
  requireSameAccount(viewer, ctx.page)
  requireAccess(viewer, path, isQuery)
  return next({ ctx: { ...ctx, viewer, accountId: viewer.accountId } })
})

/** Procedure that acts on the user's own session, even while they view the portal as a customer. */
export const forOwnSession = authenticated.meta({ isPersonal: true })

/** Procedure about the user's own login that works in every session. Rejected while viewing as a customer. */
export const forAnyPerson = authenticated.meta({ isPersonal: true }).use(({ ctx, type, next }) => {
  const viewer = ctx.viewing === null ? ctx.viewer : askedAs(ctx.viewing, type === 'query')
  return next({ ctx: { ...ctx, viewer, accountId: viewer.accountId } })
})

/**
 * Procedure that changes the user's own login, such as their password. Rejects single sign-on sessions, because the identity provider's operator could start
 * one and take over the login.
 */
export const forPerson = forAnyPerson.use(({ ctx, next }) => {
  if (ctx.viewer.limitedTo !== null) throw new AccessError(limitedFault)
  return next()
})

/** Personal procedure for logins that are not blocked. */
export const forActivePerson = forPerson.use(({ ctx, next }) => {
  refuseBlocked(ctx.viewer)
  return next()
})

/** Personal procedure that requires a confirmed email. */
export const forVerifiedPerson = forActivePerson.use(({ ctx, next }) => {
  refuseUnconfirmed(ctx.viewer)
  return next()
})

/** Procedure for accounts that are not blocked. */
export const forAccount = forSession.use(({ ctx, next }) => {
  refuseBlocked(ctx.viewer)
  return next()
})

/** Procedure that requires a confirmed email, for example to create live keys or top up. */
export const forVerified = forAccount.use(({ ctx, next }) => {
  refuseUnconfirmed(ctx.viewer)
  return next()
})

/** Middleware that requires a recent sign-in or re-authentication. */
export const recent = t.middleware(({ ctx, next }) => {
  if (ctx.viewer === null) throw new SignedOutError()
  requireRecent(ctx.viewer)
  return next()
})

/** Middleware that rejects sessions that began through an account's provider, whose operator could otherwise close the account or give it away. */
export const ownSignIn = t.middleware(({ ctx, next }) => {
  if (ctx.viewer !== null && ctx.viewer.limitedTo !== null) throw new AccessError(ownSignInFault)
  return next()
})

/** Procedure for accounts with webhooks. */
export const forWebhooks = forAccount.use(async ({ ctx, next }) => {
  await demandAccess(ctx.webhooks, ctx.viewer.accountId)
  return next()
})

/**
 * Procedure for administrators. Over HTTP, others get a router without these procedures (server/trpc/http.ts); this check also covers in-process calls. The
 * session must have presented a second factor. Always runs as the administrator, even while they view the portal as a customer.
 */
export const forAdmin = authenticated.use(({ ctx, path, next }) => {
  if (!mayAdminister(ctx.viewer)) logRefusedAdmin(ctx.deps, ctx.asker.address, ctx.viewer.publicId, path)
  refuseBlocked(ctx.viewer)
  if (!ctx.viewer.isAdmin) throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such procedure.' })
  if (!ctx.viewer.hasSecondFactor) throw new TRPCError({ code: 'FORBIDDEN', message: 'Set up two-factor sign-in first: the admin area requires it.' })
  if (!mayAdminister(ctx.viewer))
    throw new TRPCError({ code: 'FORBIDDEN', message: 'Sign in again with a code from your authenticator app to use the admin area.' })
  return next()
})

/** Public id, such as `key_…`. Any other text, which might contain NUL, never reaches the database. */
export const PublicId = z.string().regex(/^[a-z]{2,8}_[0-9A-Za-z]{1,60}$/, 'The ID has the wrong format. Reload the page.')

/** Cursors of lists sorted by an integer or bigint id. Null returns the first page. */
export const IntCursor = z
  .string()
  .regex(/^\d{1,9}$/)
  .nullable()
export const BigintCursor = z
  .string()
  .regex(/^\d{1,18}$/)
  .nullable()
