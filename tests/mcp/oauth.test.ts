/** Tests OAuth for MCP clients: discovery, registration, approval in the portal, and the exchange of codes for keys. */
import { createHash, randomBytes } from 'node:crypto'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, getError } from '../portal/support/visitor.ts'
import { verifies } from '../requirements/verifies.ts'

const fixture = portalFixture()

const redirectUri = 'http://localhost:8123/callback'

async function register(metadata: object = { client_name: 'Notebook', redirect_uris: [redirectUri] }) {
  const body = JSON.stringify(metadata)
  const response = await fetch(`${fixture.origin}/oauth/register`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const newApp = async () => (await register()).body['client_id'] ?? ''

/** Returns a PKCE verifier and the authorisation parameters with its challenge. */
function newRequest(clientId: string) {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'st/ate +1',
  }
  return { verifier, parameters }
}

const access = { mode: 'test', name: 'Notebook', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }

/** Approves a request and returns the URL to which the user returns. */
async function approve({ visitor }: Member, request: object, more: object = {}): Promise<URL> {
  const answer = await visitor.call('oauth.approve', 'mutation', { ...access, ...more, request })
  return new URL(getData(answer).url)
}

async function exchange(values: Readonly<Record<string, string>>) {
  const response = await fetch(`${fixture.origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(values) })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, string> }
}

/** Returns the parameters that exchange a member's new code for a key. */
async function newCode(member: Member, more: object = {}) {
  const clientId = await newApp()
  const { verifier, parameters } = newRequest(clientId)
  const code = (await approve(member, parameters, more)).searchParams.get('code') ?? ''
  return { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier }
}

const statusOf = async (key: string) => (await fetch(`${fixture.origin}/v1/ping`, { headers: { authorization: `Bearer ${key}` } })).status

verifies('tools/oauth-discovery', async () => {
  const refused = await fetch(`${fixture.origin}/mcp`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  const [, url = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  const resource = await (await fetch(url)).json()
  expect(resource).toMatchObject({ resource: `${fixture.origin}/mcp`, authorization_servers: [fixture.origin] })
  const server = await (await fetch(`${fixture.origin}/.well-known/oauth-authorization-server`)).json()
  expect(server).toMatchObject({ issuer: fixture.origin, code_challenge_methods_supported: ['S256'], grant_types_supported: ['authorization_code'] })
})

verifies('tools/oauth-flow', async () => {
  const member = await fixture.member({ credits: 50 })
  const saved: { client?: unknown; tokens?: unknown; verifier?: string; url?: URL; discovery?: unknown } = {}
  const provider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'Official client', redirect_uris: [redirectUri] },
    clientInformation: () => saved.client,
    saveClientInformation: (client: unknown) => Object.assign(saved, { client }),
    tokens: () => saved.tokens,
    saveTokens: (tokens: unknown) => Object.assign(saved, { tokens }),
    redirectToAuthorization: (url: URL) => Object.assign(saved, { url }),
    saveCodeVerifier: (verifier: string) => Object.assign(saved, { verifier }),
    codeVerifier: () => saved.verifier,
    saveDiscoveryState: (discovery: unknown) => Object.assign(saved, { discovery }),
    discoveryState: () => saved.discovery,
  }
  const connect = () => new StreamableHTTPClientTransport(new URL(`${fixture.origin}/mcp`), { authProvider: provider as never })
  const first = connect()
  await expect(new Client({ name: 'tests', version: '1.0.0' }).connect(first)).rejects.toThrow(UnauthorizedError)
  // The browser opens the consent page, on which the user approves.
  const parameters = Object.fromEntries(saved.url?.searchParams ?? [])
  const page = await member.visitor.open(`${saved.url?.pathname}${saved.url?.search}`)
  expect(page.text).toContain('An application calling itself Official client is asking for access')
  const back = await approve(member, parameters, { mode: 'live', name: 'Official client', cap: '5', scopes: ['rates:read'] })
  await first.finishAuth(back.searchParams)
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(connect())
  const result = await client.callTool({ name: 'rates', arguments: { limit: 2 } })
  expect(result).toMatchObject({ structuredContent: { meta: { creditsCharged: 2 } } })
  await client.close()
  const keys = getData(await member.visitor.call('keys.list', 'query'))
  expect(keys).toMatchObject([{ name: 'Official client', mode: 'live', capCredits: 5, scopes: ['rates:read'] }])
})

verifies('tools/oauth-code-once', async () => {
  const member = await fixture.member()
  const code = await newCode(member)
  const good = await exchange(code)
  expect([good.status, good.body]).toEqual([200, expect.objectContaining({ token_type: 'Bearer', scope: 'rates:read' })])
  expect(good.headers.get('cache-control')).toBe('no-store')
  const key = good.body['access_token'] ?? ''
  // Another application can't revoke the key with a code that it found.
  expect((await exchange({ ...code, client_id: await newApp() })).body['error']).toBe('invalid_grant')
  expect(await statusOf(key)).toBe(200)
  expect((await exchange(code)).body['error']).toBe('invalid_grant')
  expect(await statusOf(key)).toBe(403)
  const revoked = await fixture.sql("SELECT 1 FROM audit_entry WHERE account_id = $1 AND action = 'key.revoke'", [member.id])
  expect(revoked).toHaveLength(1)
})

test('creates at most one key for a code that is presented several times concurrently, and leaves none active', async () => {
  const member = await fixture.member()
  const code = await newCode(member)
  const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(code)))
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
  const keys = await fixture.sql<{ revoked: boolean }>('SELECT revoked_at IS NOT NULL AS revoked FROM api_key WHERE account_id = $1', [member.id])
  expect(keys.filter(({ revoked }) => !revoked)).toEqual([])
  expect(keys.length).toBeLessThanOrEqual(1)
})

test('returns a key that works until it is revoked, and leaves no code or key in the log', async () => {
  const member = await fixture.member()
  const code = await newCode(member, { expires: '2035-01-31' })
  const { body } = await exchange(code)
  expect(Number(body['expires_in'])).toBeGreaterThan(3_600)
  const key = body['access_token'] ?? ''
  expect(await statusOf(key)).toBe(200)
  const [{ id }] = getData(await member.visitor.call('keys.list', 'query'))
  await member.visitor.call('keys.revoke', 'mutation', { id })
  expect(await statusOf(key)).toBe(403)
  for (const secret of [key, code.code]) expect(fixture.service.log()).not.toContain(secret)
})

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
  ['no verifier', { code_verifier: '' }, 'invalid_request'],
  ['another redirect URI', { redirect_uri: 'http://localhost:8123/other' }, 'invalid_request'],
  ['another application', { client_id: 'app_none' }, 'invalid_client'],
  ['an application id with a NUL character', { client_id: '\u0000' }, 'invalid_request'],
  ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ['another grant', { grant_type: 'refresh_token' }, 'unsupported_grant_type'],
])('rejects a code with %s', async (_what, change, error) => {
  const member = await fixture.member()
  const answer = await exchange({ ...(await newCode(member)), ...change })
  expect([answer.status, answer.body['error']]).toEqual([400, error])
  expect(await fixture.sql('SELECT 1 FROM api_key WHERE account_id = $1', [member.id])).toEqual([])
})

test("rejects an expired code, another application's code, and the code of a member who has been removed", async () => {
  const member = await fixture.member()
  const [expired, foreign, removed] = [await newCode(member), await newCode(member), await newCode(member)]
  await fixture.sql("UPDATE oauth_code SET expires_at = now() - interval '1 second' WHERE hash = sha256($1::bytea)", [Buffer.from(expired.code)])
  expect((await exchange(expired)).body['error']).toBe('invalid_grant')
  expect((await exchange({ ...foreign, client_id: await newApp() })).body['error']).toBe('invalid_grant')
  const other = await fixture.member()
  await fixture.sql('UPDATE oauth_code SET member_id = $2 WHERE hash = sha256($1::bytea)', [Buffer.from(removed.code), other.id])
  expect((await exchange(removed)).body['error']).toBe('invalid_grant')
  expect(await fixture.sql('SELECT 1 FROM api_key WHERE account_id = $1', [member.id])).toEqual([])
})

verifies('tools/oauth-redirects', async () => {
  const member = await fixture.member()
  const { parameters } = newRequest(await newApp())
  // Applications on the user's machine get another port at each start.
  const moved = await approve(member, { ...parameters, redirect_uri: 'http://localhost:9999/callback' })
  expect([moved.origin, moved.searchParams.get('state'), moved.searchParams.get('iss')]).toEqual(['http://localhost:9999', 'st/ate +1', fixture.origin])
  for (const redirect_uri of [
    'http://localhost:8123/other',
    'https://localhost:8123/callback',
    'http://localhost.evil.example:8123/callback',
    'javascript:alert(1)',
    '',
  ]) {
    const refused = await member.visitor.call('oauth.approve', 'mutation', { ...access, request: { ...parameters, redirect_uri } })
    expect([refused.status, getError(refused).message]).toEqual([400, expect.stringContaining('hasn’t registered')])
    const page = await member.visitor.open(`/portal/connect?${new URLSearchParams({ ...parameters, redirect_uri })}`)
    expect([page.path.startsWith('/portal/connect'), page.text]).toEqual([true, expect.stringContaining('Don’t continue.')])
  }
})

test('explains a faulty request on the consent page, with a link that reports it to the application', async () => {
  const { visitor } = await fixture.member()
  const { parameters } = newRequest(await newApp())
  for (const [change, error] of [
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ resource: 'https://elsewhere.example' }, 'invalid_target'],
  ] as const) {
    const page = await visitor.open(`/portal/connect?${new URLSearchParams({ ...parameters, ...change })}`)
    expect([page.path.startsWith('/portal/connect'), page.text]).toEqual([true, expect.stringContaining('Nothing was approved. Return to localhost:8123')])
    expect(page.html).toContain(`error=${error}&amp;`)
  }
})

test('never preselects the scope that manages the account, and needs a recent sign-in for it', async () => {
  const member = await fixture.member()
  const { parameters } = newRequest(await newApp())
  const read = getData(await member.visitor.call('oauth.read', 'query', { ...parameters, scope: 'account:manage rates:read "\u00e9' }))
  expect(read.scopes).toEqual(['rates:read'])
  expect(getData(await member.visitor.call('oauth.read', 'query', { ...parameters, scope: 'openid' })).scopes).toEqual([])
  await fixture.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes', reauthenticated_at = NULL WHERE account_id = $1", [member.id])
  const refused = await member.visitor.call('oauth.approve', 'mutation', { ...access, scopes: ['account:manage'], request: parameters })
  expect([refused.status, getError(refused).data.proof]).toEqual([403, 'password'])
})

test.each([
  [{ redirect_uris: ['http://evil.example/cb'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['https://user:pass@evil.example/cb'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['ms-msdt:/id'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['microsoft-edge:https://evil.example/cb'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['ssh://evil.example'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['https://a.example/cb'], client_name: 'a\u202Eb' }, 'invalid_client_metadata'],
  [{ redirect_uris: ['https://a.example/cb'], client_name: '\u3164' }, 'invalid_client_metadata'],
  [{ redirect_uris: ['https://a.example/cb'], client_name: 'Savings Rates (official)' }, 'invalid_client_metadata'],
])('rejects the registration %j', async (metadata, error) => {
  const { status, body } = await register(metadata)
  expect([status, body['error']]).toEqual([400, error])
})

test("registers an app's URL scheme, and redirects a signed-out user to the sign-in page and back", async () => {
  const { status, body } = await register({
    redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
    token_endpoint_auth_method: 'client_secret_post',
  })
  expect([status, body['client_name'], body['client_secret'], body['token_endpoint_auth_method']]).toEqual([201, 'Unnamed application', undefined, 'none'])
  const path = `/portal/connect?${new URLSearchParams({ ...newRequest(body['client_id'] ?? '').parameters, redirect_uri: 'cursor://anysphere.cursor-mcp/oauth/callback' })}`
  const signIn = await fixture.visitor().open(path)
  expect(signIn.path).toBe(`/sign-in?next=${encodeURIComponent(path)}`)
})
