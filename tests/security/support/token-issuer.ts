import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'

export const clientId = 'svc-portal'

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2_048 })
const part = (value: object | Buffer): string => (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url')

export type IdToken = { readonly claims: Record<string, unknown>; readonly header?: Record<string, unknown>; readonly key?: 'own' | 'other' | 'none' }

/** OpenID Connect provider that issues whatever ID token a test requests. */
export class TokenIssuer {
  issuer = ''
  /** Issuer in the discovery document; defaults to the provider's own. */
  namedIssuer: string | null = null
  next: IdToken = { claims: {} }
  /** Paths of all requests, in order. */
  readonly requested: string[] = []
  /** Responses that replace the default ones, by path. */
  readonly instead = new Map<string, (response: ServerResponse) => void>()
  private readonly own = keyPair()
  private readonly other = keyPair()
  private server: Server | null = null

  async open(): Promise<Record<string, string>> {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      this.requested.push(request.url ?? '')
      const other = this.instead.get(request.url ?? '')
      if (other) return other(response)
      response.end(JSON.stringify(this.answer(request.url ?? '')))
    })
    this.server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    this.issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
    return { OIDC_ISSUER: this.issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: 'a secret of the tests for the provider', OIDC_NAME: 'Example ID' }
  }

  private answer(url: string): object {
    if (url === '/jwks') return { keys: [{ ...this.own.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'own' }] }
    if (url === '/token') return { access_token: 'an access token', token_type: 'Bearer', expires_in: 60, id_token: this.token(this.next) }
    return {
      issuer: this.namedIssuer ?? this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }
  }

  private token({ claims, header = {}, key = 'own' }: IdToken): string {
    const signed = `${part({ alg: key === 'none' ? 'none' : 'RS256', kid: 'own', typ: 'JWT', ...header })}.${part(claims)}`
    if (key === 'none') return `${signed}.`
    const privateKey: KeyObject = key === 'own' ? this.own.privateKey : this.other.privateKey
    return `${signed}.${part(sign('sha256', Buffer.from(signed), privateKey))}`
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server?.closeAllConnections()
      this.server?.close(() => resolve())
    })
  }
}
