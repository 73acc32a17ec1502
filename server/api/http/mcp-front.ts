import { isIP } from 'node:net'
import type { CallHeaders } from '#server/api/pipeline/call.ts'
import { isPacked } from './request-faults.ts'

/** An answer of the tool server, ready to be sent: headers as a flat list of names and values, without Content-Length. */
export type ToolAnswer = { readonly status: number; readonly headers: readonly string[]; readonly body: string | null }

/** Codes of JSON-RPC 2.0, and the one that the protocol leaves to servers. */
export const rpcCodes = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, internal: -32_603, server: -32_000 } as const

const always = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']

export function jsonAnswer(status: number, body: string, more: readonly string[] = []): ToolAnswer {
  return { status, headers: [...always, ...more, 'Content-Type', 'application/json'], body }
}

/** A message that was taken and needs no answer. */
export const accepted: ToolAnswer = { status: 202, headers: always, body: null }

/** An error under the id of the request that it answers; null where there is none. */
export function rpcError(status: number, code: number, message: string, id: string | number | null = null, more: readonly string[] = []): ToolAnswer {
  return jsonAnswer(status, JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }), more)
}

/** The name in an address in lower case, without port; null when it is no address. */
export function hostnameOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null
}

const ownNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Whether a Host header can only come from somebody who means this server. A page that had its own name changed to our address (DNS rebinding) sends
 * that name, which has a dot in it and is no address; names of a private network that people use, such as `gateway`, have none.
 */
function isOwnHost(host: string | undefined, publicName: string): boolean {
  const name = host === undefined ? null : hostnameOf(`http://${host}`)
  if (name === null) return false
  return name === publicName || !name.includes('.') || isIP(name.replace(/^\[|\]$/g, '')) > 0
}

/** Whether a page may send this: pages of ours, or of a tool that its user runs. Programs send no Origin. */
function isOwnOrigin(origin: string | undefined, publicName: string): boolean {
  if (origin === undefined) return true
  const name = /^https?:\/\//.test(origin) ? hostnameOf(origin) : null
  return name !== null && (name === publicName || ownNames.includes(name))
}

/** `curl -d` calls its JSON a form unless told otherwise, which is no reason to refuse it. Anything else that names itself has to be JSON. */
function isReadable(type: string | undefined): boolean {
  const essence = type?.split(';', 1)[0]?.trim().toLowerCase()
  return essence === undefined || essence === 'application/json' || essence === 'application/x-www-form-urlencoded'
}

export const single = (header: string | string[] | undefined): string | undefined => (typeof header === 'string' ? header : undefined)

/** What a request is refused for before anybody looks at its key or its body; null: nothing. `publicName` is the host of the public address. */
export function frontRefusal(method: string, headers: CallHeaders, publicName: string): ToolAnswer | null {
  if (!isOwnHost(single(headers['host']), publicName)) {
    return rpcError(403, rpcCodes.server, 'This Host is not served here. Call the public address of the service; its operator sets it as PUBLIC_URL.')
  }
  if (!isOwnOrigin(single(headers['origin']), publicName)) {
    return rpcError(403, rpcCodes.server, 'Pages of this Origin may not call the tool server.')
  }
  if (method !== 'POST')
    return rpcError(405, rpcCodes.server, 'The tool server answers POST only: it is stateless and has no stream to open.', null, ['Allow', 'POST'])
  if (!isReadable(single(headers['content-type']))) return rpcError(415, rpcCodes.server, 'Send the message as Content-Type: application/json.')
  if (isPacked(single(headers['content-encoding']))) return rpcError(415, rpcCodes.server, 'Send the message as it is, without Content-Encoding.')
  return null
}
