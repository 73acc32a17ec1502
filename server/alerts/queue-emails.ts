import { readRole } from '#server/accounts/permissions.ts'
import { keptNotificationDays } from '#server/api/contract/market-alerts.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { newPublicId } from '#server/ids.ts'
import type { AlertDeps } from './alert-deps.ts'
import { getSlot } from './email-times.ts'

/** Maximum number of notifications in an email. The rest are sent in the next one. */
const maxCombined = 1_000
/** Maximum number of emails queued in one run. The job runs again for the rest. */
const maxEmails = 10_000
/** Maximum number of failures in one run. After that many, the cause is probably not a single email. */
const maxFailures = 100

/** Alerts whose notifications are sent in the same email. */
type Group = { readonly accountId: number; readonly memberId: number; readonly frequency: string }

/** Returns the address of a member if the alerts of the account may be emailed to them; otherwise null. */
async function findRecipient(tx: Transaction, { accountId, memberId }: Group): Promise<string | null> {
  const isOpen = { closedAt: null } as const
  const account = await tx.account.findFirst({ where: { ...isOpen, id: accountId, state: { not: 'blocked' } }, select: { id: true, ownerId: true } })
  const member = await tx.account.findFirst({ where: { ...isOpen, id: memberId, emailVerifiedAt: { not: null } }, select: { email: true } })
  if (account === null || member === null || (await readRole(tx, account, memberId)) === null) return null
  return member.email
}

/**
 * Queues one email with the due notifications of a group. If the member has already had an email in this slot, the notifications wait for the next one. The
 * slot's unique key prevents several processes from queueing more than one.
 */
async function queueEmail(tx: Transaction, group: Group, now: number): Promise<void> {
  const due: Prisma.MarketAlertNotificationWhereInput = { emailId: null, emailDueAt: { lte: new Date(now) }, alert: group }
  // Notifications of alerts that have been paused or whose emails have been turned off.
  const unwanted = { ...due, alert: { ...group, OR: [{ pausedAt: { not: null } }, { byEmail: false }] } }
  await tx.marketAlertNotification.updateMany({ where: unwanted, data: { emailDueAt: null } })
  const recipient = await findRecipient(tx, group)
  if (recipient === null) {
    await tx.marketAlertNotification.updateMany({ where: due, data: { emailDueAt: null } })
    return
  }
  const notifications = await tx.marketAlertNotification.findMany({ where: due, orderBy: { id: 'asc' }, take: maxCombined, select: { id: true } })
  if (notifications.length === 0) return
  const { name: slot, endsAt } = getSlot(group.frequency, now)
  const publicId = newPublicId('ale')
  const { accountId, memberId } = group
  const { count } = await tx.marketAlertEmail.createMany({ data: [{ publicId, accountId, memberId, slot, at: new Date(now) }], skipDuplicates: true })
  if (count === 0) {
    await tx.marketAlertNotification.updateMany({ where: due, data: { emailDueAt: endsAt } })
    return
  }
  const { id: emailId } = await tx.marketAlertEmail.findUniqueOrThrow({ where: { publicId }, select: { id: true } })
  await tx.marketAlertNotification.updateMany({ where: { id: { in: notifications.map(({ id }) => id) }, emailId: null }, data: { emailId, emailDueAt: null } })
  await enqueueEmail(tx, 'market-alert', recipient, { id: publicId })
}

/**
 * Queues the emails of all due notifications, one per member, account and frequency. Several processes can run it concurrently. An email that fails is logged,
 * and tried again in the next run. @throws if an email failed, after all others were queued
 */
export async function queueAlertEmails({ pool, log }: Pick<AlertDeps, 'pool' | 'log'>, signal?: AbortSignal): Promise<void> {
  const failed: Group[] = []
  for (let queued = 0; queued < maxEmails && failed.length < maxFailures && !signal?.aborted; queued++) {
    const now = clock.now()
    const next = await pool.marketAlertNotification.findFirst({
      where: { emailId: null, emailDueAt: { lte: new Date(now) }, alert: { NOT: failed } },
      orderBy: [{ emailDueAt: 'asc' }, { id: 'asc' }],
      select: { alert: { select: { accountId: true, memberId: true, frequency: true } } },
    })
    if (next === null) break
    try {
      await inTransaction(pool, (tx) => queueEmail(tx, next.alert, now))
    } catch (error) {
      failed.push(next.alert)
      log.error({ err: error, account: next.alert.accountId }, 'Failed to queue a market alert email.')
    }
  }
  if (failed.length > 0) throw new Error(`Market alert emails that could not be queued: ${failed.length}.`)
}

/** Returns the time at which the next email is due; null if no email is due. */
export async function nextAlertEmailAt(pool: Database): Promise<Date | null> {
  const where = { emailId: null, emailDueAt: { not: null } } as const
  const next = await pool.marketAlertNotification.findFirst({ where, orderBy: { emailDueAt: 'asc' }, select: { emailDueAt: true } })
  return next?.emailDueAt ?? null
}

const dayMs = 86_400_000
const maxDeleted = 10_000

/** Deletes old notifications and emails, and the alerts of closed accounts, because alert names are personal data. */
export async function forgetAlerts(pool: Database): Promise<void> {
  const before = { lt: new Date(clock.now() - keptNotificationDays * dayMs) }
  await pool.marketAlertNotification.deleteMany({ where: { at: before }, limit: maxDeleted })
  await pool.marketAlertEmail.deleteMany({ where: { at: before, notifications: { none: {} } }, limit: maxDeleted })
  await pool.marketAlert.deleteMany({ where: { account: { closedAt: { not: null } } }, limit: maxDeleted })
}
