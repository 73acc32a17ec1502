import type { IncomingMessage } from 'node:http'
import { errors } from '#server/api/contract/errors.ts'
import { isApiPath, isVersionPath, leadsElsewhere } from './address-shapes.ts'
import type { ListenerLimits } from './listener-limits.ts'

/** Why a request is not looked at, in words and in the status that browsers and their like know it by. */
export type Fault = { readonly status: number; readonly message: string }

const fault = (status: number, message: string): Fault => ({ status, message })

const notHttp = 'This is not a well-formed HTTP request'

/** Headers of which two would mean two different things, and no two programs agree which of them counts. */
const onlyOnce = new Set(['host', 'authorization', 'idempotency-key', 'x-svc-max-credits', 'content-type', 'content-encoding'])

const hostShape = /^[\w.:[\]~%-]*$/

export const tooManyAtOnce = (most: number): Fault => fault(400, `At most ${most} requests may wait for answers on one connection.`)

export const unknownExpectation = fault(417, 'The only expectation that is understood is "Expect: 100-continue".')

/** What is wrong with bytes that never became a request, by the code of Node's parser. Whom they were for is not known, so they are taken for a call. */
export function faultOfBytes(code: string | undefined, { headBytes }: ListenerLimits): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') return fault(400, `Path and headers of a request may have ${headBytes} bytes together.`)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fault(408, 'The request took too long to arrive.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return fault(400, 'The chunks of the body carry more beside the body than is read.')
  return fault(400, `${notHttp}.`)
}

/** A header that may come once and came more often; null: there is none. */
function repeated({ rawHeaders, headers }: IncomingMessage): string | null {
  // Nearly every request has as many headers as names, and is not looked at more closely.
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
  if (host === undefined) return httpVersionMinor === 0 ? null : fault(400, `${notHttp}: it has no Host.`)
  return hostShape.test(host) ? null : fault(400, `${notHttp}: its Host is no name of a host.`)
}

/** Why a request may not be answered, or null. It is asked of every one, so it costs next to nothing. */
export function faultOf(request: IncomingMessage, url: string, limits: ListenerLimits): Fault | null {
  const { headers, rawHeaders, httpVersionMajor, httpVersionMinor } = request
  if (url.length > limits.pathLength) return fault(414, `The path may have ${limits.pathLength} characters, with its query.`)
  // Calls of v1 are read as they are, by nobody else, and answered in the shape of every other call.
  if (!isVersionPath(url) && leadsElsewhere(url)) return fault(400, 'The path may have no segments of dots and no backslashes.')
  if (rawHeaders.length > limits.headerCount * 2) return fault(431, `A request may have ${limits.headerCount} headers.`)
  if (httpVersionMajor !== 1) return fault(400, `${notHttp}: version 1.1 is spoken here.`)
  if (httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined) return fault(400, `${notHttp}: version 1.0 has no Transfer-Encoding.`)
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) return fault(413, `A body may have ${limits.bodyBytes} bytes.`)
  const twice = repeated(request)
  return twice === null ? faultOfHost(request) : fault(400, `The header "${twice}" is given more than once. Give it once.`)
}

/** The status of a fault at an address. A call gets none that the table of errors, which is frozen, does not have for `invalid_request`. */
export const statusAt = (url: string, { status }: Fault): number => (isApiPath(url) ? errors.invalid_request.status : status)

const hasBody = ({ 'content-length': length, 'transfer-encoding': coding }: IncomingMessage['headers']) =>
  coding !== undefined || (length !== undefined && length !== '0')

/** Whether a body is packed. Nothing here unpacks one: a few bytes could become any number of them. */
export const isPacked = (encoding: string | undefined): boolean => encoding !== undefined && encoding.trim().toLowerCase() !== 'identity'

/** Bytes of a form or a portal call. Administrators write the Data Licence, so their forms are longer. */
export const formBytes = 65_536
const adminFormBytes = 524_288

/** The session cookie by its name alone: proxy.ts and the procedures check the session itself. */
const sessionCookie = /(?:^|;\s*)(?:__Host-)?svc\.session=/
export const hasSessionCookie = (cookie = ''): boolean => sessionCookie.test(cookie)

const maxFormBytes = (url: string, cookie?: string) => (/^\/admin(?:[/?]|$)/.test(url) && hasSessionCookie(cookie) ? adminFormBytes : formBytes)

/** Methods that no page answers. TRACE and TRACK would repeat the headers of a request, cookies among them. */
const unsupportedMethods = new Set(['TRACE', 'TRACK', 'CONNECT'])

/** Returns why a request is not passed on to the pages, or null. Next reads a body to its end before it looks at it, so its length has to be known and small. */
export function faultOfForm({ method = 'GET', headers }: IncomingMessage, url: string): Fault | null {
  if (isApiPath(url)) return null
  if (unsupportedMethods.has(method)) return fault(405, `The method ${method} is not supported.`)
  if (headers['transfer-encoding'] !== undefined) return fault(411, 'Say in Content-Length how long the body is: a body in chunks is not taken here.')
  const maxBytes = maxFormBytes(url, headers.cookie)
  if (Number(headers['content-length'] ?? 0) > maxBytes) return fault(413, `A body may have ${maxBytes} bytes.`)
  return hasBody(headers) && isPacked(headers['content-encoding']) ? fault(415, 'Send the body as it is, without Content-Encoding.') : null
}
