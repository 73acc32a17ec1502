import type { Mode } from '#server/api/contract/endpoint.ts'
import { errorCodes, errors, RefusedError, refuse } from '#server/api/contract/errors.ts'
import type { Price } from '#server/api/contract/price-kinds.ts'
import type { Database } from '#server/db/prisma.ts'
import { publicRequestId } from '#server/ids.ts'
import { type LogFilter, type Operations, operationId, operationName, toNumberedFilter } from './log-filter.ts'
import { type UnlistedCalls, unlistedCalls } from './refused-calls.ts'
import { type RequestAccount, type RequestRow, readRequestAccount, readRequestRange, readRequests, searchTargets, shownSince } from './requests.sql.ts'

type ChargeColumns = { readonly status: number; readonly units: number; readonly credits: number; readonly mode: Mode }

type FreeReason = 'error' | 'unchanged' | 'test' | 'free' | 'replay' | 'no rows'

/** Returns the reason why a request was free; null if it was charged. */
function freeReason({ status, units, credits, mode }: ChargeColumns, price: Price | undefined): FreeReason | null {
  if (credits > 0) return null
  if (status === 304) return 'unchanged'
  if (status >= 400) return 'error'
  if (mode === 'test') return 'test'
  if (price === undefined || price.credits === 0) return 'free'
  // Units without a charge mean a replay: the first call with this Idempotency-Key paid for them.
  return units > 0 ? 'replay' : 'no rows'
}

/**
 * Returns the charge of a log row: units, credits per unit, and credits in total. `price` is the endpoint's current price; for a charged row the unit price is
 * derived from the row itself.
 */
function toCharge(row: ChargeColumns, price: Price | undefined) {
  const { units, credits } = row
  const unitCredits = credits > 0 && units > 0 ? credits / units : (price?.credits ?? 0)
  return { units, per: price?.per ?? ('request' as const), unitCredits, credits, freeBy: freeReason(row, price) }
}

export type RequestQuestion = LogFilter & {
  /** Request id or the beginning of one, or text in the path and the parameters. */
  readonly search: string | null
  /** Start of the period, inclusive; null for the whole time that the log is shown. */
  readonly from: Date | null
  /** End of the period, exclusive. */
  readonly to: Date | null
  /** Id of the last request on the previous page; null for the first page. */
  readonly before: string | null
  readonly limit: number
}

const digits = 32
const lastId = 'f'.repeat(digits)

/** Returns a row of the request log as shown to the account that made the request. */
function toLoggedRequest(row: RequestRow, operations: Operations) {
  const operation = operations.find(({ no }) => no === row.endpoint)
  return {
    id: publicRequestId(row.id),
    at: row.at,
    /** Milliseconds from the request's arrival to the admission decision. */
    tookMs: Number(row.duration_ms),
    /** Endpoint called. Its name consists of method and path, such as `GET /rates/{sourceKey}`. */
    endpoint: { id: operationId(operations, row.endpoint), name: operationName(operations, row.endpoint) },
    method: operation?.method ?? 'GET',
    /** Path and query as received, truncated with `…` if very long; null if not stored. */
    target: row.target,
    status: row.status,
    error: errorCodes.find((code) => errors[code].no === row.error) ?? null,
    key: { id: row.key, name: row.key_name === '' ? `svc_${row.mode}_…${row.key_hint}` : row.key_name, mode: row.mode },
    charge: toCharge(row, operation?.price),
    balanceAfter: Number(row.balance),
  }
}

/** Normalises a typed id, with or without dashes, to hexadecimal digits; null if it can't be the beginning of an id. Without the prefix, it needs 8 digits. */
function toDigits(typed: string): string | null {
  const text = typed.trim().toLowerCase()
  const id = text.replace(/^req_/, '').replaceAll('-', '')
  return (text.startsWith('req_') ? /^[0-9a-f]{0,32}$/ : /^[0-9a-f]{8,32}$/).test(id) ? id : null
}

