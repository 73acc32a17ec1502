import { createServer, type Server } from 'node:http'
import Provider from 'oidc-provider'
import { Visitor } from './visitor.ts'

export type ProviderPerson = { readonly email?: string; readonly email_verified?: unknown; readonly name?: string }

const clientId = 'svc-portal'
const clientSecret = 'a secret of the tests for the provider'

/** A real OpenID Connect provider, at which every person signs in with a name and no password. */
export class IdentityProvider {
  readonly people = new Map<string, ProviderPerson>()
  private server: Server | null = null
  issuer = ''

  /** Opens it for a service at `origin`, and returns the settings of that service. */
  async open(origin: string): Promise<Record<string, string>> {
    const server = createServer()
    this.server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    this.issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [`${origin}/api/auth/callback/oidc`] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      cookies: { keys: ['keys of the tests'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...this.people.get(sub) }) as never }),
    })
    server.on('request', provider.callback())
    return { OIDC_ISSUER: this.issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'Example ID' }
  }

  /** Goes through the provider's own pages, in the development form that its library brings: a name, then consent. Returns the way back. */
  async signIn(at: string, sub: string): Promise<string> {
    const browser = new Visitor(this.issuer)
    let page = await browser.open(at)
    for (let step = 0; step < 4 && page.path.startsWith('/interaction'); step++) {
      const action = /<form[^>]*action="([^"]+)"/.exec(page.html)?.[1] ?? ''
      const prompt = /name="prompt" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
      const response = await browser.send(new URL(action).pathname, {
        method: 'POST',
        body: new URLSearchParams({ prompt, login: sub, password: 'any' }),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      page = await browser.follow(response, page.path)
    }
    return page.path
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server?.closeAllConnections()
      this.server?.close(() => resolve())
    })
  }
}
