import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import Provider, { type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider'
import { Visitor } from './visitor.ts'

export type ProviderPerson = { readonly email?: string; readonly email_verified?: unknown; readonly name?: string }

const clientId = 'svc-portal'
const clientSecret = 'a secret of the tests for the provider'
const lifetimeSeconds = 600

/** In-memory storage of the provider. Entries never expire, because the process ends first. */
class MemoryAdapter implements Adapter {
  private readonly things: Map<string, AdapterPayload>
  private readonly kind: string

  constructor(things: Map<string, AdapterPayload>, kind: string) {
    this.things = things
    this.kind = kind
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.things.set(`${this.kind} ${id}`, payload)
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.things.get(`${this.kind} ${id}`)
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...this.things].find(([key, payload]) => key.startsWith(`${this.kind} `) && payload.uid === uid)?.[1]
  }

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const payload = await this.find(id)
    if (payload) payload.consumed = true
  }

  async destroy(id: string): Promise<void> {
    this.things.delete(`${this.kind} ${id}`)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of this.things) if (payload.grantId === grantId) this.things.delete(key)
  }
}

/** Returns the provider's configuration. It sets every option that the library would otherwise warn about, and grants access without asking the user. */
function configuration(things: Map<string, AdapterPayload>): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    adapter: (kind: string) => new MemoryAdapter(things, kind),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as never] },
    features: { devInteractions: { enabled: false } },
    ttl: {
      AccessToken: lifetimeSeconds,
      AuthorizationCode: lifetimeSeconds,
      Grant: lifetimeSeconds,
      IdToken: lifetimeSeconds,
      Interaction: lifetimeSeconds,
      Session: lifetimeSeconds,
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ['keys of the tests'] },
    async loadExistingGrant({ oidc: { provider, client, session, params } }) {
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' })
      grant.addOIDCScope(String(params?.['scope']))
      await grant.save()
      return grant
    },
  }
}

const signInPage = `<!doctype html><html lang="en"><title>Example ID</title><style>:focus { outline: 3px solid blue }</style><h1>Example ID</h1>
<form method="post"><label>Name <input name="login"></label> <label>Password <input name="password" type="password"></label> <button>Sign in</button></form>`

async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** Real OpenID Connect provider that accepts any name and password. */
export class IdentityProvider {
  readonly people = new Map<string, ProviderPerson>()
  private readonly things = new Map<string, AdapterPayload>()
  private server: Server | null = null
  issuer = ''

  /** Starts the provider for a service at `origin`, and returns the settings with which the service uses it. */
  async open(origin: string): Promise<Record<string, string>> {
    const server = createServer()
    this.server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    this.issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
    const provider = new Provider(this.issuer, {
      ...configuration(this.things),
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [`${origin}/api/auth/callback/oidc`] }],
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...this.people.get(sub) }) as never }),
    })
    const protocol = provider.callback()
    server.on('request', (request, response) =>
      request.url?.startsWith('/interaction/') ? this.handleSignIn(provider, request, response) : protocol(request, response),
    )
    return { OIDC_ISSUER: this.issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'Example ID' }
  }

  /** Registers another client with a callback URL, and returns its id and secret. */
  addClient(callbackUrl: string): { clientId: string; clientSecret: string } {
    const id = `client-${this.things.size}`
    this.things.set(`Client ${id}`, { client_id: id, client_secret: clientSecret, redirect_uris: [callbackUrl] })
    return { clientId: id, clientSecret }
  }

  /** Shows the provider's sign-in page, or signs in if the page's form was submitted. */
  private async handleSignIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(signInPage)
    const accountId = (await readFields(request)).get('login') ?? ''
    await provider.interactionFinished(request, response, { login: { accountId } })
  }

  /** Signs in on the provider's page as a browser would, and returns the callback URL. */
  async signIn(at: string, sub: string): Promise<string> {
    const browser = new Visitor(this.issuer)
    const page = await browser.open(at)
    const response = await browser.send(page.path, {
      method: 'POST',
      body: new URLSearchParams({ login: sub, password: 'any' }),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    return (await browser.follow(response, page.path)).path
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server?.closeAllConnections()
      this.server?.close(() => resolve())
    })
  }
}
