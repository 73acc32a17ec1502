/** Tests requests to misbehaving OpenID Connect providers that an owner has configured. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { type ProviderNetwork, withGuardedRequests } from '#server/self-service/single-sign-on/guarded-requests.ts'
import { discoverProvider } from '#server/self-service/single-sign-on/provider-metadata.ts'
import { refusedAddress } from '#server/webhooks/reach.ts'
import { verifies } from '../requirements/verifies.ts'

const servers: Server[] = []

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts a provider and returns its issuer. */
async function serve(handle: (issuer: string) => RequestListener): Promise<string> {
  const server = createServer()
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://issuer.example.com:${(server.address() as AddressInfo).port}`
  server.on('request', handle(issuer))
  return issuer
}

const document = (issuer: string, facts: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  ...facts,
})

const serveDocument = (getFacts: (issuer: string) => object = () => ({})) =>
  serve((issuer) => (_request, response) => void response.end(JSON.stringify(document(issuer, getFacts(issuer)))))

/** Network in which only the name issuer.example.com is public, and resolves to this machine. */
const network = (facts: Partial<ProviderNetwork> = {}): ProviderNetwork => ({
  reach: {
    resolve: async (host) => [host === 'issuer.example.com' ? '127.0.0.1' : '10.0.0.7'],
    refuses: (address) => (address === '127.0.0.1' ? null : refusedAddress(address)),
  },
  settings: { developmentFeatures: true, allowsPrivate: true },
  timeoutMs: 5_000,
  ...facts,
})

/** Network with the rules of production. */
const production = (address: string) =>
  network({ reach: { resolve: async () => [address], refuses: refusedAddress }, settings: { developmentFeatures: false, allowsPrivate: false } })

/** Returns the error message of a failed discovery. */
const fault = (issuer: string, here = network()) =>
  discoverProvider(here, issuer).then(
    () => 'accepted',
    (error: Error) => error.message,
  )

verifies('teams/single-sign-on-requests', async () => {
  expect(await fault(await serveDocument())).toBe('accepted')
  for (const address of ['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1', '64:ff9b::a00:7'])
    expect(await fault('https://issuer.example.com', production(address))).toContain('The host name resolves to an address that is not public')
  expect(await fault('https://169.254.169.254/latest', production('169.254.169.254'))).toContain('169.254.169.254 is not a public address (link-local)')
  expect(await fault('http://issuer.example.com', production('203.0.114.1'))).toBe('The URL must start with https://.')
  expect(await fault('https://issuer.example.com:5432', production('203.0.114.1'))).toContain('Port 5432 is not allowed')
  const target = await serveDocument()
  const redirecting = await serve(() => (_request, response) => void response.writeHead(302, { location: `${target}/.well-known/openid-configuration` }).end())
  expect(await fault(redirecting)).toContain('expected 200 OK, got: 302 Found')
})

test('rejects a name that also resolves to a private address', async () => {
  const { reach, ...rest } = production('10.0.0.7')
  expect(await fault('https://issuer.example.com', { ...rest, reach: { ...reach, resolve: async () => ['203.0.114.1', '10.0.0.7'] } })).toContain(
    'an address that is not public (private)',
  )
})

test('aborts a response that stalls at any stage', async () => {
  const silent = await serve(() => () => undefined)
  const dripping = await serve(() => (_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  for (const issuer of [silent, dripping])
    expect(await fault(issuer, network({ timeoutMs: 300 }))).toBe(
      "The identity provider didn't respond within 0.3 seconds. Check the issuer URL, then try again.",
    )
  const slowName = network({ timeoutMs: 300, reach: { resolve: () => new Promise(() => undefined), refuses: () => null } })
  expect(await fault('http://issuer.example.com', slowName)).toBe(
    "The identity provider didn't respond within 0.3 seconds. Check the issuer URL, then try again.",
  )
})

test('aborts a response that is too large', async () => {
  let sent = 0
  const issuer = await serve(() => (_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536
    }
    response.on('drain', write)
    write()
  })
  expect(await fault(issuer)).toBe("The identity provider's response is larger than 256 KiB. Check the issuer URL.")
  expect(sent).toBeLessThan(64 * 1_024 * 1_024)
})

test('rejects a discovery document with another issuer or with endpoints that must not be requested', async () => {
  expect(await fault(await serveDocument(() => ({ issuer: 'https://accounts.google.com' })))).toBe(
    "The identity provider's discovery document names a different issuer: https://accounts.google.com. Enter the issuer URL exactly as it appears there.",
  )
  for (const name of ['token_endpoint', 'jwks_uri', 'authorization_endpoint']) {
    expect(await fault(await serveDocument(() => ({ [name]: 'http://10.0.0.7/internal' })))).toContain(`The identity provider's ${name} can't be used.`)
    expect(await fault(await serveDocument(() => ({ [name]: 'javascript:alert(1)' })))).toMatch(/can't be used|doesn't have a usable/)
    expect(await fault(await serveDocument(() => ({ [name]: undefined })))).toContain(`doesn't have a usable ${name}`)
  }
  expect(await fault(await serve(() => (_request, response) => void response.end('<html>')))).toBe(
    "The identity provider's discovery document is not JSON. Check the issuer URL.",
  )
  expect(await fault(await serve(() => (_request, response) => void response.end('null')))).not.toBe('accepted')
  expect(await fault(await serveDocument(() => ({ id_token_signing_alg_values_supported: ['HS256'] })))).toContain('RS256')
})

test("checks each request again, because a provider's endpoints can later resolve to other addresses", async () => {
  const work = (url: string) =>
    withGuardedRequests(network(), async (options) => {
      options(new URL(url), {})
    }).then(
      () => null,
      (error: Error) => error.message,
    )
  expect(await work('http://10.0.0.7/token')).toContain('10.0.0.7 is not a public address (private)')
  expect(await work('http://[::1]/token')).toContain('not a public address')
  expect(await work('http://issuer.example.com/token')).toBeNull()
})
