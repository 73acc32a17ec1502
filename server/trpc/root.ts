import { createCallerFactory, router } from './procedures.ts'
import { licenceRouter, profileRouter, securityRouter, sessionRouter } from './routers/account-settings.router.ts'
import { billingRouter } from './routers/billing.router.ts'
import { keysRouter } from './routers/keys.router.ts'
import { accountRouter, requestsRouter, usageRouter } from './routers/usage.router.ts'
import { webhooksRouter } from './routers/webhooks.router.ts'

/** Portal routers, one per module. */
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

/** Router of all portal procedures. */
export const portalRouter = router(portalRouters)

export type PortalRouter = typeof portalRouter

/** Creates in-process callers, for server components and actions. The same rules apply as over HTTP. */
export const createPortalCaller = createCallerFactory(portalRouter)
