import { seal, unseal } from '../auth/seal.ts'

const purpose = 'webhook secrets'

/** The secret of an endpoint as the database has it, bound to the endpoint. */
export const sealSecret = (key: string, endpoint: string, secret: string): Buffer => seal(key, purpose, endpoint, secret)

const mostKept = 10_000

/** Opens secrets of endpoints and keeps the last ones that it opened, because opening one takes longer than signing with it. */
export class OpenSecrets {
  readonly #key: string
  readonly #kept = new Map<string, string>()

  constructor(key: string) {
    this.#key = key
  }

  /** @throws when it was sealed with another key or for another endpoint. */
  open(endpoint: string, sealed: Buffer): string {
    const name = `${endpoint} ${sealed.toString('base64')}`
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept
    const secret = unseal(this.#key, purpose, endpoint, sealed)
    if (this.#kept.size >= mostKept) this.#kept.clear()
    this.#kept.set(name, secret)
    return secret
  }
}