/** Formats 32 hexadecimal digits as a UUID. */
const toUuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const parseId = (id: string): string | null => /^req_([0-9a-f]{32})$/.exec(id)?.[1] ?? null

/** Returns the forms that a string can take in a stored path and query: as typed, or percent-encoded in either common way. All in lower case. */
const targetForms = (text: string): string[] => [
  ...new Set([text, encodeURIComponent(text), new URLSearchParams({ q: text }).toString().slice(2)].map((form) => form.toLowerCase())),
]

/** Number of calls whose stored parameters are read for one page of a text search. */
const maxSearched = 20_000

/** Returns a page of the account's requests, newest first. `older` continues the list, even if a text search has not found anything yet. */
export async function requestPage(db: Database, accountId: number, question: RequestQuestion, operations: Operations) {
  const { limit, search } = question
  const typed = search === null ? null : toDigits(search)
  if (typed !== null) {
    const rows = await readRequestRange(db, accountId, typed.padEnd(digits, '0'), typed.padEnd(digits, 'f'), limit)
    return { requests: rows.map((row) => toLoggedRequest(row, operations)), older: null }
  }
  const below = question.before === null ? lastId : parseId(question.before)
  const filter = await toNumberedFilter(db, accountId, question, operations)
  if (below === null || filter === null) return { requests: [], older: null }
  const range = { ...filter, from: new Date(Math.max(question.from?.getTime() ?? 0, shownSince().getTime())), to: question.to }
  const { rows, searchedTo } =
    search === null
      ? { rows: await readRequests(db, accountId, range, below, limit + 1), searchedTo: null }
      : await searchTargets(db, accountId, range, below, limit + 1, { forms: targetForms(search.trim()), max: maxSearched })
  const requests = rows.slice(0, limit).map((row) => toLoggedRequest(row, operations))
  const last = rows.length > limit ? (requests.at(-1)?.id ?? null) : null
  return { requests, older: last ?? (searchedTo === null ? null : publicRequestId(searchedTo)) }
}

type UnlistedQuestion = LogFilter & Pick<RequestQuestion, 'search'>

/** Counts the rejected calls that match the filter and are not in the log, by status. Empty for a search, because only logged requests have parameters. */
export async function unlistedRequests(db: Database, accountId: number, question: UnlistedQuestion, operations: Operations): Promise<UnlistedCalls> {
  const filter = question.search === null ? await toNumberedFilter(db, accountId, question, operations) : null
  return filter === null ? [] : unlistedCalls(db, accountId, filter)
}

/** Returns one request of the account. @throws RefusedError not_found, also for another account's request */
export async function getRequestWithDetails(db: Database, accountId: number, id: string, operations: Operations) {
  const known = parseId(id)
  const [row] = known === null ? [] : await readRequestRange(db, accountId, known, known, 1)
  if (known === null || !row) throw new RefusedError(refuse('not_found', {}, 'Request not found.'))
  const uuid = toUuid(known)
  const [detail, reversal] = await Promise.all([
    db.requestDetail.findUnique({ where: { accountId_id: { accountId, id: uuid } }, select: { headers: true, message: true } }),
    db.ledgerEntry.findFirst({ where: { accountId, kind: 'reversal', reference: uuid }, select: { id: true } }),
  ])
  return {
    ...toLoggedRequest(row, operations),
    /** Stored subset of the request headers; null if no details were stored. */
    headers: (detail?.headers ?? null) as Record<string, string> | null,
    /** Error message, if the call was rejected. */
    message: detail?.message ?? null,
    /** True if the charge was reversed because the response could not be sent. */
    givenBack: reversal !== null,
  }
}

/** Returns the account that made the request with this full id; null if the request is no longer in the log. */
export async function findRequestAccount(db: Database, id: string): Promise<RequestAccount | null> {
  const known = parseId(id)
  return known === null ? null : readRequestAccount(db, known)
}
