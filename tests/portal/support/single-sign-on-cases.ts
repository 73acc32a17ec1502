import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { newId } from '../../billing/support/stripe-objects.ts'
import { aProvider } from './attempts.ts'
import type { Member, PortalFixture } from './portal-fixture.ts'
import { addSingleSignOn, linkSignIn } from './teams.ts'

type Actor = { readonly fixture: PortalFixture; readonly member: Member }

/** Starts a provider that has only a discovery document, and returns its issuer. */
async function openDiscovery(): Promise<string> {
  const server = createServer((_request, response) => {
    const url = getUrl()
    const document = { issuer: url, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token`, jwks_uri: `${url}/jwks` }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
  })
  const getUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Lets the test process exit while the server is listening.
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return getUrl()
}

let issuer: Promise<string> | null = null

const getIssuer = (): Promise<string> => (issuer ??= openDiscovery())

/** Sets up single sign-on for an account and links the owner's login. */
async function withSingleSignOn({ fixture, member }: Actor): Promise<void> {
  await fixture.sql('DELETE FROM single_sign_on WHERE account_id = $1', [member.id])
  await addSingleSignOn(fixture, member, aProvider.issuer)
  await linkSignIn(fixture, member, member, newId('subject'))
}

/** Valid inputs of the mutations about single sign-on. */
export const singleSignOnCases = {
  'team.setSingleSignOn': fc.constant(async ({ fixture }: Actor) => {
    // Resets the hourly limit, which other tests cover.
    await fixture.sql('DELETE FROM throttle')
    return { ...aProvider, issuer: await getIssuer() }
  }),
  'team.requireSingleSignOn': fc.constant(async (actor: Actor) => {
    await withSingleSignOn(actor)
    return { isRequired: true }
  }),
  'team.removeSingleSignOn': fc.constant(async (actor: Actor) => {
    await withSingleSignOn(actor)
    return undefined
  }),
}
