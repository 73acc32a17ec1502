import { createHmac } from 'node:crypto'
import { decrypt, encrypt } from '#server/accounts/encryption.ts'
import { randomBase62 } from '#server/ids.ts'
import type { Log } from '#server/observability/log.ts'

const secretLength = 40

/** Generates an endpoint's signing secret. Receivers use it as is, including the prefix. */
export const newSigningSecret = (): string => `whsec_${randomBase62(secretLength)}`

/** Returns the value of X-SVC-Signature: the time and, for each active secret, the hex HMAC-SHA256 of `<time>.<body>`. The newest secret comes first. */
export function sign(body: string, secrets: readonly string[], nowMs: number): string {
  const time = Math.floor(nowMs / 1_000)
  return [`t=${time}`, ...secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`)].join()
}

const purpose = 'webhook secrets'

/** Encrypts an endpoint's secret for storage. The result can only be decrypted for the same endpoint. */
export const encryptSecret = (key: string, endpoint: string, secret: string): Buffer<ArrayBuffer> => encrypt(key, purpose, endpoint, secret)

const maxCached = 10_000

/** Decrypts endpoint secrets and caches the results, because decrypting takes longer than signing. Also caches failures, so that each is logged once. */
export class OpenSecrets {
  readonly #key: string
  readonly #log: Log
  readonly #kept = new Map<string, string | null>()

  constructor(key: string, log: Log) {
    this.#key = key
    this.#log = log
  }

  /** Returns the decrypted secret; null if it was encrypted with another key or for another endpoint. */
  open(endpoint: string, encrypted: Buffer): string | null {
    const name = `${endpoint} ${encrypted.toString('base64')}`
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept
    const secret = this.#decrypt(endpoint, encrypted)
    if (this.#kept.size >= maxCached) this.#kept.clear()
    this.#kept.set(name, secret)
    return secret
  }

  #decrypt(endpoint: string, encrypted: Buffer): string | null {
    try {
      return decrypt(this.#key, purpose, endpoint, encrypted)
    } catch (error) {
      this.#log.error({ err: error, endpoint }, "Cannot decrypt a webhook endpoint's secret: it was encrypted with another NEXTAUTH_SECRET.")
      return null
    }
  }
}
