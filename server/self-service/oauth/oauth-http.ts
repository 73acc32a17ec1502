import OAuth2Server, { OAuthError } from '@node-oauth/oauth2-server'
import { z } from 'zod'
import { AccessError } from '#server/accounts/permissions.ts'
import { attempt, type Limit, limits, ThrottledError } from '#server/accounts/throttle.ts'
import { RefusedError } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { isOwnResource } from '#server/api/contract/oauth.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { getSite } from '#server/keys/address-list.ts'
import { returnKey } from '#server/keys/application-keys.ts'
import { KeyRequestError } from '#server/keys/keys.ts'
import { isClientId, Registration, registerClient } from './oauth-clients.ts'
import { oauthModel } from './oauth-model.ts'
import { revokeIfReplayed } from './replayed-codes.ts'

/** Maximum size of a body. */
export const maxBodyBytes = 16_384

/** Request of an application. `body` is null if it is longer than `maxBodyBytes`. */
type Received = { readonly contentType: string | null; readonly body: string | null }

/** Responses contain keys and codes, so they are never cached. */
const headers = { 'Cache-Control': 'no-store', Pragma: 'no-cache', 'Access-Control-Allow-Origin': '*' }

/** Answers a browser's preflight request. Clients that run in a page may call these routes: no cookie gives access to anything here. */
export const answerPreflight = (): Response =>
  new Response(null, { status: 204, headers: { ...headers, 'Access-Control-Allow-Methods': 'POST', 'Access-Control-Allow-Headers': 'Content-Type' } })

const fault = (status: number, error: string, description: string, more: Readonly<Record<string, string>> = {}): Response =>
  Response.json({ error, error_description: description }, { status, headers: { ...headers, ...more } })

/** Unwraps a storage error, which the library converts to a server error. */
const getCause = (error: unknown): unknown => (error instanceof OAuthError && 'inner' in error ? error.inner : error)

/** Counts a request of a network, then answers it. Converts rejections to the errors of RFC 6749. */
async function answer({ pool }: AuthContext, { address }: Asker, limit: Limit, work: () => Promise<Response>): Promise<Response> {
  try {
    await attempt(pool, [limit, getSite(address)])
    return await work()
  } catch (thrown) {
    const error = getCause(thrown)
    if (error instanceof ThrottledError) return fault(429, 'temporarily_unavailable', error.message, { 'Retry-After': String(error.waitSeconds) })
    if (error instanceof OAuthError) return fault(error.code < 500 ? error.code : 400, error.name, error.message.replaceAll('"', '`'))
    // After the user approved the access, the account was closed, the member was removed, the expiry passed, or too many keys were created.
    if (error instanceof RefusedError || error instanceof AccessError || error instanceof FieldsError || error instanceof KeyRequestError)
      return fault(400, 'invalid_grant', error.message)
    throw error
  }
}

type Form = Readonly<Record<string, string>>

async function exchange(deps: AuthContext, asker: Asker, body: Form): Promise<Response> {
  const { code = '', resource = '', code_verifier: verifier = '' } = body
  if (resource !== '' && !isOwnResource(resource, deps.publicUrl))
    return fault(400, 'invalid_target', `This server only authorises access to ${deps.publicUrl}/mcp.`)
  const grant = body['grant_type'] ?? ''
  if (grant === '') return fault(400, 'invalid_request', 'Missing parameter: `grant_type`')
  if (grant !== 'authorization_code') return fault(400, 'unsupported_grant_type', 'grant_type must be `authorization_code`.')
  if (verifier === '') return fault(400, 'invalid_request', 'Missing parameter: `code_verifier`')
  const server = new OAuth2Server({ model: oauthModel(deps.pool) })
  const request = new OAuth2Server.Request({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
    query: {},
    body,
  })
  const response = new OAuth2Server.Response({})
  try {
    await server.token(request, response, { requireClientAuthentication: { authorization_code: false } })
  } catch (error) {
    await revokeIfReplayed(deps, { code, client: body['client_id'] ?? '', address: asker.address })
    throw error
  }
  return Response.json(response.body, { headers })
}

/** Reads the parameters of a form, and answers with `work`, or with an error if they can't be read. */
function answerForm(
  deps: AuthContext,
  asker: Asker,
  limit: Limit,
  { contentType, body: text }: Received,
  work: (body: Form) => Promise<Response>,
): Promise<Response> {
  return answer(deps, asker, limit, async () => {
    if (!/^application\/x-www-form-urlencoded\b/i.test(contentType ?? ''))
      return fault(400, 'invalid_request', 'Send the parameters as application/x-www-form-urlencoded.')
    if (text === null) return fault(413, 'invalid_request', `The body must not exceed ${maxBodyBytes} bytes.`)
    const parameters = new URLSearchParams(text)
    if (new Set(parameters.keys()).size < parameters.size) return fault(400, 'invalid_request', 'Send each parameter once.')
    return work(Object.fromEntries(parameters))
  })
}

/** Exchanges an authorisation code for an API key (POST /oauth/token). */
export const answerToken = (deps: AuthContext, asker: Asker, received: Received): Promise<Response> =>
  answerForm(deps, asker, limits.oauthToken, received, (body) => exchange(deps, asker, body))

/** Revokes a key that an application no longer needs (POST /oauth/revoke, RFC 7009). Returns 200 for other applications' keys too, to reveal nothing. */
export const answerRevocation = (deps: AuthContext, asker: Asker, received: Received): Promise<Response> =>
  answerForm(deps, asker, limits.oauthRevocation, received, async ({ token = '', client_id: clientId = '' }) => {
    if (token === '' || clientId === '') return fault(400, 'invalid_request', 'Send token and client_id.')
    if (isClientId(clientId)) await returnKey(deps.pool, token, clientId, asker.address)
    return new Response(null, { status: 200, headers })
  })

const Json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue('Must be JSON.')
    return z.NEVER
  }
})

/** Registers an application (POST /oauth/register, RFC 7591). Anyone can: registration gives access to nothing. */
export function answerRegistration(deps: AuthContext, asker: Asker, { body: text }: Received): Promise<Response> {
  return answer(deps, asker, limits.oauthRegistration, async () => {
    if (text === null) return fault(413, 'invalid_client_metadata', `The body must not exceed ${maxBodyBytes} bytes.`)
    const { data, error } = Json.pipe(Registration).safeParse(text)
    if (data) return Response.json(await registerClient(deps.pool, data), { status: 201, headers })
    const [issue] = error.issues
    const member = issue?.path.join('.') || 'The body'
    return fault(400, issue?.path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata', `${member}: ${issue?.message}`)
  })
}
