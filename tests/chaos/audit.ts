/** Compares the responses that clients received with the ledger after all traffic has stopped. Each check yields the errors it finds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyLedger } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Cast } from './cast.ts'
import type { RecordedAnswer } from './crowd.ts'
import { type AccountCounters, type KeyCounters, type LedgerSnapshot, type Row, readLedger, usageFault } from './ledger.ts'
import type { Granted } from './operator.ts'

type Case = {
  readonly cast: Cast
  readonly answers: readonly RecordedAnswer[]
  readonly granted: ReadonlyMap<number, Granted>
  readonly ledger: LedgerSnapshot
  /** True if the run was long enough for early Idempotency-Keys to have expired. */
  readonly expiresIdempotencyKeys?: boolean
  /** True if a process was killed: it then lost its unsaved counts of rejected calls, which cover at most a second. */
  readonly losesSums?: boolean
}

const settleTimeoutMs = 15_000
const ended = 403
const tooMany = 429
const failed = 500

function groupBy<Item>(items: readonly Item[], getName: (item: Item) => number | string): Map<number | string, Item[]> {
  const groups = new Map<number | string, Item[]>()
  for (const item of items) {
    const group = groups.get(getName(item))
    if (group) group.push(item)
    else groups.set(getName(item), [item])
  }
  return groups
}

/** Returns the credits that were charged for a request and not reversed. */
const keptCredits = (row: Row, { reversed }: LedgerSnapshot) => row.credits - (reversed.get(row.id) ?? 0)
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Describes how a response differs from the log; null if they agree. A failed call may be missing from the log, but must not be charged. */
function against(one: RecordedAnswer, row: Row | undefined, ledger: LedgerSnapshot): string | null {
  if (one.status === failed) return row && keptCredits(row, ledger) !== 0 ? `failed, but was charged ${keptCredits(row, ledger)} credits` : null
  if (!row) return `returned ${one.status} and ${one.credits} credits, but is missing from the log`
  if (row.accountId !== one.accountId || row.keyId !== one.keyId) return 'is logged under another key'
  if (row.status !== one.status) return `returned ${one.status}, but the log has ${row.status}`
  if (keptCredits(row, ledger) !== one.credits) return `returned a charge of ${one.credits}, but was charged ${keptCredits(row, ledger)}`
  return row.balance === one.balance ? null : `returned the balance ${one.balance}, but the log has ${row.balance}`
}

/** Returns true for a rejection that is counted instead of logged. Only a key's first few rejections in a minute are logged. */
const isSummed = (one: RecordedAnswer, row: Row | undefined) => row === undefined && (one.status === ended || one.status === tooMany) && one.credits === 0

/** Yields an error for each key and status with rejections that are neither logged nor counted. */
function* summedRefusals({ answers, ledger, losesSums = false }: Case): Generator<string> {
  if (losesSums) return
  const logged = new Set(ledger.rows.map(({ id }) => id))
  const summed = answers.filter((one) => !logged.has(one.id) && isSummed(one, undefined))
  for (const [name, same] of groupBy(summed, ({ keyId, status }) => `${keyId} ${status}`)) {
    const counted = ledger.refused.get(String(name)) ?? 0
    if (same.length > counted) yield `${same.length} rejections of key and status ${name} are missing from the log, but only ${counted} are counted`
  }
}

function* claims({ answers, ledger }: Case): Generator<string> {
  const rows = groupBy(ledger.rows, ({ id }) => id)
  for (const [id, same] of rows) if (same.length > 1) yield `request ${id} was logged ${same.length} times`
  for (const [id, same] of groupBy(answers, (one) => one.id)) if (same.length > 1) yield `${same.length} answers carry the request id ${id}`
  for (const one of answers) {
    const row = rows.get(one.id)?.[0]
    const fault = isSummed(one, row) ? null : against(one, row, ledger)
    if (fault !== null) yield `request ${one.id} ${fault}`
  }
}

function* errorsAreFree({ ledger }: Case): Generator<string> {
  for (const row of ledger.rows) if (row.status !== 200 && row.credits !== 0) yield `request ${row.id} was rejected with ${row.status} and charged`
}

function* balances({ ledger, granted }: Case): Generator<string> {
  for (const row of ledger.rows) if (row.balance < 0) yield `request ${row.id} left a balance of ${row.balance}`
  for (const account of ledger.accounts) {
    if (account.balance < 0) yield `account ${account.accountId} has a balance of ${account.balance}`
    const { sure, unsure } = granted.get(account.accountId) ?? { sure: 0, unsure: 0 }
    if (account.granted < sure || account.granted > sure + unsure)
      yield `account ${account.accountId} was granted ${sure} to ${sure + unsure} credits, but received ${account.granted}`
  }
}

type Capped = Pick<KeyCounters, 'cap' | 'month' | 'monthSpent'>

