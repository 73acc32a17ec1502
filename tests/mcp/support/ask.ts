import { type ApiAnswer, call } from '../../support/accounts.ts'
import type { Fixture } from '../../v1/support/fixture.ts'

/** Posts to the MCP server as `curl` would, with the same Accept header, which `fetch` also sends by default. Strings are sent unchanged. */
export function post(fixture: Fixture, body: unknown, key: string | null, headers: Record<string, string> = {}): Promise<ApiAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return call(fixture.service.origin, '/mcp', key, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } })
}

/** Builds a JSON-RPC 2.0 request. */
export const request = (method: string, params?: object, id: string | number = 1) => ({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) })

/** Builds a tool call without protocol version metadata. */
export const toolCall = (name: string, args?: object, id: string | number = 1) => request('tools/call', { name, ...(args ? { arguments: args } : {}) }, id)

export const modern = '2026-07-28'

/** Converts a request to protocol version 2026-07-28: version and client capabilities in `_meta`, and headers that repeat the method and name. */
export function modernRequest(method: string, given: object = {}, id: string | number = 1) {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': modern, 'io.modelcontextprotocol/clientCapabilities': {} }
  const params: { readonly name?: string; readonly uri?: string } = given
  const name = params.name ?? params.uri
  const headers = { 'mcp-protocol-version': modern, 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': name }) }
  return { body: request(method, { ...params, _meta }, id), headers }
}

/** Calls a tool. Returns the response, its result, and the HTTP body inside the result. */
export async function callTool(fixture: Fixture, key: string, name: string, args: object = {}, headers: Record<string, string> = {}) {
  const answer = await post(fixture, toolCall(name, args), key, headers)
  const result = answer.body?.result
  const text: string = result?.content?.[0]?.text ?? ''
  return { answer, result, text, inside: text === '' ? null : JSON.parse(text) }
}
