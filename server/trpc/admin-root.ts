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
import { adminViewAsRouter } from './routers/admin/view-as.router.ts'

/** Admin procedures, one router per page. */
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
  viewing: adminViewAsRouter,
  boards: adminBoardsRouter,
  imports: adminImportsRouter,
  products: adminProductsRouter,
})

/** Router for administrators: the portal and the admin procedures. Everyone else gets the portal router. */
export const adminAppRouter = router({ ...portalRouters, admin: adminRouter })

/** Creates in-process callers of the admin procedures, for server components and actions. The same rules apply as over HTTP. */
export const createAdminCaller = createCallerFactory(adminAppRouter)
