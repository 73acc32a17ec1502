import { createCallerFactory, router } from './procedures.ts'
import { portalRouters } from './root.ts'
import { adminAccountsRouter } from './routers/admin/accounts.router.ts'
import { adminAuditRouter } from './routers/admin/audit.router.ts'
import { adminBoardsRouter } from './routers/admin/boards.router.ts'
import { adminChangelogRouter } from './routers/admin/changelog.router.ts'
import { adminCreditsRouter } from './routers/admin/credits.router.ts'
import { adminDeliveriesRouter } from './routers/admin/deliveries.router.ts'
import { adminEndpointsRouter } from './routers/admin/endpoints.router.ts'
import { adminImportsRouter } from './routers/admin/imports.router.ts'
import { adminLicencesRouter } from './routers/admin/licences.router.ts'
import { adminNowRouter } from './routers/admin/now.router.ts'
import { adminProductsRouter } from './routers/admin/products.router.ts'
import { adminReviewRouter } from './routers/admin/review.router.ts'
import { adminViewingRouter } from './routers/admin/viewing.router.ts'

/** Everything that administrators can ask for and do: a router a page of the desk. */
const adminRouter = router({
  accounts: adminAccountsRouter,
  audit: adminAuditRouter,
  changelog: adminChangelogRouter,
  endpoints: adminEndpointsRouter,
  licences: adminLicencesRouter,
  now: adminNowRouter,
  review: adminReviewRouter,
  credits: adminCreditsRouter,
  deliveries: adminDeliveriesRouter,
  viewing: adminViewingRouter,
  boards: adminBoardsRouter,
  imports: adminImportsRouter,
  products: adminProductsRouter,
})

/** What administrators are answered by: all of the portal, and the desk. For everybody else there is no desk. */
export const adminAppRouter = router({ ...portalRouters, admin: adminRouter })

/** Calls procedures of the desk within the process, by the very same rules: for server components and actions. */
export const createAdminCaller = createCallerFactory(adminAppRouter)
