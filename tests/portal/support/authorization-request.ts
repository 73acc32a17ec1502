import { Registration, registerClient } from '#server/self-service/oauth/oauth-clients.ts'
import type { PortalFixture } from './portal-fixture.ts'

/** Registers an application and returns its authorisation request. */
export async function newAuthorizationRequest({ pool }: Pick<PortalFixture, 'pool'>): Promise<Record<string, string>> {
  const redirect_uri = 'http://localhost:8123/callback'
  const { client_id } = await registerClient(pool, Registration.parse({ redirect_uris: [redirect_uri] }))
  return { client_id, redirect_uri, response_type: 'code', code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }
}
