import { accountByEmail, administratorEmails } from '#server/accounts/accounts.ts'
import { type Actor, writeAudit } from '#server/accounts/audit.ts'
import { AccountError } from '#server/accounts/change-account.ts'
import { isOwnAccount } from '#server/accounts/permissions.ts'
import { dayMs } from '#server/api/contract/dates.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { clock } from '#server/clock.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { AccountOwner } from './endpoints.ts'
import { readUnacknowledged, wakeQueues } from './queue.sql.ts'
import type { WebhookDeps } from './webhook-deps.ts'

/** Returns true if webhooks are enabled for an account. */
export const hasAccess = async (db: Db, accountId: number): Promise<boolean> =>
  (await db.webhookAccount.findFirst({ where: { accountId, isOn: true }, select: { accountId: true } })) !== null

/** Requires webhooks to be enabled for an account. @throws RefusedError webhooks_not_enabled */
export async function demandAccess({ pool }: Pick<WebhookDeps, 'pool'>, accountId: number): Promise<void> {
  if (!(await hasAccess(pool, accountId))) throw new RefusedError(refuse('webhooks_not_enabled'))
}

const maxEndpoints = 1_000

/** Marks the delivery queues of an account's endpoints as due, which also locks the endpoints in id order. */
async function wakeAll(tx: Transaction, accountId: number): Promise<void> {
  const endpoints = await tx.webhookEndpoint.findMany({ where: { accountId, state: { not: 'deleted' } }, take: maxEndpoints, select: { id: true } })
  const ids = endpoints.map(({ id }) => id)
  await wakeQueues(tx, new Date(clock.now()), ids)
}

/**
 * Stores the decision of an administrator or operator. Returns true if anything changed. An account without a row has no access, so disabling needs no new row.
 */
async function writeAccess(tx: Transaction, accountId: number, isOn: boolean): Promise<boolean> {
  const data = { isOn, isBlocked: !isOn, askedAt: null }
  const { count } = await tx.webhookAccount.updateMany({ where: { accountId, isOn: !isOn }, data })
  if (count > 0 || !isOn) return count > 0
  return (await tx.webhookAccount.createMany({ data: [{ accountId, isOn }], skipDuplicates: true })).count > 0
}

/**
 * Enables or disables webhooks for an account, as an administrator or operator. While they are disabled, nothing is sent or queued, endpoints and waiting
 * deliveries are kept, and the account can't enable them itself. Returns false and writes nothing if no change is needed. @throws AccountError if the
 * administrator has access to the account as a customer
 */
export async function setWebhookAccess({ pool }: Pick<WebhookDeps, 'pool'>, by: Actor, accountId: number, isOn: boolean): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    if (by.actor === 'admin' && (await isOwnAccount(tx, by.adminId, accountId)))
      throw new AccountError("You can't change your own account. Ask another administrator.")
    // To avoid deadlocks, endpoints are locked before the account, in the same order as when deliveries are claimed.
    if (isOn) await wakeAll(tx, accountId)
    const isChanged = await writeAccess(tx, accountId, isOn)
    if (isChanged) await writeAudit(tx, { ...by, accountId, action: isOn ? 'webhooks.on' : 'webhooks.off', before: { isOn: !isOn }, after: { isOn } })
    return isChanged
  })
}

/** Enables or disables webhooks from the command line, for the account with this email. @throws AccountError if there is none */
export async function switchWebhooks(deps: Pick<WebhookDeps, 'pool'>, email: string, isOn: boolean): Promise<void> {
  const { id } = await accountByEmail(deps.pool, email)
  await setWebhookAccess(deps, { actor: 'operator' }, id, isOn)
}

const blockedMessage = "We've disabled webhooks for your account. Request them on the Webhooks page."

/**
 * Enables webhooks for an approved account, at its own request. Does nothing if they are enabled. @throws RefusedError account_blocked if the account isn't
 * approved, webhooks_not_enabled if an administrator disabled webhooks
 */
export async function enableOwnWebhooks({ pool }: Pick<WebhookDeps, 'pool'>, { accountId, ...by }: AccountOwner): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const isApproved = (await tx.account.count({ where: { id: accountId, state: 'open', closedAt: null } })) > 0
    if (!isApproved) throw new RefusedError(refuse('account_blocked', { reason: 'review_pending' }, 'You can enable webhooks once your account is approved.'))
    const created = await tx.webhookAccount.createMany({ data: [{ accountId, isOn: true }], skipDuplicates: true })
    const own = { accountId, isOn: false, isBlocked: false }
    const changed = created.count > 0 ? created : await tx.webhookAccount.updateMany({ where: own, data: { isOn: true, askedAt: null } })
    if (changed.count > 0) await writeAudit(tx, { ...by, accountId, action: 'webhooks.on', before: { isOn: false }, after: { isOn: true } })
    else if (!(await hasAccess(tx, accountId))) throw new RefusedError(refuse('webhooks_not_enabled', {}, blockedMessage))
  })
}

const noAccess = { isOn: false, isBlocked: false, askedAt: null } as const

/**
 * Returns the webhook access of an account. If an administrator disabled webhooks, includes the time of the account's last request for them, and whether the
 * account may make another request now (at most one a day). `unacknowledged` is not null while new market events are withheld because too many were not
 * acknowledged.
 */
export async function getAccess({ pool: db }: Pick<WebhookDeps, 'pool'>, accountId: number) {
  const select = { isOn: true, isBlocked: true, askedAt: true } as const
  const { isOn, isBlocked, askedAt } = (await db.webhookAccount.findUnique({ where: { accountId }, select })) ?? noAccess
  const counted = await readUnacknowledged(db, accountId, new Date(clock.now()))
  const unacknowledged = isOn && counted.events >= counted.allowed ? counted : null
  return { isOn, isBlocked, askedAt, canAsk: isBlocked && (askedAt === null || askedAt.getTime() <= clock.now() - dayMs), unacknowledged }
}

/**
 * Records a request for webhooks. Returns false if no administrator disabled them or the account requested them within the last day. Of concurrent requests,
 * only one is recorded.
 */
async function writeRequest(tx: Transaction, accountId: number, askedAt: Date): Promise<boolean> {
  const isDue = [{ askedAt: null }, { askedAt: { lte: new Date(askedAt.getTime() - dayMs) } }]
  return (await tx.webhookAccount.updateMany({ where: { accountId, isBlocked: true, OR: isDue }, data: { askedAt } })).count > 0
}

/** Notifies the administrators, in the transaction that records the request. */
export type TellAdministrators = (tx: Transaction, recipients: readonly string[], at: Date) => Promise<void>

/** Records a request for webhooks that an administrator disabled, and notifies the administrators. At most one request a day is recorded. */
export async function askForWebhooks(deps: WebhookDeps, owner: AccountOwner, tell: TellAdministrators): Promise<void> {
  const { accountId, ...by } = owner
  const now = new Date(clock.now())
  const notified = await inTransaction(deps.pool, async (tx) => {
    if (!(await writeRequest(tx, accountId, now))) return null
    await writeAudit(tx, { ...by, accountId, action: 'webhooks.ask' })
    const recipients = await administratorEmails(tx)
    await tell(tx, recipients, now)
    return recipients.length
  })
  if (notified === 0) deps.log.warn({ account: accountId }, 'An account requested webhooks, but there is no administrator to notify.')
}
