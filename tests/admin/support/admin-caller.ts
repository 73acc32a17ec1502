import type { AlertDeps } from '#server/alerts/alert-deps.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import type { Database } from '#server/db/prisma.ts'
import { noStatistics } from '#server/market/statistics/statistics.ts'
import { createLog } from '#server/observability/log.ts'
import type { PortalContext } from '#server/trpc/procedures.ts'
import { createAdminCaller } from '#server/trpc/root.ts'
import type { WebhookDeps } from '#server/webhooks/webhook-deps.ts'
import type { TestAccount } from '../../support/accounts.ts'

/** Returns the context of an administrator's request. */
export function testAdminContext(pool: Database, admin: TestAccount): PortalContext {
  const log = createLog('silent')
  const settings = { secret: 'of the tests', publicUrl: 'http://127.0.0.1', providers: { google: null, oidc: null }, showsOutbox: false }
  const viewer = {
    sessionId: 'of the tests',
    sessionVersion: 1,
    isRecent: true,
    hasPresentedFactor: true,
    accountId: admin.id,
    publicId: admin.publicId,
    email: admin.email,
    name: '',
    purpose: '',
    timeZone: 'UTC',
    isAdmin: true,
    plan: 'hobby' as const,
    state: 'open' as const,
    blockReason: null,
    declineReason: null,
    isConfirmed: true,
    confirmedAt: new Date(0),
    createdAt: new Date(),
    hasPassword: true,
    hasSecondFactor: true,
    licenceDue: null,
    viewing: null,
    member: { accountId: admin.id, publicId: admin.publicId, email: admin.email, name: '', role: 'owner' as const },
    ownerEmail: admin.email,
    actingFor: null,
    limitedTo: null,
    lost: null,
  }
  return {
    deps: { pool, log, ...settings },
    billing: { pool } as BillingDeps,
    webhooks: { pool } as WebhookDeps,
    alerts: { pool } as AlertDeps,
    market: { pool, sources: [], now: Date.now, statistics: () => noStatistics },
    asker: { address: null, agent: '' },
    viewer,
    shown: viewer,
    page: null,
    viewing: null,
    cookies: { read: async () => null, set: async () => undefined },
  }
}

/** Creates a caller that runs admin procedures in this process. A running service sees their changes only through the database. */
export const createTestAdminCaller = (pool: Database, admin: TestAccount) => createAdminCaller(testAdminContext(pool, admin))
