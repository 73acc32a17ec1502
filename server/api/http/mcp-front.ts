import { isIP } from 'node:net'
import type { CallHeaders } from '#server/api/pipeline/call.ts'
import { isPacked } from './request-faults.ts'

/** Response of the MCP server, ready to send. Headers are a flat list of names and values, without Content-Length. */
export type ToolAnswer = { readonly status: number; readonly headers: readonly string[]; readonly body: string | null }

/** Response of the MCP server whose body may be compressed. */
export type SentToolAnswer = Omit<ToolAnswer, 'body'> & { readonly body: string | Buffer<ArrayBuffer> | null }

/** JSON-RPC 2.0 error codes. `server` is from the range reserved for server-defined errors. */
export const rpcCodes = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, internal: -32_603, server: -32_000 } as const

const always = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']

export function jsonAnswer(status: number, body: string, more: readonly string[] = []): ToolAnswer {
  return { status, headers: [...always, ...more, 'Content-Type', 'application/json'], body }
}

/** Response to a message that was accepted and needs no reply. */
export const accepted: ToolAnswer = { status: 202, headers: always, body: null }

/** Builds an error response. `id` is the id of the request that it answers, or null if there is none. */
export function rpcError(status: number, code: number, message: string, id: string | number | null = null, more: readonly string[] = []): ToolAnswer {
  return jsonAnswer(status, JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }), more)
}

/** Returns the hostname of a URL in lower case, without port; null if it is not a URL. */
export function getHostname(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null
}

const ownNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns true if a Host header can only come from a client that intends to call this server. In a DNS rebinding attack, a page points its own domain name at
 * our address, and the browser sends that name: it contains a dot and is not an IP address. Names in private networks, such as `gateway`, contain no dot.
 */
function isOwnHost(host: string | undefined, publicName: string): boolean {
  const name = host === undefined ? null : getHostname(`http://${host}`)
  if (name === null) return false
  return name === publicName || !name.includes('.') || isIP(name.replace(/^\[|\]$/g, '')) > 0
}

/**
 * Returns true if the Origin is allowed to call the MCP server: our own site, localhost (developer tools on the user's machine), or none, because non-browser
 * clients don't send one.
 */
function isOwnOrigin(origin: string | undefined, publicName: string): boolean {
  if (origin === undefined) return true
  const name = /^https?:\/\//.test(origin) ? getHostname(origin) : null
  return name !== null && (name === publicName || ownNames.includes(name))
}

/**
 * Returns true if the content type is acceptable. `curl -d` labels JSON as a form by default, so that type is accepted too. Any other declared type must be
 * JSON.
 */
function isReadable(type: string | undefined): boolean {
  const essence = type?.split(';', 1)[0]?.trim().toLowerCase()
  return essence === undefined || essence === 'application/json' || essence === 'application/x-www-form-urlencoded'
}

export const single = (header: string | string[] | undefined): string | undefined => (typeof header === 'string' ? header : undefined)

/** Returns the error for a request that can be rejected before its key or body is read, or null. `publicName` is the host in the public URL. */
export function frontRefusal(method: string, headers: CallHeaders, publicName: string): ToolAnswer | null {
  if (!isOwnHost(single(headers['host']), publicName)) {
    return rpcError(403, rpcCodes.server, 'Unknown Host. Call the public URL of the service, which its operator sets as PUBLIC_URL.')
  }
  if (!isOwnOrigin(single(headers['origin']), publicName)) {
    return rpcError(403, rpcCodes.server, 'Pages from this Origin may not call the MCP server.')
  }
  if (method !== 'POST')
    return rpcError(405, rpcCodes.server, 'The MCP server only supports POST: it is stateless and has no event stream.', null, ['Allow', 'POST'])
  if (!isReadable(single(headers['content-type']))) return rpcError(415, rpcCodes.server, 'Send the message as Content-Type: application/json.')
  if (isPacked(single(headers['content-encoding']))) return rpcError(415, rpcCodes.server, 'Send the message uncompressed, without Content-Encoding.')
  return null
}
