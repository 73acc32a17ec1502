import { createCallerFactory, router } from './procedures.ts'
import { licenceRouter, profileRouter, securityRouter, sessionRouter } from './routers/account-settings.router.ts'
import { adminAccountsRouter, adminCreditsRouter, adminReviewRouter, adminViewAsRouter } from './routers/admin/accounts.router.ts'
import { adminAuditRouter } from './routers/admin/audit.router.ts'
import { adminBoardsRouter, adminNowRouter } from './routers/admin/boards.router.ts'
import { adminDeliveriesRouter } from './routers/admin/deliveries.router.ts'
import { adminIncidentsRouter } from './routers/admin/incidents.router.ts'
import { adminLicencesRouter } from './routers/admin/licences.router.ts'
import { adminImportsRouter, adminProductsRouter } from './routers/admin/market.router.ts'
import { adminChangelogRouter, adminEndpointsRouter } from './routers/admin/publishing.router.ts'
import { adminSupportRouter } from './routers/admin/support.router.ts'
import { alertsRouter } from './routers/alerts.router.ts'
import { billingRouter } from './routers/billing.router.ts'
import { keysRouter } from './routers/keys.router.ts'
import { oauthRouter } from './routers/oauth.router.ts'
import { passwordResetRouter, signUpRouter } from './routers/sign-up.router.ts'
import { supportRouter } from './routers/support.router.ts'
import { teamRouter } from './routers/team.router.ts'
import { accountRouter, requestsRouter, usageRouter } from './routers/usage.router.ts'
import { webhooksRouter } from './routers/webhooks.router.ts'

/** Portal routers, one per module. */
const portalRouters = {
  account: accountRouter,
  alerts: alertsRouter,
  billing: billingRouter,
  keys: keysRouter,
  licence: licenceRouter,
  oauth: oauthRouter,
  passwordReset: passwordResetRouter,
  profile: profileRouter,
  requests: requestsRouter,
  security: securityRouter,
  session: sessionRouter,
  support: supportRouter,
  signUp: signUpRouter,
  team: teamRouter,
  usage: usageRouter,
  webhooks: webhooksRouter,
} as const

/** Router of all portal procedures. */
export const portalRouter = router(portalRouters)

/** Creates in-process callers, for server components and actions. The same rules apply as over HTTP. */
export const createPortalCaller = createCallerFactory(portalRouter)

/** Admin procedures, one router per page. */
const adminRouter = router({
  accounts: adminAccountsRouter,
  audit: adminAuditRouter,
  changelog: adminChangelogRouter,
  endpoints: adminEndpointsRouter,
  incidents: adminIncidentsRouter,
  licences: adminLicencesRouter,
  now: adminNowRouter,
  review: adminReviewRouter,
  credits: adminCreditsRouter,
  deliveries: adminDeliveriesRouter,
  viewing: adminViewAsRouter,
  boards: adminBoardsRouter,
  imports: adminImportsRouter,
  products: adminProductsRouter,
  support: adminSupportRouter,
})

/** Router for administrators: the portal and the admin procedures. Everyone else gets the portal router. */
export const adminAppRouter = router({ ...portalRouters, admin: adminRouter })

/** All procedures, for the types of browser clients. */
export type AppRouter = typeof adminAppRouter

/** Creates in-process callers of the admin procedures, for server components and actions. The same rules apply as over HTTP. */
export const createAdminCaller = createCallerFactory(adminAppRouter)