/** Checks the monthly spend of a key or account against its cap and its counter. */
function* caps(name: string, { cap, month: counted, monthSpent }: Capped, rows: readonly Row[], ledger: LedgerSnapshot): Generator<string> {
  for (const [month, ofMonth] of groupBy(rows, (row) => row.month)) {
    const spent = sum(ofMonth.map((row) => keptCredits(row, ledger)))
    if (cap !== null && spent > cap) yield `${name} spent ${spent} over its cap of ${cap}`
    if (month === counted && spent !== monthSpent) yield `${name} spent ${spent}, but its counter is ${monthSpent}`
  }
}

/** Returns true if a call counts towards the limits. Failed calls, calls over a limit, and calls with a revoked or expired key do not. */
const isCounted = ({ status }: Row) => ![ended, tooMany, failed].includes(status)

function* limitsOfKey(key: KeyCounters, rows: readonly Row[], perMinute: number): Generator<string> {
  for (const [minute, ofMinute] of groupBy(rows.filter(isCounted), (row) => row.minute)) {
    if (ofMinute.length > perMinute) yield `key ${key.keyId} made ${ofMinute.length} calls in a minute, over its limit of ${perMinute}`
    if (minute === key.minute && ofMinute.length !== key.minuteUsed)
      yield `key ${key.keyId} made ${ofMinute.length} calls, but its counter is ${key.minuteUsed}`
  }
}

function* limitsOfAccount(account: AccountCounters, rows: readonly Row[], perDay: number): Generator<string> {
  for (const [day, ofDay] of groupBy(rows.filter(isCounted), (row) => row.day)) {
    if (ofDay.length > perDay) yield `account ${account.accountId} made ${ofDay.length} calls in a day, over its limit of ${perDay}`
    if (day === account.day && ofDay.length !== account.dayUsed)
      yield `account ${account.accountId} made ${ofDay.length} calls, but its counter is ${account.dayUsed}`
  }
}

function* limits({ cast, ledger }: Case): Generator<string> {
  const limitsByAccount = new Map(cast.accounts.map(({ account, limits: own }) => [account.id, own ?? { perMinute: Infinity, perDay: Infinity }]))
  const byKey = groupBy(ledger.rows, (row) => row.keyId)
  const isLive = new Set(ledger.keys.filter(({ live }) => live).map(({ keyId }) => keyId))
  const accountByKey = new Map(ledger.rows.map((row) => [row.keyId, row.accountId]))
  for (const key of ledger.keys) {
    const rows = byKey.get(key.keyId) ?? []
    yield* caps(`key ${key.keyId}`, key, rows, ledger)
    const own = limitsByAccount.get(accountByKey.get(key.keyId) ?? 0)?.perMinute ?? Infinity
    yield* limitsOfKey(key, rows, key.live ? own : 10)
  }
  const byAccount = groupBy(
    ledger.rows.filter(({ keyId }) => isLive.has(keyId)),
    (row) => row.accountId,
  )
  for (const account of ledger.accounts) {
    yield* caps(`account ${account.accountId}`, account, byAccount.get(account.accountId) ?? [], ledger)
    yield* limitsOfAccount(account, byAccount.get(account.accountId) ?? [], limitsByAccount.get(account.accountId)?.perDay ?? Infinity)
  }
}

/** Checks that each Idempotency-Key was charged for only one request. */
function* idempotency({ answers, ledger, expiresIdempotencyKeys = false }: Case): Generator<string> {
  const credits = new Map(ledger.rows.map((row) => [row.id, keptCredits(row, ledger)]))
  const charged = answers.filter(({ id, idempotencyKey }) => idempotencyKey !== null && (credits.get(id) ?? 0) > 0)
  for (const [name, same] of groupBy(charged, (one) => `${one.accountId} ${one.idempotencyKey}`)) {
    const remembered = ledger.charging.get(String(name))
    const charging = remembered ?? (expiresIdempotencyKeys ? same[0]?.id : 'an unknown request')
    for (const one of same) if (one.id !== charging) yield `request ${one.id} was charged for "${one.idempotencyKey}", and so was ${charging}`
  }
}

const checks = [claims, summedRefusals, errorsAreFree, balances, limits, idempotency]

/** Returns all errors. Reversing the charges of failed calls may take a moment, so the checks are repeated until that is done. */
export async function audit(pool: Database, round: Omit<Case, 'ledger'>): Promise<string[]> {
  const end = performance.now() + settleTimeoutMs
  for (;;) {
    const ledger = await readLedger(pool, round.cast)
    const faults = checks.flatMap((check) => [...check({ ...round, ledger })])
    const { differences } = await verifyLedger(pool)
    for (const { account, balance, sum: entries } of differences)
      faults.push(`account ${account} has a balance of ${balance}, but its entries add up to ${entries}`)
    const usage = await usageFault(pool)
    if (usage !== null) faults.push(usage)
    if (faults.length === 0 || performance.now() > end) return faults
    await sleep(250)
  }
}
