import type { LoadRequest } from './load-types.ts'

const rows = 10

/** API call that the benchmark measures. */
export const httpCall: LoadRequest = { path: `/v1/rates?limit=${rows}`, headers: ['Accept: application/json'], body: null }

const types = ['Content-Type: application/json', 'Accept: application/json, text/event-stream']
const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'rates', arguments: { limit: rows } } }

/** The same call as an MCP tool call without a protocol version header. */
export const toolCall: LoadRequest = { path: '/mcp', headers: types, body: JSON.stringify(message) }

const version = '2026-07-28'
const _meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} }

/** The same call as an MCP tool call in the newest protocol version. */
export const newestToolCall: LoadRequest = {
  path: '/mcp',
  headers: [...types, `Mcp-Protocol-Version: ${version}`, 'Mcp-Method: tools/call', 'Mcp-Name: rates'],
  body: JSON.stringify({ ...message, params: { ...message.params, _meta } }),
}
