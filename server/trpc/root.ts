import { createCallerFactory, router } from './procedures.ts'
import { accountRouter } from './routers/account.router.ts'
import { billingRouter } from './routers/billing.router.ts'
import { keysRouter } from './routers/keys.router.ts'
import { licenceRouter } from './routers/licence.router.ts'
import { profileRouter } from './routers/profile.router.ts'
import { requestsRouter } from './routers/requests.router.ts'
import { securityRouter } from './routers/security.router.ts'
import { sessionRouter } from './routers/session.router.ts'
import { usageRouter } from './routers/usage.router.ts'
import { webhooksRouter } from './routers/webhooks.router.ts'

/** The routers of the portal, one a room. */
export const portalRouters = {
  account: accountRouter,
  billing: billingRouter,
  keys: keysRouter,
  licence: licenceRouter,
  profile: profileRouter,
  requests: requestsRouter,
  security: securityRouter,
  session: sessionRouter,
  usage: usageRouter,
  webhooks: webhooksRouter,
} as const

/** Everything that the portal can ask for and do. */
export const portalRouter = router(portalRouters)

export type PortalRouter = typeof portalRouter

/** Calls procedures within the process, by the very same rules: for server components and actions. */
export const createPortalCaller = createCallerFactory(portalRouter)
