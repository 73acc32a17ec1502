/** Compares the answers that clients received with the ledger, once everything is quiet. Each check yields the faults it finds. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { verifyLedger } from '#server/billing/ledger.ts'
import type { Cast } from './cast.ts'
import type { Told } from './crowd.ts'
import { type AccountBook, type Books, type KeyBook, type Row, readBooks, usageFault } from './ledger.ts'
import type { Granted } from './operator.ts'

type Case = {
  readonly cast: Cast
  readonly told: readonly Told[]
  readonly granted: ReadonlyMap<number, Granted>
  readonly books: Books
  /** True if the run was long enough for early Idempotency-Keys to have expired. */
  readonly forgets?: boolean
  /** True if a process was killed with unwritten counts of refused calls: at most a second of them. */
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

/** Returns the credits charged for a request and not reversed. */
const keptCredits = (row: Row, { reversed }: Books) => row.credits - (reversed.get(row.id) ?? 0)
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Compares an answer with the log; null if they agree. A call reported as failed may be missing from the log, but must not be charged. */
function against(one: Told, row: Row | undefined, books: Books): string | null {
  if (one.status === failed) return row && keptCredits(row, books) !== 0 ? `failed and costs ${keptCredits(row, books)} credits` : null
  if (!row) return `was answered with ${one.status} and ${one.credits} credits, and is not in the log`
  if (row.accountId !== one.accountId || row.keyId !== one.keyId) return 'stands under another key'
  if (row.status !== one.status) return `was answered with ${one.status}, the log says ${row.status}`
  if (keptCredits(row, books) !== one.credits) return `was told to cost ${one.credits}, it costs ${keptCredits(row, books)}`
  return row.balance === one.balance ? null : `was told the balance ${one.balance}, the log says ${row.balance}`
}

/** True for a refusal beyond the first ones of a key and minute, which is counted instead of logged. */
const isSummed = (one: Told, row: Row | undefined) => row === undefined && (one.status === ended || one.status === tooMany) && one.credits === 0

/** Returns refusals that are neither logged nor counted. */
function* summedRefusals({ told, books, losesSums = false }: Case): Generator<string> {
  if (losesSums) return
  const logged = new Set(books.rows.map(({ id }) => id))
  const summed = told.filter((one) => !logged.has(one.id) && isSummed(one, undefined))
  for (const [name, same] of groupBy(summed, ({ keyId, status }) => `${keyId} ${status}`)) {
    const counted = books.refused.get(String(name)) ?? 0
    if (same.length > counted) yield `${same.length} refusals of key and status ${name} are not in the log, and ${counted} are in the sums`
  }
}

function* claims({ told, books }: Case): Generator<string> {
  const rows = groupBy(books.rows, ({ id }) => id)
  for (const [id, same] of rows) if (same.length > 1) yield `request ${id} stands in the log ${same.length} times`
  for (const [id, same] of groupBy(told, (one) => one.id)) if (same.length > 1) yield `${same.length} answers carry the request id ${id}`
  for (const one of told) {
    const row = rows.get(one.id)?.[0]
    const fault = isSummed(one, row) ? null : against(one, row, books)
    if (fault !== null) yield `request ${one.id} ${fault}`
  }
}

function* errorsAreFree({ books }: Case): Generator<string> {
  for (const row of books.rows) if (row.status !== 200 && row.credits !== 0) yield `request ${row.id} was refused with ${row.status} and charged`
}

function* balances({ books, granted }: Case): Generator<string> {
  for (const row of books.rows) if (row.balance < 0) yield `request ${row.id} left the balance ${row.balance}`
  for (const account of books.accounts) {
    if (account.balance < 0) yield `account ${account.accountId} has the balance ${account.balance}`
    const { sure, unsure } = granted.get(account.accountId) ?? { sure: 0, unsure: 0 }
    if (account.granted < sure || account.granted > sure + unsure)
      yield `account ${account.accountId} was granted ${sure} to ${sure + unsure}, and has ${account.granted}`
  }
}

type Capped = Pick<KeyBook, 'cap' | 'month' | 'monthSpent'>

/** Returns the spend of a key or account by month, its cap and its counter. */
function* caps(name: string, { cap, month: counted, monthSpent }: Capped, rows: readonly Row[], books: Books): Generator<string> {
  for (const [month, ofMonth] of groupBy(rows, (row) => row.month)) {
    const spent = sum(ofMonth.map((row) => keptCredits(row, books)))
    if (cap !== null && spent > cap) yield `${name} spent ${spent} over its cap of ${cap}`
    if (month === counted && spent !== monthSpent) yield `${name} spent ${spent}, its counter says ${monthSpent}`
  }
}

