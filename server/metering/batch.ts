/** Verdicts on a request, by name, with the number that the SQL function `admit` returns for each. */
export const verdicts = {
  granted: 0,
  stale: 1,
  ended: 2,
  minuteLimit: 3,
  dayLimit: 4,
  insufficientCredits: 5,
  spendCap: 6,
  ceiling: 7,
  replay: 8,
  idempotencyConflict: 9,
  accountCap: 10,
  /** Replay that returns the page cached for the first call, because the current page differs from it. */
  replayOfKept: 11,
  /** Replay that fails because the page that the first call paid for is neither the current page nor cached. */
  replayUnavailable: 12,
} as const

export type Verdict = (typeof verdicts)[keyof typeof verdicts]

export type Outcome = {
  readonly verdict: Verdict
  /** Number of rows or calls granted. `credits` is the charge for them. */
  readonly units: number
  readonly credits: number
  /** Account balance after this request, in credits. */
  readonly balance: number
  readonly minuteLimit: number
  readonly minuteLeft: number
  readonly dayLimit: number
  readonly dayLeft: number
  readonly serviceVersion: number
  /** Time of the decision by the database's clock, in milliseconds since 1970. */
  readonly now: number
  /** ETag value of the page that the first call paid for; set only if the verdict is `replayUnavailable`. */
  readonly paidTag?: string
}

/**
 * Stages that a request can be in when it reaches admission: `limited` requests are subject to all limits; `counted` ones were already rejected but still count
 * towards the rate limits; `uncounted` ones were already rejected and don't count.
 */
export const stages = { limited: 0, counted: 1, uncounted: 2 } as const

export type Stage = (typeof stages)[keyof typeof stages]

export type Idempotency = {
  /** Value of the Idempotency-Key header. */
  readonly key: string
  /** Hash of the request, in hex. */
  readonly request: string
  /** ETag value of the current page (22 characters). */
  readonly tag?: string
  /** ETag value of the page cached for the first call with this key (22 characters). */
  readonly keptTag?: string | undefined
}

/** Input of the admission statement for one request. `price` is in credits per unit. */
export type AdmissionRequest = {
  /** Request id: a version 7 UUID without dashes, created on arrival. A request id is charged only once. */
  readonly id: string
  readonly serviceVersion: number
  readonly accountId: number
  readonly accountVersion: number
  readonly keyId: number
  readonly keyVersion: number
  /** Only live calls count towards the account's daily limit. */
  readonly isLive: boolean
  /** Id of the spend cap, if other keys share it; keys with the same cap never share a batch. Null if the key has its own cap or none. */
  readonly capId: number | null
  /** Shard with the account's rows, on a cluster; null on a single server. A batch contains requests for one shard only. */
  readonly shard: string | null
  readonly endpoint: number
  /**
   * HTTP status of the response if the request is granted. `error` is the number of the error in the response, 0 for none. Null if the response isn't known yet:
   * the request then counts towards the limits, but is logged only if it is over one of them.
   */
  readonly status: number | null
  readonly error: number
  readonly stage: Stage
  readonly price: number
  readonly units: number
  /** Maximum charge that the caller accepts, in credits; null for no maximum. */
  readonly ceiling: number | null
  readonly idempotency: Idempotency | null
}

/** Quotes an idempotency key for a PostgreSQL array literal. Keys can contain any printable character. */
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** Comma-separated list of a batch's distinct ids, with the 1-based position of each. */
class DistinctIds {
  private readonly positions = new Map<number, number>()
  ids = ''

  find(id: number): number | undefined {
    return this.positions.get(id)
  }

  add(id: number): number {
    const position = this.positions.size + 1
    this.positions.set(id, position)
    this.ids += `,${id}`
    return position
  }
}

/** Joins the request hash and the ETag values into one hex string, the form that `admit` expects. */
const requestAndTags = ({ request, tag = '', keptTag = '' }: Idempotency) => request + Buffer.from(tag + keptTag, 'latin1').toString('hex')

const orNull = (value: number | null) => (value === null ? ',NULL' : `,${value}`)

/** Encoded batch, with the 0-based position of each request's key and account among the distinct ids. */
export type EncodedBatch = { readonly values: string[]; readonly keyPlaces: readonly number[]; readonly accountPlaces: readonly number[] }

/**
 * Encodes the parameters of `admit` as array literals. All requests of a batch have the same service version. The strings are built by hand,
 * because the driver would take longer to encode arrays than the rest of the batch takes.
 */
export function encodeBatch(serviceVersion: number, requests: readonly AdmissionRequest[]): EncodedBatch {
  const accounts = new DistinctIds()
  const keys = new DistinctIds()
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
    status += orNull(r.status)
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

/** Extracts all integers from a row of PostgreSQL integers and integer arrays, in order. A null in an array is read as 0. */
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

/** `admit` returns two leading numbers (service version and time), then six columns with one number per request, then the limits. */
const header = 2
const requestColumns = 6

/** Decodes the outcomes that `admit` returned, in request order. */
export function readOutcomes(numbers: readonly number[], { keyPlaces, accountPlaces }: Omit<EncodedBatch, 'values'>): Outcome[] {
  const size = keyPlaces.length
  const limitOfKey = header + requestColumns * size
  const limitOfAccount = limitOfKey + 1 + keyPlaces.reduce((max, place) => Math.max(max, place), 0)
  const number = (place: number) => numbers[place] ?? 0
  // After the account limits, the row contains two items for each `replayUnavailable` request: the length of the ETag value of the page it paid for, and the
  // character codes of that value.
  let paid = limitOfAccount + 1 + accountPlaces.reduce((max, place) => Math.max(max, place), 0)
  const paidTag = () => {
    const start = paid + 1
    paid = start + number(paid)
    return { paidTag: String.fromCharCode(...numbers.slice(start, paid)) }
  }
  return keyPlaces.map((keyPlace, index) => {
    const read = (column: number) => number(header + column * size + index)
    const minuteLimit = number(limitOfKey + keyPlace)
    const dayLimit = number(limitOfAccount + (accountPlaces[index] ?? 0))
    return {
      verdict: read(0) as Verdict,
      units: read(1),
      credits: read(2),
      balance: read(3),
      minuteLimit,
      minuteLeft: minuteLimit - read(4),
      dayLimit,
      dayLeft: dayLimit - read(5),
      serviceVersion: number(0),
      now: number(1),
      ...(read(0) === verdicts.replayUnavailable ? paidTag() : {}),
    }
  })
}
