import { initTRPC, TRPCError } from '@trpc/server'
import superjson from 'superjson'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Operations } from '#server/api/contract/operations.ts'
import type { Asker, AuthRoom } from '#server/auth/auth-room.ts'
import { requireRecent } from '#server/auth/reauthenticate.ts'
import { logRefusedAdmin } from '#server/auth/security-history.ts'
import { mayAdminister, type Viewer } from '#server/auth/viewer.ts'
import { askedAs, type Viewing } from '#server/auth/viewing.ts'
import type { BillingRoom } from '#server/billing/billing-room.ts'
import { networkOf } from '#server/keys/address-list.ts'
import type { MarketDeps } from '#server/market/admin/market-deps.ts'
import { newReference, withReference } from '#server/observability/log-reference.ts'
import { demandAccess } from '#server/webhooks/endpoints.ts'
import type { WebhookRoom } from '#server/webhooks/webhook-room.ts'
import { hasNul } from './bounded-input.ts'
import { causeOf, codeOf, FailureError, portalFault, SignedOutError } from './portal-fault.ts'

/** What a procedure may know of its caller. */
export type PortalContext = {
  readonly room: AuthRoom
  readonly billing: BillingRoom
  readonly webhooks: WebhookRoom
  /** The live market, as the desk looks after it. */
  readonly market: MarketDeps
  readonly operations: Operations
  readonly asker: Asker
  /** Null: nobody is signed in. */
  readonly viewer: Viewer | null
  /** The portal of somebody else that the viewer looks at; null: it is the own one. */
  readonly viewing: Viewing | null
}

const t = initTRPC.context<PortalContext>().create({
  transformer: superjson,
  isServer: true,
  // A stack never leaves the house; what a failure was is in the log.
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: error.code === 'INTERNAL_SERVER_ERROR' ? 'There is a problem with the service. Nothing was charged.' : shape.message,
    data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path: shape.data.path, ...portalFault(error) },
  }),
})

export const { router, createCallerFactory } = t

/** Codes of refused access. A missing sign-in is not among them: every page that stays open asks again after its session has ended. */
const refusedAccess: ReadonlySet<string> = new Set(['FORBIDDEN', 'NOT_FOUND'])

function logRefusedAccess({ room, asker, viewer }: PortalContext, procedure: string, code: string): void {
  if (!refusedAccess.has(code)) return
  const account = viewer?.publicId ?? null
  room.log.info({ event: 'portal.refuse', account, network: networkOf(asker.address), procedure, code }, 'Refused a portal call.')
}

/** Turns what the rooms refuse with into an error that says its code. Anything else is a failure: it is logged here, once, and says nothing. */
const told = t.middleware(async ({ ctx, path, next }) => {
  const result = await next()
  if (result.ok) return result
  const cause = causeOf(result.error)
  const code = codeOf(cause)
  logRefusedAccess(ctx, path, code ?? result.error.code)
  if (code !== null) throw new TRPCError({ code, message: cause.message, cause })
  if (result.error.code !== 'INTERNAL_SERVER_ERROR') return result
  const failure = new FailureError(newReference(), cause)
  ctx.room.log.error({ err: cause, procedure: path, reference: failure.reference }, 'A procedure of the portal failed.')
  throw withReference(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: failure.message, cause: failure }), failure.reference)
})

/** PostgreSQL takes no NUL in a text, and nothing that anybody types has one: it is refused before a room could hand it on. */
const readable = t.middleware(async ({ getRawInput, next }) => {
  if (hasNul(await getRawInput())) throw new FieldsError({ form: 'A text holds a character that cannot be kept.' })
  return next()
})

const reported = t.procedure.use(told)

/** For everybody, signed in or not. */
export const publicProcedure = reported.use(readable)

/** Asks for the sign-in first: the input of an unauthenticated request is not even parsed. */
const asOneself = reported
  .use(({ ctx, next }) => {
    if (ctx.viewer === null) throw new SignedOutError()
    return next({ ctx: { ...ctx, viewer: ctx.viewer } })
  })
  .use(readable)

function refuseBlocked({ state, blockReason }: Viewer): void {
  if (state !== 'blocked') return
  throw new RefusedError(refuse('account_blocked', { reason: blockReason }, 'This account is blocked. Contact support.'))
}

/**
 * For whoever is signed in, a blocked account too: it may see why, and leave. All of the portal begins here, and so does what holds while an administrator
 * looks at it as somebody else: questions are answered as that account's, and everything that is no question is refused.
 */
export const forSession = asOneself.use(({ ctx, type, next }) => {
  const viewer = ctx.viewing === null ? ctx.viewer : askedAs(ctx.viewing, type === 'query')
  return next({ ctx: { ...ctx, viewer } })
})

/** For accounts that may use the portal. */
export const forAccount = forSession.use(({ ctx, next }) => {
  refuseBlocked(ctx.viewer)
  return next()
})

/** For accounts whose email is confirmed: live keys and top-ups. */
export const forVerified = forAccount.use(({ ctx, next }) => {
  if (!ctx.viewer.isConfirmed) throw new RefusedError(refuse('email_not_verified'))
  return next()
})

/** Middleware for changes that need a recent sign-in or re-authentication, in place of asking in each form. */
export const recent = t.middleware(({ ctx, next }) => {
  if (ctx.viewer === null) throw new SignedOutError()
  requireRecent(ctx.viewer)
  return next()
})

/** For accounts that have webhooks. */
export const forWebhooks = forAccount.use(async ({ ctx, next }) => {
  await demandAccess(ctx.webhooks, ctx.viewer.accountId)
  return next()
})

/**
 * For administrators, at the desk. Nobody else reaches one: whoever is none is answered by a router that does not have them (server/trpc/http.ts), and this
 * is what holds for calls from within the process. The session itself must have presented a second factor, and an administrator acts as nobody else,
 * whoever's portal they look at.
 */
export const forAdmin = asOneself.use(({ ctx, path, next }) => {
  if (!mayAdminister(ctx.viewer)) logRefusedAdmin(ctx.room, ctx.asker.address, ctx.viewer.publicId, path)
  refuseBlocked(ctx.viewer)
  if (!ctx.viewer.isAdmin) throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such procedure.' })
  if (!ctx.viewer.hasSecondFactor) throw new TRPCError({ code: 'FORBIDDEN', message: 'Set up two-factor sign-in first: the desk needs it.' })
  if (!mayAdminister(ctx.viewer)) throw new TRPCError({ code: 'FORBIDDEN', message: 'Enter a code from your app first: this session has not presented one.' })
  return next()
})
