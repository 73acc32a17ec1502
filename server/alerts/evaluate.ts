import { setImmediate as nextTurn } from 'node:timers/promises'
import { readLicenceDeadlines } from '#server/accounts/accounts.ts'
import { type AlertKind, maxListedChanges } from '#server/api/contract/market-alerts.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import type { MarketSnapshot, MarketView } from '#server/market/snapshot.ts'
import { addAlertEvent } from '#server/webhooks/fan-out.ts'
import { type AlertDeps, type AlertFilter, alertColumns } from './alert-deps.ts'
import { type AlertState, type Changes, compareStates, getMarket, readState } from './compare.ts'
import { getEmailDueAt } from './email-times.ts'

/** Number of alerts read at once. Limited, because the state of each has up to `maxWatchedProducts` products. */
const batchSize = 10

const columns = {
  ...alertColumns,
  id: true,
  publicId: true,
  accountId: true,
  mode: true,
  revision: true,
  evaluatedVersion: true,
  state: true,
  account: { select: { state: true, acceptedLicence: true } },
} as const satisfies Prisma.MarketAlertSelect

type StoredAlert = Prisma.MarketAlertGetPayload<{ select: typeof columns }>

/** New state of an alert, and its changes. `isFirst` is true if the alert tracked nothing before, for example because no source had provided the rate. */
type Comparison = { readonly state: AlertState; readonly changes: Changes; readonly isFirst: boolean }

const isEmpty = (state: AlertState): boolean => Object.keys(state).length === 0

/** Compares an alert with the market. */
function compare(alert: StoredAlert, market: MarketView, { filters }: AlertDeps): Comparison {
  const watched = { kind: alert.kind as AlertKind, filter: alert.filter as AlertFilter, providers: alert.providers }
  const [before, state] = [alert.state as unknown as AlertState, readState(watched, market, filters)]
  return { state, changes: compareStates(watched.kind, before, state, market, maxListedChanges), isFirst: isEmpty(before) && !isEmpty(state) }
}

const toColumns = (state: AlertState) => ({ state: state as unknown as Prisma.InputJsonObject })

/** Matches an alert that has not been evaluated or changed since it was read. */
const unchanged = ({ id, revision, evaluatedVersion }: StoredAlert) => ({ id, revision, evaluatedVersion, pausedAt: null })

/**
 * Stores the new state of an alert and the notification of its changes, in one transaction. Does nothing if another process has evaluated the alert or its
 * owner has changed it.
 */
async function report(deps: AlertDeps, alert: StoredAlert, version: number, state: AlertState, { listed, count }: Changes): Promise<void> {
  const at = new Date(clock.now())
  await inTransaction(deps.pool, async (tx) => {
    const data = { ...toColumns(state), evaluatedVersion: version }
    if ((await tx.marketAlert.updateMany({ where: unchanged(alert), data })).count === 0) return
    const notification = {
      publicId: newPublicId('aln'),
      alertId: alert.id,
      marketVersion: version,
      at,
      changes: listed as unknown as Prisma.InputJsonArray,
      changeCount: count,
      emailDueAt: alert.byEmail ? getEmailDueAt(alert.frequency, at) : null,
    }
    await tx.marketAlertNotification.create({ data: notification, select: { id: true } })
    // Account events go to live endpoints only.
    if (!alert.byWebhook || alert.mode === 'test') return
    // Excludes the rates, because reading them is charged.
    const changes = listed.map(({ change, sourceKey }) => ({ change, sourceKey }))
    const { publicId, accountId, name, kind } = alert
    await addAlertEvent(tx, accountId, { alert: publicId, name, kind: kind as AlertKind, notification: notification.publicId, changeCount: count, changes })
  })
}

/** Returns true if changes may be reported to an account. Blocked accounts get none. Live market reports are subject to the same conditions as live keys. */
const mayReport = ({ mode, account }: StoredAlert, isOverdue: (accepted: string | null) => boolean): boolean =>
  account.state !== 'blocked' && (mode === 'test' || (account.state === 'open' && !isOverdue(account.acceptedLicence)))

/** Evaluates a batch of alerts. An alert that fails is logged, keeps its state, and is evaluated again in the next run. Returns the number of failures. */
async function evaluateBatch(deps: AlertDeps, alerts: readonly StoredAlert[], snapshot: MarketSnapshot): Promise<number> {
  const { version } = snapshot
  const quiet: StoredAlert[] = []
  const isOverdue = await readLicenceDeadlines(deps.pool)
  let failures = 0
  for (const alert of alerts) {
    try {
      const { state, changes, isFirst } = compare(alert, getMarket(snapshot, alert.mode), deps)
      if (changes.count > 0 && mayReport(alert, isOverdue)) await report(deps, alert, version, state, changes)
      else if (changes.count > 0 || isFirst)
        await deps.pool.marketAlert.updateMany({ where: unchanged(alert), data: { ...toColumns(state), evaluatedVersion: version } })
      else quiet.push(alert)
    } catch (error) {
      failures++
      deps.log.error({ err: error, alert: alert.publicId }, 'Failed to evaluate a market alert.')
    }
    await nextTurn()
  }
  if (quiet.length > 0) await deps.pool.marketAlert.updateMany({ where: { OR: quiet.map(unchanged) }, data: { evaluatedVersion: version } })
  return failures
}

/**
 * Evaluates all alerts that were last evaluated with an older market, and stores a notification for each alert with changes. If an account can't get reports at
 * present, only the state of its alerts is updated, so that they report later changes once it can. Several processes can run it concurrently, and it can be
 * interrupted at any point: an alert's state and its notification are stored together.
 * @throws if an alert failed, after all others were evaluated
 */
export async function evaluateAlerts(deps: AlertDeps, signal?: AbortSignal): Promise<void> {
  const snapshot = await deps.latest()
  let [after, failures] = [0, 0]
  for (let taken = batchSize; taken === batchSize && !signal?.aborted; ) {
    const alerts = await deps.pool.marketAlert.findMany({
      where: { id: { gt: after }, evaluatedVersion: { lt: snapshot.version }, pausedAt: null, account: { closedAt: null } },
      orderBy: { id: 'asc' },
      take: batchSize,
      select: columns,
    })
    failures += await evaluateBatch(deps, alerts, snapshot)
    taken = alerts.length
    after = alerts.at(-1)?.id ?? after
  }
  if (failures > 0) throw new Error(`Market alerts that could not be evaluated: ${failures}.`)
}
