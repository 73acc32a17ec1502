import type { Outcome, Verdict } from './outcome.ts'

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
  /** Refused before the limits are looked at: counted, never limited. */
  readonly early: boolean
  readonly price: number
  readonly units: number
  readonly ceiling: number | null
  readonly idempotency: { readonly key: string; readonly request: string } | null
}

/** Text of a PostgreSQL array; a key may hold any printable character, so it is quoted. */
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** Things that a batch names once: the text of their array literals, and the place of each. */
class Named {
  private readonly places = new Map<number, number>()
  readonly columns: string[]

  constructor(columns: number) {
    this.columns = Array.from({ length: columns }, () => '')
  }

  /** The place of `id`, counted from 1. A new one is written down with `values`. */
  place(id: number, ...values: number[]): number {
    const known = this.places.get(id)
    if (known !== undefined) return known
    const place = this.places.size + 1
    this.places.set(id, place)
    for (const [column, value] of [id, ...values].entries()) this.columns[column] += `,${value}`
    return place
  }
}

const yesNo = (value: boolean) => (value ? ',t' : ',f')
const orNull = (value: number | null) => (value === null ? ',NULL' : `,${value}`)

/**
 * The parameters of `admit` as array literals. All requests of a batch carry the same service version.
 * Strings are built by hand, because the driver's own array encoding costs more than the rest of the batch.
 */
export function encodeBatch(serviceVersion: number, requests: readonly AdmissionRequest[]): string[] {
  const accounts = new Named(2)
  const keys = new Named(3)
  let id = '',
    requestKey = '',
    endpoint = '',
    status = '',
    error = '',
    early = '',
    price = '',
    units = '',
    ceiling = '',
    idempotency = '',
    hash = ''
  for (const r of requests) {
    const account = accounts.place(r.accountId, r.accountVersion)
    requestKey += `,${keys.place(r.keyId, account, r.keyVersion)}`
    id += `,${r.id}`
    endpoint += `,${r.endpoint}`
    status += `,${r.status}`
    error += `,${r.error}`
    early += yesNo(r.early)
    price += `,${r.price}`
    units += `,${r.units}`
    ceiling += orNull(r.ceiling)
    idempotency += r.idempotency ? `,${quoted(r.idempotency.key)}` : ',NULL'
    hash += r.idempotency ? `,"\\\\x${r.idempotency.request}"` : ',NULL'
  }
  const lists = [...accounts.columns, ...keys.columns, id, requestKey, endpoint, status, error, early, price, units, ceiling, idempotency, hash]
  return [String(serviceVersion), ...lists.map((list) => `{${list.slice(1)}}`)]
}

/** The numbers of a PostgreSQL array literal without nulls inside, `{1,-2,3}`; a null reads as 0. */
export function decodeNumbers(text: string): number[] {
  const numbers: number[] = []
  let value = 0
  let sign = 1
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) value = value * 10 + code - 48
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
