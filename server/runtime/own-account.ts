import { attempt, type Limit, limits, ThrottledError } from '#server/accounts/throttle.ts'
import type { AlertDeps } from '#server/alerts/alert-deps.ts'
import { findKeyOwner } from '#server/alerts/manage-alerts.ts'
import { ownAlerts } from '#server/alerts/own-alerts.ts'
import { manageScope } from '#server/api/contract/access.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import type { OwnAccount } from '#server/api/contract/own-account.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { actionCommitMs, type RunOnce } from '#server/api/pipeline/actions.ts'
import type { Database } from '#server/db/prisma.ts'
import { withDeadline } from '#server/db/transaction.ts'
import type { KeyRecord } from '#server/keys/key-record.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import { ActionReplays } from '#server/metering/action-replays.ts'
import { listUsageRows } from '#server/metering/usage-rows.ts'
import { ownWebhooks } from '#server/webhooks/own-webhooks.ts'
import type { WebhookDeps } from '#server/webhooks/webhook-deps.ts'

/** Data that actions read from the market. */
type MarketReads = Pick<WebhookDeps, 'sample'> & Pick<AlertDeps, 'latest'>

type Needs = {
  readonly pool: Database
  readonly secret: string
  readonly webhooks: WebhookDeps
  readonly alerts: AlertDeps
  /** Returns sample events from a market. */
  readonly samplesOf: (market: MarketSnapshot) => WebhookDeps['sample']
}

/**
 * Counts a change towards an hourly limit. The portal and live keys share one limit; test keys have a separate one, so that they can't exhaust it.
 * @throws RefusedError rate_limited
 */
async function count(db: Database, limit: Limit, { accountId, mode }: Pick<KeyRecord, 'accountId' | 'mode'>): Promise<void> {
  try {
    await attempt(db, [limit, mode === 'test' ? `test ${accountId}` : String(accountId)])
  } catch (error) {
    throw error instanceof ThrottledError ? new RefusedError(refuse('rate_limited', { retryAfter: error.waitSeconds }, error.message)) : error
  }
}

/** Returns the functions that read and change the account of a key. Changes are audited with the public id of the key. */
export function openOwnAccount({ pool, secret, webhooks, alerts, samplesOf }: Needs) {
  const ownIn = (
    db: Database,
    { accountId, keyId, publicId, scopes, mode }: KeyRecord,
    address: string | null,
    { sample, latest }: MarketReads,
  ): OwnAccount => ({
    usage: (filter, page) => listUsageRows(db, { accountId, keyId, keyPublicId: publicId, seesAllKeys: scopes.has(manageScope) }, filter, page, operations),
    webhooks: ownWebhooks({ ...webhooks, sample, pool: db }, { accountId, actor: publicId as `key_${string}`, address }, mode, () =>
      count(db, limits.webhooksCreated, { accountId, mode }),
    ),
    alerts: ownAlerts(
      { ...alerts, latest, pool: db },
      {
        accountId,
        mode,
        findOwner: async () => {
          await count(db, limits.alertChanges, { accountId, mode })
          return { accountId, mode, signInId: await findKeyOwner(db, accountId, keyId), by: { actor: publicId as `key_${string}`, address } }
        },
      },
    ),
  })
  const runOnce: RunOnce = async (keyRecord, address, { key, request }, work) => {
    const inTime = withDeadline(pool, actionCommitMs)
    // Read before the transaction: reading the market needs another connection, and actions that hold one and wait for another could block each other.
    const market = await alerts.latest()
    const reads = { sample: samplesOf(market), latest: async () => market }
    // Test and live endpoints are separate, so a test key must not get the result of a live key. No Idempotency-Key that a live key sends has a line break.
    const action = { accountId: keyRecord.accountId, key: keyRecord.mode === 'test' ? `test\n${key}` : key, request }
    return new ActionReplays(inTime, secret).run(action, (db) => work(ownIn(db, keyRecord, address, reads)))
  }
  return {
    own: (keyRecord: KeyRecord, address: string | null) =>
      ownIn(withDeadline(pool, actionCommitMs), keyRecord, address, { sample: webhooks.sample, latest: alerts.latest }),
    runOnce,
  }
}
