/** Calls that a client makes, and the checks of each response that do not need the ledger. */
import type { Reply } from './api-client.ts'
import type { Cast, CastKey, Part } from './cast.ts'

/** `rows`: priced per row. `whole`: priced per call. `wrong`: invalid, so rejected at any balance. */
type Kind = 'rows' | 'whole' | 'wrong'

export type Scenario = {
  readonly key: CastKey
  readonly path: string
  readonly kind: Kind
  readonly price: number
  readonly headers: Record<string, string>
  readonly ceiling: number | null
  readonly idempotencyKey: string | null
}

const numberUpTo = (end: number) => Math.floor(Math.random() * end)

export function pick<Item>(items: readonly Item[]): Item {
  const item = items[numberUpTo(items.length)]
  if (item === undefined) throw new Error('The list is empty.')
  return item
}

const wrong = ['/rates?limit=0', '/rates?colour=red', '/rates/no-such-product', '/rates?cursor=mangled']
/** Calls with a fixed price. */
const whole: readonly (readonly [path: string, price: number])[] = [
  ['/ping', 0],
  ['/reference/products', 1],
  ['/reference/account-types', 1],
  ['/reference/currencies', 1],
  ['/simulate?rate=4.50&amount=1000&months=12', 2],
]

function target(key: CastKey, cast: Cast): Pick<Scenario, 'path' | 'kind' | 'price'> {
  const dice = Math.random()
  if (dice < 0.45) return { path: `/rates?limit=${1 + numberUpTo(8)}`, kind: 'rows', price: 1 }
  if (dice < 0.55 && key.part !== 'sample') return { path: `/rates/${pick(cast.products)}`, kind: 'whole', price: 1 }
  if (dice < 0.62) return { path: `/assets/providers/${pick(cast.providers)}`, kind: 'whole', price: 5 }
  const [path, price] = pick(whole)
  return dice < 0.9 ? { path, kind: 'whole', price } : { path: pick(wrong), kind: 'wrong', price: 0 }
}

/** Number of Idempotency-Keys that a repeater uses. Each belongs to one path, but is occasionally sent with a different one. */
const repeated = 40
const conflicts = 0.03

function repeat(key: CastKey): Scenario {
  const number = numberUpTo(repeated)
  // The key changes every minute. The service remembers each key for ten minutes, or for less if the service's clock is set ahead.
  const idempotencyKey = `order ${Math.floor(performance.now() / 60_000)} ${number}`
  const isConflict = Math.random() < conflicts
  const path = `/rates?limit=${1 + (number % 7) + (isConflict ? 20 : 0)}`
  return { key, path, kind: 'rows', price: 1, headers: { 'idempotency-key': idempotencyKey }, ceiling: null, idempotencyKey }
}

/** Chooses a call with one of the keys. `tags` holds the ETags received so far, by dataset and path. */
export function chooseScenario(cast: Cast, tags: ReadonlyMap<string, string>): Scenario {
  const key = pick(cast.keys)
  if (key.part === 'repeater') return repeat(key)
  const { path, kind, price } = target(key, cast)
  const headers: Record<string, string> = {}
  const tag = tags.get(`${key.part === 'sample'} ${path}`)
  if (tag !== undefined && Math.random() < 0.15) headers['if-none-match'] = tag
  const ceiling = Math.random() < 0.15 ? numberUpTo(5) : null
  if (ceiling !== null) headers['x-svc-max-credits'] = String(ceiling)
  return { key, path, kind, price, headers, ceiling, idempotencyKey: null }
}

/** Response fields that are compared with the ledger. */
export type Claim = { readonly id: string; readonly status: number; readonly credits: number; readonly balance: number | null; readonly isReplay: boolean }

const header = (reply: Reply, name: string) => String(reply.headers[name] ?? '')

export function getClaim(reply: Reply): Claim {
  const balance = header(reply, 'x-svc-credits-balance')
  return {
    id: header(reply, 'x-svc-request-id').replace(/^req_/, ''),
    status: reply.status,
    credits: Number(header(reply, 'x-svc-credits-charged')),
    balance: balance === '' ? null : Number(balance),
    isReplay: header(reply, 'x-svc-idempotent-replay') === 'true',
  }
}

type Body = {
  error?: string
  requestId?: string
  data?: unknown
  meta?: { requestId: string; creditsCharged: number; creditsBalance: number; sample: boolean }
}

const errorStatuses = new Set([400, 402, 403, 404, 409, 429, 500])

function* faultsOfEnvelope(claim: Claim, { meta }: Body): Generator<string> {
  if (meta?.requestId !== `req_${claim.id}`) yield 'the envelope and the header have different request ids'
  if (meta?.creditsCharged !== claim.credits || meta.creditsBalance !== claim.balance) yield 'the envelope and the headers have different charges'
  if (claim.balance === null || claim.balance < 0) yield `the balance is ${claim.balance}`
}

function* faultsOfCharge({ key, kind, price, ceiling }: Scenario, claim: Claim, { data }: Body): Generator<string> {
  const isFree = key.part === 'sample' || claim.isReplay
  const units = kind === 'rows' && Array.isArray(data) ? data.length : 1
  const due = isFree ? 0 : units * price
  if (claim.credits !== due) yield `the charge is ${claim.credits} instead of ${due}`
  if (ceiling !== null && claim.credits > ceiling) yield `the charge is ${claim.credits}, over the ceiling of ${ceiling}`
  if (kind === 'wrong') yield 'an invalid call succeeds'
}

function* faultsOfError(claim: Claim, body: Body): Generator<string> {
  if (!errorStatuses.has(claim.status)) yield 'the status is undocumented'
  if (body.requestId !== `req_${claim.id}`) yield 'the error and the header have different request ids'
  if (claim.status === 500 && body.error !== 'internal_error') yield 'the 500 is not an internal_error'
  if (claim.status === 409 && body.error !== 'replay_unavailable') yield 'the 409 is not a replay_unavailable'
}

/** Rejections that a key may receive for a valid call. */
const expected: Record<Part, readonly number[]> = { poor: [402], capped: [402], limited: [429], repeater: [409], doomed: [403], sample: [429] }

function* faultsOfRefusal({ key, ceiling }: Scenario, { status }: Claim, body: Body): Generator<string> {
  const isExpected = expected[key.part].includes(status) || (status === 402 && ceiling !== null)
  if ([402, 403, 409, 429].includes(status) && !isExpected) yield `a ${key.part} key is rejected`
  if (status === 403 && body.error !== 'key_revoked') yield `the error of a 403 is ${body.error}`
}

/** Returns the errors that a response shows on its own, without the ledger. `sentAt` is the time of the call. */
export function getFaults(scenario: Scenario, reply: Reply, claim: Claim, sentAt: number): string[] {
  const { revokedAt } = scenario.key
  const faults = /^[0-9a-f]{32}$/.test(claim.id) ? [] : ['the request id is missing']
  if (revokedAt !== null && sentAt > revokedAt && ![403, 500].includes(claim.status)) faults.push('a revoked key works')
  if (claim.status !== 200 && claim.credits !== 0) faults.push('an error reports a charge')
  if (claim.status === 304) return faults
  const body = JSON.parse(reply.text) as Body
  if (claim.status === 200) return [...faults, ...faultsOfEnvelope(claim, body), ...faultsOfCharge(scenario, claim, body)]
  return [...faults, ...faultsOfError(claim, body), ...faultsOfRefusal(scenario, claim, body)]
}
