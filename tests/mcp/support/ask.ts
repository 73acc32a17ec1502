import { type ApiAnswer, call } from '../../support/world.ts'
import type { Stage } from '../../v1/support/stage.ts'

/** Posts anything to the tool server, as `curl` would: no Accept but what `fetch` sends. A text goes out as it is. */
export function post(stage: Stage, body: unknown, key: string | null, headers: Record<string, string> = {}): Promise<ApiAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return call(stage.service.origin, '/mcp', key, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } })
}

/** A request of JSON-RPC 2.0. */
export const request = (method: string, params?: object, id: string | number = 1) => ({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) })

/** The call of a tool as the specification has it, without anything of a version of the protocol. */
export const toolCall = (name: string, args?: object, id: string | number = 1) => request('tools/call', { name, ...(args ? { arguments: args } : {}) }, id)

export const modern = '2026-07-28'

/** The same request as 2026-07-28 has it: the version and what the client can do in every message, and headers that repeat what it is about. */
export function modernRequest(method: string, given: object = {}, id: string | number = 1) {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': modern, 'io.modelcontextprotocol/clientCapabilities': {} }
  const params: { readonly name?: string; readonly uri?: string } = given
  const name = params.name ?? params.uri
  const headers = { 'mcp-protocol-version': modern, 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': name }) }
  return { body: request(method, { ...params, _meta }, id), headers }
}

/** What a call of a tool gave: its result, and the body of the HTTP answer inside of it. */
export async function callTool(stage: Stage, key: string, name: string, args: object = {}, headers: Record<string, string> = {}) {
  const answer = await post(stage, toolCall(name, args), key, headers)
  const result = answer.body?.result
  const text: string = result?.content?.[0]?.text ?? ''
  return { answer, result, text, inside: text === '' ? null : JSON.parse(text) }
}
