import { readMemberLabels } from '#server/accounts/member-labels.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { type AlertChange, type AlertFrequency, type AlertKind, maxAlerts } from '#server/api/contract/market-alerts.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { type AlertFilter, alertColumns } from './alert-deps.ts'
import { unknownAlert } from './manage-alerts.ts'

const columns = {
  ...alertColumns,
  id: true,
  publicId: true,
  memberId: true,
  pausedAt: true,
  createdAt: true,
} as const satisfies Prisma.MarketAlertSelect

type Row = Prisma.MarketAlertGetPayload<{ select: typeof columns }>

const toAlert = ({ id: _id, publicId, memberId: _, kind, filter, frequency, pausedAt, ...row }: Row, lastNotifiedAt: Date | null) => ({
  ...row,
  id: publicId,
  kind: kind as AlertKind,
  filter: filter as AlertFilter,
  frequency: frequency as AlertFrequency,
  isPaused: pausedAt !== null,
  lastNotifiedAt,
})

const maxListed = Math.max(...Object.values(maxAlerts))

export type ShownAlert = ReturnType<typeof toAlert>

/** Returns an account's alerts in one mode, oldest first. `owner` is the member who gets the emails. */
export async function getAlerts(db: Database, accountId: number, mode: Mode) {
  const rows = await db.marketAlert.findMany({ where: { accountId, mode }, orderBy: { id: 'asc' }, take: maxListed, select: columns })
  const toOwner = await readMemberLabels(
    db,
    accountId,
    rows.map(({ memberId }) => memberId),
  )
  const newest = await db.marketAlertNotification.groupBy({ by: ['alertId'], where: { alertId: { in: rows.map(({ id }) => id) } }, _max: { at: true } })
  const lastAt = new Map(newest.map(({ alertId, _max }) => [alertId, _max.at]))
  return rows.map((row) => ({ ...toAlert(row, lastAt.get(row.id) ?? null), owner: toOwner(row.memberId) }))
}

const maxRecent = 10

/** Returns the newest 10 notifications of an account's alerts in one mode. */
export async function getRecentNotifications(db: Database, accountId: number, mode: Mode) {
  const rows = await db.marketAlertNotification.findMany({
    where: { alert: { accountId, mode } },
    orderBy: { id: 'desc' },
    take: maxRecent,
    select: { publicId: true, at: true, changes: true, changeCount: true, alert: { select: { publicId: true, name: true } } },
  })
  return rows.map(({ publicId, at, changes, changeCount, alert }) => ({
    id: publicId,
    at,
    alert: { id: alert.publicId, name: alert.name },
    /** First change, as an example. */
    change: (changes as unknown as readonly AlertChange[])[0] ?? null,
    changeCount,
  }))
}

const maxNotifications = 20

/** Returns an alert with its newest 20 notifications. @throws RefusedError not_found */
export async function getAlert(db: Database, accountId: number, mode: Mode, id: string) {
  const select = {
    ...columns,
    notifications: {
      orderBy: { id: 'desc' },
      take: maxNotifications,
      select: { publicId: true, at: true, changes: true, changeCount: true, emailDueAt: true, email: { select: { at: true } } },
    },
  } as const satisfies Prisma.MarketAlertSelect
  const row = await db.marketAlert.findUnique({ where: { publicId: id, accountId, mode }, select })
  if (!row) throw unknownAlert()
  const toOwner = await readMemberLabels(db, accountId, [row.memberId])
  const notifications = row.notifications.map(({ publicId, at, changes, changeCount, emailDueAt, email }) => ({
    id: publicId,
    at,
    changes: changes as unknown as readonly AlertChange[],
    changeCount,
    emailDueAt: email === null ? emailDueAt : null,
    emailedAt: email?.at ?? null,
  }))
  const { notifications: _notifications, ...alert } = row
  return { ...toAlert(alert, notifications[0]?.at ?? null), owner: toOwner(row.memberId), notifications }
}
