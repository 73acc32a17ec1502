import { z } from 'zod'
import { dataScopes } from './access.ts'

/** Paths of the authorisation server. Access is approved in the portal. The metadata paths are fixed by RFC 8414 and RFC 9728. */
export const oauthPaths = {
  authorize: '/portal/connect',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  server: '/.well-known/oauth-authorization-server',
  resource: '/.well-known/oauth-protected-resource',
} as const

/** Path of the protected resource: the MCP server. */
const resourcePath = '/mcp'

/** URL of the metadata of the MCP server, which clients without a key are referred to. */
export const resourceMetadataUrl = (publicUrl: string): string => `${publicUrl}${oauthPaths.resource}${resourcePath}`

/** Returns true if a `resource` parameter (RFC 8707) names this service: the MCP server, or the whole site. */
export function isOwnResource(resource: string, publicUrl: string): boolean {
  return [publicUrl, `${publicUrl}/`, `${publicUrl}${resourcePath}`].includes(resource)
}

/** Returns the metadata of the MCP server as a protected resource (RFC 9728). */
export const resourceMetadata = (publicUrl: string) => ({
  resource: `${publicUrl}${resourcePath}`,
  authorization_servers: [publicUrl],
  bearer_methods_supported: ['header'],
  scopes_supported: dataScopes,
  resource_name: 'Savings Rates Data API',
  resource_documentation: `${publicUrl}/docs/tools`,
})

/** Returns the metadata of the authorisation server (RFC 8414). */
export const serverMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}${oauthPaths.authorize}`,
  token_endpoint: `${publicUrl}${oauthPaths.token}`,
  registration_endpoint: `${publicUrl}${oauthPaths.register}`,
  revocation_endpoint: `${publicUrl}${oauthPaths.revoke}`,
  revocation_endpoint_auth_methods_supported: ['none'],
  scopes_supported: dataScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code'],
  token_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${publicUrl}/docs/tools`,
})

/** Parameters of an authorisation request. Only their size is checked here. */
export const AuthorizationParameters = z.object({
  client_id: z.string().max(100).default(''),
  redirect_uri: z.string().max(500).default(''),
  response_type: z.string().max(40).default(''),
  code_challenge: z.string().max(128).default(''),
  code_challenge_method: z.string().max(20).default(''),
  scope: z.string().max(500).default(''),
  state: z.string().max(1_000).default(''),
  resource: z.string().max(300).default(''),
})

export type AuthorizationParameters = z.infer<typeof AuthorizationParameters>