/** Returns counted rows: not those over a limit, of ended keys, or recorded as lost. */
const isCounted = ({ status }: Row) => ![ended, tooMany, failed].includes(status)

function* limitsOfKey(key: KeyBook, rows: readonly Row[], perMinute: number): Generator<string> {
  for (const [minute, ofMinute] of groupBy(rows.filter(isCounted), (row) => row.minute)) {
    if (ofMinute.length > perMinute) yield `key ${key.keyId} made ${ofMinute.length} calls in a minute that has room for ${perMinute}`
    if (minute === key.minute && ofMinute.length !== key.minuteUsed) yield `key ${key.keyId} made ${ofMinute.length} calls, its counter says ${key.minuteUsed}`
  }
}

function* limitsOfAccount(account: AccountBook, rows: readonly Row[], perDay: number): Generator<string> {
  for (const [day, ofDay] of groupBy(rows.filter(isCounted), (row) => row.day)) {
    if (ofDay.length > perDay) yield `account ${account.accountId} made ${ofDay.length} calls in a day that has room for ${perDay}`
    if (day === account.day && ofDay.length !== account.dayUsed)
      yield `account ${account.accountId} made ${ofDay.length} calls, its counter says ${account.dayUsed}`
  }
}

function* limits({ cast, books }: Case): Generator<string> {
  const limitsByAccount = new Map(cast.accounts.map(({ account, limits: own }) => [account.id, own ?? { perMinute: Infinity, perDay: Infinity }]))
  const byKey = groupBy(books.rows, (row) => row.keyId)
  const isLive = new Set(books.keys.filter(({ live }) => live).map(({ keyId }) => keyId))
  const accountByKey = new Map(books.rows.map((row) => [row.keyId, row.accountId]))
  for (const key of books.keys) {
    const rows = byKey.get(key.keyId) ?? []
    yield* caps(`key ${key.keyId}`, key, rows, books)
    const own = limitsByAccount.get(accountByKey.get(key.keyId) ?? 0)?.perMinute ?? Infinity
    yield* limitsOfKey(key, rows, key.live ? own : 10)
  }
  const byAccount = groupBy(
    books.rows.filter(({ keyId }) => isLive.has(keyId)),
    (row) => row.accountId,
  )
  for (const account of books.accounts) {
    yield* caps(`account ${account.accountId}`, account, byAccount.get(account.accountId) ?? [], books)
    yield* limitsOfAccount(account, byAccount.get(account.accountId) ?? [], limitsByAccount.get(account.accountId)?.perDay ?? Infinity)
  }
}

/** One key, one charge: replays refer to the one request that was charged under the Idempotency-Key. */
function* idempotency({ told, books, forgets = false }: Case): Generator<string> {
  const credits = new Map(books.rows.map((row) => [row.id, keptCredits(row, books)]))
  const charged = told.filter(({ id, idempotencyKey }) => idempotencyKey !== null && (credits.get(id) ?? 0) > 0)
  for (const [name, same] of groupBy(charged, (one) => `${one.accountId} ${one.idempotencyKey}`)) {
    const remembered = books.charging.get(String(name))
    const charging = remembered ?? (forgets ? same[0]?.id : 'none that is known')
    for (const one of same) if (one.id !== charging) yield `request ${one.id} was charged under "${one.idempotencyKey}", and so was ${charging}`
  }
}

const checks = [claims, summedRefusals, errorsAreFree, balances, limits, idempotency]

/** Returns all faults. Reversals of failed calls may take a moment, so it rechecks until they are done. */
export async function audit(pool: Pool, round: Omit<Case, 'books'>): Promise<string[]> {
  const end = performance.now() + settleTimeoutMs
  for (;;) {
    const books = await readBooks(pool, round.cast)
    const faults = checks.flatMap((check) => [...check({ ...round, books })])
    const { differences } = await verifyLedger(pool)
    for (const { account, balance, sum: entries } of differences) faults.push(`account ${account} has the balance ${balance}, its entries add up to ${entries}`)
    const usage = await usageFault(pool)
    if (usage !== null) faults.push(usage)
    if (faults.length === 0 || performance.now() > end) return faults
    await sleep(250)
  }
}
