import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'
import { type Outcome, type Stage, stages, type Verdict, verdicts } from './batch.ts'
import type { NumberedFilter } from './log-filter.ts'
import { shownSince } from './requests.sql.ts'
import { latencyBoundsMs } from './traffic.ts'
import { addRefusedCalls, type KeyCountersRow, type RefusedSum, readKeyCounters } from './usage.sql.ts'

/** Maximum number of rejected calls per key and minute that each process writes to the request log. Any others are only counted. */
const maxRowsPerMinute = 20

/** Delay before key counters are read, so that one query serves many calls. */
const readGapMs = 10
const writeEveryMs = 1_000
const maxKeys = 50_000
const maxSums = 50_000

/** Rejected calls of a key in the current minute. */
type KeyRefusals = {
  endsAtMs: number
  rows: number
  /** Number of rejections that don't count towards the key's limits, because the caller may not be the key's owner. */
  uncounted: number
  /** True if the database reported that a limit has been reached. */
  isLimited: boolean
}

/** Key of a rejected call, and the versions of the records that the rejection is based on. */
type Versions = { readonly keyId: number; readonly keyVersion: number; readonly accountVersion: number; readonly serviceVersion: number }

type CountedCall = Pick<RefusedSum, 'accountId' | 'keyId' | 'endpoint' | 'status'> & { readonly tookMs: number; readonly nowMs: number }

function toOutcome(row: KeyCountersRow, verdict: Verdict): Outcome {
  const { minute_limit: minuteLimit, minute_used: minuteUsed, day_limit: dayLimit, day_used: dayUsed } = row
  const minuteLeft = verdict === verdicts.minuteLimit ? 0 : Math.max(0, minuteLimit - minuteUsed)
  const balance = Number(row.balance)
  const dayLeft = Math.max(0, dayLimit - dayUsed)
  return { verdict, units: 0, credits: 0, balance, minuteLimit, minuteLeft, dayLimit, dayLeft, serviceVersion: row.service_version, now: Number(row.now_ms) }
}

const isCurrent = (row: KeyCountersRow, { keyVersion, accountVersion, serviceVersion }: Versions): boolean =>
  row.key_version === keyVersion && row.account_version === accountVersion && row.service_version === serviceVersion

/**
 * Returns the verdict that the admission statement would return, or null if the statement itself has to decide. `granted` means that the call gets the error it
 * was already rejected with.
 */
function getVerdict(row: KeyCountersRow, stage: Stage, uncounted: number): Verdict | null {
  const isOverMinute = row.minute_used >= row.minute_limit
  if (stage === stages.uncounted) return uncounted > row.minute_limit ? verdicts.minuteLimit : verdicts.granted
  if (stage === stages.counted) return isOverMinute ? verdicts.granted : null
  if (row.has_ended) return null
  if (isOverMinute) return verdicts.minuteLimit
  return row.live && row.day_used >= row.day_limit ? verdicts.dayLimit : null
}

/**
 * Rejects calls with keys that have already been rejected often in the current minute, without locking the wallet or writing log rows. Each rejection is
 * confirmed by a read that starts after the call arrived and compares the same versions and counters as the admission statement, so no call is rejected by
 * mistake. Many calls share one read, and the counts of rejected calls are written in batches.
 */
export class RefusedCalls {
  private readonly pool: Database
  private readonly log: Log
  private readonly timer: NodeJS.Timeout
  private readonly keys = new Map<number, KeyRefusals>()
  private waiting = new Map<number, PromiseWithResolvers<KeyCountersRow | null>>()
  private isReading = false
  private sums = new Map<string, RefusedSum>()
  private writing: Promise<void> | null = null

  constructor(pool: Database, log: Log) {
    this.pool = pool
    this.log = log
    this.timer = setInterval(() => void this.write(), writeEveryMs)
    this.timer.unref()
  }

  /** Records a rejection that the admission statement has already decided and logged. */
  note(keyId: number, stage: Stage, { verdict, minuteLeft, now }: Outcome): void {
    const refusals = this.findRefusals(keyId) ?? { endsAtMs: clock.now() + 60_000 - (now % 60_000), rows: 0, uncounted: 0, isLimited: false }
    refusals.rows++
    if (stage === stages.uncounted) refusals.uncounted++
    else if (minuteLeft <= 0 || verdict === verdicts.dayLimit) refusals.isLimited = true
    if (this.keys.size >= maxKeys) this.keys.clear()
    this.keys.set(keyId, refusals)
  }

