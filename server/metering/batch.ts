import type { Outcome, Verdict } from './outcome.ts'

/** Whether a request passes through the limits, was refused before them and counts, or was refused and does not count. */
export const stages = { limited: 0, counted: 1, uncounted: 2 } as const

type Stage = (typeof stages)[keyof typeof stages]

/** What the admission statement needs to know of one request. Amounts are credits; null ceiling means none. */
export type AdmissionRequest = {
  /** Version-7 UUID without dashes, made at arrival: the request id and the guard against charging twice. */
  readonly id: string
  readonly serviceVersion: number
  readonly accountId: number
  readonly accountVersion: number
  readonly keyId: number
  readonly keyVersion: number
  readonly endpoint: number
  /** The status and error number of the answer if it is granted. */
  readonly status: number
  readonly error: number
  readonly stage: Stage
  readonly price: number
  readonly units: number
  readonly ceiling: number | null
  readonly idempotency: { readonly key: string; readonly request: string } | null
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

const orNull = (value: number | null) => (value === null ? ',NULL' : `,${value}`)

/**
 * The parameters of `admit` as array literals. All requests of a batch carry the same service version.
 * Strings are built by hand, because the driver's own array encoding costs more than the rest of the batch.
 */
export function encodeBatch(serviceVersion: number, requests: readonly AdmissionRequest[]): string[] {
  const accounts = new Named()
  const keys = new Named()
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
      keyAccount += `,${accounts.find(r.accountId) ?? accounts.add(r.accountId)}`
    }
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
    hash += r.idempotency ? `,"\\\\x${r.idempotency.request}"` : ',NULL'
  }
  const named = [accounts.ids, keys.ids, keyAccount]
  const lists = [...named, id, requestKey, accountVersion, keyVersion, endpoint, status, error, stage, price, units, ceiling, idempotency, hash]
  return [String(serviceVersion), ...lists.map((list) => `{${list.slice(1)}}`)]
}

/** The numbers of a PostgreSQL array literal without nulls inside, `{1,-2,3}`; a null reads as 0. */
export function decodeNumbers(text: string): number[] {
  const numbers: number[] = []
  let value = 0
  let sign = 1
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) value = value * 10 + (code - 48)
    else if (code === 45) sign = -1
    else if (code === 44 || code === 125) {
      numbers.push(sign * value)
      value = 0
      sign = 1
    }
  }
  return numbers
}

const width = 8

/** The outcome of the request at `index` in the batch that `numbers` answer. */
export function outcomeAt(numbers: readonly number[], index: number): Outcome {
  const at = index * width
  const end = numbers.length
  const number = (place: number) => numbers[place] ?? 0
  return {
    verdict: number(at) as Verdict,
    units: number(at + 1),
    credits: number(at + 2),
    balance: number(at + 3),
    minuteLimit: number(at + 4),
    minuteLeft: number(at + 5),
    dayLimit: number(at + 6),
    dayLeft: number(at + 7),
    serviceVersion: number(end - 2),
    now: number(end - 1),
  }
}
