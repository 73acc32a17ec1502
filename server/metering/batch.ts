import { type Outcome, type Verdict, verdicts } from './outcome.ts'

/** Whether a request passes through the limits, was refused before them and counts, or was refused and does not count. */
export const stages = { limited: 0, counted: 1, uncounted: 2 } as const

export type Stage = (typeof stages)[keyof typeof stages]

/** An Idempotency-Key, the hash of its request in hex, and the tags of the page to send and of a page kept from the first call, 22 characters each. */
export type Idempotency = { readonly key: string; readonly request: string; readonly tag?: string; readonly keptTag?: string | undefined }

/** What the admission statement needs to know of one request. Amounts are credits; null ceiling means none. */
export type AdmissionRequest = {
  /** Version-7 UUID without dashes, made at arrival: the request id and the guard against charging twice. */
  readonly id: string
  readonly serviceVersion: number
  readonly accountId: number
  readonly accountVersion: number
  readonly keyId: number
  readonly keyVersion: number
  /** Only the calls of live keys count towards the day of the account. */
  readonly isLive: boolean
  /** Which spend cap the key counts on together with others; two such keys never share a batch. Null: a cap of its own, or none. */
  readonly capId: number | null
  readonly endpoint: number
  /** The status and error number of the answer if it is granted. */
  readonly status: number
  readonly error: number
  readonly stage: Stage
  readonly price: number
  readonly units: number
  readonly ceiling: number | null
  readonly idempotency: Idempotency | null
}

/** Text of a PostgreSQL array; a key may hold any printable character, so it is quoted. */
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** Things that a batch names once: the text of their array literal, and the place of each, counted from 1. */
class Named {
  private readonly places = new Map<number, number>()
  ids = ''

  find(id: number): number | undefined {
    return this.places.get(id)
  }

  add(id: number): number {
    const place = this.places.size + 1
    this.places.set(id, place)
    this.ids += `,${id}`
    return place
  }
}

/** Hash and tags in hex, as the statement cuts them apart. */
const requestAndTags = ({ request, tag = '', keptTag = '' }: Idempotency) => request + Buffer.from(tag + keptTag, 'latin1').toString('hex')

const orNull = (value: number | null) => (value === null ? ',NULL' : `,${value}`)

/** A batch as the statement takes it, and the places, counted from 0, that its requests have among the keys and accounts named in it. */
export type EncodedBatch = { readonly values: string[]; readonly keyPlaces: readonly number[]; readonly accountPlaces: readonly number[] }

/**
 * The parameters of `admit` as array literals. All requests of a batch carry the same service version.
 * Strings are built by hand, because the driver's own array encoding costs more than the rest of the batch.
 */
export function encodeBatch(serviceVersion: number, requests: readonly AdmissionRequest[]): EncodedBatch {
  const accounts = new Named()
  const keys = new Named()
  const accountOfKey: number[] = []
  const keyPlaces: number[] = []
  const accountPlaces: number[] = []
  let keyAccount = ''
  let id = ''
  let requestKey = ''
  let accountVersion = ''
  let keyVersion = ''
  let endpoint = ''
  let status = ''
  let error = ''
  let stage = ''
  let price = ''
  let units = ''
  let ceiling = ''
  let idempotency = ''
  let hash = ''
  for (const r of requests) {
    let key = keys.find(r.keyId)
    if (key === undefined) {
      key = keys.add(r.keyId)
      const account = accounts.find(r.accountId) ?? accounts.add(r.accountId)
      accountOfKey.push(account)
      keyAccount += `,${account}`
    }
    keyPlaces.push(key - 1)
    accountPlaces.push((accountOfKey[key - 1] ?? 1) - 1)
    id += `,${r.id}`
    requestKey += `,${key}`
    accountVersion += `,${r.accountVersion}`
    keyVersion += `,${r.keyVersion}`
    endpoint += `,${r.endpoint}`
    status += `,${r.status}`
    error += `,${r.error}`
    stage += `,${r.stage}`
    price += `,${r.price}`
    units += `,${r.units}`
    ceiling += orNull(r.ceiling)
    idempotency += r.idempotency ? `,${quoted(r.idempotency.key)}` : ',NULL'
    hash += r.idempotency ? `,"\\\\x${requestAndTags(r.idempotency)}"` : ',NULL'
  }
  const named = [accounts.ids, keys.ids, keyAccount]
  const lists = [...named, id, requestKey, accountVersion, keyVersion, endpoint, status, error, stage, price, units, ceiling, idempotency, hash]
  const values = [String(serviceVersion), ...lists.map((list) => `{${list.slice(1)}}`)]
  return { values, keyPlaces, accountPlaces }
}

/** The numbers of PostgreSQL's array literals and integers, in order and whatever stands between them; a null inside an array reads as 0. */
export function decodeNumbers(text: string): number[] {
  const numbers: number[] = []
  let value = 0
  let sign = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) value = value * 10 + (code - 48)
    else if (code === 45) sign = -1
    else if (code === 44 || code === 125 || (code === 32 && text.charCodeAt(at - 1) !== 125)) {
      numbers.push(sign * value)
      value = 0
      sign = 1
    }
  }
  return numbers
}

/** The service version and the clock stand before the columns; each of the first six columns has one number a request. */
const header = 2
const requestColumns = 6

/** The outcomes of a batch from the numbers that `admit` answered, in the order of its requests. */
export function readOutcomes(numbers: readonly number[], { keyPlaces, accountPlaces }: Omit<EncodedBatch, 'values'>): Outcome[] {
  const size = keyPlaces.length
  const limitOfKey = header + requestColumns * size
  const limitOfAccount = limitOfKey + 1 + keyPlaces.reduce((most, place) => Math.max(most, place), 0)
  const number = (place: number) => numbers[place] ?? 0
  // Behind the limits of the accounts: for each refused replay the length of the paid tag and its characters.
  let paid = limitOfAccount + 1 + accountPlaces.reduce((most, place) => Math.max(most, place), 0)
  const paidTag = () => {
    const start = paid + 1
    paid = start + number(paid)
    return { paidTag: String.fromCharCode(...numbers.slice(start, paid)) }
  }
  return keyPlaces.map((keyPlace, index) => {
    const of = (column: number) => number(header + column * size + index)
    const minuteLimit = number(limitOfKey + keyPlace)
    const dayLimit = number(limitOfAccount + (accountPlaces[index] ?? 0))
    return {
      verdict: of(0) as Verdict,
      units: of(1),
      credits: of(2),
      balance: of(3),
      minuteLimit,
      minuteLeft: minuteLimit - of(4),
      dayLimit,
      dayLeft: dayLimit - of(5),
      serviceVersion: number(0),
      now: number(1),
      ...(of(0) === verdicts.replayUnavailable ? paidTag() : {}),
    }
  })
}
