import OAuth2Server from '@node-oauth/oauth2-server'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { AuthorizationParameters } from '#server/api/contract/oauth.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { requireApplicationRoom } from '#server/keys/application-keys.ts'
import { readAuthorizationRequest, toReturnUrl } from './authorization-request.ts'
import { type Grant, oauthModel } from './oauth-model.ts'

/** Lifetime of a code. Applications exchange it within a second or two. */
const codeLifetimeSeconds = 60

/**
 * Approves a request: stores a code for the key that the user chose, and returns the URL that takes the code to the application. The key is created when the
 * application exchanges the code.
 * @throws FieldsError if the request is not valid
 */
export async function approveAccess({ pool, publicUrl }: AuthContext, parameters: AuthorizationParameters, grant: Grant): Promise<string> {
  const request = await readAuthorizationRequest(pool, publicUrl, parameters)
  if ('fault' in request) throw new FieldsError({ form: request.fault })
  await requireApplicationRoom(pool, grant.owner, request.app.id)
  const model = oauthModel(pool)
  const server = new OAuth2Server({ model })
  const code = await server.authorize(
    new OAuth2Server.Request({ method: 'POST', headers: {}, query: {}, body: { ...parameters, scope: '' } }),
    new OAuth2Server.Response({}),
    {
      authenticateHandler: { handle: () => grant },
      authorizationCodeLifetime: codeLifetimeSeconds,
      allowEmptyState: true,
    },
  )
  return toReturnUrl(parameters, publicUrl, { code: code.authorizationCode })
}

/** Returns the URL that tells the application that the user denied access. */
export const denyUrl = (parameters: AuthorizationParameters, publicUrl: string): string =>
  toReturnUrl(parameters, publicUrl, { error: 'access_denied', error_description: 'The user denied access.' })
