import { type AdmissionConnection, admissionSql, LostError, shardSql } from './admission-connection.sql.ts'
import { type AdmissionRequest, decodeNumbers, encodeBatch, type Outcome, readOutcomes, stages, verdicts } from './batch.ts'
import type { TextRow } from './single-row-query.ts'

/** Total calls and credits of a batch for one account or key. `position` is the 1-based place of the total in the statement's parameters. */
type Sum = { readonly id: number; readonly version: number; position: number; calls: number; credits: number }
type KeySum = Sum & { readonly account: Sum; readonly isLive: boolean }

/**
 * Units and credits of a request, and the batch's totals up to and including it: the calls with its key (`minute`), the calls of its account (`day`) and the
 * credits of its account (`spent`).
 */
type Share = { readonly key: KeySum; readonly units: number; readonly credits: number; readonly minute: number; readonly day: number; readonly spent: number }

/** Parameters of the SQL function `admit_whole`, and the data needed to decode its result. */
type SummedBatch = { readonly values: string[]; readonly shares: readonly Share[]; readonly accounts: number; readonly keys: number }

/**
 * Returns true if a request can be granted from the batch's totals alone: it has no Idempotency-Key, its response is known, its maximum charge (if any) covers its
 * full price, and it is free or requests at least one unit.
 */
const isPlain = ({ idempotency, status, ceiling, price, units }: AdmissionRequest) =>
  idempotency === null && status !== null && (ceiling === null || ceiling >= price * units) && (price === 0 || units > 0)

/** Returns the batch's total for an account or key, creating it on first use. */
function getOrCreate<T extends Sum>(sums: Map<number, T>, id: number, create: () => T): T {
  let sum = sums.get(id)
  if (sum === undefined) {
    sum = create()
    sums.set(id, sum)
  }
  return sum
}

/** Sorts totals by id, which is the order in which the statement locks rows, and sets their positions. */
function inOrder<T extends Sum>(sums: ReadonlyMap<number, T>): readonly T[] {
  const ordered = [...sums.values()].sort((one, other) => one.id - other.id)
  for (const [index, sum] of ordered.entries()) sum.position = index + 1
  return ordered
}

/**
 * Adds up the requests of a batch per account and key. Returns null if a request needs an individual check, or if two requests carry different versions of the
 * same account or key.
 */
function addUp(requests: readonly AdmissionRequest[], accounts: Map<number, Sum>, keys: Map<number, KeySum>): Share[] | null {
  const shares: Share[] = []
  for (const request of requests) {
    const { accountId, accountVersion, keyId, keyVersion, isLive, stage } = request
    const account = getOrCreate(accounts, accountId, () => ({ id: accountId, position: 0, version: accountVersion, calls: 0, credits: 0 }))
    const key = getOrCreate(keys, keyId, () => ({ id: keyId, position: 0, version: keyVersion, calls: 0, credits: 0, account, isLive }))
    if (!isPlain(request) || account.version !== accountVersion || key.version !== keyVersion || key.account !== account) return null
    const units = stage === stages.limited ? request.units : 0
    const credits = units * request.price
    if (stage !== stages.uncounted) {
      key.calls++
      if (isLive) account.calls++
    }
    key.credits += credits
    account.credits += credits
    shares.push({ key, units, credits, minute: key.calls, day: account.calls, spent: account.credits })
  }
  return shares
}

function list<T>(of: readonly T[], text: (one: T) => string | number): string {
  let joined = ''
  for (const one of of) joined += `,${text(one)}`
  return `{${joined.slice(1)}}`
}

/** Encodes the parameters of `admit_whole`. Returns null if the batch has to be decided request by request. */
export function encodeWhole(serviceVersion: number, requests: readonly AdmissionRequest[]): SummedBatch | null {
  const byAccount = new Map<number, Sum>()
  const byKey = new Map<number, KeySum>()
  const shares = addUp(requests, byAccount, byKey)
  if (shares === null) return null
  const accounts = inOrder(byAccount)
  const keys = inOrder(byKey)
  const values = [
    String(serviceVersion),
    list(accounts, ({ id }) => id),
    list(accounts, ({ version }) => version),
    list(accounts, ({ calls }) => calls),
    list(accounts, ({ credits }) => credits),
    list(keys, ({ id }) => id),
    list(keys, ({ account }) => account.position),
    list(keys, ({ version }) => version),
    list(keys, ({ isLive }) => (isLive ? 't' : 'f')),
    list(keys, ({ calls }) => calls),
    list(keys, ({ credits }) => credits),
    list(requests, ({ id }) => id),
    list(shares, ({ key }) => key.position),
    list(requests, ({ endpoint }) => endpoint),
    list(requests, ({ status }) => status ?? 0),
    list(requests, ({ error }) => error),
    list(shares, ({ units }) => units),
    list(shares, ({ credits }) => credits),
    list(shares, ({ spent }) => spent),
  ]
  return { values, shares, accounts: accounts.length, keys: keys.length }
}

