import { createHash, randomBytes } from 'node:crypto'
import type { Member, PortalFixture } from '../../portal/support/portal-fixture.ts'
import { getData } from '../../portal/support/visitor.ts'

const redirectUri = 'http://localhost:8123/callback'
const access = { mode: 'test', name: 'Notebook', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }

/** Registers an application. The returned `connect` approves it as a member and returns its key. */
export async function newConnection({ origin }: Pick<PortalFixture, 'origin'>) {
  const body = JSON.stringify({ client_name: 'Notebook', redirect_uris: [redirectUri] })
  const registered = await fetch(`${origin}/oauth/register`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  const clientId = String(((await registered.json()) as { client_id: string }).client_id)
  /** Returns a PKCE verifier and the authorisation parameters with its challenge. */
  const newRequest = () => {
    const verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const parameters = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }
    return { verifier, parameters }
  }
  /** Approves the application as a member. The returned function exchanges the code. */
  const approve = async ({ visitor }: Member, more: object = {}): Promise<() => Promise<Response>> => {
    const { verifier, parameters } = newRequest()
    const { url } = getData(await visitor.call('oauth.approve', 'mutation', { ...access, ...more, request: parameters }))
    const code = new URL(url).searchParams.get('code') ?? ''
    const form = new URLSearchParams({ grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier })
    return () => fetch(`${origin}/oauth/token`, { method: 'POST', body: form })
  }
  /** Approves the application as a member, exchanges the code, and returns the key. */
  const connect = async (member: Member, more: object = {}): Promise<string> => {
    const exchange = await approve(member, more)
    return ((await (await exchange()).json()) as { access_token: string }).access_token
  }
  return { clientId, redirectUri, newRequest, approve, connect }
}
