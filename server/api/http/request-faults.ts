import type { IncomingMessage } from 'node:http'
import { errors } from '#server/api/contract/errors.ts'
import { isApiPath, isVersionPath, leadsElsewhere } from './address-shapes.ts'
import type { ListenerLimits } from './listener-limits.ts'

/** Reason for rejecting a request: a message, and the HTTP status for URLs outside the API. */
export type Fault = { readonly status: number; readonly message: string }

const fault = (status: number, message: string): Fault => ({ status, message })

const notHttp = 'This is not a well-formed HTTP request'

/** Headers that must not be repeated: two values would contradict each other, and programs disagree on which one applies. */
const onlyOnce = new Set(['host', 'authorization', 'idempotency-key', 'x-svc-max-credits', 'content-type', 'content-encoding'])

const hostShape = /^[\w.:[\]~%-]*$/

export const tooManyAtOnce = (maximum: number): Fault =>
  fault(400, `Too many pending requests on this connection: at most ${maximum} are allowed. Wait for responses before sending more.`)

export const unknownExpectation = fault(417, 'The Expect header is not supported, except "Expect: 100-continue". Omit it.')

/** Maps an error code of Node's HTTP parser to an error response. The request target is unknown, so the request is treated as an API call. */
export function faultOfBytes(code: string | undefined, { headBytes }: ListenerLimits): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') return fault(400, `The path and headers together must not exceed ${headBytes} bytes.`)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fault(408, 'The request took too long to arrive.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return fault(400, 'The chunk extensions of the body are too long.')
  return fault(400, `${notHttp}.`)
}

/** Returns the name of a repeated header that must be unique; null if there is none. */
function repeated({ rawHeaders, headers }: IncomingMessage): string | null {
  // Fast path: in nearly every request, no header name occurs twice.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return null
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    if (onlyOnce.has(name) && seen.has(name)) return name
    seen.add(name)
  }
  return null
}

function faultOfHost({ headers: { host }, httpVersionMinor }: IncomingMessage): Fault | null {
  if (host === undefined) return httpVersionMinor === 0 ? null : fault(400, `${notHttp}: the Host header is missing.`)
  return hostShape.test(host) ? null : fault(400, `${notHttp}: the Host header is not a valid hostname.`)
}

/** Returns the reason to reject a request, or null. Runs for every request, so it has to be cheap. */
export function getFault(request: IncomingMessage, url: string, limits: ListenerLimits): Fault | null {
  const { headers, rawHeaders, httpVersionMajor, httpVersionMinor } = request
  if (url.length > limits.pathLength) return fault(414, `The path and query must not exceed ${limits.pathLength} characters.`)
  // v1 paths are exempt: nothing but our own router resolves them, and an invalid path gets the same error as an unknown one.
  if (!isVersionPath(url) && leadsElsewhere(url)) return fault(400, 'The path must not contain dot segments or backslashes.')
  if (rawHeaders.length > limits.headerCount * 2) return fault(431, `A request must not have more than ${limits.headerCount} headers.`)
  if (httpVersionMajor !== 1) return fault(400, `${notHttp}: use HTTP/1.1.`)
  if (httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined) return fault(400, `${notHttp}: HTTP/1.0 does not support Transfer-Encoding.`)
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) return fault(413, `The body must not exceed ${limits.bodyBytes} bytes.`)
  const twice = repeated(request)
  return twice === null ? faultOfHost(request) : fault(400, `The header "${twice}" is given more than once. Give it once.`)
}

/** Returns the HTTP status of an error for a given URL. API calls always get the status of `invalid_request`, which must not change within v1. */
export const statusAt = (url: string, { status }: Fault): number => (isApiPath(url) ? errors.invalid_request.status : status)

const hasBody = ({ 'content-length': length, 'transfer-encoding': coding }: IncomingMessage['headers']) =>
  coding !== undefined || (length !== undefined && length !== '0')

/** Returns true if a body is compressed. Compressed bodies are rejected, because a few bytes could expand to any size. */
export const isPacked = (encoding: string | undefined): boolean => encoding !== undefined && encoding.trim().toLowerCase() !== 'identity'

/** Maximum size of a form submission or a portal (tRPC) call in bytes. */
export const formBytes = 65_536
/** Maximum size of a form in the admin area in bytes. Larger than elsewhere, because administrators edit the Data Licence there. */
const adminFormBytes = 524_288

/** Matches the session cookie by name only: proxy.ts and the procedures check the session itself. */
const sessionCookie = /(?:^|;\s*)(?:__Host-)?svc\.session=/
export const hasSessionCookie = (cookie = ''): boolean => sessionCookie.test(cookie)

const maxFormBytes = (url: string, cookie?: string) => (/^\/admin(?:[/?]|$)/.test(url) && hasSessionCookie(cookie) ? adminFormBytes : formBytes)

/** Methods that no page supports. TRACE and TRACK would echo the headers of a request, including cookies. */
const unsupportedMethods = new Set(['TRACE', 'TRACK', 'CONNECT'])

/**
 * Returns the error for a request that must not reach Next, or null. Next reads the whole body before checking anything, so Content-Length must be present and
 * small.
 */
export function faultOfForm({ method = 'GET', headers }: IncomingMessage, url: string): Fault | null {
  if (isApiPath(url)) return null
  if (unsupportedMethods.has(method)) return fault(405, `The method ${method} is not supported.`)
  if (headers['transfer-encoding'] !== undefined) return fault(411, 'Send Content-Length. Chunked bodies are not accepted here.')
  const maxBytes = maxFormBytes(url, headers.cookie)
  if (Number(headers['content-length'] ?? 0) > maxBytes) return fault(413, `The body must not exceed ${maxBytes} bytes.`)
  return hasBody(headers) && isPacked(headers['content-encoding']) ? fault(415, 'Send the body uncompressed, without Content-Encoding.') : null
}
