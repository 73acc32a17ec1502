import { seal, unseal } from '#server/auth/seal.ts'
import type { Log } from '#server/observability/log.ts'

const purpose = 'webhook secrets'

/** The secret of an endpoint as the database has it, bound to the endpoint. */
export const sealSecret = (key: string, endpoint: string, secret: string): Buffer => seal(key, purpose, endpoint, secret)

const mostKept = 10_000

/**
 * Opens secrets of endpoints and keeps the last ones that it opened, because opening one takes longer than signing with it. What cannot be opened is
 * kept as well, so that the log says it once.
 */
export class OpenSecrets {
  readonly #key: string
  readonly #log: Log
  readonly #kept = new Map<string, string | null>()

  constructor(key: string, log: Log) {
    this.#key = key
    this.#log = log
  }

  /** Null when it was sealed with another key or for another endpoint. */
  open(endpoint: string, sealed: Buffer): string | null {
    const name = `${endpoint} ${sealed.toString('base64')}`
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept
    const secret = this.#unsealed(endpoint, sealed)
    if (this.#kept.size >= mostKept) this.#kept.clear()
    this.#kept.set(name, secret)
    return secret
  }

  #unsealed(endpoint: string, sealed: Buffer): string | null {
    try {
      return unseal(this.#key, purpose, endpoint, sealed)
    } catch (error) {
      this.#log.error({ err: error, endpoint }, 'A secret of a webhook endpoint cannot be opened: it was sealed with another NEXTAUTH_SECRET.')
      return null
    }
  }
}
