import type { Pool } from 'pg'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { type ErrorCode, errorCodes, errors, RefusedError, refuse } from '#server/api/contract/errors.ts'
import { publicRequestId } from '#server/ids.ts'
import { type Operations, operationId, operationName, operationNo } from './operations.ts'
import { type UnlistedCalls, unlistedCalls } from './refused-calls.ts'
import { chargeOf, type RequestCharge } from './request-charge.ts'
import { type RequestRow, readKeyId, readRequestAccount, readRequestDetail, readRequestRange, readRequests } from './requests.store.ts'

/** One line of the request log, as the account it belongs to sees it. */
export type LoggedRequest = {
  readonly id: string
  readonly at: Date
  /** Milliseconds from arrival to decision. */
  readonly tookMs: number
  /** Method and path of the endpoint: `GET /rates/{sourceKey}`. */
  readonly endpoint: { readonly id: string; readonly name: string }
  readonly method: string
  /** Path and query as they came, cut with `…` when very long; null when they were not kept. */
  readonly target: string | null
  readonly status: number
  readonly error: ErrorCode | null
  readonly key: { readonly id: string; readonly name: string; readonly mode: Mode }
  readonly charge: RequestCharge
  readonly balanceAfter: number
}

export type RequestQuestion = {
  /** An id, or its beginning. */
  readonly search: string | null
  readonly endpoint: string | null
  readonly status: number | null
  /** Only answers with this status or a higher one. */
  readonly leastStatus?: number
  readonly key: string | null
  /** The id below which to go on. */
  readonly before: string | null
  readonly limit: number
}

export type RequestPage = { readonly requests: readonly LoggedRequest[]; readonly older: string | null }

/** A request with what was kept beside its line. */
export type RequestInFull = LoggedRequest & {
  /** Headers of the call, as far as they are kept; null when nothing was kept. */
  readonly headers: Readonly<Record<string, string>> | null
  /** What the caller was told, when it was refused. */
  readonly message: string | null
  /** Whether the charge was given back, because its answer could not be sent. */
  readonly givenBack: boolean
}

const nothing: RequestPage = { requests: [], older: null }
const digits = 32
const lastId = 'f'.repeat(digits)

function fromDb(row: RequestRow, operations: Operations): LoggedRequest {
  const operation = operations.find(({ no }) => no === row.endpoint)
  return {
    id: publicRequestId(row.id),
    at: row.at,
    tookMs: Number(row.took_ms),
    endpoint: { id: operationId(operations, row.endpoint), name: operationName(operations, row.endpoint) },
    method: operation?.method ?? 'GET',
    target: row.target,
    status: row.status,
    error: errorCodes.find((code) => errors[code].no === row.error) ?? null,
    key: { id: row.key, name: row.key_name === '' ? `svc_${row.mode}_…${row.key_hint}` : row.key_name, mode: row.mode },
    charge: chargeOf(row, operation?.price),
    balanceAfter: Number(row.balance),
  }
}

/** The digits of an id as it is typed: with or without its prefix, with or without dashes; null when it cannot be the beginning of one. */
function digitsOf(typed: string): string | null {
  const text = typed.trim().toLowerCase().replace(/^req_/, '').replaceAll('-', '')
  return /^[0-9a-f]{1,32}$/.test(text) ? text : null
}

const wholeId = (id: string): string | null => /^req_([0-9a-f]{32})$/.exec(id)?.[1] ?? null

/** Requests that an id, or the beginning of one, can mean. */
async function search(pool: Pool, accountId: number, typed: string, limit: number): Promise<RequestRow[]> {
  const begin = digitsOf(typed)
  return begin === null ? [] : readRequestRange(pool, accountId, begin.padEnd(digits, '0'), begin.padEnd(digits, 'f'), limit)
}

/** What is asked for, in the numbers of the log; null when nothing can be that. */
async function filterOf(
  pool: Pool,
  accountId: number,
  { endpoint, key, status, leastStatus }: Pick<RequestQuestion, 'endpoint' | 'key' | 'status' | 'leastStatus'>,
  operations: Operations,
) {
  const no = endpoint === null ? null : operationNo(operations, endpoint)
  const keyId = key === null ? null : await readKeyId(pool, accountId, key)
  if ((endpoint !== null && no === null) || (key !== null && keyId === null)) return null
  return { endpoint: no, keyId, status, leastStatus: leastStatus ?? null }
}

/** A page of the log, newest first. What is not the account's does not exist. */
export async function requestPage(pool: Pool, accountId: number, question: RequestQuestion, operations: Operations): Promise<RequestPage> {
  const { limit } = question
  if (question.search !== null) {
    const rows = await search(pool, accountId, question.search, limit)
    return { requests: rows.map((row) => fromDb(row, operations)), older: null }
  }
  const below = question.before === null ? lastId : wholeId(question.before)
  const filter = await filterOf(pool, accountId, question, operations)
  if (below === null || filter === null) return nothing
  const rows = await readRequests(pool, accountId, filter, below, limit + 1)
  const requests = rows.slice(0, limit).map((row) => fromDb(row, operations))
  return { requests, older: rows.length > limit ? (requests.at(-1)?.id ?? null) : null }
}

type UnlistedQuestion = Pick<RequestQuestion, 'search' | 'endpoint' | 'key' | 'status'>

/** Refused calls that match the filters and are counted, not listed, by status. Empty for a search by id, because only listed requests have ids. */
export async function unlistedRequests(pool: Pool, accountId: number, question: UnlistedQuestion, operations: Operations): Promise<UnlistedCalls> {
  const filter = question.search === null ? await filterOf(pool, accountId, question, operations) : null
  return filter === null ? [] : unlistedCalls(pool, accountId, filter)
}

/** @throws RefusedError not_found, the same for a request of others as for one that never was */
export async function requestInFull(pool: Pool, accountId: number, id: string, operations: Operations): Promise<RequestInFull> {
  const known = wholeId(id)
  const [row] = known === null ? [] : await readRequestRange(pool, accountId, known, known, 1)
  if (known === null || !row) throw new RefusedError(refuse('not_found', {}, 'There is no such request.'))
  const detail = await readRequestDetail(pool, accountId, known)
  return { ...fromDb(row, operations), headers: detail?.headers ?? null, message: detail?.message ?? null, givenBack: detail?.given_back ?? false }
}

export type RequestAccount = { readonly id: number; readonly publicId: string; readonly email: string }

/** The account whose call a whole request id is of; null when the log has no such call any more. */
export async function accountOfRequest(pool: Pool, id: string): Promise<RequestAccount | null> {
  const known = wholeId(id)
  const row = known === null ? null : await readRequestAccount(pool, known)
  return row && { id: Number(row.id), publicId: row.public_id, email: row.email }
}
