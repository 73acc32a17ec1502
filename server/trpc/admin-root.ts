import { createCallerFactory, router } from './procedures.ts'
import { portalRouters } from './root.ts'
import { deskAccountsRouter } from './routers/desk/accounts.router.ts'
import { deskAuditRouter } from './routers/desk/audit.router.ts'
import { deskBoardsRouter } from './routers/desk/boards.router.ts'
import { deskChangelogRouter } from './routers/desk/changelog.router.ts'
import { deskCreditsRouter } from './routers/desk/credits.router.ts'
import { deskDeliveriesRouter } from './routers/desk/deliveries.router.ts'
import { deskEndpointsRouter } from './routers/desk/endpoints.router.ts'
import { deskImportsRouter } from './routers/desk/imports.router.ts'
import { deskLicencesRouter } from './routers/desk/licences.router.ts'
import { deskNowRouter } from './routers/desk/now.router.ts'
import { deskProductsRouter } from './routers/desk/products.router.ts'
import { deskReviewRouter } from './routers/desk/review.router.ts'
import { deskViewingRouter } from './routers/desk/viewing.router.ts'

/** Everything that administrators can ask for and do: a router a page of the desk. */
const adminRouter = router({
  accounts: deskAccountsRouter,
  audit: deskAuditRouter,
  changelog: deskChangelogRouter,
  endpoints: deskEndpointsRouter,
  licences: deskLicencesRouter,
  now: deskNowRouter,
  review: deskReviewRouter,
  credits: deskCreditsRouter,
  deliveries: deskDeliveriesRouter,
  viewing: deskViewingRouter,
  boards: deskBoardsRouter,
  imports: deskImportsRouter,
  products: deskProductsRouter,
})

/** What administrators are answered by: all of the portal, and the desk. For everybody else there is no desk. */
export const adminAppRouter = router({ ...portalRouters, admin: adminRouter })

/** Calls procedures of the desk within the process, by the very same rules: for server components and actions. */
export const createAdminCaller = createCallerFactory(adminAppRouter)