/** Decodes the outcomes of a batch granted as a whole. `admit_whole` returns the values of each account and key as they were before the batch. */
export function readWhole(numbers: readonly number[], { shares, accounts, keys }: SummedBatch): Outcome[] {
  const [serviceVersion = 0, now = 0] = numbers
  const balances = 1
  const dayUsed = balances + accounts
  const dayLimits = dayUsed + accounts
  const minuteUsed = dayLimits + accounts
  const minuteLimits = minuteUsed + keys
  return shares.map(({ key, units, credits, minute, day, spent }) => {
    // Positions start at 1, so each column's offset is one less than the index of its first value.
    const accountValue = (column: number) => numbers[column + key.account.position] ?? 0
    const keyValue = (column: number) => numbers[column + key.position] ?? 0
    return {
      verdict: verdicts.granted,
      units,
      credits,
      balance: accountValue(balances) - spent,
      minuteLimit: keyValue(minuteLimits),
      minuteLeft: keyValue(minuteLimits) - keyValue(minuteUsed) - minute,
      dayLimit: accountValue(dayLimits),
      dayLeft: accountValue(dayLimits) - accountValue(dayUsed) - day,
      serviceVersion,
      now,
    }
  })
}

/**
 * Number of batches that are decided request by request after a batch could not be granted as a whole. These batches would probably fail as a whole too, and
 * trying would double the work.
 */
const retryWholeAfter = 16

/** PostgreSQL's decision on a batch, already durable on disk. */
export type BatchDecision = {
  /** Time that the decision took, without the wait for the disk. Null behind a pooler, where the two can't be measured separately. */
  readonly decidedMs: number | null
  /**
   * Decodes the outcomes; called after the next batch has been sent. @throws LostError if the result can't be decoded: the charges are durable, so they have to
   * be looked up in the log.
   */
  readonly read: () => readonly Outcome[]
}

function toDecision<Places>(
  [answer, micros]: TextRow,
  batch: Places,
  outcomes: (numbers: readonly number[], batch: Places) => readonly Outcome[],
): BatchDecision {
  const read = () => {
    try {
      if (typeof answer !== 'string') throw new Error('The admission statement returned no value.')
      return outcomes(decodeNumbers(answer), batch)
    } catch (error) {
      throw new LostError(error)
    }
  }
  return { decidedMs: typeof micros === 'string' ? Number(micros) / 1_000 : null, read }
}

/** Executes batches: as a whole if possible, otherwise request by request. */
export class BatchExecutor {
  private readonly byRequest: string
  private readonly whole: string
  private skipWhole = 0

  constructor(isPooled: boolean) {
    this.byRequest = admissionSql('admit', 17, isPooled)
    this.whole = admissionSql('admit_whole', 19, isPooled)
  }

  /** @throws LostError if the outcome is unknown; any other error means that nothing changed. */
  async execute(connection: AdmissionConnection, requests: readonly AdmissionRequest[]): Promise<BatchDecision> {
    const { serviceVersion: version = 0, shard = null } = requests[0] ?? {}
    const run = (name: string, text: string, values: string[]) =>
      shard === null ? connection.run(name, text, values) : connection.run(`${name}_${shard}`, shardSql(shard, name, values.length), values)
    const batch = this.skipWhole === 0 ? encodeWhole(version, requests) : null
    if (batch !== null) {
      const row = await run('admit_whole', this.whole, batch.values)
      if (row[0] !== null) return toDecision(row, batch, readWhole)
      this.skipWhole = retryWholeAfter
    } else if (this.skipWhole > 0) {
      this.skipWhole--
    }
    const { values, ...found } = encodeBatch(version, requests)
    return toDecision(await run('admit', this.byRequest, values), found, readOutcomes)
  }
}