  /** Returns true if this key's next rejection should be confirmed by a read rather than by the admission statement. */
  isRepeated(keyId: number, stage: Stage, minuteLimit: number): boolean {
    const refusals = this.findRefusals(keyId)
    if (refusals === undefined) return false
    if (stage === stages.uncounted) return refusals.rows >= Math.min(maxRowsPerMinute, minuteLimit)
    return refusals.isLimited && refusals.rows >= maxRowsPerMinute
  }

  /** Confirms a rejection by reading the key's counters. Returns null if the admission statement has to decide. */
  async confirm({ keyId, stage, ...versions }: Versions & { readonly stage: Stage }): Promise<Outcome | null> {
    const row = await this.read(keyId)
    const refusals = this.findRefusals(keyId)
    if (row === null || refusals === undefined || !isCurrent(row, { keyId, ...versions })) return null
    if (stage === stages.uncounted) refusals.uncounted++
    const verdict = getVerdict(row, stage, refusals.uncounted)
    return verdict === null ? null : toOutcome(row, verdict)
  }

  /** Adds a confirmed rejection to the counts to be written. */
  count(call: CountedCall): void {
    const { accountId, keyId, endpoint, status, tookMs, nowMs } = call
    const minuteMs = nowMs - (nowMs % 60_000)
    const bucket = latencyBoundsMs.filter((bound) => tookMs >= bound).length
    const name = [keyId, endpoint, status, minuteMs, bucket].join(' ')
    const sum = this.sums.get(name)
    if (sum) sum.requests++
    else if (this.sums.size < maxSums) this.sums.set(name, { accountId, keyId, endpoint, status, minuteMs, bucket, requests: 1 })
  }

  private findRefusals(keyId: number): KeyRefusals | undefined {
    const refusals = this.keys.get(keyId)
    if (refusals === undefined || clock.now() < refusals.endsAtMs) return refusals
    this.keys.delete(keyId)
    return undefined
  }

  /** Reads the counters of a key, in a query that starts after this call; null if the key no longer exists or the query fails. */
  private read(keyId: number): Promise<KeyCountersRow | null> {
    const waiting = this.waiting.get(keyId) ?? Promise.withResolvers<KeyCountersRow | null>()
    this.waiting.set(keyId, waiting)
    if (!this.isReading) {
      this.isReading = true
      setTimeout(() => void this.readAll(), readGapMs)
    }
    return waiting.promise
  }

  private async readAll(): Promise<void> {
    const asked = this.waiting
    this.waiting = new Map()
    let rows: KeyCountersRow[] = []
    try {
      rows = await readKeyCounters(this.pool, [...asked.keys()])
    } catch (error) {
      this.log.info({ err: error }, 'Failed to read the counters of refused keys; falling back to the admission statement.')
    }
    const byKey = new Map(rows.map((row) => [Number(row.key_id), row]))
    for (const [keyId, { resolve }] of asked) resolve(byKey.get(keyId) ?? null)
    this.isReading = this.waiting.size > 0
    if (this.isReading) setTimeout(() => void this.readAll(), readGapMs)
  }

  private write(): Promise<void> {
    this.writing ??= this.writeSums().finally(() => {
      this.writing = null
    })
    return this.writing
  }

  private async writeSums(): Promise<void> {
    if (this.sums.size === 0) return
    const sums = this.sums
    this.sums = new Map()
    try {
      await addRefusedCalls(this.pool, [...sums.values()])
    } catch (error) {
      this.log.warn({ err: error }, 'Failed to write the counts of rejected calls; retrying.')
      for (const [name, sum] of sums) {
        const newer = this.sums.get(name)
        this.sums.set(name, newer ? { ...newer, requests: newer.requests + sum.requests } : sum)
      }
    }
  }

  /** Writes the remaining counts. Calls `write` twice, because the first call may only wait for a write that is already running. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.write()
    await this.write()
  }
}

export type UnlistedCalls = readonly { readonly status: number; readonly calls: number }[]

const unfiltered: NumberedFilter = { endpoint: null, keyId: null, minStatus: 0, maxStatus: 999 }

/** Counts, by status, the account's rejected calls from the last 30 days that are not in the log. */
export async function unlistedCalls(db: Database, accountId: number, filter = unfiltered): Promise<UnlistedCalls> {
  const { endpoint, minStatus, maxStatus, keyId } = filter
  const conditions = [endpoint === null ? {} : { endpoint }, { status: { gte: minStatus, lte: maxStatus } }, keyId === null ? {} : { keyId }]
  const where = { accountId, hour: { gte: shownSince() }, AND: conditions }
  const groups = await db.refusedCalls.groupBy({ by: ['status'], where, orderBy: { status: 'asc' }, _sum: { requests: true } })
  return groups.map(({ status, _sum: sum }) => ({ status, calls: Number(sum?.requests ?? 0) }))
}
