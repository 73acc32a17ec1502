import { dataScopes, type Scope } from '#server/api/contract/access.ts'
import { type AuthorizationParameters, isOwnResource } from '#server/api/contract/oauth.ts'
import type { Db } from '#server/db/prisma.ts'
import { findClient, isClientId, isRegisteredUri, type OAuthApp } from './oauth-clients.ts'

/** Error code of an authorisation response (RFC 6749, section 4.1.2.1). */
type ErrorCode = 'invalid_request' | 'unsupported_response_type' | 'invalid_target' | 'access_denied'

/** Builds the URL that returns the user to the application. `iss` protects applications that use several authorisation servers (RFC 9207). */
export function toReturnUrl({ redirect_uri, state }: AuthorizationParameters, publicUrl: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(redirect_uri)
  for (const [name, value] of Object.entries({ ...values, ...(state === '' ? {} : { state }), iss: publicUrl })) url.searchParams.set(name, value)
  return url.href
}

/**
 * Checked request. `fault` is the reason why it can't be approved. It is shown on our own page: anyone can register an application, so a redirect without the
 * user's consent could lead anywhere (OAuth 2.1, section 7.12.2). If the application is known, `returnUrl` reports the error to it.
 */
export type AuthorizationRequest =
  | { readonly fault: string; readonly returnUrl: string | null }
  | { readonly app: OAuthApp; readonly scopes: readonly Scope[]; readonly parameters: AuthorizationParameters }

/** Returns the error of a request from a known application; null if it is valid. */
function getError(parameters: AuthorizationParameters, publicUrl: string): readonly [ErrorCode, string] | null {
  const { response_type, code_challenge, code_challenge_method, resource, state } = parameters
  if (response_type !== 'code') return ['unsupported_response_type', 'response_type must be "code".']
  if (code_challenge_method !== 'S256' || !/^[\w.~-]{43,128}$/.test(code_challenge))
    return ['invalid_request', 'PKCE with code_challenge_method "S256" is required.']
  if (!/^[\x20-\x7e]*$/.test(state)) return ['invalid_request', 'state must contain only printable ASCII characters.']
  return resource === '' || isOwnResource(resource, publicUrl) ? null : ['invalid_target', `This server only authorises access to ${publicUrl}/mcp.`]
}

/** Reads an authorisation request from the parameters of a URL. */
export async function readAuthorizationRequest(db: Db, publicUrl: string, parameters: AuthorizationParameters): Promise<AuthorizationRequest> {
  const app = isClientId(parameters.client_id) ? await findClient(db, parameters.client_id) : null
  if (app === null)
    return {
      fault: 'This application isn’t registered here, or hasn’t been used for 90 days. Remove this server from the application and add it again.',
      returnUrl: null,
    }
  if (!isRegisteredUri(parameters.redirect_uri, app))
    return { fault: `${app.name} asked to return you to a URL that it hasn’t registered. Don’t continue.`, returnUrl: null }
  const error = getError(parameters, publicUrl)
  if (error !== null) {
    const fault = `${app.name} sent a request that we can't accept: ${error[1]} Nothing was approved.`
    return { fault, returnUrl: toReturnUrl(parameters, publicUrl, { error: error[0], error_description: error[1] }) }
  }
  const asked = parameters.scope.split(' ')
  // The user can add the scope that manages the account, but it is never preselected.
  const scopes = dataScopes.filter((scope) => asked.includes(scope))
  return { app, scopes: parameters.scope.trim() === '' ? dataScopes : scopes, parameters }
}
