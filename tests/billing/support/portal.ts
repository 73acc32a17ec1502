import type { AlertDeps } from '#server/alerts/alert-deps.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import { noStatistics } from '#server/market/statistics/statistics.ts'
import { createPortalCaller } from '#server/trpc/root.ts'
import type { TestAccount } from '../../support/accounts.ts'

/** Returns a portal caller signed in as the account. */
export function getPortal(billing: BillingDeps, account: TestAccount, isConfirmed = true) {
  const { pool, log, settings } = billing
  const deps = {
    pool,
    log,
    secret: settings.secret,
    publicUrl: settings.publicUrl,
    providers: { google: null, oidc: null },
    showsOutbox: false,
  }
  const viewer = {
    sessionId: 'of the tests',
    sessionVersion: 1,
    isRecent: true,
    hasPresentedFactor: true,
    accountId: account.id,
    publicId: account.publicId,
    email: account.email,
    name: '',
    purpose: '',
    timeZone: 'UTC',
    isAdmin: false,
    plan: 'enterprise' as const,
    state: 'open' as const,
    blockReason: null,
    declineReason: null,
    isConfirmed,
    confirmedAt: isConfirmed ? new Date() : null,
    createdAt: new Date(),
    hasPassword: true,
    hasSecondFactor: false,
    licenceDue: null,
    viewing: null,
    member: { accountId: account.id, publicId: account.publicId, email: account.email, name: '', role: 'owner' as const },
    owner: account.email,
    ownerEmail: account.email,
    actingFor: null,
    limitedTo: null,
    lost: null,
  }
  const webhooks = {
    pool,
    log,
    settings: { secret: settings.secret, developmentFeatures: settings.developmentFeatures, allowsPrivate: false },
    sample: () => Promise.reject(new Error('These tests have no market.')),
  }
  // Dependencies of the admin pages, which the portal does not use.
  const market = { pool, sources: [], now: Date.now, statistics: () => noStatistics }
  const cookies = { read: async () => null, set: async () => undefined }
  const alerts = { pool } as AlertDeps
  return createPortalCaller({
    deps,
    billing,
    webhooks,
    alerts,
    market,
    asker: { address: null, agent: '' },
    viewer,
    shown: viewer,
    page: null,
    viewing: null,
    cookies,
  })
}
