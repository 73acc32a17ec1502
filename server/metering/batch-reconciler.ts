import { clock } from '#server/clock.ts'
import type { Log } from '#server/observability/log.ts'
import { admissions } from '#server/observability/telemetry/counters.ts'
import { AdmissionConnection, type ConnectionKind, isMoved, reconcileSql, shardSql } from './admission-connection.sql.ts'
import { decodeNumbers, type Outcome, verdicts } from './batch.ts'
import { answerRequest, type PendingRequest, timeOut } from './pending-request.ts'

const batchSize = 256
const retryAfterMs = 200
const silentAfterMs = 5_000
const rerouteEveryMs = 1_000

/** Called with requests whose shard is on another server, or may be. If they are lost, their outcome is unknown. */
export type OnMoved = (pendingRequests: readonly PendingRequest[], isLost: boolean) => void

/**
 * Rebuilds the outcome of a request from its log row, which is four numbers starting at index `at`. The log doesn't store limits, so they are returned as 0.
 * Returns null if the request failed or its outcome can't be rebuilt.
 */
function fromLog(pending: PendingRequest, numbers: readonly number[], at: number): Outcome | null {
  const [status = 500, units = 0, credits = 0, balance = 0] = numbers.slice(at, at + 4)
  if (status !== pending.request.status) return null
  const isReplay = pending.request.price > 0 && units > 0 && credits === 0
  // The log doesn't record whether the current page or the cached one was replayed.
  if (isReplay && pending.request.idempotency?.keptTag !== undefined) return null
  return {
    verdict: isReplay ? verdicts.replay : verdicts.granted,
    units,
    credits,
    balance,
    minuteLimit: 0,
    minuteLeft: 0,
    dayLimit: 0,
    dayLeft: 0,
    serviceVersion: pending.request.serviceVersion,
    now: clock.now(),
  }
}

/**
 * Reconciles requests whose batch was lost: returns the logged outcome of a request that was charged, logs a request that isn't in the log as failed, and
 * reverses the charge if the caller has already received an error. Retries until it succeeds; reconciling twice is harmless.
 *
 * On a cluster, the shard of a lost request may have moved. Its log rows move with it, and a batch that is still running on the old node prevents the move. The
 * request is therefore reconciled on the node that now has the shard.
 */
export class BatchReconciler {
  private readonly connection: AdmissionConnection
  private readonly log: Log
  private readonly onMoved: OnMoved | null
  private readonly isNode: boolean
  private reroutedAt = 0
  private lost: PendingRequest[] = []
  private sent: number | null = null
  private retry: NodeJS.Timeout | null = null
  private closed = false

  constructor(url: string, log: Log, kind: ConnectionKind = {}, onMoved: OnMoved | null = null) {
    this.log = log
    this.onMoved = onMoved
    this.isNode = kind.isNode === true
    this.connection = new AdmissionConnection(url, log, () => this.next(), kind)
  }

  open(): Promise<void> {
    return this.connection.open()
  }

  get pending(): number {
    return this.lost.length
  }

  add(pendingRequests: readonly PendingRequest[]): void {
    this.lost.push(...pendingRequests)
    this.next()
  }

  /**
   * Times out late requests and cuts a silent connection. Reroutes the requests of a node that can't be reached, because it may have been removed after its shards
   * moved. If a timed-out request turns out to have been charged, the charge is reversed.
   */
  sweep(isLate: (pending: PendingRequest) => boolean): void {
    for (const pending of this.lost) if (isLate(pending)) timeOut(pending)
    if (this.sent !== null && performance.now() - this.sent > silentAfterMs) this.connection.cut()
    const isUnreachable = this.isNode && this.sent === null && this.lost.length > 0 && !this.connection.isOpen
    if (!isUnreachable || performance.now() - this.reroutedAt < rerouteEveryMs) return
    this.reroutedAt = performance.now()
    this.onMoved?.(this.lost.splice(0), true)
  }

  private next(): void {
    if (this.closed || this.sent !== null || this.lost.length === 0 || !this.connection.ready) return
    const shard = this.lost[0]?.request.shard ?? null
    const others = this.lost.slice(0, batchSize).findIndex(({ request }) => request.shard !== shard)
    void this.reconcile(this.lost.slice(0, others < 0 ? batchSize : others), shard)
  }

  private async reconcile(pendingRequests: readonly PendingRequest[], shard: string | null): Promise<void> {
    this.sent = performance.now()
    const answered = pendingRequests.map((pending) => pending.answered)
    const requests = pendingRequests.map((pending) => pending.request)
    const list = (values: readonly (number | string)[]) => `{${values.join(',')}}`
    try {
      const [answer] = await this.connection.run(
        shard === null ? 'reconcile' : `reconcile_${shard}`,
        shard === null ? reconcileSql : shardSql(shard, 'reconcile', 5),
        [
          list(requests.map((r) => r.accountId)),
          list(requests.map((r) => r.keyId)),
          list(requests.map((r) => r.id)),
          list(requests.map((r) => r.endpoint)),
          list(answered.map((isAnswered) => (isAnswered ? 't' : 'f'))),
        ],
      )
      if (typeof answer !== 'string') throw new Error('The reconcile statement returned no value.')
      this.finish(pendingRequests, answered, decodeNumbers(answer))
    } catch (error) {
      this.handleFailure(pendingRequests, error)
    } finally {
      this.sent = null
    }
    if (!this.retry) this.next()
  }

  private handleFailure(pendingRequests: readonly PendingRequest[], error: unknown): void {
    if (this.onMoved && isMoved(error)) {
      this.lost = this.lost.slice(pendingRequests.length)
      this.onMoved(pendingRequests, true)
      return
    }
    this.log.warn({ err: error, requests: pendingRequests.length }, 'Failed to reconcile lost requests; retrying.')
    this.retry ??= setTimeout(() => {
      this.retry = null
      this.next()
    }, retryAfterMs)
  }

  private finish(pendingRequests: readonly PendingRequest[], answered: readonly boolean[], numbers: readonly number[]): void {
    this.lost = this.lost.slice(pendingRequests.length)
    for (const [index, pending] of pendingRequests.entries()) {
      const credits = numbers[index * 4 + 2] ?? 0
      // The request timed out while the statement was running, so it has to be reconciled again to reverse the charge.
      if (pending.answered && !answered[index] && credits > 0) {
        this.lost.push(pending)
        continue
      }
      admissions.settled[credits > 0 ? 'charged' : 'uncharged']++
      answerRequest(pending, fromLog(pending, numbers, index * 4))
    }
  }

  async close(): Promise<void> {
    this.closed = true
    if (this.retry) clearTimeout(this.retry)
    await this.connection.close()
  }
}
