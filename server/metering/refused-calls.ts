import type { Pool } from 'pg'
import { clock } from '#server/clock.ts'
import type { Log } from '#server/observability/log.ts'
import { type Stage, stages } from './batch.ts'
import { latencyBoundsMs } from './latency.ts'
import { type Outcome, type Verdict, verdicts } from './outcome.ts'
import { addRefusedCalls, type KeyCountersRow, type RefusedFilter, type RefusedSum, readKeyCounters, readRefusedCalls } from './refused-calls.store.ts'

/** Refused calls of one key that are rows of the log, in a minute and process. Further ones are sums. */
const maxRowsPerMinute = 20

/** One read of counters follows the one before it after so long, and sums are written so often. */
const readGapMs = 10
const writeEveryMs = 1_000
const maxKeys = 50_000
const maxSums = 50_000

/** Refused calls of a key in the running minute. */
type KeyRefusals = {
  endsAtMs: number
  rows: number
  /** Those that do not count towards the limits of the key, because their caller may not be its owner. */
  uncounted: number
  /** True if the database said that a limit is reached. */
  isLimited: boolean
}

/** The facts that a refusal was decided with. */
type Versions = { readonly keyId: number; readonly keyVersion: number; readonly accountVersion: number; readonly serviceVersion: number }

type CountedCall = Pick<RefusedSum, 'accountId' | 'keyId' | 'endpoint' | 'status'> & { readonly tookMs: number; readonly nowMs: number }

function outcomeOf(row: KeyCountersRow, verdict: Verdict): Outcome {
  const { minute_limit: minuteLimit, minute_used: minuteUsed, day_limit: dayLimit, day_used: dayUsed } = row
  const minuteLeft = verdict === verdicts.minuteLimit ? 0 : Math.max(0, minuteLimit - minuteUsed)
  const balance = Number(row.balance)
  const dayLeft = Math.max(0, dayLimit - dayUsed)
  return { verdict, units: 0, credits: 0, balance, minuteLimit, minuteLeft, dayLimit, dayLeft, serviceVersion: row.service_version, now: Number(row.now_ms) }
}

const isCurrent = (row: KeyCountersRow, { keyVersion, accountVersion, serviceVersion }: Versions): boolean =>
  row.key_version === keyVersion && row.account_version === accountVersion && row.service_version === serviceVersion

/** The verdict of the admission statement on a call that it would refuse and not count; null: it has to decide. */
function verdictOn(row: KeyCountersRow, stage: Stage, uncounted: number): Verdict | null {
  const isOverMinute = row.minute_used >= row.minute_limit
  if (stage === stages.uncounted) return uncounted > row.minute_limit ? verdicts.minuteLimit : verdicts.granted
  if (stage === stages.counted) return isOverMinute ? verdicts.granted : null
  if (row.has_ended) return null
  if (isOverMinute) return verdicts.minuteLimit
  return row.live && row.day_used >= row.day_limit ? verdicts.dayLimit : null
}

/**
 * Refuses calls of a key that was refused often in the running minute, without the lock of the wallet and without a row in the log. Each such refusal is
 * confirmed by a read that began after the call arrived: it compares the versions and counters that the admission statement would, so no call that should
 * pass is refused. Many calls share one read, and their counts are written together.
 */
export class RefusedCalls {
  private readonly pool: Pool
  private readonly log: Log
  private readonly timer: NodeJS.Timeout
  private readonly keys = new Map<number, KeyRefusals>()
  private waiting = new Map<number, PromiseWithResolvers<KeyCountersRow | null>>()
  private isReading = false
  private sums = new Map<string, RefusedSum>()
  private writing: Promise<void> | null = null

  constructor(pool: Pool, log: Log) {
    this.pool = pool
    this.log = log
    this.timer = setInterval(() => void this.write(), writeEveryMs)
    this.timer.unref()
  }

  /** Records a refused call that the admission statement decided, which is a row of the log. */
  note(keyId: number, stage: Stage, { verdict, minuteLeft, now }: Outcome): void {
    const refusals = this.ofKey(keyId) ?? { endsAtMs: clock.now() + 60_000 - (now % 60_000), rows: 0, uncounted: 0, isLimited: false }
    refusals.rows++
    if (stage === stages.uncounted) refusals.uncounted++
    else if (minuteLeft <= 0 || verdict === verdicts.dayLimit) refusals.isLimited = true
    if (this.keys.size >= maxKeys) this.keys.clear()
    this.keys.set(keyId, refusals)
  }

  /** True if a refusal of this key should be confirmed by a read instead of the admission statement. */
  isRepeated(keyId: number, stage: Stage, minuteLimit: number): boolean {
    const refusals = this.ofKey(keyId)
    if (refusals === undefined) return false
    if (stage === stages.uncounted) return refusals.rows >= Math.min(maxRowsPerMinute, minuteLimit)
    return refusals.isLimited && refusals.rows >= maxRowsPerMinute
  }

  /** Confirms a refusal. Null: the admission statement has to decide. */
  async confirm({ keyId, stage, ...versions }: Versions & { readonly stage: Stage }): Promise<Outcome | null> {
    const row = await this.read(keyId)
    const refusals = this.ofKey(keyId)
    if (row === null || refusals === undefined || !isCurrent(row, { keyId, ...versions })) return null
    if (stage === stages.uncounted) refusals.uncounted++
    const verdict = verdictOn(row, stage, refusals.uncounted)
    return verdict === null ? null : outcomeOf(row, verdict)
  }

  /** Counts a confirmed refusal. */
  count(call: CountedCall): void {
    const { accountId, keyId, endpoint, status, tookMs, nowMs } = call
    const minuteMs = nowMs - (nowMs % 60_000)
    const bucket = latencyBoundsMs.filter((bound) => tookMs >= bound).length
    const name = [keyId, endpoint, status, minuteMs, bucket].join(' ')
    const sum = this.sums.get(name)
    if (sum) sum.requests++
    else if (this.sums.size < maxSums) this.sums.set(name, { accountId, keyId, endpoint, status, minuteMs, bucket, requests: 1 })
  }

  private ofKey(keyId: number): KeyRefusals | undefined {
    const refusals = this.keys.get(keyId)
    if (refusals === undefined || clock.now() < refusals.endsAtMs) return refusals
    this.keys.delete(keyId)
    return undefined
  }

  /** The counters of a key, by a read that begins after this call. Null: the key is gone, or the database cannot be asked. */
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
      this.log.info({ err: error }, 'The counters of refused keys could not be read; the admission statement decides.')
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
      this.log.warn({ err: error }, 'The sums of refused calls could not be written; trying again.')
      for (const [name, sum] of sums) {
        const newer = this.sums.get(name)
        this.sums.set(name, newer ? { ...newer, requests: newer.requests + sum.requests } : sum)
      }
    }
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.write()
    await this.write()
  }
}

export type UnlistedCalls = readonly { readonly status: number; readonly calls: number }[]

const unfiltered: RefusedFilter = { endpoint: null, status: null, keyId: null }

/** Refused calls of the last 30 days that are counted and not listed, by status. */
export async function unlistedCalls(pool: Pool, accountId: number, filter = unfiltered): Promise<UnlistedCalls> {
  return (await readRefusedCalls(pool, accountId, filter)).map(({ status, requests }) => ({ status, calls: Number(requests) }))
}
