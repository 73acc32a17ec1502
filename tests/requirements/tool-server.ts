import type { Requirement } from './requirement.ts'

/** Requirements for the MCP server. */
export const toolServer = {
  'tools/tools-call': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The server handles a POST of a JSON-RPC 2.0 tools/call with name and arguments.',
  },
  'tools/single-types': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'No tool schema has a list of types.',
  },
  'tools/compatible-inspector': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'MCP Inspector lists and calls the tools, and finds no schema that models may reject.',
  },
  'tools/compatible-ai-sdk': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: "The AI SDK's MCP client lists and calls the tools.",
  },
  'tools/accept-header': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The server handles a call with Accept: application/json, text/event-stream.',
  },
  'tools/same-endpoints': { source: 'SPEC What the service does', behaviour: 'The MCP server exposes the endpoints as tools.' },
  'tools/same-key': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'A tool call uses the same key in the Authorization header.',
  },
  'tools/same-prices': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'A tool call costs the same as the endpoint.',
  },
  'tools/argument-names': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: "A tool's arguments have the names of its endpoint's parameters.",
  },
  'tools/name-rates': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The tool rates calls GET /rates, and its arguments include type, amount and limit.',
  },
  'tools/name-rates-link': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The tool rates_link calls GET /rates/{sourceKey}/link, and its argument is sourceKey.',
  },
  'tools/name-reference-products': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The tool reference_products calls GET /reference/products.',
  },
  'tools/name-reference-providers': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The tool reference_providers calls GET /reference/providers.',
  },
  'tools/name-reference-cards': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The tool reference_cards calls GET /reference/cards.',
  },
  'tools/name-reference-currencies': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The tool reference_currencies calls GET /reference/currencies.',
  },
  'tools/name-reference-account-types': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The tool reference_account_types calls GET /reference/account-types.',
  },
  'tools/name-reference-fscs': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The tool reference_fscs calls GET /reference/fscs.',
  },
  'tools/names-from-paths': {
    source: 'DECISIONS 16',
    behaviour: 'A tool that the specification does not name is named after its path: parameters are omitted, segments are joined by _, and - becomes _.',
  },
  'tools/names-get-for-items': {
    source: 'DECISIONS 16',
    behaviour: 'An item tool has the suffix _get if its name would equal that of its list tool: rates_get, providers_get.',
  },
  'tools/list-shows-all': {
    source: 'DECISIONS 32',
    behaviour: 'tools/list lists all 38 tools to a key with all scopes.',
  },
  'tools/oauth-discovery': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: "The response to a call without a valid key links to the MCP server's metadata, which names its authorisation server.",
  },
  'tools/oauth-flow': {
    source: 'SPEC Endpoints: Tool server',
    behaviour:
      'An official client registers itself, the user approves permissions and a cap in the portal, and the client calls tools with the key it receives.',
  },
  'tools/oauth-example': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'The example program examples/mcp-client.ts gets access with the consent of the user, keeps it in a private file, and lists and calls tools.',
  },
  'tools/oauth-code-once': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'A code works once, for a minute, with its PKCE verifier. Presenting it again revokes the key.',
  },
  'tools/oauth-redirects': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'Codes are sent only to a redirect URI that the application registered.',
  },
  'tools/oauth-reconnect': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'If a user connects an application again, its new key replaces the earlier one, and a cap applies to both together.',
  },
  'tools/oauth-revoke': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'An application can revoke its own key, and no other.',
  },
} as const satisfies Record<string, Requirement>
