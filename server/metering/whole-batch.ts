import { type AdmissionRequest, stages } from './batch.ts'
import { type Outcome, verdicts } from './outcome.ts'

/** What a batch asks of one account or key in all. */
type Sum = { readonly id: number; readonly version: number; place: number; calls: number; credits: number }
type KeySum = Sum & { readonly account: Sum; readonly isLive: boolean }

/** A request among those of its batch: with it, so many calls of its key and account are counted and so many credits of the account spent. */
type Share = { readonly key: KeySum; readonly units: number; readonly credits: number; readonly minute: number; readonly day: number; readonly spent: number }

/** A batch as `admit_whole` takes it, and what reading its answer needs. */
export type WholeBatch = { readonly values: string[]; readonly shares: readonly Share[]; readonly accounts: number; readonly keys: number }

/** Whether a request can be granted without being looked at: it refers to no other call, and what it costs is all that its grant depends on. */
const isPlain = ({ idempotency, ceiling, price, units }: AdmissionRequest) =>
  idempotency === null && (ceiling === null || ceiling >= price * units) && (price === 0 || units > 0)

/** The sum of an account or key, which begins when the batch first names it. */
function sumOf<T extends Sum>(sums: Map<number, T>, id: number, begin: () => T): T {
  let sum = sums.get(id)
  if (sum === undefined) {
    sum = begin()
    sums.set(id, sum)
  }
  return sum
}

/** Sums in the order of their ids, which is that of the locks, with their places counted from 1. */
function inOrder<T extends Sum>(sums: ReadonlyMap<number, T>): readonly T[] {
  const ordered = [...sums.values()].sort((one, other) => one.id - other.id)
  for (const [index, sum] of ordered.entries()) sum.place = index + 1
  return ordered
}

/** Adds the requests up. Null: one of them has to be looked at by itself, or two were decided with different facts about the same account or key. */
function sharesOf(requests: readonly AdmissionRequest[], accounts: Map<number, Sum>, keys: Map<number, KeySum>): Share[] | null {
  const shares: Share[] = []
  for (const request of requests) {
    const { accountId, accountVersion, keyId, keyVersion, isLive, stage } = request
    const account = sumOf(accounts, accountId, () => ({ id: accountId, place: 0, version: accountVersion, calls: 0, credits: 0 }))
    const key = sumOf(keys, keyId, () => ({ id: keyId, place: 0, version: keyVersion, calls: 0, credits: 0, account, isLive }))
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

/** The parameters of `admit_whole`, or null when the batch has to be decided one request after the other. */
export function encodeWhole(serviceVersion: number, requests: readonly AdmissionRequest[]): WholeBatch | null {
  const byAccount = new Map<number, Sum>()
  const byKey = new Map<number, KeySum>()
  const shares = sharesOf(requests, byAccount, byKey)
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
    list(keys, ({ account }) => account.place),
    list(keys, ({ version }) => version),
    list(keys, ({ isLive }) => (isLive ? 't' : 'f')),
    list(keys, ({ calls }) => calls),
    list(keys, ({ credits }) => credits),
    list(requests, ({ id }) => id),
    list(shares, ({ key }) => key.place),
    list(requests, ({ endpoint }) => endpoint),
    list(requests, ({ status }) => status),
    list(requests, ({ error }) => error),
    list(shares, ({ units }) => units),
    list(shares, ({ credits }) => credits),
    list(shares, ({ spent }) => spent),
  ]
  return { values, shares, accounts: accounts.length, keys: keys.length }
}

/** The outcomes of a batch that was granted whole, from the numbers that `admit_whole` answered: what was there before, for each account and key. */
export function readWhole(numbers: readonly number[], { shares, accounts, keys }: WholeBatch): Outcome[] {
  const [serviceVersion = 0, now = 0] = numbers
  const balances = 1
  const dayUsed = balances + accounts
  const dayLimits = dayUsed + accounts
  const minuteUsed = dayLimits + accounts
  const minuteLimits = minuteUsed + keys
  return shares.map(({ key, units, credits, minute, day, spent }) => {
    // Places are counted from 1, so each column begins one number before its first.
    const ofAccount = (column: number) => numbers[column + key.account.place] ?? 0
    const ofKey = (column: number) => numbers[column + key.place] ?? 0
    return {
      verdict: verdicts.granted,
      units,
      credits,
      balance: ofAccount(balances) - spent,
      minuteLimit: ofKey(minuteLimits),
      minuteLeft: ofKey(minuteLimits) - ofKey(minuteUsed) - minute,
      dayLimit: ofAccount(dayLimits),
      dayLeft: ofAccount(dayLimits) - ofAccount(dayUsed) - day,
      serviceVersion,
      now,
    }
  })
}
